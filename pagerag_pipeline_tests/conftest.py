"""How all tests run: examples of hypothesis are the same each time, `make soak` draws new ones; workers side by side keep to one thread each."""

import os

from hypothesis import settings

settings.register_profile("test", derandomize=True, deadline=None)
settings.register_profile("soak", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))

if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers and the processes they start share the cores: with a thread a core in each of them they would wait for one another.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
