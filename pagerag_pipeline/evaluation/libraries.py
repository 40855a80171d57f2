"""The libraries of the extra `evaluate`: metrics are theirs; each is imported where it is used, for most commands need none of them."""

import importlib.metadata
import importlib.util

from pagerag_pipeline.evaluation.sources import EvaluationError

LIBRARIES = {"ir_measures": "ir-measures", "sklearn": "scikit-learn", "scipy": "scipy"}
"""Module to distribution."""


def missing_libraries() -> list[str]:
    """The libraries that are not installed."""
    return [name for module, name in LIBRARIES.items() if importlib.util.find_spec(module) is None]


def require_libraries() -> None:
    """Raise EvaluationError, with what to install, when a library is missing."""
    missing = missing_libraries()
    if missing:
        raise EvaluationError(f"evaluate needs {', '.join(missing)}: pip install 'pagerag_pipeline[evaluate]'.")


def library_versions() -> dict[str, str]:
    """Version by distribution, this package's own among them where it is installed."""
    versions = {}
    for name in ("pagerag_pipeline", *LIBRARIES.values()):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return versions
