"""A model's profile stands beside that of the rules: what a rule saw stays."""

from typing import Any

import pytest

from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline.stores.found import Linked
from pagerag_pipeline.systems.asking.profile import profile_beside
from pagerag_pipeline.systems.boundary import Boundary
from pagerag_pipeline.systems.routing import QueryProfile
from pagerag_pipeline_tests.fakes import SayingModel
from pagerag_pipeline_tests.systems.asking.asked import asking

FENN = Linked("e1", "Odo Fenn", "PERSON", 2, "odo fenn")
QUESTION = Question("q", "What of Odo Fenn?")


def profile(scope: Any = "local", *, path: bool = False, linked: tuple[Linked, ...] = (FENN,)) -> QueryProfile:
    return QueryProfile(scope, path, scope == "global", Boundary(0.0, False, ""), False, True, linked, ("rules",))


@pytest.mark.parametrize(
    ("rules", "said", "scope", "path"),
    [
        (profile(), {"scope": "global", "path": True}, "global", True),
        (profile("relational", path=True), {"scope": "global", "path": False}, "relational", True),
        (profile("global"), {"scope": "local", "path": False}, "global", False),
        (profile(linked=()), {"scope": "local", "path": True}, "local", False),
    ],
)
def test_a_rule_comes_before_the_model(rules: QueryProfile, said: dict[str, Any], scope: str, path: bool) -> None:
    merged, steps = profile_beside(rules, QUESTION, asking(SayingModel(lambda request: said), profile=True))
    assert (merged.scope, merged.path, merged.synthesis) == (scope, path, scope == "global")
    assert steps[0]["scope"] == said["scope"] and merged.why[0] == "rules"
    assert [why.endswith("stub says so") for why in merged.why[1:]] == [True] * ((scope != rules.scope) + (path != rules.path))


def test_off_by_default_and_told_when_nothing_comes() -> None:
    silent = SayingModel(lambda request: Failure("timeout", "no reply", 1))
    assert profile_beside(profile(), QUESTION, asking(silent)) == (profile(), ()) and not silent.requests
    assert profile_beside(profile(), QUESTION, None) == (profile(), ())
    merged, steps = profile_beside(profile(), QUESTION, asking(silent, profile=True))
    assert merged.scope == "local" and steps[0]["fallback"] == merged.why[-1] == "profiled by rules: stub gave nothing (timeout: no reply)"
