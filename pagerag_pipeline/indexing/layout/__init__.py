"""How plain text shows its structure: paragraphs, headings, numbers, tables of contents. `indexing/structure.py` makes sections of it."""
