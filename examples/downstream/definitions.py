"""A code location of its own that asks the repository: its assets stand downstream of `hybrid_repository`, and are refreshed after it.

It needs of pagerag_pipeline one resource. Start it beside the pipeline with `dagster dev -w examples/downstream/workspace.yaml` from the
clone's root, whose `dagster.yaml` names the history of the home, or from anywhere with `DAGSTER_HOME` set to the home's `dagster/`: elsewhere
Dagster would begin a history of its own and never see a refresh.
"""

import dagster as dg

from pagerag_pipeline.defs.resources import QueryResource

QUESTIONS = [
    "Who was made head baker in March 2020?",
    "What does the corpus say about the price of helium on Mars?",
]


class BriefingConfig(dg.Config):
    """What the briefing asks."""

    questions: list[str] = QUESTIONS


@dg.asset(deps=["hybrid_repository"], group_name="downstream", automation_condition=dg.AutomationCondition.eager())
def briefing(context: dg.AssetExecutionContext, config: BriefingConfig, query: QueryResource) -> dg.MaterializeResult:
    """Answers to a list of standing questions, each with the documents it stands on, or the reason why there is none."""
    outcomes = [query.ask(question) for question in config.questions]
    return dg.MaterializeResult(
        metadata={
            "answered": sum(outcome["status"] == "answered" for outcome in outcomes),
            "refused": sum(outcome["status"] == "refused" for outcome in outcomes),
            "briefing": dg.MetadataValue.md("\n\n".join(map(paragraph, outcomes))),
        }
    )


def paragraph(outcome: dict) -> str:
    """An outcome as Markdown: the question, then the answer with its sources, or the refusal."""
    if outcome["answer"] is None:
        return f"**{outcome['question']}**\n\nNo answer: {outcome['reason']}."
    sources = ", ".join(sorted({citation["document"] for citation in outcome["citations"]}))
    return f"**{outcome['question']}**\n\n{outcome['answer']} ({sources})"


defs = dg.Definitions(
    assets=[briefing],
    # The home comes from PAGERAG_HOME, as for the pipeline itself.
    resources={"query": QueryResource()},
    executor=dg.in_process_executor,
)
