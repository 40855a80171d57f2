"""The verbs: from files to knowledge. Pure functions; models are parameters, stores are unknown here."""
