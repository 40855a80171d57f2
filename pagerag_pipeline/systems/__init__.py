"""From question to plan to bounded evidence."""
