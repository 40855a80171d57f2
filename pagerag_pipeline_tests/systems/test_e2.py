"""The e2 system over small published homes: its branches, their trace, scope, options, cuts and evidence."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome, Question, Scope, Turn
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.systems.gathering import Gathered
from pagerag_pipeline_tests.homes import F1, F2, F3, STUB_MODELS, build

STORY = " ".join(
    f"Ann Hale met Bob Fenn at mill {n}. The rain fell on the {word} that day. Nobody spoke." for n, word in enumerate("corn barn road wheel boat".split())
)
CUT = "\n[chunk]\nchunk_tokens = 24\nchunk_min_tokens = 12\npassage_tokens = 12\ncontext_tokens = 4\nfixed = true\nfixed_tokens = 30\nfixed_overlap = 6\n"
FILES = {"a.txt": F1, "b.txt": F2, "c.txt": F3, "story.txt": STORY}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("e2"), FILES, settings=STUB_MODELS + CUT)


@pytest.fixture
def engine(home: Path) -> Iterator[QueryEngine]:
    with QueryEngine(home) as opened:
        yield opened


def with_knobs(home: Path, **knobs: Any) -> Settings:
    settings = load_settings(home)
    return replace(settings, e2=replace(settings.e2, **knobs))


def gather(home: Path, question: str | Question, *, scope: Scope | None = None, budget: int | None = None, **knobs: Any) -> Gathered:
    with QueryEngine(home, with_knobs(home, **knobs)) as opened:
        return opened.gather(question, system="e2", scope=scope, budget=budget)


def step(found: Gathered | Outcome, name: str) -> dict[str, Any]:
    return next(one for one in found.trace if one["step"] == name)


def exact(found: Gathered) -> bool:
    """Whether every span shown or ranked is the exact slice of its file."""
    spans = [span for item in (*found.ranked, *found.evidence) for span in item.spans]
    return all(FILES[span.document][span.start : span.end] == span.quote for span in spans)


@pytest.mark.parametrize(
    ("question", "branch"),
    [
        ("Where did they go when it was over?", "dense_global"),
        ("Did Odo meet Sister Nell?", "occurrence_rank"),
        ("Did Mara Quill sell Tinworks?", "local"),
        ("What about Zebulon?", "occurrence_rank"),
    ],
)
def test_the_branch_follows_from_what_the_question_names(home: Path, question: str, branch: str) -> None:
    found = gather(home, question)
    told = step(found, "branch")
    assert (told["branch"], told["path_measure"]) == (branch, "hops")
    assert found.plan.why[0].startswith(f"{branch}: ")
    assert found.ranked and found.evidence and exact(found)
    assert told["history"][0]["h"] == 4


def test_too_many_chunks_are_tightened_and_told_by_level(home: Path) -> None:
    found = gather(home, "Did Ann Hale meet Bob Fenn?", chunks=2)
    told = step(found, "branch")
    assert told["branch"] == "entity_aware(4)"
    assert [(level["h"], level["chunks"] > 0) for level in told["history"]] == [(4, True), (3, True), (2, True), (1, True), (0, False)]
    assert told["chunks"] == 2


def test_siblings_in_the_tree_may_tighten_once_more(home: Path) -> None:
    found = gather(home, "Did Ann Hale meet Bob Fenn?", chunks=2, siblings=1)
    told = step(found, "branch")
    assert told["history"][-1] == {"siblings": 1, "chunks": told["history"][-1]["chunks"]} and told["history"][-1]["chunks"] > 2
    assert told["branch"] == "entity_aware(4)" and told["chunks"] == 2


def test_answers_end_in_the_common_gate(engine: QueryEngine) -> None:
    outcome = engine.ask("Who founded Tinworks with Mara Quill?", system="e2")
    assert outcome.system == "e2" and outcome.status == "answered" and "Mara Quill" in (outcome.answer or "")
    assert all({"bm25", "dense", "coverage", "entities"} <= dict(item.scores).keys() for item in outcome.evidence)
    assert {"tag", "open", "branch", "evidence", "pack"} <= outcome.usage.steps.keys()
    refused = engine.ask("Who painted the Sistine ceiling?", system="e2")
    assert refused.status == "refused"


def test_scope_holds_for_the_graph_its_counts_and_summaries(home: Path) -> None:
    question = "Did Odo Fenn buy Tinworks from Mara Quill?"
    whole, part = gather(home, question), gather(home, question, scope=Scope(("a.txt",)))
    assert step(part, "entities")["mapped"] == ["Tinworks", "Mara", "Quill"] or set(step(part, "entities")["mapped"]) == {"Tinworks", "Mara", "Quill"}
    assert {span.document for item in (*part.ranked, *part.evidence) for span in item.spans} == {"a.txt"}
    assert "b.txt" in {span.document for item in whole.ranked for span in item.spans}
    every = gather(home, "Where did it happen?", scope=Scope(("story.txt",)))
    assert {span.document for item in every.evidence for span in item.spans} == {"story.txt"}
    assert any(item.kind == "summary" for item in every.evidence)


def test_a_scope_of_nothing_finds_nothing(engine: QueryEngine) -> None:
    outcome = engine.ask("Who founded Tinworks?", system="e2", scope=Scope(()))
    assert (outcome.status, outcome.reason) == ("refused", "no_evidence")


def test_options_and_earlier_turns_name_no_entity(home: Path) -> None:
    asked = Question("q", "Where did it happen?", options=("Tinworks", "Low Farm"), history=(Turn("user", "Tell me about Mara Quill."),))
    found = gather(home, asked)
    assert step(found, "entities")["mapped"] == [] and step(found, "branch")["branch"] == "dense_global"
    lines = gather(home, "Where did it happen?\nA. Tinworks\nB. Low Farm")
    assert (step(lines, "entities")["mapped"], step(lines, "entities")["lines_left_out"]) == ([], 2)


def test_two_questions_share_nothing_and_the_same_one_gives_the_same(engine: QueryEngine) -> None:
    first = engine.gather("Did Mara Quill sell Tinworks?", system="e2")
    engine.gather("Did Ann Hale meet Bob Fenn?", system="e2")
    again = engine.gather("Did Mara Quill sell Tinworks?", system="e2")
    assert (first.ranked, first.evidence, first.trace) == (again.ranked, again.evidence, again.trace)


def test_evidence_stands_in_groups_of_entities_the_largest_first(home: Path) -> None:
    found = gather(home, "Did Odo Fenn buy Tinworks from Mara Quill, or Sister Bell?")
    groups = step(found, "format")["groups"]
    sizes = [len(group["entities"]) for group in groups]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] >= 4
    labels = [label for group in groups for label in group["labels"]]
    assert labels == [item.label for item in found.evidence] == [f"E{n}" for n in range(1, len(labels) + 1)]
    assert not any(name in item.context for item in found.evidence for name in ("Odo", "Quill"))


def test_a_question_of_another_script_is_read_by_rules(engine: QueryEngine) -> None:
    outcome = engine.ask("\u5965\u591a\u4e70\u4e86\u4ec0\u4e48\uff1f", system="e2")
    assert outcome.status in ("answered", "partial", "refused")


def test_a_corpus_without_terms_has_an_empty_graph(tmp_path: Path) -> None:
    empty = build(tmp_path, {"x.txt": "\u4ed6\u8d70\u4e86\u3002\u5979\u4e5f\u8d70\u4e86\u3002\n"})
    found = gather(empty, "What about Tinworks?")
    assert step(found, "branch")["branch"] == "occurrence_rank" and step(found, "branch")["all_zero"]
    assert step(found, "entities")["unmapped"] == ["Tinworks"]
    assert [item.text.strip() for item in found.ranked] == ["\u4ed6\u8d70\u4e86\u3002\u5979\u4e5f\u8d70\u4e86\u3002"]


def test_whole_chunks_are_shown_merged_and_each_keeps_its_quotes(home: Path) -> None:
    question = "Did Ann Hale meet Bob Fenn?"
    found = gather(home, question, show="chunks", budget=400)
    assert exact(found) and step(found, "pack")["tokens"] <= 400
    (story,) = [item for item in found.evidence if item.spans[0].document == "story.txt"]
    assert story.text in STORY and len(story.spans) > 1
    assert story.text == "".join(span.quote for span in story.spans)


def test_fixed_windows_overlap_and_are_shown_without_repeating(home: Path) -> None:
    found = gather(home, "Did Ann Hale meet Bob Fenn?", cut="fixed", show="chunks", budget=400)
    assert exact(found) and step(found, "branch")["cut"] == "fixed"
    (story,) = [item for item in found.evidence if item.spans[0].document == "story.txt"]
    assert story.text in STORY and len(story.spans) > 1


def test_windows_that_no_refresh_wrote_are_asked_for(tmp_path: Path) -> None:
    bare = build(tmp_path, {"a.txt": F1})
    with QueryEngine(bare, with_knobs(bare, cut="fixed")) as opened:
        outcome = opened.ask("Who founded Tinworks?", system="e2")
    assert outcome.status == "failed" and "fixed = true" in outcome.error


@pytest.mark.parametrize("budget", [1, 10, 30, 200])
def test_a_budget_is_kept_and_what_found_no_room_is_told(home: Path, budget: int) -> None:
    for show in ("passages", "chunks"):
        found = gather(home, "Did Ann Hale meet Bob Fenn at the mill?", budget=budget, show=show)
        assert sum(item.tokens for item in found.evidence) <= budget and found.evidence
        assert exact(found)
        assert budget > 30 or any(why.startswith("budget: ") for why in found.plan.why)


def test_chunks_end_at_the_most_tokens_and_the_rest_is_counted(home: Path) -> None:
    told = step(gather(home, "Did Ann Hale meet Bob Fenn?", chunk_tokens=40), "branch")
    assert told["chunks"] >= 1 and told["over_tokens"] >= 1


def test_the_gate_sees_evidence_against_the_same_pool_as_behind_text_search(engine: QueryEngine) -> None:
    question = "Did Mara Quill sell Tinworks?"
    found, plain = engine.gather(question, system="e2"), engine.gather(question, system="passages")
    assert len(found.ranked) < len(found.pool)
    assert {item.spans for item in found.pool} == {item.spans for item in plain.ranked}


def test_without_entities_or_their_occurrences_the_nearest_nodes_are_taken(home: Path) -> None:
    with QueryEngine(home, ablations={"no_branches"}) as bare:
        dense = bare.gather("Did Mara Quill sell Tinworks?", system="e2")
        with pytest.raises(ValueError, match="page has no part that no_branches takes away: that is of e2"):
            bare.gather("Who?", system="page")
    assert step(dense, "branch")["branch"] == "dense_global" and step(dense, "entities")["mapped"] and "ablation: no_branches" in dense.plan.why
    whole = gather(home, "Did Odo meet Sister Nell?")
    with QueryEngine(home, ablations={"no_occurrences"}) as bare:
        plain = bare.gather("Did Odo meet Sister Nell?", system="e2")
    assert (step(whole, "branch")["branch"], step(plain, "branch")["branch"]) == ("occurrence_rank", "occurrence_rank")
    assert "ablation: no_occurrences" in plain.plan.why and step(plain, "branch")["naming"] == 0 and step(whole, "branch")["naming"] > 0
