"""The verbs of a build as a language model does them: what it is asked, and what its reply is worth. Without a model, the verbs one floor up stand."""
