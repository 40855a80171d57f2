"""Tests of embedding by a server."""
