"""Operators, one a file: from a question and a repository to bounded evidence."""
