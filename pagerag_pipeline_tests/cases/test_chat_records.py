"""EnSI-RAG's plan and bridges by a chat model, over a scripted server: what it may bring in, what it may not, and what is done without it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome
from pagerag_pipeline.settings_chat import AskSettings, ChatSettings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline_tests.chat_replies import asked, prompt_of
from pagerag_pipeline_tests.homes import build
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server
from pagerag_pipeline_tests.systems.test_ensi import FILES

KELHAM = "Of the ovens with the town Kelham, state the count."
"""What the rules do not read as a count."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("records"), {**FILES, "mara.txt": "The owner of Tinworks, Mara Quill, was born in Norwick."})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


def hop(number: int, **parts: Any) -> dict[str, Any]:
    return {"number": number, "purpose": "", "entity": "", "type": "", "field": "", "value": "", "depends_on": [], "bridge": False, **parts}


def plan(*hops: dict[str, Any], **parts: Any) -> dict[str, Any]:
    plain = {"target": "value", "reasoning": "direct", "reach": "point", "having": [], "conditions": [], "period": "", "measure": "", "highest": True}
    return {**plain, "hops": list(hops), **parts}


def counted(*hops: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return plan(*hops, **{"target": "count", "reasoning": "aggregation", "reach": "all_matching", **parts})


def ask(home: Path, server: ScriptedServer, question: str, records: Any, bridge: Any = None, **knobs: Any) -> Outcome:
    replies = {"record_plan": records, "bridge": bridge or {"values": []}, "answer": {"sufficient": False, "missing": [], "answer": "", "claims": []}}

    def behavior(request: dict[str, Any]) -> Say:
        given = replies[prompt_of(request)]
        given = given.pop(0) if isinstance(given, list) and len(given) > 1 else given[0] if isinstance(given, list) else given
        given = given(request) if callable(given) else given
        return given if isinstance(given, Say) else Say(given)

    server.says(behavior)
    server.requests = []
    chat = ChatSettings(base_url=server.base_url, model="small", timeout_seconds=5.0, backoff_seconds=0.0, backoff_most=0.0, attempts=1)
    with QueryEngine(home, replace(load_settings(home), chat=chat, ask=AskSettings(**knobs))) as engine:
        return engine.ask(question, system="ensi")


def prompts(server: ScriptedServer) -> Counter[str]:
    return Counter(prompt_of(request) for request in server.requests)


def step(outcome: Outcome, name: str) -> dict[str, Any]:
    return next(one for one in outcome.trace if one["step"] == name)


def test_what_the_rules_read_whole_costs_no_call(home: Path, server: ScriptedServer) -> None:
    outcome = ask(home, server, "How many barges are there?", Say("never asked", status=500))
    assert (outcome.answer, outcome.usage.calls, server.calls) == ("10", 0, 0)


def test_a_count_that_rules_do_not_read_is_planned_with_the_names_of_the_index(home: Path, server: ScriptedServer) -> None:
    outcome = ask(home, server, KELHAM, counted(hop(1, type="oven", field="Town", value="Kelham")))
    assert (outcome.status, outcome.answer, len(outcome.citations)) == ("answered", "2", 2)
    assert outcome.plan.why == ("planned by small",) and step(outcome, "record_plan")["by"] == "model"
    assert "oven (table): " in asked(server.requests[0]) and "Bertha" not in asked(server.requests[0])
    assert prompts(server) == {"record_plan": 1} and outcome.usage.calls == 1 + len(server.probes)


@pytest.mark.parametrize(
    ("question", "records", "fault"),
    [
        (KELHAM, counted(hop(1, type="kiln")), "'kiln' is no type of a table"),
        (KELHAM, counted(hop(1, type="oven", field="town", value="wick")), "says wick, which the question does not"),
        (KELHAM, counted(hop(1, type="oven")), "nothing in the plan stands for kelham"),
        (KELHAM, counted(hop(1, type="oven", field="village", value="kelham")), "oven has no field 'village'"),
        (KELHAM, counted(hop(1, type="oven", depends_on=[2])), "depends on hop 2, which is not before it"),
        ("Of the ovens not in the town Kelham, state the count.", counted(hop(1, type="oven", field="town", value="kelham")), "nothing in the plan stands for not"),
        ("How many barges are painted?", counted(hop(1, type="barge")), "nothing in the plan stands for painted"),
        ("How many barges are painted?", plan(hop(1, entity="barges", field="painted")), "reach is all_matching"),
        (
            "How many painted barges have a length of more than 15 m?",
            counted(hop(1, type="barge"), conditions=[{"field": "length", "relation": ">=", "number": 15}]),
            "the question does not say length >= 15",
        ),
    ],
)
def test_a_plan_that_leaves_something_unread_or_brings_something_in_is_not_run(
    home: Path, server: ScriptedServer, question: str, records: Any, fault: str
) -> None:
    outcome = ask(home, server, question, records)
    assert prompts(server)["record_plan"] == 2 and fault in server.requests[1]["messages"][-1]["content"]
    assert step(outcome, "record_plan_call")["fallback"].startswith("planned by rules: small gave no plan (malformed: ")
    assert outcome.status == "refused" and outcome.usage.calls == server.calls + len(server.probes)


def test_a_broken_plan_is_sent_back_once(home: Path, server: ScriptedServer) -> None:
    outcome = ask(home, server, KELHAM, ["two", counted(hop(1, type="oven", field="town", value="kelham"))])
    assert (outcome.answer, outcome.plan.why, prompts(server)["record_plan"]) == ("2", ("planned by small, after one repair",), 2)


BORN = "Where was the owner of Tinworks born?"
CHAIN = plan(hop(1, entity="Tinworks", field="owner", purpose="the owner", bridge=True), hop(2, depends_on=[1], field="born"), reasoning="multi_hop")


def named(text: str, *, label: str = "") -> Any:
    def behavior(request: dict[str, Any]) -> dict[str, Any]:
        lines = asked(request).splitlines()
        place = next(place for place, line in enumerate(lines) if "Mara Quill" in line)
        above = next(line.rstrip(":") for line in reversed(lines[:place]) if line.startswith("E") and line.endswith(":"))
        return {"values": [{"value": text, "labels": [label or above]}]}

    return behavior


def test_a_bridge_goes_over_what_a_cited_piece_says(home: Path, server: ScriptedServer) -> None:
    outcome = ask(home, server, BORN, CHAIN, named("Mara Quill"))
    assert step(outcome, "bridge")["values"] == ["mara quill"] and step(outcome, "bridge_call")["dropped"] == 0
    assert [one["blocked"] for one in outcome.trace if one["step"] == "hop"] == [False, False]
    assert prompts(server) == {"record_plan": 1, "bridge": 1, "answer": 1} and outcome.usage.calls == 3 + len(server.probes)


@pytest.mark.parametrize("bridge", [{"values": []}, named("Bob Gale"), named("Mara Quill", label="E99"), Say("overloaded", status=500)])
def test_a_bridge_that_nothing_says_blocks_its_hop_and_no_other(home: Path, server: ScriptedServer, bridge: Any) -> None:
    outcome = ask(home, server, BORN, CHAIN, bridge)
    assert step(outcome, "bridge")["values"] == [] and [one["blocked"] for one in outcome.trace if one["step"] == "hop"] == [False, True]
    assert outcome.evidence and prompts(server)["answer"] == 1
    assert bool(step(outcome, "bridge_call").get("fallback")) is isinstance(bridge, Say)


def test_parts_are_switched_by_themselves(home: Path, server: ScriptedServer) -> None:
    ask(home, server, BORN, CHAIN, bridges=False)
    assert prompts(server) == {"record_plan": 1, "answer": 1}
    ask(home, server, BORN, CHAIN, record_plan=False)
    assert prompts(server) == {"answer": 1}
