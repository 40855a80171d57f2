"""An embedder behind an OpenAI-compatible server: its line, what is checked of its replies, and how it is told from another model."""
