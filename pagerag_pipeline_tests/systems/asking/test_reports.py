"""Reports are scored by a model, several a call, the coarse ones first, within a number of calls; what is not read is counted."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from pagerag_pipeline.retrieval import overview
from pagerag_pipeline.retrieval.overview import map_reports
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.schema.language import Failure, Request, Spent
from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.stores.surroundings import SeenReport
from pagerag_pipeline.systems.asking.reports import report_scorer
from pagerag_pipeline_tests.fakes import SayingModel, WordTokenizer
from pagerag_pipeline_tests.systems.asking.asked import asking

TREE = {"top": "", "side": "", "below": "top", "beside": "side", "deep": "below"}


def said_by(scores: dict[str, int]) -> Any:
    """A reply that gives each report whose text is known its score, by the label it stands under."""

    def say(request: Request) -> dict[str, Any]:
        shown = re.findall(r"^(R\d+):\n=.*\n(.*)\n=", request.text, re.MULTILINE)
        return {"scores": [{"label": f"[{label}]", "score": scores[text.split()[-1]]} for label, text in shown if text.split()[-1] in scores]}

    return say


def mapped(monkeypatch: pytest.MonkeyPatch, model: SayingModel, **settings: Any) -> Any:
    levels = {"top": 0, "side": 0, "below": 1, "beside": 1, "deep": 2}
    seen = [SeenReport(name, levels[name], name, parent, 1, 3) for name, parent in TREE.items()]
    monkeypatch.setattr(overview, "reports_seen", lambda *_, **__: seen)
    told = [SimpleNamespace(key=name, text=f"the report on {name}", spans=()) for name in TREE]
    repository: Any = SimpleNamespace(reports=lambda keys, scope: [one for one in told if one.key in keys])
    score = report_scorer("What of it?", asking(model, **settings))
    return map_reports(score, repository, scope=Scope(), settings=PankSettings(), tokenizer=WordTokenizer())


def test_what_lies_below_a_report_is_read_when_it_bears_on_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    model = SayingModel(said_by({"top": 60, "below": 90, "side": 49}))
    found = mapped(monkeypatch, model)
    assert [(item.text.split()[-1], item.score) for item in found.evidence] == [("below", 0.9), ("top", 0.6), ("side", 0.49)]
    assert len(model.requests) == 3 and "beside" not in "".join(request.text for request in model.requests)
    assert (found.notes["map"], found.notes["looked_at"], found.notes["unread"]) == ("scores of a model", 4, 0)


def test_calls_are_limited_and_what_is_not_read_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    model = SayingModel(said_by({"top": 60, "below": 90}))
    assert len(mapped(monkeypatch, model, map_calls=1).evidence) == 1 and len(model.requests) == 1
    small = SayingModel(said_by({"top": 60}), room=len(model.requests[0].text) - 1)
    found = mapped(monkeypatch, small, map_calls=1)
    assert len(small.requests) == 1 and found.notes["unread"] == 2 and [item.text for item in found.evidence] == ["the report on top"]


def test_several_calls_a_level_keep_labels_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = SayingModel(said_by({}))
    mapped(monkeypatch, whole)
    model = SayingModel(said_by({"top": 10, "side": 20}), room=len(whole.requests[0].text) - 1)
    found = mapped(monkeypatch, model)
    assert len(model.requests) == 2 and [item.score for item in found.evidence] == [0.2, 0.1]


def test_a_failure_and_a_window_for_no_report_are_told_and_score_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = SayingModel(lambda request: Failure("timeout", "no reply", 1, Spent(1)))
    assert mapped(monkeypatch, failing) == "timeout: no reply"
    assert mapped(monkeypatch, SayingModel(said_by({}), room=10)) == "no report fits the model's window"
