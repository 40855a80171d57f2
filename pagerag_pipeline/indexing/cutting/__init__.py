"""Where text may be cut and what fits a window. `indexing/chunk.py` decides what is a chunk."""
