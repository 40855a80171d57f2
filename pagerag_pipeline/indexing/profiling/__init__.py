"""What a profile is made from: figures of discourse, language, topics, and fitted weights. `indexing/profile.py` puts them together."""
