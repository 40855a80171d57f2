"""Tests of how tables are read."""
