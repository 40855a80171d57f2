"""The pank system over a real generation: plans, hops in scope, reranking, fallbacks, ablations, and the planner in front of page."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline import arguments
from pagerag_pipeline.outcomes import outcome_json
from pagerag_pipeline.query import PLANS, SYSTEMS, QueryEngine
from pagerag_pipeline.schema.asking import Question, Scope
from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.settings_file import SettingsError, load_settings
from pagerag_pipeline.systems.gathering import Gathered, Means
from pagerag_pipeline.systems.pank import PLANNABLE, search_graph
from pagerag_pipeline.systems.planned import Searched, first_tokens, gather_planned, merge
from pagerag_pipeline.systems.planning.drafts import read_plan
from pagerag_pipeline.systems.planning.hops import HopScope
from pagerag_pipeline_tests.homes import F1, F2, F3, build

FILES = {
    "a/f1.txt": F1,
    "b/f2.txt": F2,
    "b/f3.txt": F3,
    "c/f4.txt": "Odo Fenn was born in Norwick. Norwick lies on the river Aune.",
    "d/low.txt": "the bees hum and the hives are warm in spring.",
}
QUESTION = "On which river lies the birthplace of the buyer of Tinworks?"


def plan(*, scope: str = "specific") -> dict[str, Any]:
    hops = [
        {"hop_id": "1-1", "sub_query": "Who bought Tinworks from Mara Quill?", "dependencies": []},
        {"hop_id": "1-2", "sub_query": "Where was [1.1] born?", "dependencies": ["1-1"], "scope": scope},
    ]
    final = [{"final_query": "On which river lies <1-2>?", "dependencies": ["1-2"]}]
    return {"query": QUESTION, "path": {"sequences": [{"sequence_id": "1", "hop": hops}], "final_query": final}}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("planned"), FILES)


@pytest.fixture(scope="module")
def means(home: Path) -> Iterator[Means]:
    with QueryEngine(home) as engine, engine._repository() as repository:
        yield engine._means(repository, Scope(), None)


def gather(means: Means, *, given: Any = None, search: Any = search_graph, **changes: Any) -> Gathered:
    def planner(question: Question, _: Means) -> Any:
        return read_plan(plan() if given is None else given, question.text)

    return gather_planned(Question("q", QUESTION), replace(means, **changes), search=search, planner=planner, rerank=True)


def hops(gathered: Gathered) -> dict[str, dict[str, Any]]:
    return {step["hop"]: step for step in gathered.trace if step["step"] == "hop"}


def documents(gathered: Gathered) -> list[str]:
    return list(dict.fromkeys(span.document for item in (*gathered.ranked, *gathered.evidence) for span in item.spans))


def test_a_chain_is_followed_to_what_the_question_does_not_name(means: Means) -> None:
    gathered = gather(means)
    told = hops(gathered)
    assert told["1-1"]["answer"] == "Odo Fenn" and told["1-1"]["chunks"] and told["1-1"]["confidence"] >= means.pank.hop_threshold
    assert (told["1-2"]["asked"], told["1-2"]["answer"], told["1-2"]["used"]) == ("Where was Odo Fenn born?", "Norwick", ["1-1"])
    assert told["final"]["asked"] == "On which river lies Norwick?"
    assert {"b/f2.txt", "c/f4.txt"} <= set(documents(gathered)[:3])
    assert any("Aune" in item.text for item in gathered.evidence)


def test_the_trace_tells_plan_hops_weights_and_merging(means: Means) -> None:
    gathered = gather(means)
    steps = [step["step"] for step in gathered.trace]
    assert steps[0] == "plan" and {"hop", "local", "rerank", "merge", "pack"} <= set(steps)
    assert gathered.trace[0]["plan"]["path"]["sequences"][0]["hop"][1]["sub_query"] == "Where was <1-1> born?"
    reranked = [step for step in gathered.trace if step["step"] == "rerank"]
    assert reranked[0] == {"step": "rerank", "reranked": 0, "why": "no answer to rerank by"}
    assert reranked[1]["alpha"] == 0.6 and reranked[1]["beta"] == 0.4 and reranked[1]["by"] == ["1-1"]
    assert gathered.plan.profile["hops"] == 2 and gathered.plan.profile["known"] == 2 and gathered.plan.why[0] == "a plan was given"
    assert json.dumps(gathered.trace)


def test_an_abstract_hop_has_weights_of_its_own_and_searches_reports(means: Means) -> None:
    gathered = gather(means, given=plan(scope="abstract"))
    steps = [step for step in gathered.trace if step["step"] in ("global", "rerank", "text")]
    assert any(step["step"] == "global" and "no model read the reports" in step["map"] for step in steps)
    assert any(step.get("alpha") == 0.75 and step.get("beta") == 0.25 for step in steps)
    assert hops(gathered)["1-2"]["candidates"] > 0


def test_every_evidence_item_is_bound_to_the_sources_and_scored_for_the_gate(means: Means) -> None:
    gathered = gather(means)
    for item in (*gathered.ranked, *gathered.evidence):
        assert all(FILES[span.document][span.start : span.end] == span.quote for span in item.spans)
    assert all({"bm25", "dense", "coverage"} <= dict(item.scores).keys() for item in gathered.ranked)
    assert [item.label for item in gathered.evidence] == [f"E{n}" for n in range(1, len(gathered.evidence) + 1)]


def test_hops_keep_to_the_scope_whatever_they_search(means: Means) -> None:
    for search in (search_graph, PLANNABLE["page"].keywords["search"]):
        gathered = gather(means, scope=Scope(("a/f1.txt", "c/f4.txt")), search=search)
        assert set(documents(gathered)) <= {"a/f1.txt", "c/f4.txt"} and "Odo Fenn bought" not in json.dumps(gathered.trace)
        assert hops(gathered)["1-1"]["answer"] != "Odo Fenn"


def test_a_search_that_fails_or_finds_nothing_blocks_no_other_hop(means: Means) -> None:
    def search(question: Question, scope: HopScope, given: Means) -> Searched:
        if question.text.startswith("Who bought"):
            raise RuntimeError("the store is gone")
        found = search_graph(question, scope, given)
        return replace(found, ranked=()) if question.text.startswith("Where was") else found

    gathered = gather(means, search=search)
    told = hops(gathered)
    assert (told["1-1"]["status"], told["1-1"]["error"]) == ("failed", "RuntimeError: the store is gone")
    assert (told["1-2"]["status"], told["1-2"]["lacking"], told["1-2"]["candidates"]) == ("done", ["1-1"], 0)
    assert gathered.ranked and any("hop 1-1: RuntimeError" in why for why in gathered.plan.why)


def test_two_questions_one_after_the_other_share_no_state(home: Path) -> None:
    first, second = "Who bought Tinworks from Mara Quill?", "Where was Odo Fenn born?"
    with QueryEngine(home) as engine, QueryEngine(home) as fresh:
        one = [engine.ask(question, system="pank") for question in (first, second, first)]
        alone = fresh.ask(second, system="pank")
    assert one[0].answer == one[2].answer == "Odo Fenn" and one[0].trace == one[2].trace
    assert (one[1].answer, one[1].trace, one[1].evidence) == (alone.answer, alone.trace, alone.evidence)


def test_the_engine_answers_with_citations_and_says_why_it_asked_one_hop(home: Path) -> None:
    with QueryEngine(home) as engine:
        outcome = engine.ask("When was Tinworks founded?", system="pank")
        nothing = engine.ask("Who painted the Sistine ceiling?", system="pank")
    assert (outcome.status, outcome.answer, outcome.system) == ("answered", "1901", "pank") and outcome.citations
    assert outcome.plan.why[0].startswith("one hop: no parser") and {"plan", "hops", "final", "gate"} <= set(outcome.usage.steps)
    assert nothing.status == "refused" and json.dumps(outcome_json(nothing))


def test_without_a_graph_passages_are_found_by_text(tmp_path: Path) -> None:
    home = build(tmp_path, {"low.txt": FILES["d/low.txt"]})
    local = replace(load_settings(home), pank=PankSettings(hop_search="local"))
    with QueryEngine(home, local) as engine:
        gathered = engine.gather("where are the hives warm?", system="pank")
        reports = engine.gather("how do bees thrive?", system="pank")
    assert documents(gathered) == ["low.txt"] and any(step.get("why") == "the graph leads to no passage" for step in gathered.trace)
    assert documents(reports) == ["low.txt"] and any(step["step"] == "global" for step in reports.trace)


def test_without_the_plan_the_question_is_the_hop_and_without_reranking_the_order_stays(means: Means, home: Path) -> None:
    bare = gather(means, ablations=frozenset({"no_rerank"}))
    assert all(step["reranked"] == 0 for step in bare.trace if step["step"] == "rerank") and "ablation: no_rerank" in bare.plan.why
    with QueryEngine(home, ablations={"no_plan"}) as engine:
        gathered = engine.gather("Who bought Tinworks from Mara Quill?", system="pank")
        assert gathered.plan.why[0] == "ablation: no_plan" and gathered.plan.profile["hops"] == 0
        with pytest.raises(ValueError, match="page has no part that no_plan takes away: that is of pank"):
            engine.gather("Who?", system="page")
        assert engine.gather("Who bought Tinworks?", system="page", plan="pank").plan.why[0] == "ablation: no_plan"
    with QueryEngine(home, ablations={"no_floor"}) as engine, pytest.raises(ValueError, match="pank has no part that no_floor"):
        engine.gather("Who?", system="pank")


def test_the_planner_stands_in_front_of_page_and_of_nothing_that_has_no_hops(home: Path) -> None:
    with QueryEngine(home) as engine:
        outcome = engine.ask("Who bought Tinworks from Mara Quill?", plan="pank")
        assert outcome.answer == "Odo Fenn" and outcome.trace[0]["step"] == "plan"
        assert any(step["step"] == "route" and "text" in step["operators"] for step in outcome.trace)
        assert engine.retrieve("Who bought Tinworks from Mara Quill?", plan="pank")[0].document == "b/f2.txt"
        with pytest.raises(ValueError, match="no planner stands in front of passages"):
            engine.ask("Who?", system="passages", plan="pank")
        with pytest.raises(ValueError, match="unknown plan"):
            engine.ask("Who?", plan="magic")


def test_the_planner_stands_in_front_of_ensi_and_leaves_it_what_all_that_matches_gives(tmp_path: Path) -> None:
    table = "Oven,Town,Loaves\nBertha,Kelham,400\nMagda,Kelham,700\nCrane,Wick,100\n"
    with QueryEngine(build(tmp_path, {**FILES, "ovens.csv": table})) as engine:
        fact = engine.ask("Who bought Tinworks from Mara Quill?", system="ensi", plan="pank")
        counted = engine.ask("How many ovens have the town Kelham?", system="ensi", plan="pank")
    assert (fact.status, fact.answer, fact.system) == ("answered", "Odo Fenn", "ensi")
    assert fact.trace[0]["step"] == "plan" and any(step["step"] == "route" and "records" in step["operators"] for step in fact.trace)
    assert (counted.status, counted.answer) == ("answered", "2")
    assert counted.trace[0] == {"step": "plan", "why": ["one hop: it is worked out over all that matches"]}


def test_the_command_line_knows_systems_and_plans() -> None:
    assert arguments.SYSTEMS == tuple(SYSTEMS) and arguments.PLANS == tuple(filter(None, PLANS)) and arguments.PLANNED == tuple(PLANNABLE)
    assert arguments.fault(arguments.parsed(["ask", "Who?", "--plan", "pank"])) == ""
    assert arguments.fault(arguments.parsed(["evaluate", "own", "--plan", "pank"])) == ""
    assert "not of e2" in arguments.fault(arguments.parsed(["evaluate", "own", "--plan", "pank", "--system", "e2"]))
    assert "not of passages" in arguments.fault(arguments.parsed(["ask", "Who?", "--system", "passages", "--plan", "pank"]))


@pytest.mark.parametrize("pair", [("specific", 0.6, 0.5), ("abstract", 0.5, 0.25)])
def test_weights_that_do_not_sum_to_one_are_refused_when_settings_are_read(tmp_path: Path, pair: tuple[str, float, float]) -> None:
    scope, alpha, beta = pair
    (tmp_path / "pagerag.toml").write_text(f"[pank]\nalpha_{scope} = {alpha}\nbeta_{scope} = {beta}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=f"alpha_{scope} and beta_{scope} must sum to 1"):
        load_settings(tmp_path)
    (tmp_path / "pagerag.toml").write_text("[pank]\nalpha_specific = 0.7\nbeta_specific = 0.3\n", encoding="utf-8")
    assert load_settings(tmp_path).pank.alpha_specific == 0.7


def test_rankings_are_joined_by_ranks_and_the_first_weighs_most(means: Means) -> None:
    a, b, c = gather(means).ranked[:3]
    assert merge([[a, b], [c]], PankSettings(question_weight=3.0)) == [a, b, c]
    assert merge([[a, b], [c, b]], PankSettings(question_weight=1.0)) == [b, a, c]
    assert merge([[a]], PankSettings()) == [a] and merge([], PankSettings()) == []


def local(means: Means, question: str, **changes: Any) -> tuple[Searched, dict[str, Any]]:
    found = search_graph(Question("q", question), "specific", replace(means, pank=replace(means.pank, **changes)))
    return found, next(step for step in found.steps if step["step"] == "local")


def test_a_local_search_starts_from_the_nearest_names_and_tells_what_records_state_of_them(means: Means) -> None:
    found, step = local(means, "Who bought Tinworks from Mara Quill?", entity_similarity=0.0)
    assert step["by"] == "names and the nearest handles" and step["entities"] > 2 and step["entities_told"] > 0
    told = [item for item in found.others if item.kind == "record"]
    assert len(told) == step["entities_told"] and told[0].score == 1.0 and told[0].text.split(" | ")[0] in ("Tinworks", "Mara Quill")
    assert all(FILES[span.document][span.start : span.end] == span.quote for item in told for span in item.spans)
    assert [item.kind for item in found.others[:2]] != ["edge", "edge"], "the tables take turns"


def test_a_local_search_finds_an_entity_by_the_likeness_of_its_name_alone(means: Means) -> None:
    one, step = local(means, "tinworks quill", entity_similarity=0.3)
    none, bare = local(means, "tinworks quill", entity_similarity=1.0)
    assert step["entities"] > bare["entities"]
    _, near = local(means, "tinworks quill", entity_search="passages")
    assert near["by"] == "names and the nearest passages"


def test_each_table_of_a_local_search_keeps_to_its_budget(means: Means) -> None:
    _, step = local(means, "Who bought Tinworks from Mara Quill?", entity_tokens=1, relation_tokens=1)
    assert (step["entities_told"], step["relations"]) == (0, 0) and step["entities_left_out"] > 0 and step["relations_left_out"] > 0


def test_a_long_answer_is_compared_by_its_first_tokens_alone(means: Means) -> None:
    assert first_tokens("one two three four", 2, means) == "one two" and first_tokens("one two", 2, means) == "one two"


def test_texts_of_a_local_search_are_cut_to_their_budget_after_the_whole_pool_is_reranked(means: Means) -> None:
    whole = [step for step in gather(means).trace if step["step"] == "rerank"]
    least = [step for step in gather(means, pank=replace(means.pank, text_tokens=20)).trace if step["step"] == "rerank"]
    assert not any("over_tokens" in step for step in whole) and any(step.get("over_tokens") for step in least)
    assert [step["reranked"] for step in least[:1]] == [step["reranked"] for step in whole[:1]]
