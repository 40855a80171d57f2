"""Tests of the refresh room."""
