"""Batches: a question is asked once under the same conditions, and again when anything that shapes its answer changed."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline import batch, settings_asking
from pagerag_pipeline.batch import OTHER_SIDES, Asking, answer_batch, asking_digest, asking_now, question_key, source_digest
from pagerag_pipeline.schema.asking import Question, Turn
from pagerag_pipeline.settings import ExtractSettings, Settings, StoreSettings
from pagerag_pipeline.settings_asking import AnswerSettings, RetrieveSettings
from pagerag_pipeline.stores.answers import Answers
from pagerag_pipeline.stores.generations import Manifest

ASKING = Asking("g1", "as it is")
QUESTIONS = [Question(str(n), f"What is {n}?") for n in range(5)]
MANIFEST = Manifest("g1", "2026-01-01T00:00:00Z", "", {}, {}, fingerprints={"embedder": "e1"})


def outcome(question: Question, status: str = "answered", generation: str = "g1") -> dict[str, Any]:
    return {
        "qid": question.qid, "question": question.text, "system": "page", "status": status, "answer": "\u2014 \ud55c \U0001f600", "generation": generation,
    }  # fmt: skip


class Asker:
    """Stands for a system; remembers what it was asked."""

    def __init__(self, reply: Callable[[Question], dict[str, Any]] = outcome) -> None:
        self.asked: list[str] = []
        self._reply = reply

    def __call__(self, question: Question) -> dict[str, Any]:
        self.asked.append(question.qid)
        return self._reply(question)


def run(home: Path, ask: Asker, *, questions: list[Question] = QUESTIONS, asking: Asking = ASKING) -> list[tuple[dict[str, Any], bool]]:
    return list(answer_batch(questions, ask, answers=Answers(home, StoreSettings()), asking=asking, batch=2))


def test_a_second_batch_asks_nothing_and_gives_the_same(tmp_path: Path):
    first = run(tmp_path, Asker())
    ask = Asker()
    again = run(tmp_path, ask)
    assert ask.asked == []
    assert [o for o, _ in again] == [o for o, _ in first] == [outcome(q) for q in QUESTIONS]
    assert [kept for _, kept in first] == [False] * 5 and [kept for _, kept in again] == [True] * 5


def test_a_stopped_batch_goes_on_where_it_was_committed(tmp_path: Path):
    def stops(question: Question) -> dict[str, Any]:
        if question.qid == "3":
            raise KeyboardInterrupt
        return outcome(question)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, Asker(stops))
    ask = Asker()
    assert len(run(tmp_path, ask)) == 5
    assert ask.asked == ["2", "3", "4"]


def test_the_same_question_under_another_id_keeps_its_own_id(tmp_path: Path):
    run(tmp_path, Asker())
    ask = Asker()
    renamed = [replace(QUESTIONS[0], qid="other")]
    assert run(tmp_path, ask, questions=renamed) == [({**outcome(QUESTIONS[0]), "qid": "other"}, True)]
    assert ask.asked == []


def test_other_conditions_are_asked_anew(tmp_path: Path):
    run(tmp_path, Asker())
    ask = Asker()
    run(tmp_path, ask, asking=replace(ASKING, digest="otherwise"))
    assert len(ask.asked) == 5


def test_a_fault_is_not_kept(tmp_path: Path):
    run(tmp_path, Asker(lambda q: outcome(q, status="failed")))
    ask = Asker()
    run(tmp_path, ask)
    assert len(ask.asked) == 5


@pytest.mark.parametrize(("reason", "evidence", "kept"), [
    ("malformed", ["E1"], False), ("malformed", [], False), ("ceiling", ["E1"], False), ("ceiling", [], True), ("insufficient", ["E1"], True),
])  # fmt: skip
def test_a_refusal_that_says_nothing_of_the_evidence_is_not_kept(tmp_path: Path, reason: str, evidence: list[str], kept: bool):
    run(tmp_path, Asker(lambda q: {**outcome(q, status="refused"), "reason": reason, "evidence": evidence}))
    ask = Asker()
    run(tmp_path, ask)
    assert bool(ask.asked) is not kept


def test_an_answer_of_a_generation_published_meanwhile_is_not_kept(tmp_path: Path):
    run(tmp_path, Asker(lambda q: outcome(q, generation="g2")))
    ask = Asker()
    run(tmp_path, ask)
    assert len(ask.asked) == 5


@pytest.mark.parametrize(
    "change",
    [{"text": "What is 7?"}, {"doc_ids": ("a.txt",)}, {"options": ("one", "two")}, {"history": (Turn("user", "Who?"),)}],
    ids=lambda change: next(iter(change)),
)
def test_all_of_a_question_but_its_id_is_in_its_key(change: dict[str, Any]):
    assert question_key(replace(QUESTIONS[0], **change), ASKING) != question_key(QUESTIONS[0], ASKING)
    assert question_key(replace(QUESTIONS[0], qid="other"), ASKING) == question_key(QUESTIONS[0], ASKING)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("generation", {"manifest": replace(MANIFEST, generation="g2")}),
        ("embedder", {"manifest": replace(MANIFEST, fingerprints={"embedder": "e2"})}),
        ("no index", {"manifest": None}),
        ("system", {"system": "passages"}),
        ("budget", {"budget": 500}),
        ("answer settings", {"settings": replace(Settings(), answer=AnswerSettings(strict_overlap=0.9))}),
        ("retrieve settings", {"settings": replace(Settings(), retrieve=RetrieveSettings(record_read=7))}),
        ("tagger", {"settings": replace(Settings(), extract=ExtractSettings(tagger="rules"))}),
    ],
)
def test_whatever_shapes_an_answer_is_in_the_digest(name: str, change: dict[str, Any]):
    usual: dict[str, Any] = {"manifest": MANIFEST, "settings": Settings(), "system": "page", "budget": None}
    changed = usual | change
    assert name and asking_digest(changed.pop("manifest"), changed.pop("settings"), **changed) != digest_of(usual)
    assert digest_of(usual) == digest_of(usual)


def digest_of(conditions: dict[str, Any]) -> str:
    return asking_digest(conditions["manifest"], conditions["settings"], system=conditions["system"], budget=conditions["budget"])


def test_the_code_that_asks_is_in_the_digest(monkeypatch: pytest.MonkeyPatch):
    before = asking_digest(MANIFEST, Settings(), system="page", budget=None)
    monkeypatch.setattr(batch, "source_digest", lambda package: "edited")
    assert asking_digest(MANIFEST, Settings(), system="page", budget=None) != before


def test_an_edit_of_code_or_of_fitted_coefficients_changes_the_code_version_and_one_elsewhere_does_not(tmp_path: Path):
    def write(name: str, text: str) -> str:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
        return source_digest(tmp_path)

    first = write("answering/sufficiency.json", "{}")
    assert write("answering/__pycache__/gate.pyc", "compiled") == write("cli.py", "prints") == write("refresh/ledger.py", "binds") == first
    edited = [write(name, "pass") for name in ("systems/page.py", "indexing/graph_terms.py", "new.py")]
    assert len({first, write("answering/sufficiency.json", "{\"bias\": 1}"), *edited}) == 5


def test_no_answer_runs_through_the_other_sides():
    """In a fresh process, so that what other tests import does not count."""
    code = "import sys, pagerag_pipeline.query; print(*(name for name in sys.modules if name.startswith('pagerag_pipeline.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(batch.__file__).parent.parent).stdout
    rooms = {name.split(".")[1] for name in loaded.split()}
    assert "answering" in rooms and not rooms & {side.removesuffix(".py") for side in OTHER_SIDES}


def test_every_slice_of_asking_is_a_condition() -> None:
    asking = [name for name, kind in Settings.__annotations__.items() if kind.__module__ == settings_asking.__name__]
    digests = {asking_digest(None, Settings(), system="page", budget=None)}
    for name in asking:
        changed = replace(Settings(), **{name: _with_another_value(getattr(Settings(), name))})
        digests.add(asking_digest(None, changed, system="page", budget=None))
    assert len(asking) >= 5 and len(digests) == 1 + len(asking)


def _with_another_value(knobs: Any) -> Any:
    first = next(name for name in knobs.__dataclass_fields__ if isinstance(getattr(knobs, name), int) and not isinstance(getattr(knobs, name), bool))
    return replace(knobs, **{first: getattr(knobs, first) + 1})


def test_a_home_without_an_index_has_conditions_of_its_own(tmp_path: Path):
    asking = asking_now(tmp_path, Settings(), system="page")
    assert asking.generation == "" and asking.digest == asking_digest(None, Settings(), system="page", budget=None)
