"""Tests of the answering room."""
