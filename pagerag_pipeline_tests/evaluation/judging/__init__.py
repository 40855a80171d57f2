"""Tests of what is judged by a chat model."""
