"""Tests of the chat client."""
