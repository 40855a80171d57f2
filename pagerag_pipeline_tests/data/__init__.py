"""Tests of the bundled corpus and its questions."""
