"""Plans of a whole question (PankRAG, section 4.3): hops and what they depend on, made by rules or read from JSON, mended, and run in order."""
