"""The profile of a document (Phi): form, topics, discourse mode, structure and boundary; PAGE-RAG, section 2.2. A control signal, never evidence."""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from pagerag_pipeline.indexing.profiling.discourse import WINDOW, cover, measure, sample
from pagerag_pipeline.indexing.profiling.language import detect_language
from pagerag_pipeline.indexing.profiling.topics import find_topics
from pagerag_pipeline.indexing.structure import find_sections
from pagerag_pipeline.schema.documents import TREATISES, Mode, ParsedDocument, Profile, Section
from pagerag_pipeline.settings import ProfileSettings

VERSION = "profile/8"

DOCUMENT_WINDOWS = 8
SECTION_WINDOWS = 2
LEAST_WINDOW, PART_SHARE = 700, 12
"""A window of a part has one PART_SHARE-th of its characters, and at least LEAST_WINDOW: a book is read in part, to be quick."""
SHRINK_WORDS = 60
"""What the features of a text of n words say is multiplied by n / (n + this): few words tell little, and what is commonest is the best guess."""
LEAST_WORDS = 150
"""A section with fewer words has the mode of its document."""
MOST_FEATURES = 40
"""So many of the features that decided are kept with a profile."""
_YEAR = re.compile(r"\b(1[0-9]\d\d|20[0-4]\d)\b")


@dataclass(frozen=True, slots=True)
class _Part:
    """Sections [first, last) that make one top-level part of a document."""

    first: int
    last: int
    start: int
    end: int
    kind: str


def profile_document(document: ParsedDocument, settings: ProfileSettings) -> Profile:
    """The profile of a document, from its text and the layout its format declares. Front and back matter have no say in form, mode and topics."""
    sections = find_sections(document)
    body = _body(document.text, sections)
    language = detect_language(body)
    features = measure(sample(body, DOCUMENT_WINDOWS), language)
    features["turns"] = cover(document.blocks, "speaker", len(document.text))
    features["tables"] = cover(document.blocks, "table", len(document.text))
    forms = _chances("form", features)
    modes, sections = _modes(document, sections, features, language)
    form, mode = max(forms, key=lambda name: forms[name]), max(modes, key=lambda name: modes[name])
    return Profile(
        form=form,
        form_confidence=round(forms[form], 4),
        mode=cast(Mode, mode),
        mode_confidence=round(modes[mode], 4),
        topics=find_topics(sample(body, 40), settings.topics),
        language=language,
        boundary=_boundary(body, sections),
        features=tuple((name, round(features[name], 4)) for name in _deciding("form", form, features)),
        sections=sections,
    )


def _body(text: str, sections: Sequence[Section]) -> str:
    """The text without front and back matter, unless that is most of it."""
    body = "".join(text[s.start : s.end] for s in sections if s.kind not in ("front", "back"))
    return body if 3 * len(body) > len(text) else text


def _modes(
    document: ParsedDocument, sections: tuple[Section, ...], features: dict[str, float], language: str
) -> tuple[dict[str, float], tuple[Section, ...]]:
    """The document's mode chances, and its sections with the mode of their part.

    The chances are halfway between those of the document as a whole and the mean of its parts weighted by length.
    """
    chances: dict[_Part, dict[str, float]] = {}
    parts = _parts(sections)
    for part in parts if len(parts) > 1 else []:
        window = min(WINDOW, max(LEAST_WINDOW, (part.end - part.start) // PART_SHARE))
        own = measure(sample(document.text[part.start : part.end], SECTION_WINDOWS, window), language)
        if own["size"] >= LEAST_WORDS:
            blocks = [b for b in document.blocks if b.kind in ("speaker", "table") and part.start <= b.start < part.end]
            own["turns"] = cover(blocks, "speaker", part.end - part.start)
            own["tables"] = cover(blocks, "table", part.end - part.start)
            chances[part] = _chances("mode", own)
    whole = _chances("mode", features)
    told = {part: found for part, found in chances.items() if part.kind not in ("front", "back")}
    length = sum(part.end - part.start for part in told)
    mean = {name: sum(found[name] * (part.end - part.start) for part, found in told.items()) / length for name in whole} if length else whole
    mean = {name: (mean[name] + whole[name]) / 2 for name in whole}
    default = max(mean, key=lambda name: mean[name])
    modes = {i: part_mode(found, default) for part, found in chances.items() for i in range(part.first, part.last)}
    return mean, tuple(replace(section, mode=cast(Mode, modes.get(section.ordinal, default))) for section in sections)


def part_mode(chances: dict[str, float], default: str) -> str:
    """The likeliest mode of a part; one that tells no mode of its own, in a document that explains or argues, does so too."""
    likeliest = max(chances, key=lambda name: chances[name])
    return default if likeliest == "mixed" and default in TREATISES else likeliest


def _parts(sections: Sequence[Section]) -> list[_Part]:
    """Top-level parts: the outermost level that has at least two headings, each with all below it."""
    levels = Counter(section.level for section in sections if section.title)
    top = next((level for level in sorted(levels) if levels[level] > 1), min(levels, default=1))
    firsts = [i for i, section in enumerate(sections) if i == 0 or section.level <= top]
    lasts = [*firsts[1:], len(sections)]
    return [_Part(a, b, sections[a].start, sections[b - 1].end, sections[a].kind) for a, b in zip(firsts, lasts, strict=True)] if sections else []


def _boundary(body: str, sections: Sequence[Section]) -> tuple[tuple[str, str], ...]:
    """Facts on what the document covers, in a fixed order."""
    inner = [section for section in sections if section.kind not in ("front", "back", "body") and section.title]
    chapters = [section for section in inner if section.kind != "section"]
    facts = [("order", "chapters" if chapters else "sections" if inner else "text"), ("sections", str(len(sections)))]
    if chapters:
        facts.append(("chapters", str(len(chapters))))
    ordered = chapters or inner
    if ordered:
        facts += [("first_section", ordered[0].title), ("last_section", ordered[-1].title)]
    years = sorted(year for year, times in Counter(_YEAR.findall(body)).items() if times > 1)
    if len(years) > 1:
        facts.append(("years", f"{years[0]}-{years[-1]}"))
    return tuple(facts)


def _chances(target: str, features: dict[str, float]) -> dict[str, float]:
    """Softmax of a linear score over the square roots of the features; the weights were fitted to labeled documents."""
    trust = features["size"] / (features["size"] + SHRINK_WORDS)
    scores = {name: row[0] + trust * sum(_contributions(row, features)) for name, row in _weights()[target].items()}
    highest = max(scores.values())
    exponents = {name: math.exp(score - highest) for name, score in scores.items()}
    total = sum(exponents.values())
    return {name: value / total for name, value in exponents.items()}


def _contributions(row: Sequence[float], features: dict[str, float]) -> list[float]:
    weights = _weights()
    standard = zip(weights["features"], weights["mean"], weights["scale"], row[1:], strict=True)
    return [weight * (math.sqrt(features[name]) - mean) / scale for name, mean, scale, weight in standard]


def _deciding(target: str, label: str, features: dict[str, float]) -> list[str]:
    """Names of the features, those first that spoke most strongly for or against a label."""
    strength = dict(zip(_weights()["features"], _contributions(_weights()[target][label], features), strict=True))
    return sorted(strength, key=lambda name: (-abs(round(strength[name], 6)), name))[:MOST_FEATURES]


@lru_cache(maxsize=1)
def _weights() -> dict[str, Any]:
    """Fitted weights: `features`, `mean`, `scale`, and per label of `form` and `mode` a bias and a weight a feature."""
    found: dict[str, Any] = json.loads(files("pagerag_pipeline.indexing.profiling").joinpath("profile_weights.json").read_text(encoding="utf-8"))
    return found
