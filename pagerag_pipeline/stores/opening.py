"""Opening a generation for asking: the named or the current one, with words cut as they are cut now."""

from pathlib import Path

from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import generations, published
from pagerag_pipeline.stores.repository import Repository

OPEN_ATTEMPTS = 5
"""A generation may be collected between reading its name and leasing it: look again."""


class OtherTerms(RuntimeError):
    """A generation whose words were cut by other rules than today's."""


def open_repository(home: Path, settings: Settings, generation: str | None = None) -> Repository:
    """The named generation, or the current one, open and leased. Raises NoIndex when there is none, GenerationError, OtherTerms."""
    for _ in range(OPEN_ATTEMPTS):
        name = generation or generations.current_name(home)
        if name is None:
            raise published.NoIndex(f"Nothing is published in {home} yet: run a refresh first.")
        try:
            return _checked(Repository(home, generations.read_manifest(home, name, whole=True), settings))
        except generations.GenerationError:
            if generation is not None or generations.current_name(home) == name:
                raise
    raise generations.GenerationError(f"{home}: the current generation changed {OPEN_ATTEMPTS} times while it was being opened; ask again.")


def _checked(repository: Repository) -> Repository:
    if repository.has_own_terms():
        return repository
    repository.close()
    raise OtherTerms(f"Generation {repository.generation} was written by another version of this program, which cut words differently: refresh.")
