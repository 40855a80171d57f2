"""The rules plan what they can see in a parse, and say so when they see nothing; questions here are ours, over places and people that are not."""

import pytest

from pagerag_pipeline.models.rules_tagger import RulesTagger
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.settings import ExtractSettings
from pagerag_pipeline.systems.planning.planner import plan_question
from pagerag_pipeline.systems.planning.scopes import scope_of

TAGGER = load_tagger(ExtractSettings())


def told(question: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(hop.hop_id, hop.sub_query, hop.dependencies) for hop in plan_question(question, TAGGER).steps]


@pytest.mark.models
@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("Who is the wife of the director of The Salt Road?", ["Who is the director of The Salt Road?", "Who is the wife of <1-1>?"]),
        ("Where was the author of The Salt Road born?", ["Who is the author of The Salt Road?", "Where was <1-1> born?"]),
        ("Who founded the company that built the Corran Bridge?", ["Which company built the Corran Bridge?", "Who founded <1-1>?"]),
        ("What river flows through the city where Mara Quill was born?", ["In which city was Mara Quill born?", "What river flows through <1-1>?"]),
        ("Who was the first president of Odo Fenn's country?", ["Which country is Odo Fenn from?", "Who was the first president of <1-1>?"]),
        ("What currency is used in the country Mara Quill is from?", ["Which country is Mara Quill from?", "What currency is used in <1-1>?"]),
        ("Who leads the orchestra founded by Ida Holt?", ["Which orchestra was founded by Ida Holt?", "Who leads <1-1>?"]),
        (
            "When did the country where the composer of Red Harbor was born become a republic?",
            ["Who is the composer of Red Harbor?", "In which country was <1-1> born?", "When did <1-2> become a republic?"],
        ),
        ("Ida Holt plays in a band founded by who?", ["Ida Holt plays in which band?", "<1-1> founded by who?"]),
    ],
)
def test_a_bridge_becomes_a_chain_of_hops(question: str, hops: list[str]) -> None:
    assert [text for _, text, _ in told(question)] == hops


@pytest.mark.models
def test_a_chain_of_owners_is_asked_from_the_inside() -> None:
    assert [text for _, text, _ in told("What is the population of Mara Quill's mother's birthplace?")] == [
        "Who is Mara Quill's mother?",
        "What is <1-1>'s birthplace?",
        "What is the population of <1-2>?",
    ]


@pytest.mark.models
@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Which film came out first, The Salt Road or Red Harbor?", ["When was The Salt Road released?", "When was Red Harbor released?"]),
        ("Who is older, Mara Quill or Odo Fenn?", ["When was Mara Quill born?", "When was Odo Fenn born?"]),
        ("Are Low Farm and High Farm in the same county?", ["Low Farm is in which county?", "High Farm is in which county?"]),
        ("Were both Mara Quill and Odo Fenn painters?", ["Was Mara Quill painters?", "Was Odo Fenn painters?"]),
    ],
)
def test_a_comparison_looks_both_sides_up_side_by_side(question: str, sides: list[str]) -> None:
    assert told(question) == [("1-1", sides[0], ()), ("2-1", sides[1], ()), ("final", question, ("1-1", "2-1"))]


@pytest.mark.models
def test_two_questions_in_one_are_two_hops_and_the_second_may_rest_on_the_first() -> None:
    assert told("Who founded Tinworks, and where was the founder born?") == [
        ("1-1", "Who founded Tinworks?", ()),
        ("2-1", "where was <1-1> born?", ("1-1",)),
        ("final", "Who founded Tinworks, and where was the founder born?", ("1-1", "2-1")),
    ]


@pytest.mark.models
def test_a_time_told_by_another_event_is_asked_for_first() -> None:
    found = told("Who was mayor when Odo Fenn bought Tinworks?")
    assert [text for _, text, _ in found] == ["When Odo Fenn bought Tinworks?", "Who was mayor when <1-1>?"]


@pytest.mark.models
@pytest.mark.parametrize("question", ["Who founded Tinworks?", "When was Mara Quill born?", "What is the capital of Norland?", "Why did she leave?"])
def test_what_asks_one_thing_is_one_hop_and_says_why(question: str) -> None:
    plan = plan_question(question, TAGGER)
    assert [hop.sub_query for hop in plan.steps] == [question] and plan.why == ("one hop: no bridge, comparison, conjunction or temporal chain was seen",)


def test_without_a_parser_or_english_there_is_one_hop_that_says_so() -> None:
    unparsed = plan_question("Who is the wife of the director of The Salt Road?", RulesTagger())
    assert unparsed.hops == () and unparsed.why == ("one hop: no parser reads this question",)
    foreign = plan_question("Wer ist die Frau des Regisseurs von Salzweg?", RulesTagger())
    assert foreign.hops == () and foreign.why == ("one hop: the rules read English, and this is not",)


@pytest.mark.models
def test_the_same_question_has_the_same_plan() -> None:
    question = "Who is the wife of the director of The Salt Road?"
    assert plan_question(question, TAGGER) == plan_question(f"  {question}\n", TAGGER)


def test_a_scope_is_abstract_where_no_name_and_no_fact_is_asked_for() -> None:
    assert [scope_of(one) for one in ("How do bees shape farming?", "What are the main themes?", "Why do markets fail?")] == ["abstract"] * 3
    assert [scope_of(one) for one in ("Why did Ida Holt leave?", "How many bees were kept?", "When was it built?", "Why was <1-1> sold?")] == ["specific"] * 4
