"""Tests of the readers of formats."""
