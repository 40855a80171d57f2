"""Tests of the indexing verbs."""
