"""From bounded evidence to a cited answer or a refusal."""
