"""What a verdict stands on, put together from what a system gathered."""

from collections.abc import Sequence

from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.answering.tokens import embed_keys
from pagerag_pipeline.outcomes import share_of_one_story
from pagerag_pipeline.schema.asking import Evidence, Question
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading
from pagerag_pipeline.systems.tables import rows_begun


def grounds_of(question: Question, gathered: Gathered, means: Means, *, constrained: bool) -> Grounds:
    """The grounds of the verdict on a question; `constrained` is False where a comparison asks without the gate."""
    repository, pool = means.repository, gathered.pool or gathered.ranked
    return Grounds(
        gathered.evidence, pool, gathered.reading.statistics, repository.embedding_model, gathered.strict, constrained,
        share_of_one_story(pool, repository), rows=rows_begun(gathered.evidence, means), signs=repository.signs(embed_keys(gathered.evidence)),
        told_before=bool(question.history), findings=gathered.findings,
    )  # fmt: skip


def grounds_of_hop(evidence: tuple[Evidence, ...], ranked: Sequence[Evidence], reading: Reading, means: Means) -> Grounds:
    """The grounds of a question asked on the way; what it points at is what was found before it."""
    signs = means.repository.signs(embed_keys(evidence))
    return Grounds(evidence, tuple(ranked), reading.statistics, means.repository.embedding_model, signs=signs, told_before=True)
