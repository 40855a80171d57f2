"""Tests of the rules of extraction."""
