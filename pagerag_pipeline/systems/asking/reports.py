"""Scores of community reports by a model, the map step of global search (PankRAG, PK-11); the answer itself is what reduces them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pagerag_pipeline.models.chat.many import ask_each
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.retrieval.overview import Score
from pagerag_pipeline.schema.language import Failure, Reply, Request, plain_label
from pagerag_pipeline.systems.asking.models import STAGE, Asking, why_none

Texts = Sequence[tuple[str, str]]


def report_scorer(question: str, asking: Asking) -> Score:
    """What scores reports for one search, several a call, in `map_calls` calls at most; reports beyond them are not read."""
    used = 0

    def score(texts: Texts) -> Mapping[str, int] | str:
        nonlocal used
        batches = _batches(texts, question, asking, most=asking.settings.map_calls - used)
        if texts and not batches and not used:
            return "no report fits the model's window"
        used += len(batches)
        requests = [_request(batch, question) for batch in batches]
        replies = dict(ask_each(lambda place: asking.answer.reply(requests[place]), range(len(requests)), threads=asking.threads))
        found: dict[str, int] = {}
        for place, batch in enumerate(batches):
            reply = replies[place]
            if isinstance(reply, Failure):
                return why_none(reply)
            found |= _scores(reply, batch)
        return found

    return score


def _batches(texts: Texts, question: str, asking: Asking, *, most: int) -> list[list[tuple[str, str]]]:
    """Texts in order, as many to a call as its window holds, for so many calls; one that fits no window is left out."""
    batches: list[list[tuple[str, str]]] = []
    for text in texts:
        if batches and asking.answer.fits(_request([*batches[-1], text], question)):
            batches[-1].append(text)
        elif len(batches) < most and asking.answer.fits(_request([text], question)):
            batches.append([text])
        elif len(batches) == most:
            break
    return batches


def _request(texts: Texts, question: str) -> Request:
    reports = "\n\n".join(f"R{number}:\n{fence_text(text)}" for number, (_, text) in enumerate(texts, start=1))
    return replace(load_prompt("map").request(reports=reports, question=fence_text(question)), stage=STAGE)


def _scores(reply: Reply, batch: Texts) -> dict[str, int]:
    """The score of each report of a call: 0 where the reply does not name it; of two scores the first; labels that nobody gave say nothing."""
    named: dict[str, int] = {}
    for one in reply.value["scores"]:
        named.setdefault(plain_label(one["label"]), one["score"])
    return {key: named.get(f"R{number}", 0) for number, (key, _) in enumerate(batch, start=1)}
