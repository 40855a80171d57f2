"""Tests of the words for models."""
