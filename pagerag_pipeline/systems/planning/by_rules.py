"""The plan of a question by rules alone: what is asked without a model, and where one gives nothing."""

from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.systems.ablations import NO_PLAN
from pagerag_pipeline.systems.gathering import Means
from pagerag_pipeline.systems.planning.answers import readers_of
from pagerag_pipeline.systems.planning.hops import HopPlan, single
from pagerag_pipeline.systems.planning.planner import plan_question
from pagerag_pipeline.systems.planning.scopes import scope_of


def plan_by_rules(question: Question, means: Means) -> HopPlan:
    """The plan of the rules; the question itself under the ablation `no_plan`."""
    if NO_PLAN in means.ablations:
        return single(question.text, "ablation: no_plan", scope_of(question.text))
    return plan_question(question.text, readers_of(means).tagger, most=means.pank.most_hops)
