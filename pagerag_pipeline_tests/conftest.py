"""How all tests run: examples of hypothesis are the same each time; `make soak` draws new ones."""

import os

from hypothesis import settings

settings.register_profile("test", derandomize=True, deadline=None)
settings.register_profile("soak", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))
