"""A chat model behind an OpenAI-compatible endpoint, asked only by the driver of a refresh and by who answers questions."""
