"""Whether what pronouns, definite nouns and quotations are resolved to is what gold says, by extraction's own reading.

`litbank`: each place that extraction resolves is looked up among the gold mentions: a pronoun's by the same offsets, a definite noun's by the same
beginning. It is right when the entity of that mention is that of the gold mention over the antecedent's name (of proper ones if there are, the one
whose bounds are nearest), else wrong, also when gold has no entity there. What has no gold mention at its place is not judged; of these
`name_is_gold` counts the ones whose antecedent is a gold entity. An excerpt comes without its paragraphs and is read as one, which is harder than
a text with them. `it` is read as in a text that is no story (stories leave it alone); `nickname_anywhere` are nicknames without the limit of
distance that a quote sets, for within it stories have few.

`pdnc`: the speaker of each gold quotation that extraction names is right when it is a name of the gold speaker, wrong when it is one of another
character only. Titles do not count (gold has some people twice, with a title and without), so Mr. and Mrs. of one name are not told apart. A
speaker who is no character is not judged.

Halves: documents sorted by id, every other one from the first for tuning, the rest held out; the rules were changed by looking at the first half
alone. `bundled` has no gold: it counts what is resolved.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import corpora
import figures
import homes

from pagerag_pipeline.indexing.extract import read_paragraphs
from pagerag_pipeline.indexing.extraction import resolve
from pagerag_pipeline.indexing.extraction.name_types import PERSON_TITLES
from pagerag_pipeline.indexing.extraction.nicknames import NICKNAME
from pagerag_pipeline.indexing.extraction.reading import Sentence
from pagerag_pipeline.indexing.extraction.segments import Segment, segment_text
from pagerag_pipeline.indexing.extraction.speech import within
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline.schema.knowledge import Tagged
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.settings_file import load_settings

HALVES = ("tuning", "held_out")
PIECE = 6_000
"""Characters of a piece of a novel, about as long as a chunk; cut at the end of a paragraph."""
ANYWHERE = "nickname_anywhere"
"""Nicknames without the limit of distance that a quote sets: more of them to judge, and harder ones."""
RIGHT, WRONG, UNJUDGED = "right", "wrong", "not_judged"


@dataclass(frozen=True, slots=True)
class Reference:
    """A resolved place: offsets into the text, the kind of rule, and the name with the place where it stands."""

    start: int
    end: int
    how: str
    name: str
    name_start: int


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A mention of a gold entity; whether it is a proper name."""

    start: int
    end: int
    entity: str
    proper: bool


def tagged_text(text: str, tagger: Tagger) -> list[tuple[Segment, Tagged]]:
    """The paragraphs of a text with the tagger's reading of each."""
    segments = segment_text(text)
    return list(zip(segments, tagger.tag([segment.text for segment in segments], "en"), strict=True))


def sentences_of(readings: Sequence[tuple[Segment, Tagged]], mode: Mode) -> list[tuple[int, Sentence]]:
    """The sentences of a text, as extraction reads it, each with the offset of its paragraph."""
    return [(segment.start, sentence) for segment, sentences in read_paragraphs(readings, mode) for sentence in sentences]


def references(text: str, readings: Sequence[tuple[Segment, Tagged]], mode: Mode) -> Iterator[Reference]:
    """What extraction resolves in a text."""
    for offset, sentence in sentences_of(readings, mode):
        for phrase in sentence.resolved.values():
            words = phrase.surface.split()
            place = next((at for at in range(offset + phrase.since, len(text)) if _stands(text, at, words)), -1)
            how = "it" if sentence.text[phrase.start : phrase.end].casefold() in ("it", "its") else phrase.how
            yield Reference(offset + phrase.start, offset + phrase.end, how, phrase.surface, place)


def every_reference(text: str, tagger: Tagger) -> list[Reference]:
    """What is resolved in a story, with "it" as in other texts, and with nicknames at any distance from their names."""
    readings = tagged_text(text, tagger)
    found = list(references(text, readings, "narrative"))
    found += [one for one in references(text, readings, "mixed") if one.how == "it"]
    farthest = resolve.FARTHEST
    resolve.FARTHEST = len(text)
    found += [replace(one, how=ANYWHERE) for one in references(text, readings, "narrative") if one.how == NICKNAME]
    resolve.FARTHEST = farthest
    return found


def _stands(text: str, at: int, words: Sequence[str]) -> bool:
    """Whether the words stand at a place, whatever the white space between them."""
    return text.startswith(words[0], at) and text[at : at + 200].split()[: len(words) - 1] == list(words[:-1])


def judge(one: Reference, gold: Sequence[GoldMention]) -> tuple[str, bool]:
    """Right, wrong or not judged, and whether the antecedent is a gold entity."""
    over = [m for m in gold if m.start < one.name_start + len(one.name) and m.end > one.name_start]
    named = min(over, key=lambda m: (not m.proper, abs(m.start - one.name_start) + abs(m.end - one.name_start - len(one.name)), m.entity), default=None)
    there = [m for m in gold if m.start == one.start and (m.end == one.end or (one.how in (NICKNAME, ANYWHERE) and m.end > one.end))]
    if not there:
        return UNJUDGED, named is not None
    meant = min(there, key=lambda m: (m.end, m.entity))
    return RIGHT if named is not None and named.entity == meant.entity else WRONG, named is not None


def litbank(tagger: Tagger, *, show: str | None) -> dict[str, Any]:
    """Counts by kind, over both halves and each."""
    counts = {half: Counter[tuple[str, str]]() for half in HALVES}
    for number, document in enumerate(_documents("litbank/coref.jsonl")):
        half, text = HALVES[number % 2], document["text"]
        gold = [GoldMention(start, end, entity["id"], kind == "PROP") for entity in document["entities"] for start, end, kind in entity["mentions"]]
        for one in every_reference(text, tagger):
            verdict, known = judge(one, gold)
            counts[half][one.how, verdict] += 1
            counts[half][one.how, "name_is_gold"] += verdict == UNJUDGED and known
            if show == half and verdict != RIGHT:
                print(f"{document['doc_id']} {one.how} {verdict}{' (name is gold)' if verdict == UNJUDGED and known else ''}: {_shown(text, one)}")
    return _by_kind(counts)


def pdnc(tagger: Tagger, *, show: str | None) -> dict[str, Any]:
    """Counts of gold quotations by half, with those that no speaker was found for."""
    counts = {half: Counter[tuple[str, str]]() for half in HALVES}
    for number, document in enumerate(_documents("pdnc/entities.jsonl")):
        half = HALVES[number % 2]
        text = (corpora.eval_folder() / "pdnc" / document["file"]).read_text(encoding="utf-8")
        characters = [{_plain(name) for name in (one["name"], *one["aliases"])} for one in document["characters"]]
        sentences = [one for start, end in _pieces(text) for one in _moved(sentences_of(tagged_text(text[start:end], tagger), "narrative"), start)]
        for start, end, speaker, *_ in document["quotes"]:
            told = next((s.speaker for at, s in sentences if s.speaker and at + s.start <= start < at + s.end and within(s.spoken, start - at)), None)
            if told is None:
                counts[half]["speaker", "not_found"] += 1
                continue
            bearers = [names for names in characters if _plain(told.surface) in names]
            verdict = RIGHT if any(_plain(speaker) in names for names in bearers) else WRONG if bearers else UNJUDGED
            counts[half]["speaker", verdict] += 1
            if show == half and verdict != RIGHT:
                print(f"{document['doc_id']} {verdict}: {told.surface} for {speaker}: {text[start - 40 : end + 60]!r}")
    return _by_kind(counts)


def bundled(tagger: Tagger) -> dict[str, Any]:
    """What is resolved in this repository's corpus, by kind."""
    count: Counter[str] = Counter(texts=0)
    for path in sorted((corpora.ROOT / "data" / "corpus").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        count["texts"] += 1
        count.update(one.how for one in references(text, tagged_text(text, tagger), "mixed"))
    return dict(sorted(count.items()))


def _documents(file: str) -> list[dict[str, Any]]:
    lines = (corpora.eval_folder() / file).read_text(encoding="utf-8").splitlines()
    return sorted((json.loads(line) for line in lines if line.strip()), key=lambda one: one["doc_id"])


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n\n", start + PIECE)
        yield start, end if end >= 0 else len(text)
        start = end if end >= 0 else len(text)


def _moved(sentences: Sequence[tuple[int, Sentence]], by: int) -> list[tuple[int, Sentence]]:
    return [(offset + by, sentence) for offset, sentence in sentences]


def _plain(name: str) -> str:
    """A name in lower case without its titles; a title alone stays."""
    words = [word.strip(".,") for word in name.casefold().split()]
    return " ".join([word for word in words if word not in PERSON_TITLES] or words)


def _shown(text: str, one: Reference) -> str:
    before = " ".join(text[max(0, min(one.name_start, one.start) - 30) : one.start].split())
    return f"[{one.name}] ... {before} >>{text[one.start : one.end]}<< {' '.join(text[one.end : one.end + 60].split())}"


def _by_kind(counts: dict[str, Counter[tuple[str, str]]]) -> dict[str, Any]:
    both = sum(counts.values(), Counter[tuple[str, str]]())
    kinds = sorted({how for how, _ in both})
    return {f"{how}_{name}": _figures(count, how) for how in kinds for name, count in (*counts.items(), ("both", both))}


def _figures(count: Counter[tuple[str, str]], how: str) -> dict[str, Any]:
    told = {verdict: count[how, verdict] for verdict in (RIGHT, WRONG, UNJUDGED, "name_is_gold", "not_found") if count[how, verdict]}
    judged = count[how, RIGHT] + count[how, WRONG]
    return {"precision": count[how, RIGHT] / judged if judged else None, "judged": judged, **told}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("litbank", "pdnc", "bundled"))
    parser.add_argument("--show", choices=HALVES, help="print what is not right, of one half")
    given = parser.parse_args()
    tagger = load_tagger(load_settings(given.work).extract)
    if given.data == "litbank":
        found, size = litbank(tagger, show=given.show), len(_documents("litbank/coref.jsonl"))
    elif given.data == "pdnc":
        found, size = pdnc(tagger, show=given.show), len(_documents("pdnc/entities.jsonl"))
    else:
        found = bundled(tagger)
        size = found["texts"]
    figures.show("references", data=given.data, n=size, figures=found)


if __name__ == "__main__":
    main()
