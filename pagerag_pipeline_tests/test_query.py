"""The engine answers from the published generation with checked citations, follows a refresh, and refuses with the reason that fits."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from pagerag_pipeline.outcomes import LongQuestion, outcome_json
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome, Question, Scope, Turn
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.documents import UnknownDocument, show_document
from pagerag_pipeline_tests.homes import F1, F2, F3, build, make_home

FILES = {"a/f1.txt": F1, "b/f2.txt": F2, "b/f3.txt": F3}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("asked"), FILES)


@pytest.fixture
def engine(home: Path) -> QueryEngine:
    with QueryEngine(home) as opened:
        yield opened


def ask(home: Path, question: str, **options: object) -> Outcome:
    with QueryEngine(home) as engine:
        return engine.ask(question, **options)  # type: ignore[arg-type]


def exact(outcome: Outcome) -> bool:
    """Whether every citation and evidence span is the exact slice of its file in the corpus."""
    spans = [*outcome.citations, *(span for item in outcome.evidence for span in item.spans)]
    return bool(spans) and all(FILES[span.document][span.start : span.end] == span.quote for span in spans)


def test_a_date_is_answered_with_its_citation_ten_times_of_ten(engine: QueryEngine) -> None:
    outcomes = [engine.ask("When was Tinworks founded?") for _ in range(10)]
    assert {(o.status, o.answer, tuple(c.quote for c in o.citations)) for o in outcomes} == {
        ("answered", "1901", ("Mara Quill founded Tinworks in 1901.",))
    }
    assert all(exact(outcome) for outcome in outcomes)


def test_two_files_answer_who_owned_it_after_its_founder(engine: QueryEngine) -> None:
    outcome = engine.ask("Who owned Tinworks after its founder?")
    assert (outcome.status, outcome.answer) == ("answered", "Odo Fenn")
    assert {citation.document for citation in outcome.citations} == {"a/f1.txt", "b/f2.txt"}


def test_what_nothing_mentions_has_no_evidence(tmp_path: Path) -> None:
    outcome = ask(build(tmp_path, {"f1.txt": F1}), "Who painted the Sistine ceiling?")
    assert (outcome.status, outcome.reason, outcome.answer) == ("refused", "no_evidence", None)
    assert outcome.evidence == () and outcome.citations == ()


def test_a_year_that_was_taken_out_is_not_answered(tmp_path: Path) -> None:
    home = build(tmp_path, {"f1.txt": F1.replace(" in 1901", "")})
    outcome = ask(home, "In which year was Tinworks founded?")
    assert (outcome.status, outcome.answer) == ("refused", None)


def test_nothing_is_loaded_before_the_first_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path, {"f1.txt": F1})
    monkeypatch.setattr("pagerag_pipeline.models.ready.load_embedder", lambda settings: pytest.fail("a model was loaded"))
    monkeypatch.setattr("pagerag_pipeline.models.ready.load_tagger", lambda settings: pytest.fail("a model was loaded"))
    outcome = ask(home, "When was Tinworks founded?")
    assert (outcome.status, outcome.reason, outcome.evidence, outcome.usage.calls) == ("refused", "no_index", (), 0)


def test_the_first_build_answers_what_was_refused_before(tmp_path: Path) -> None:
    home = make_home(tmp_path, {"f1.txt": F1})
    with QueryEngine(home) as engine:
        assert engine.ask("When was Tinworks founded?").reason == "no_index"
        build(tmp_path, {"f1.txt": F1})
        assert engine.ask("When was Tinworks founded?").answer == "1901"


def test_a_deleted_document_answers_nothing_more(tmp_path: Path) -> None:
    home = build(tmp_path, FILES)
    question = "Where did Sister Bell keep bees?"
    with QueryEngine(home) as engine:
        before = engine.ask(question)
        assert (before.status, before.answer) == ("answered", "Low Farm")
        build(tmp_path, {"a/f1.txt": F1, "b/f2.txt": F2})
        after = engine.ask(question)
    assert (after.status, after.evidence, after.answer) == ("refused", (), None)
    assert after.generation != before.generation
    assert "Low Farm" not in json.dumps(outcome_json(after))


def test_an_attribute_of_a_deleted_document_is_refused(tmp_path: Path) -> None:
    build(tmp_path, {"one.txt": "Tinworks has a red roof.", "two.txt": "Tinworks has a bell."})
    home = build(tmp_path, {"two.txt": "Tinworks has a bell."})
    outcome = ask(home, "What color is the roof of Tinworks?")
    assert (outcome.status, outcome.answer) == ("refused", None)
    assert "red" not in json.dumps(outcome_json(outcome))


def test_a_changed_year_changes_the_difference(tmp_path: Path) -> None:
    build(tmp_path, {"p.txt": "Aldric was born in 987. Berta was born in 988."})
    home = build(tmp_path, {"p.txt": "Aldric was born in 986. Berta was born in 988."})
    outcome = ask(home, "How many years older is Aldric than Berta?")
    assert outcome.answer is not None and outcome.answer.startswith("2 years")
    assert "Aldric was born in 986." in [citation.quote for citation in outcome.citations]
    assert not any("987" in item.text for item in outcome.evidence)


def test_the_strict_gate_holds_where_the_settings_say_so(home: Path) -> None:
    plain = load_settings(home)
    strict = replace(plain, answer=replace(plain.answer, strict_boundary=0.0, strict_threshold=1.0))
    with QueryEngine(home, plain) as lenient, QueryEngine(home, strict) as engine:
        assert lenient.ask("Who founded Tinworks?").status == "answered"
        refused = engine.ask("Who founded Tinworks?")
    assert (refused.status, refused.reason) == ("refused", "insufficient") and "strict gate" in refused.missing[0]
    assert refused.plan.profile["strict"] is True


def test_an_option_that_the_quotes_hold_is_the_answer_and_stays_cited(engine: QueryEngine) -> None:
    outcome = engine.ask(Question("q", "Who bought Tinworks?", options=("Sister Bell", "Fenn", "Quill")))
    assert (outcome.status, outcome.answer, outcome.claims[0].text) == ("answered", "Fenn", "Fenn")
    assert exact(outcome)


def test_a_question_that_leans_on_the_one_before_finds_what_it_means(engine: QueryEngine) -> None:
    history = (Turn("user", "Who kept bees at Low Farm?"),)
    alone, leaning = (engine.ask(Question("q", "What did she keep?", history=turns)) for turns in ((), history))
    assert "bees" in (leaning.answer or "") and exact(leaning)
    assert leaning.plan.profile["linked"] != alone.plan.profile["linked"]


def test_half_a_question_is_answered_and_the_rest_named(engine: QueryEngine) -> None:
    outcome = engine.ask("Who founded Tinworks, and where was the founder born?")
    assert (outcome.status, outcome.answer) == ("partial", "Mara Quill")
    assert any("founder born" in missing for missing in outcome.missing)
    assert [citation.document for citation in outcome.citations] == ["a/f1.txt"]


def test_a_narrow_question_to_a_long_document_stays_under_the_budget(tmp_path: Path) -> None:
    paragraphs = [f"On day {n} the clerk wrote {n * 7} lines on {word} and went home." for n, word in enumerate(["barley", "rope", "salt"] * 300)]
    text = "\n\n".join([*paragraphs[:450], "The ferryman Ansel Vreeland hid the brass compass under a loose plank.", *paragraphs[450:]])
    home = build(tmp_path, {"long.txt": text})
    outcome = ask(home, "Who hid the brass compass?", budget=600)
    assert outcome.answer == "Ansel Vreeland" or (outcome.answer or "").endswith("Ansel Vreeland")
    assert 0 < outcome.usage.evidence_tokens <= 600


def test_a_budget_too_small_for_a_passage_is_kept_and_told(engine: QueryEngine) -> None:
    outcome = engine.ask("When was Tinworks founded?", budget=6)
    assert outcome.usage.evidence_tokens <= 6
    assert any("budget" in why for why in outcome.plan.why)
    assert exact(outcome)


def test_a_budget_of_nothing_is_a_refusal_that_says_so(engine: QueryEngine) -> None:
    outcome = engine.ask("When was Tinworks founded?", budget=0)
    assert (outcome.status, outcome.reason, outcome.evidence) == ("refused", "ceiling", ())


def test_theme_and_date_questions_take_different_operators(engine: QueryEngine) -> None:
    theme, date = engine.ask("What are the main themes?"), engine.ask("When was Tinworks founded?")
    assert {"community", "tree"} <= set(theme.plan.operators)
    assert not {"community", "tree"} & set(date.plan.operators)
    assert "text" in theme.plan.operators and "text" in date.plan.operators
    assert theme.plan.why and date.plan.why and theme.plan.why != date.plan.why


def test_scope_shows_only_its_documents(engine: QueryEngine) -> None:
    outcome = engine.ask(Question("q", "Who bought Tinworks?", doc_ids=("a/f1.txt",)))
    assert outcome.status == "refused"
    assert {span.document for item in outcome.evidence for span in item.spans} <= {"a/f1.txt"}
    assert engine.ask("Who bought Tinworks?", scope=Scope(("f2.txt",))).answer == "Odo Fenn"


def test_an_unknown_document_is_named_with_near_ones(engine: QueryEngine) -> None:
    with pytest.raises(UnknownDocument, match="f2.txt"):
        engine.ask("Who bought Tinworks?", scope=Scope(("f2.tx",)))


def test_a_batch_goes_on_after_a_question_that_fails(engine: QueryEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [Question("1", "Who bought Tinworks?", doc_ids=("nowhere.txt",)), Question("2", "Who bought Tinworks?")]
    first, second = engine.ask_all(questions)
    assert (first.status, second.status) == ("failed", "answered")
    assert "nowhere.txt" in first.error
    monkeypatch.setattr("pagerag_pipeline.query.decide", lambda *a, **k: 1 / 0)
    broken = engine.ask("Who bought Tinworks?")
    assert (broken.status, broken.reason, broken.answer) == ("failed", None, None)
    assert "ZeroDivisionError" in broken.error


def test_a_question_longer_than_is_read_fails_alone_and_says_how_long_it_may_be(engine: QueryEngine) -> None:
    long = Question("2", "When was Tinworks founded? " * 800)
    outcomes = list(engine.ask_all([Question("1", "When was Tinworks founded?"), long, Question("3", "When was Tinworks founded?")]))
    assert [outcome.status for outcome in outcomes] == ["answered", "failed", "answered"]
    assert outcomes[1].error == "The question has 21600 characters, at most 20000 are read: shorten it, or raise [retrieve] question_characters."
    with pytest.raises(LongQuestion, match="at most 20000"):
        engine.retrieve(long)


def test_ctrl_c_in_a_statement_ends_a_batch_and_is_no_failed_question(engine: QueryEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("pagerag_pipeline.query.decide", stopped)
    with pytest.raises(KeyboardInterrupt):
        list(engine.ask_all([Question("1", "Who bought Tinworks?"), Question("2", "Who founded Tinworks?")]))


def test_a_vector_of_another_length_fails_with_both_lengths(engine: QueryEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setattr("pagerag_pipeline.systems.gathering.encode_question", lambda text, embedder: np.ones(3, dtype=np.float32))
    outcome = engine.ask("Who bought Tinworks?")
    assert outcome.status == "failed"
    assert "384" in outcome.error and "3" in outcome.error


def test_a_home_whose_settings_name_another_model_is_asked_in_the_space_it_was_built_in(home: Path, engine: QueryEngine) -> None:
    other = load_settings(home)
    with QueryEngine(home, replace(other, embed=replace(other.embed, model="minilm"))) as changed:
        outcome = changed.ask("Who bought Tinworks?")
    assert (outcome.status, outcome.answer) == ("answered", "Odo Fenn")
    assert outcome.evidence == engine.ask("Who bought Tinworks?").evidence


def test_an_index_of_a_model_that_changed_fails_and_says_so(engine: QueryEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagerag_pipeline.models.ready.embedder_fingerprint", lambda settings: "another")
    outcome = engine.ask("Who bought Tinworks?")
    assert outcome.status == "failed" and "refresh" in outcome.error


def test_an_index_whose_words_were_cut_differently_fails_and_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagerag_pipeline.stores.repository.terms", lambda text: text.split())
    outcome = ask(home, "Who bought Tinworks?")
    assert outcome.status == "failed" and "refresh" in outcome.error


def test_json_has_every_documented_field(engine: QueryEngine, home: Path) -> None:
    table = json.loads(json.dumps(outcome_json(engine.ask("When was Tinworks founded?"))))
    assert list(table) == [
        "qid", "question", "system", "status", "answer", "claims", "missing", "reason", "confidence", "citations", "evidence", "plan",
        "trace", "usage", "generation",
    ]  # fmt: skip
    citation = table["citations"][0]
    assert set(citation) == {"label", "document", "chunk_id", "start", "end", "quote", "section", "page"}
    assert set(table["evidence"][0]) == {"label", "kind", "text", "score", "spans"}
    assert set(table["plan"]) == {"profile", "operators", "budgets", "why"}
    assert set(table["usage"]) == {"calls", "prompt_tokens", "completion_tokens", "evidence_tokens", "seconds", "steps"}
    assert table["claims"] == [{"text": "1901", "labels": [citation["label"]]}]
    with QueryEngine(home) as other:
        shown = show_document(home, other._settings, citation["document"])["text"]
    assert shown[citation["start"] : citation["end"]] == citation["quote"]


@pytest.mark.parametrize("system", ["page", "passages"])
def test_ranking_puts_the_passage_first_that_says_it(engine: QueryEngine, system: str) -> None:
    results = engine.retrieve("Who kept bees at Low Farm?", system=system, top=2)
    assert results[0].document == "b/f3.txt"
    assert len(results) == 2 and results[0].score >= results[1].score


def test_an_unknown_system_is_a_plain_error(engine: QueryEngine) -> None:
    with pytest.raises(ValueError, match="page, passages"):
        engine.ask("Who?", system="oracle")


def test_threads_ask_one_engine_and_agree(engine: QueryEngine) -> None:
    answers: list[str | None] = []

    def work() -> None:
        answers.extend(engine.ask("Who bought Tinworks?").answer for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["Odo Fenn"] * 20


def test_a_held_generation_outlives_later_ones_until_its_question_ends(tmp_path: Path) -> None:
    home = build(tmp_path, FILES)
    with QueryEngine(home) as engine, engine._repository() as old:
        for n in range(5):
            build(tmp_path, {**FILES, "n.txt": f"Version {n} of a note on rope."})
        assert engine.ask("Who bought Tinworks?").generation != old.generation
        assert old.slice("a/f1.txt", 0, 10) == "Mara Quill"


def test_every_step_of_an_answer_is_timed_and_the_trace_is_not(engine: QueryEngine) -> None:
    asked = [engine.ask("Who bought Tinworks from Mara Quill?") for _ in range(2)]
    assert {"read", "link", "boundary", "text", "neighborhood", "rerank", "spread", "pack", "gate", "cite"} <= set(asked[0].usage.steps)
    assert sum(asked[0].usage.steps.values()) <= asked[0].usage.seconds + 0.001
    assert asked[0].trace == asked[1].trace


def test_without_a_gate_what_would_be_refused_is_answered(home: Path) -> None:
    question = "Who married Mara Quill in 1950?"
    assert ask(home, question).status == "refused"
    with QueryEngine(home, ablations={"no_evidence_constraint"}) as engine:
        assert engine.ask(question).status == "answered"


def test_an_ablation_that_is_not_known_is_an_error(home: Path) -> None:
    with pytest.raises(ValueError, match="no_such.*no_floor"):
        QueryEngine(home, ablations={"no_such"})


def test_gathering_gives_the_ranking_and_evidence_within_a_budget_and_names_are_resolved(engine: QueryEngine) -> None:
    gathered = engine.gather("Who bought Tinworks from Mara Quill?", budget=20)
    assert gathered.ranked[0].spans[0].document == "b/f2.txt" and sum(item.tokens for item in gathered.evidence) <= 20
    assert engine.resolve(["f2.txt"]) == {"f2.txt": "b/f2.txt"}
