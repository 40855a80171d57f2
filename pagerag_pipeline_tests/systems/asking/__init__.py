"""Tests of what systems ask of a chat model."""
