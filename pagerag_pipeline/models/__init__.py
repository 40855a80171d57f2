"""Embedders, tokenizers and taggers behind the protocols of schema."""
