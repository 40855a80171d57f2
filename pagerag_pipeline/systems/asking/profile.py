"""What kind of search a question needs, by a model beside the rules (PAGE-RAG; systems, section 2.4): the rules come first."""

from dataclasses import replace
from typing import Any

from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline.systems.asking.models import STAGE, Asking, why_none
from pagerag_pipeline.systems.asking.plan import fence_turns
from pagerag_pipeline.systems.routing import QueryProfile


def profile_beside(profile: QueryProfile, question: Question, asking: Asking | None) -> tuple[QueryProfile, tuple[dict[str, Any], ...]]:
    """The profile of the rules with what a model adds, and the step that tells it; the profile alone where no model is asked or gives anything.

    A scope that some rule saw stays; where none did, which is `local`, the model's stands. A path is searched where either sees one. Boundary and
    linked names are the rules'.
    """
    if asking is None or not asking.settings.profile:
        return profile, ()
    request = load_prompt("route").request(history=fence_turns(question), question=fence_text(question.text))
    result = asking.plan.reply(replace(request, stage=STAGE))
    step: dict[str, Any] = {"step": "profile", "model": asking.plan.name}
    if isinstance(result, Failure):
        why = f"profiled by rules: {asking.plan.name} gave nothing ({why_none(result)})"
        return replace(profile, why=(*profile.why, why)), ({**step, "fallback": why},)
    said = {**step, "scope": result.value["scope"], "path": result.value["path"], "repaired": result.repaired}
    scope = result.value["scope"] if profile.scope == "local" else profile.scope
    path = profile.path or bool(result.value["path"] and profile.linked)
    new = [f"{scope}: {asking.plan.name} says so"] * (scope != profile.scope) + [f"paths: {asking.plan.name} says so"] * (path != profile.path)
    merged = replace(profile, scope=scope, path=path, synthesis=profile.synthesis or scope == "global", why=(*profile.why, *new))
    return merged, (said,)
