"""Plans out of JSON: every spelling of a place for an answer, strict reading, and one hop where there is no plan."""

import json

import pytest

from pagerag_pipeline.systems.planning.drafts import read_plan
from pagerag_pipeline.systems.planning.hops import fill, hop_id, with_places

QUESTION = "Who is the spouse of the director of Jump for Glory?"
SOUND = {
    "query": QUESTION,
    "path": {
        "sequences": [
            {"sequence_id": "1", "hop": [{"hop_id": "1-1", "sub_query": "Who directed Jump for Glory?", "dependencies": [], "scope": "specific"}]},
            {"sequence_id": "0", "hop": [{"hop_id": "0-1", "sub_query": "What is known of [1.1]?", "dependencies": ["1-1"], "if_abstract": True}]},
        ],
        "final_query": [{"final_query": "Who is the spouse of <1-1>?", "dependencies": ["0-1", "1-1"]}],
    },
}


def test_a_plan_is_read_with_its_sequences_and_scopes() -> None:
    plan = read_plan(json.dumps(SOUND), QUESTION)
    assert [(one.hop_id, one.sub_query, one.dependencies, one.scope) for one in plan.steps] == [
        ("1-1", "Who directed Jump for Glory?", (), "specific"),
        ("0-1", "What is known of <1-1>?", ("1-1",), "abstract"),
        ("final", "Who is the spouse of <1-1>?", ("0-1", "1-1"), "specific"),
    ]


def test_what_is_told_of_a_plan_is_read_as_the_same_plan() -> None:
    plan = read_plan(SOUND, QUESTION)
    assert read_plan(plan.as_dict(), QUESTION).steps == plan.steps


@pytest.mark.parametrize(
    "reply", [None, "", "not json", '{"path": null}', '{"path": {"sequences": none}}', '{"path": {"sequences": []}}', "[1, 2]", {"path": {"sequences": "none"}}, "[" * 100_000]
)
def test_what_is_no_plan_is_one_hop_and_says_so(reply: object) -> None:
    plan = read_plan(reply, QUESTION)  # type: ignore[arg-type]
    assert [one.sub_query for one in plan.steps] == [QUESTION] and plan.why[0].startswith("one hop")


def test_a_plan_whose_parts_have_odd_types_is_mended() -> None:
    odd = {"path": {"sequences": [7, {"hop": "x"}, {"hop": [None, {"sub_query": ["no"], "dependencies": 3}, {"hop_id": 1.1, "sub_query": "Who?", "dependencies": "9-9"}]}]}}
    plan = read_plan(odd, QUESTION)
    assert [one.sub_query for one in plan.steps] == ["Who?", QUESTION] and plan.final.dependencies == ("1-1",)
    assert any("has no hops" in note for note in plan.why) and any("is no object" in note for note in plan.why)


@pytest.mark.parametrize(
    "spelled", ["<1-2>", "[1-2]", "<1.2>", "[1.2]", "[ 1 - 2 ]", "<answer of 1-2>", "[Answer from SubQ1.2]", "{1-2}", "<1\u20132>", "[hop 1-2's answer]", "<SubQ 1.2>"]
)
def test_every_spelling_of_a_place_becomes_one(spelled: str) -> None:
    assert with_places(f"Who married {spelled}?") == "Who married <1-2>?"


def test_ids_have_one_spelling() -> None:
    assert [hop_id(one) for one in ("1-2", "1.2", "SubQ1.2", " 01-2 ", 1.2, "final", "x-y")] == ["1-2"] * 5 + ["final", "x-y"]


def test_a_place_is_filled_with_its_answer_else_with_what_it_stands_for_else_with_nothing() -> None:
    text = "Who is the spouse of <1-1>?"
    assert fill(text, {"1-1": "Raoul Walsh"}, {"1-1": "the director"}) == "Who is the spouse of Raoul Walsh?"
    assert fill(text, {}, {"1-1": "the director of <2-1>", "2-1": "that film"}) == "Who is the spouse of the director of that film?"
    assert fill(text, {}, {}) == "Who is the spouse of?"
    assert fill("Is <1-1> <1-1>?", {}, {"1-1": "of <1-1>"}) == "Is of?"
