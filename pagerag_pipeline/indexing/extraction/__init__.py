"""The rules of extraction: from a tagged chunk to terms, knowledge units and records."""
