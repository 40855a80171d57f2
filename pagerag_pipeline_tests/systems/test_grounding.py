"""What a verdict stands on."""

from dataclasses import dataclass, replace
from typing import cast

import pytest

from pagerag_pipeline.schema.asking import Evidence
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.grounding import share_of_one_story
from pagerag_pipeline_tests.answering.evidence import shown


@dataclass(frozen=True)
class Forms:
    """A repository that knows nothing but what its documents are."""

    known: dict[str, str]

    def forms(self, documents: list[str]) -> dict[str, str]:
        return {document: self.known[document] for document in documents if document in self.known}


def passages(*documents: str) -> list[Evidence]:
    return [replace(item, spans=(replace(item.spans[0], document=document),)) for item, document in zip(shown(*documents), documents, strict=True)]


@pytest.mark.parametrize(
    ("documents", "chance"),
    [
        (("novel", "novel"), 1.0),
        (("novel", "tale", "novel", "report"), 0.3125),
        (("report", "report", "tale"), 0.1111),
        (("report", "unknown"), 0.0),
    ],
)
def test_only_passages_of_one_story_count_together(documents: tuple[str, ...], chance: float) -> None:
    repository = cast(Repository, Forms({"novel": "fiction", "tale": "fiction", "report": "report"}))
    assert share_of_one_story(passages(*documents), repository) == chance
