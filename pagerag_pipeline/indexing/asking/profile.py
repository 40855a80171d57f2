"""Phi by a model: form, mode and topics of a document from a few excerpts and its headings (PAGE-RAG, section 2.3, step 1); structure stays as it was found."""

import json
import re
from dataclasses import dataclass
from typing import cast

from pagerag_pipeline.indexing.asking.replies import listed
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Failure, Request
from pagerag_pipeline.schema.protocols import LanguageModel

VERSION = "ask_profile/2"
PROMPT = "profile"
_EXCERPT = 3_200
"""Characters of an excerpt: about 800 tokens; systems, section 2.3."""
_HEADINGS = 60
_LEAST = 400
"""Characters of an excerpt below which a window is too small for a profile."""
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*(?=\S)")
_BEGINNING = 80
"""Characters by which the paragraph is chosen that the middle excerpt begins with."""


@dataclass(frozen=True, slots=True)
class Described:
    """What a model says of a document."""

    form: str
    form_confidence: float
    mode: Mode
    mode_confidence: float
    topics: tuple[tuple[str, float], ...]
    language: str


def described(told: str) -> Described:
    """A description as it was kept: the JSON text of its fields."""
    fields = json.loads(told)
    return Described(**{**fields, "topics": tuple((label, weight) for label, weight in fields["topics"])})


def ask_profile(text: str, title: str, headings: list[str], model: LanguageModel, *, topics: int) -> Described | Failure:
    """Form, mode and topics of a document, topics with weights that sum to 1; excerpts shrink until they fit the model's window."""
    length = _EXCERPT
    request = _request(text, title, headings, (length, topics))
    while not model.fits(request) and length >= _LEAST:
        length = length * 3 // 4
        request = _request(text, title, headings[: _HEADINGS * length // _EXCERPT], (length, topics))
    reply = model.reply(request)
    if isinstance(reply, Failure):
        return reply
    value = reply.value
    mode = cast(Mode, value["mode"])
    language = value["language"].strip().casefold()
    return Described(
        value["form"], round(float(value["form_confidence"]), 4), mode, round(float(value["mode_confidence"]), 4), _weighed(value["topics"], topics),
        language if 2 <= len(language) <= 3 and language.isalpha() else "und",
    )  # fmt: skip


def reading(text: str, title: str, headings: list[str], *, topics: int) -> str:
    """Digest of all that a profile is made of: a document that changes elsewhere is described as before."""
    return digest("profile", title, len(headings), *headings[:_HEADINGS], *excerpts(text, _EXCERPT), topics)


def excerpts(text: str, length: int) -> list[str]:
    """Beginning, middle and end of a text, or all of it where that is less.

    The middle one begins with the paragraph of the middle third whose first characters have the least digest, so that an edit before it does not move it.
    """
    if len(text) <= 3 * length:
        return [text]
    first, last = max(len(text) // 3, length), min(2 * len(text) // 3, len(text) - 2 * length)
    starts = [match.end() for match in _PARAGRAPH.finditer(text, first, last)]
    middle = min(starts, key=lambda start: (digest("excerpt", text[start : start + _BEGINNING]), start), default=(len(text) - length) // 2)
    return [text[:length], text[middle : middle + length], text[-length:]]


def _request(text: str, title: str, headings: list[str], sizes: tuple[int, int]) -> Request:
    length, topics = sizes
    return load_prompt(PROMPT).request(
        topics=str(topics),
        title=fence_text(title) if title else "none",
        headings=fence_text(listed(headings[:_HEADINGS])) if headings else "none",
        excerpts="\n\n".join(fence_text(part) for part in excerpts(text, length)),
    )


def _weighed(given: list[dict[str, object]], most: int) -> tuple[tuple[str, float], ...]:
    """The weightiest topics, each label once, with weights that sum to 1."""
    weights: dict[str, float] = {}
    for one in given:
        label = " ".join(str(one["label"]).split()).casefold()
        if label:
            weights[label] = weights.get(label, 0.0) + max(float(str(one["weight"])), 0.0)
    ranked = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    total = sum(weight for _, weight in ranked)
    return tuple((label, round(weight / total, 4) if total else round(1 / len(ranked), 4)) for label, weight in ranked)
