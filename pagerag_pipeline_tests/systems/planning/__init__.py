"""Tests of plans: read, mended, made by rules, run."""
