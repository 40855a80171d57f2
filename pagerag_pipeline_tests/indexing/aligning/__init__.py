"""Tests of the alignment of people."""
