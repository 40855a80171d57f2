"""Tests of the verbs as a model does them."""
