"""Readers of file formats, one family a file; `indexing/parse.py` holds the table of suffixes."""
