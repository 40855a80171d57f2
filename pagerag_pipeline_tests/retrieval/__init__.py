"""Tests of the retrieval operators."""
