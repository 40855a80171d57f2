"""First builds that several tests of this room start from or compare with: each is made once."""

import json
from pathlib import Path

import pytest

from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline_tests.homes import STUB_MODELS, copy_home, digests, make_home, refreshed


class FirstBuilds:
    """Homes that saw one refresh of one corpus, by files and settings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, tuple[Path, dict[str, ProductReport]]] = {}

    def home(self, folder: Path, files: dict[str, str], *, settings: str = STUB_MODELS) -> Path:
        """A copy of the home in a folder that is empty or not there yet: the test's own, to go on from."""
        return copy_home(self._built(files, settings)[0], folder)

    def reports(self, files: dict[str, str], *, settings: str = STUB_MODELS) -> dict[str, ProductReport]:
        """What its refresh told, by product."""
        return dict(self._built(files, settings)[1])

    def digests(self, files: dict[str, str], *, settings: str = STUB_MODELS) -> dict[str, str]:
        """The digests of a clean build."""
        return digests(self.reports(files, settings=settings))

    def _built(self, files: dict[str, str], settings: str) -> tuple[Path, dict[str, ProductReport]]:
        key = json.dumps([sorted(files.items()), settings])
        if key not in self._made:
            home = make_home(self._folder / str(len(self._made)), files, settings=settings)
            self._made[key] = home, refreshed(home)
        return self._made[key]


@pytest.fixture(scope="package")
def first_builds(tmp_path_factory: pytest.TempPathFactory) -> FirstBuilds:
    """The first builds of this process."""
    return FirstBuilds(tmp_path_factory.mktemp("first_builds"))
