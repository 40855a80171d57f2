"""Tables in every system: what asks over all rows is refused or worked out, never quoted; a cell is read under the header of its table."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pagerag_pipeline.query import SYSTEMS, QueryEngine
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline_tests.homes import build

_BARGES = [("Adder", "North Line", 1860), ("Badger", "Ada Holt", 1871), ("Crane", "North Line", 1882), ("Dormouse", "Ada Holt", 1893), ("Ermine", "Ada Holt", 1899)]
_ROWS = "\n".join(f"| {name} | {owner} | {built} |" for name, owner, built in _BARGES)
FILES = {
    "barges.md": f"# Barges\n\nThe barges of the canal leave at seven.\n\n| Barge | Owner | Built |\n| --- | --- | --- |\n{_ROWS}\n",
    "letter.txt": "The barges that North Line owns are two barges. Its barges leave at seven. Of all barges the longest barge is the Crane.",
}
OTHERS = sorted(set(SYSTEMS) - {"ensi"})


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("tables"), FILES)


@pytest.fixture(scope="module")
def engine(home: Path) -> Iterator[QueryEngine]:
    with QueryEngine(home) as opened:
        yield opened


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("question", ["How many barges does Ada Holt own?", "Which barges have Ada Holt as their owner?", "Which barge was built first, the Adder or the Crane?"])
def test_what_asks_over_all_rows_is_refused_where_only_some_were_read(engine: QueryEngine, system: str, question: str) -> None:
    outcome = engine.ask(question, system=system)
    assert (outcome.status, outcome.reason) == ("refused", "insufficient")


@pytest.mark.parametrize("system", OTHERS)
def test_it_says_who_works_it_out(engine: QueryEngine, system: str) -> None:
    outcome = engine.ask("How many barges does Ada Holt own?", system=system)
    assert "it asks over all rows of barge" in outcome.missing[0] and "ensi" in outcome.missing[0]
    assert any(step["step"] == "tables" and step["over"] == "barge" for step in outcome.trace)


@pytest.mark.parametrize("system", OTHERS)
def test_the_same_is_worked_out_where_the_settings_say_so(home: Path, system: str) -> None:
    settings = load_settings(home)
    with QueryEngine(home, replace(settings, answer=replace(settings.answer, over_tables="compute"))) as engine:
        outcome = engine.ask("How many barges does Ada Holt own?", system=system)
    assert (outcome.status, outcome.answer, len(outcome.citations)) == ("answered", "3", 3)
    assert {item.kind for item in outcome.evidence} == {"row"}


def test_a_sentence_that_says_it_whole_is_an_answer(engine: QueryEngine) -> None:
    outcome = engine.ask("How many barges does North Line own?", system="page")
    assert outcome.answer is not None and outcome.answer.startswith("two")


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_single_cell_is_read_by_every_system(engine: QueryEngine, system: str) -> None:
    outcome = engine.ask("Who owns the Dormouse?", system=system)
    assert (outcome.status, outcome.answer) == ("answered", "Ada Holt")
