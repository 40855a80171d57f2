"""Tests of plans over records, their matching and hops."""
