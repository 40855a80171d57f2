"""The estimate rises with what speaks for an answer and falls with what speaks against; rules keep it below the threshold."""

from dataclasses import fields, replace

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.sufficiency import AGAINST, Features, Grounds, measure, ruled_out, sufficiency
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import HASH, gate, shown, statistics

MIDDLE = Features(*(0.5 for _ in fields(Features)))


MODELS = pytest.mark.parametrize("model", ["minilm", "hash"])


@MODELS
@pytest.mark.parametrize("name", [field.name for field in fields(Features) if field.name not in AGAINST])
def test_no_good_sign_lowers_the_estimate(name: str, model: str) -> None:
    assert sufficiency(replace(MIDDLE, **{name: 1.0}), model) >= sufficiency(replace(MIDDLE, **{name: 0.0}), model)


@MODELS
@pytest.mark.parametrize("name", AGAINST)
def test_no_bad_sign_raises_the_estimate(name: str, model: str) -> None:
    assert sufficiency(replace(MIDDLE, **{name: 1.0}), model) <= sufficiency(replace(MIDDLE, **{name: 0.0}), model)


@MODELS
def test_all_good_signs_answer_and_none_refuse(model: str) -> None:
    best = replace(Features(*(0.8 for _ in fields(Features))), typed=1.0, story=0.0, **dict.fromkeys(AGAINST, 0.0))
    worst = replace(Features(*(0.1 for _ in fields(Features))), typed=0.0, story=0.0, **dict.fromkeys(AGAINST, 1.0))
    assert sufficiency(best, model) > 0.7 and sufficiency(worst, model) < 0.3


def test_a_refusal_by_rule_keeps_its_order_below_the_threshold() -> None:
    near = gate("Did Napoleon Bonaparte buy Tinworks from Mara Quill?", "Odo Fenn bought Tinworks from Mara Quill in 1912.")
    far = gate("Did Napoleon Bonaparte march on Moscow?", "Odo Fenn bought Tinworks from Mara Quill in 1912.")
    assert near.reason == far.reason == "beyond_scope"
    assert far.confidence < near.confidence < 0.5


@pytest.mark.parametrize(("cosines", "stands_out"), [((0.8, 0.4, 0.4, 0.4), 0.3464), ((0.4, 0.4, 0.4), 0.0), ((0.2, 0.8), 0.5), ((), 0.5)])
def test_the_best_cosine_is_seen_in_its_pool(cosines: tuple[float, ...], stands_out: float) -> None:
    pool = tuple(replace(item, scores=(("dense", cosine),)) for item, cosine in zip(shown(*["Tinworks"] * len(cosines)), cosines, strict=True))
    asked = read_question("Who founded Tinworks?")
    grounds = Grounds(pool, pool, statistics("Tinworks"), "hash")
    features = measure(asked, weigh(asked, grounds.statistics), None, grounds, embedder=HASH)
    assert features.stands_out == stands_out


def test_what_is_pointed_at_is_seen_unless_something_may_say_which() -> None:
    asked = read_question("Does this library lend tools?")
    pool = tuple(shown("The library of Ely lends tools.", "The library of Wells lends books."))
    grounds = Grounds(pool, pool, statistics(*(item.text for item in pool)), "hash")
    wanted = weigh(asked, grounds.statistics)
    assert measure(asked, wanted, None, grounds, embedder=HASH).pointed == 1.0
    assert measure(asked, wanted, None, replace(grounds, told_before=True), embedder=HASH).pointed == 0.0
    assert measure(asked, wanted, None, replace(grounds, pool=pool[:1]), embedder=HASH).pointed == 0.0


def test_a_refusal_says_what_the_question_points_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagerag_pipeline.answering.sufficiency.sufficiency", lambda features, model: 0.3)
    texts = ("The orchestra of Ely performs on Sundays.", "The orchestra of Wells performs abroad.")
    refused = gate("Does this orchestra perform abroad?", *texts)
    assert 'it points at "this orchestra ...", and nothing says which' in str(refused.missing)


def test_a_story_that_covers_less_is_never_surer() -> None:
    told = [sufficiency(replace(MIDDLE, story=1.0, coverage=share), "minilm") for share in (0.0, 0.5, 1.0)]
    assert told == sorted(told)


@pytest.mark.parametrize(("chance", "told"), [(0.31, "0.31 is below 0.50"), (0.4996, "0.4996 is below 0.50"), (0.5, "0.50 reaches 0.50")])
def test_an_estimate_is_told_so_that_it_is_seen_to_lie_where_it_does(monkeypatch: pytest.MonkeyPatch, chance: float, told: str) -> None:
    monkeypatch.setattr("pagerag_pipeline.answering.sufficiency.sufficiency", lambda features, model: chance)
    decision = gate("Who bought Tinworks?", "Odo Fenn bought Tinworks from Mara Quill in 1912.")
    assert told in str(decision)


def test_what_is_unknown_is_told_in_the_words_of_the_question() -> None:
    decision = gate("What does the bakery charge for sourdough baguettes?", "The bakery charges two pence for rye bread.")
    assert decision.missing[0].endswith("the terms that matter do not occur in scope: baguettes, sourdough")


def test_what_rules_refuse_stays_below_the_threshold_in_the_order_of_its_estimates() -> None:
    held = [ruled_out(chance, AnswerSettings(threshold=0.5, ruled_out=0.4)) for chance in (0.1, 0.3, 0.7, 0.9, 1.0)]
    assert held == [0.1, 0.2, 0.28, 0.36, 0.4]


def test_a_denied_premise_is_held_by_the_same_rule() -> None:
    denied = gate("Why did Odo Fenn sell Tinworks?", "Odo Fenn did not sell Tinworks, because the mill was dear to him.")
    assert denied.reason == "false_premise"
    assert 0 < denied.confidence < 0.5
