"""Tests of headings and numbers in plain text."""
