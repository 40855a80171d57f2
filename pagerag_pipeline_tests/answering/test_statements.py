"""What a question takes for granted, and the deed that it asks about, are read from its words."""

import pytest

from pagerag_pipeline.answering.statements import deed_asked, names_deed, read_statement


@pytest.mark.parametrize(
    ("question", "subject", "verb"),
    [
        ("Why did Mara Quill sell Tinworks?", "Mara Quill", "sell"),
        ("When was the Orchard of Moss closed?", "the Orchard of Moss", "close"),
        ("When was the old toll house closed?", "the old toll house", "close"),
        ("What make was the electric oven that the Quern Bakery bought?", "the Quern Bakery", "bought"),
    ],
)
def test_the_statement_in_a_question_is_read(question: str, subject: str, verb: str) -> None:
    found = read_statement(question)
    assert found is not None
    assert (found.subject, found.verb) == (subject, verb)


@pytest.mark.parametrize(
    ("question", "deed"),
    [
        ("When was the town hall rebuilt?", "rebuilt"),
        ("Who designed the bridge over the Tamar?", "design"),
        ("When did Anna Roe marry?", "marri"),
        ("When did that war end?", "end"),
        ("When were the first railway lines of the county opened?", ""),
        ("Who was elected chair?", ""),
        ("Who has the key?", ""),
        ("When is the fair?", ""),
        ("Who is the king that died?", ""),
    ],
)
def test_the_deed_that_is_asked_about_is_read(question: str, deed: str) -> None:
    assert deed_asked(question) == deed


def test_a_deed_is_named_by_its_forms_and_by_what_begins_like_it() -> None:
    assert names_deed("abolish", {"abolit"}) and names_deed("found", {"founder"}) and names_deed("wed", {"wed"})
    assert not names_deed("rebuilt", {"built"}) and not names_deed("marri", {"wife"}) and not names_deed("open", {"oper"})
