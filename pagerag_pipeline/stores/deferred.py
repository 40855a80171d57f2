"""Importing a library without building what it declares and nobody uses."""

import contextlib
import functools
from collections.abc import Iterator


@contextlib.contextmanager
def built_when_used() -> Iterator[None]:
    """Pydantic models and checked functions that are declared meanwhile are built when they are first used, and are otherwise the same.

    LanceDB brings those of a catalog service, some 250 models and 370 functions, which took nearly half of its import (measured: 1.4 s for 2.4).
    """
    import pydantic

    known, checked = pydantic.BaseModel.model_config, pydantic.validate_call
    later = pydantic.ConfigDict(defer_build=True)
    pydantic.BaseModel.model_config = later
    pydantic.validate_call = functools.partial(checked, config=later)  # type: ignore[assignment]
    try:
        yield
    finally:
        pydantic.BaseModel.model_config, pydantic.validate_call = known, checked
