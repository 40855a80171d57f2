"""What a verdict stands on, put together from what a system gathered."""

from collections import Counter
from collections.abc import Sequence

from pagerag_pipeline.answering.pointing import names_something, pointed_at
from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.answering.tokens import Tokens, embed_keys, kept_tokens
from pagerag_pipeline.schema.asking import Evidence, Question
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading
from pagerag_pipeline.systems.tables import rows_begun


def grounds_of(question: Question, gathered: Gathered, means: Means, *, constrained: bool) -> Grounds:
    """The grounds of the verdict on a question; `constrained` is False where a comparison asks without the gate."""
    repository, pool = means.repository, gathered.pool or gathered.ranked
    return Grounds(
        gathered.evidence, pool, gathered.reading.statistics, repository.embedding_model, gathered.strict, constrained,
        share_of_one_story(pool, repository), rows=rows_begun(gathered.evidence, means), tokens=_tokens(gathered.evidence, means),
        told_before=_told_before(question, gathered.reading), findings=gathered.findings,
    )  # fmt: skip


def grounds_of_hop(evidence: tuple[Evidence, ...], ranked: Sequence[Evidence], reading: Reading, means: Means) -> Grounds:
    """The grounds of a question asked on the way; what it points at is what was found before it."""
    statistics, model = reading.statistics, means.repository.embedding_model
    return Grounds(evidence, tuple(ranked), statistics, model, tokens=_tokens(evidence, means), told_before=True)


def _told_before(question: Question, reading: Reading) -> bool:
    """Whether an earlier turn names what a question may point at, or its own first part does for the later ones."""
    first = reading.parts[0] if len(reading.parts) > 1 else None
    return names_something([turn.text for turn in question.history]) or (first is not None and not pointed_at(first))


def _tokens(evidence: Sequence[Evidence], means: Means) -> tuple[Tokens, ...]:
    return tuple(kept_tokens(evidence, means.repository.signs(embed_keys(evidence)), means.tokenizer))


def share_of_one_story(found: Sequence[Evidence], repository: Repository) -> float:
    """Chance that two of the passages found, drawn one after the other, stand in the same document that its profile calls fiction."""
    places = [item.spans[0].document for item in found]
    forms = repository.forms(sorted(set(places)))
    stories = Counter(place for place in places if forms.get(place) == "fiction")
    return round(sum((count / len(places)) ** 2 for _, count in sorted(stories.items())), 4)
