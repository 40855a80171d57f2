"""Gate G5 in parts: which names of people are one person's, and what the text says for and against it."""
