"""Names with their titles, whether a tagger found the name, half of it, or nothing."""

import pytest

from pagerag_pipeline.indexing.extraction.titled import with_titles
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import NamedSpan


def titled(text: str, *found: tuple[str, str]) -> list[tuple[str, str]]:
    names = [NamedSpan(text.index(surface), text.index(surface) + len(surface), label) for surface, label in found]
    return [(text[name.start : name.end], name.label) for name in with_titles(text, Span(0, len(text)), names)]


@pytest.mark.parametrize(
    ("text", "found", "wanted"),
    [
        ("I met Mr. Hale.", (("Hale", "PERSON"),), [("Mr. Hale", "PERSON")]),
        ("I met Mrs Hale.", (("Hale", "GPE"),), [("Mrs Hale", "PERSON")]),
        ("I met Mr. Odo Hale.", (("Hale", "PERSON"),), [("Mr. Odo Hale", "PERSON")]),
        ("I met Aunt Hale.", (("Hale", "PERSON"),), [("Aunt Hale", "PERSON")]),
        ("The General Hale Company", (("Hale Company", "ORG"),), [("Hale Company", "ORG")]),
        ("Then Miss\nHale came.", (), [("Miss\nHale", "PERSON")]),
        ("Then Miss Hale I'm told came.", (), [("Miss Hale", "PERSON")]),
        ("The Rev. Odo Hale spoke.", (), [("Rev. Odo Hale", "PERSON")]),
        ("Puis M. Dupont entra.", (), [("M. Dupont", "PERSON")]),
        ("By M. A. Hale.", (), []),
        ("He won by a mile, sir.", (), []),
    ],
)
def test_a_title_belongs_to_the_name_after_it(text: str, found: tuple[tuple[str, str], ...], wanted: list[tuple[str, str]]) -> None:
    assert titled(text, *found) == wanted
