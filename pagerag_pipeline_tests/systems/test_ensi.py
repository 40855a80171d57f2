"""The `ensi` system over small tables: what is worked out over all rows, from whatever words, and what is refused."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome, Scope
from pagerag_pipeline_tests.homes import build

_NAMES = "Adder Badger Crane Dormouse Ermine Falcon Gull Hare Ibis Jay".split()
BARGES = "\n".join(
    f"| {name} | {'North Line' if n % 2 else 'Ada Holt'} | {1860 + 5 * n} | {10 + n}.5 | {900 - 50 * n if n != 3 else ''} |" for n, name in enumerate(_NAMES)
)
FILES = {
    "barges.md": f"# Barges\n\nThe barges of the canal.\n\n| Barge | Owner | Built | Length (m) | Load |\n| --- | --- | --- | --- | --- |\n{BARGES}\n",
    "ovens.csv": "Oven,Town,Loaves 1880,Loaves 1890\nBertha,Kelham,400,500\nMagda,Kelham,700,300\nCrane,Wick,100,900\n",
    "ships.csv": 'Ship,Master,Tons\nHeron,Calder,90\nPlover,Marsh,20,extra,more\nTeal,,40\n',
    "schools.csv": "School,Pupils 1880,Pupils 1890\nWick,310,290\nHarl,280,330\n",
    "letter.txt": "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane. Mara Quill has never owned a barge.",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QueryEngine]:
    with QueryEngine(build(tmp_path_factory.mktemp("ensi"), FILES)) as opened:
        yield opened


def asked(engine: QueryEngine, question: str, scope: Scope | None = None) -> Outcome:
    return engine.ask(question, system="ensi", scope=scope)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many barges are there?", "10"),
        ("How many barges have North Line as their owner?", "5"),
        ("How many barges have a length of more than 15 m?", "5"),
        ("How many barges of the owner Ada Holt have a load of at most 800?", "4"),
        ("How many ovens had more than 350 loaves in 1880?", "2"),
        ("How many ovens had more than 350 loaves in 1890?", "2"),
        ("How many barges had a load below 100?", "0"),
        ("Which ovens have the town Kelham?", "Bertha; Magda"),
        ("Which barges have a load of at least 800?", "Adder; Badger; Crane"),
        ("Which barge with a load of at least 600 is the longest?", "Gull"),
        ("How many barges have a length exceeding 15 m?", "5"),
        ("How many ovens have the town Kelham or Wick?", "3"),
        ("Which barge is the longest?", "Jay"),
        ("Which barge has the lowest load?", "Jay"),
        ("Which oven had the most loaves in 1880?", "Magda"),
        ("Which oven had the most loaves in 1890?", "Crane"),
        ("Which barge is longer, the Crane or the Falcon?", "Falcon"),
        ("Which oven had more loaves in 1890, Bertha or Magda?", "Bertha"),
    ],
)
def test_what_all_rows_give_together_is_answered_with_the_rows_it_stands_on(engine: QueryEngine, question: str, answer: str) -> None:
    outcome = asked(engine, question)
    assert (outcome.status, outcome.answer) == ("answered", answer), outcome.missing
    assert outcome.citations and {label for claim in outcome.claims for label in claim.labels} <= {item.label for item in outcome.evidence}
    assert {item.kind for item in outcome.evidence} == {"row"}


def test_a_count_stands_on_all_rows_and_not_on_five(engine: QueryEngine) -> None:
    outcome = asked(engine, "How many barges are there?")
    assert len(outcome.citations) == len(outcome.evidence) == len(_NAMES)


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("How many barges have North Line as their banker?", "banker"),
        ("Which barge has the deepest hull?", "no field"),
        ("Which oven had the most loaves in 1870?", "1870"),
        ("Which oven had the most loaves?", "several periods"),
        ("Which barge had a larger load, the Dormouse or the Gull?", "dormouse"),
        ("How many chapels are in the town of Kelham?", "no table lists"),
        ("How many barges are painted?", "painted"),
        ("How many barges were praised by Ada Holt?", "praised"),
        ("How many barges of the owner Ada Holt were painted?", "painted"),
        ("How many ovens are not in the town of Kelham?", "'not'"),
        ("How many ovens are there without Bertha?", "'without'"),
        ("How many barges lack North Line as their owner?", "'lack'"),
        ("How many ovens are outside the town of Kelham?", "'outside'"),
        ("How many barges were formerly owned by Ada Holt?", "'formerly'"),
        ("How many more barges does North Line own than Ada Holt?", "'more'"),
        ("How many barges have 800 load or more?", "'or'"),
        ("How many barges were built in 1870 or later?", "'or'"),
        ("How many barges were built in or before 1870?", "'or'"),
        ("Which barge is the longest but one?", "'but'"),
        ("Which barge with a load of 600 at most is the longest?", "'at most'"),
    ],
)
def test_what_is_unsure_is_refused_with_what_is_missing(engine: QueryEngine, question: str, lacks: str) -> None:
    outcome = asked(engine, question)
    assert outcome.status == "refused" and outcome.reason == "insufficient"
    assert lacks in outcome.missing[0]


def test_without_one_of_its_parts_a_count_is_none_and_says_so(engine: QueryEngine) -> None:
    question = "How many barges have North Line as their owner?"
    with QueryEngine(engine._home, ablations={"no_all_matching"}) as bare:
        single = bare.gather(question, system="ensi")
        assert bare.ask(question, system="ensi").answer != "5"
    assert engine.gather(question, system="ensi").computed and single.computed is None and "ablation: no_all_matching" in single.plan.why
    with QueryEngine(engine._home, ablations={"no_records"}) as bare:
        dense = bare.gather(question, system="ensi")
        with pytest.raises(ValueError, match="e2 has no part that no_records takes away: that is of ensi"):
            bare.gather(question, system="e2")
    cosines = [dict(item.scores)["dense"] for item in dense.ranked]
    assert dense.computed is None and cosines == sorted(cosines, reverse=True) and len(set(cosines)) > 1
    assert dense.plan.operators == ("dense",) and dense.plan.why == ("ablation: no_records",)


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("How many ships are there?", "rows of these tables that could not be read as records: 1"),
        ("Which ship has the most tons?", "rows of these tables that could not be read as records: 1"),
        ("How many schools had more than 300 pupils?", "pupils is known for several periods (1880, 1890)"),
        ("Which barges were left by Ada Holt?", "left"),
        ("Which barges have a length of more than 99 m?", "no row of a table qualifies"),
    ],
)
def test_what_the_rows_cannot_tell_surely_is_refused_and_never_searched_for(engine: QueryEngine, question: str, lacks: str) -> None:
    outcome = asked(engine, question)
    assert outcome.status == "refused" and lacks in "; ".join(outcome.missing), (outcome.answer, outcome.missing)


def test_a_table_that_is_read_whole_is_counted_beside_one_that_is_not(engine: QueryEngine) -> None:
    assert asked(engine, "How many schools had more than 300 pupils in 1890?").answer == "1"


def test_what_a_counted_noun_has_is_not_counted_in_its_place(engine: QueryEngine) -> None:
    found = engine.gather("How many owners have barges built after 1870?", system="ensi")
    assert found.computed is None


def test_only_what_is_in_scope_is_counted(engine: QueryEngine) -> None:
    assert asked(engine, "How many barges are there?", Scope(("barges.md",))).answer == "10"
    assert asked(engine, "How many barges are there?", Scope(("ovens.csv", "letter.txt"))).answer is None


def test_more_than_the_budget_is_read_in_batches_and_nothing_is_left_out(engine: QueryEngine) -> None:
    outcome = engine.ask("How many barges are there?", system="ensi", budget=60)
    assert outcome.answer == "10" and len(outcome.evidence) == 10
    assert outcome.plan.budgets["batches"] > 1
    step = next(one for one in outcome.trace if one["step"] == "inventory")
    assert step["over_budget"] and step["rows"] == 10


def test_rows_without_the_number_that_is_compared_are_told(engine: QueryEngine) -> None:
    outcome = asked(engine, "Which barge has the lowest load?")
    step = next(one for one in outcome.trace if one["step"] == "inventory")
    assert step["notes"] == ["1 rows have no number of load"]


def test_a_single_fact_goes_by_its_entity_and_a_bridge_that_leads_nowhere_stops_no_other_hop(engine: QueryEngine) -> None:
    found = engine.gather("Who founded Tinworks, and what did Mara Quill found?", system="ensi")
    hops = [one for one in found.trace if one["step"] == "hop"]
    assert found.ranked[0].spans[0].document == "letter.txt"
    assert any(one["records"] for one in hops)
    lonely = engine.gather("What load has the Crane, and where does Tinworks stand?", system="ensi")
    told = [one for one in lonely.trace if one["step"] == "hop"]
    assert any(one["blocked"] for one in told) and any(one["records"] for one in told)


def test_search_guards_what_records_do_not_reach_and_says_so(engine: QueryEngine) -> None:
    found = engine.gather("What was never owned by anybody?", system="ensi")
    guard = next(one for one in found.trace if one["step"] == "guard")
    assert guard["on"] and guard["by_records"] == 0 and guard["added"] == len({span.chunk_id for item in found.ranked for span in item.spans})


def test_the_same_question_gives_the_same_outcome(engine: QueryEngine) -> None:
    first, second = (asked(engine, "Which ovens have the town Kelham?") for _ in range(2))
    assert replace(first, usage=second.usage) == second
