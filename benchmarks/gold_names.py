"""Gold names as alignment.py reads them: which entity each mention by name means, in novels, excerpts and paragraphs."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redocred import written

from pagerag_pipeline.lexical import name_key

TITLES = frozenset(
    "mr mrs ms miss misses messrs sir lord lady master mistress dr doctor rev reverend colonel captain major general admiral count countess duke duchess "
    "king queen prince princess saint st signor signora m mme mlle monsieur madame mademoiselle herr frau fr\u00e4ulein don donna old young little".split()
)
"""Words that do not make two names share a word."""

_NOT_NAMES = frozenset(
    "i he him his himself she her hers herself it its you your yours yourself thou thee thy thine ye me my mine myself we us our ours they them their who whom "
    "father mother papa mama mamma brother sister uncle aunt cousin dear dearest darling love sir madam ma'am miss ma am mr mrs lady ladyship majesty "
    "girl boy child man woman sweet fellow friend mademoiselle signorina signorino missus yo he".split()
)
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_ARTICLE = re.compile(r"^(?:the|an?) ", re.I)
_TITLE_BEFORE = re.compile(r"\b((?:Mr|Mrs|Ms|Dr)\.?|Miss|Lady|Sir|Colonel|Captain)\s+$")
_NAMED = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr)\.? )?[A-Z][\w'\u2019-]*(?: (?:(?:Mr|Mrs|Ms|Dr)\.? )?[A-Z][\w'\u2019-]*)*")
_PARTICLES = frozenset("of the and de du la le von van of' des der".split())


@dataclass(frozen=True, slots=True)
class GoldText:
    """A text with its mentions by name: the key of each name as it stands, and the entity it means."""

    name: str
    text: str
    mentions: tuple[tuple[str, str], ...]


def name_of(surface: str) -> str:
    """The key of a mention by name, "" where a mention is none: a name has a capital in each word but particles, and more than pronoun, title or kin."""
    surface = _ARTICLE.sub("", _EDGES.sub("", " ".join(surface.replace("_", "").split())))
    words = surface.split()
    named = [word for word in words if word.casefold().strip(".,'\u2019") not in _NOT_NAMES]
    if not named or any(not word[0].isupper() and word not in _PARTICLES for word in words):
        return ""
    return name_key(surface)


def read_pdnc(folder: Path) -> Iterator[GoldText]:
    """The novels: names inside quotations, and in the phrases that say who speaks; what the annotators cut off a name, its title, is put back."""
    for row in _lines(folder / "entities.jsonl"):
        text = (folder / row["file"]).read_text(encoding="utf-8")
        bearers = _bearers(row["characters"])
        mentions = [(_with_title(text, start, end), ids) for start, end, ids in row["mentions"]]
        mentions += [(_referring(text, quote), [quote[2]]) for quote in row["quotes"] if quote[3] == "Explicit" and quote[4]]
        found = [(name_of(surface), bearers.get(ids[0].strip(), "")) for surface, ids in mentions if len(ids) == 1]
        yield GoldText(Path(row["file"]).name, text, tuple(pair for pair in found if all(pair)))


def read_litbank(folder: Path, kinds: Sequence[str] = ("PER",)) -> Iterator[GoldText]:
    """The excerpts: mentions that are proper names, of entities of these types; French ones are names by their capitals alone."""
    for row in _lines(folder / "coref.jsonl"):
        found = [
            (name_of(row["text"][mention[0] : mention[1]]), entity["id"])
            for entity in row["entities"]
            if entity["type"] in kinds
            for mention in entity["mentions"]
            if len(mention) == 2 or mention[2] == "PROP"
        ]
        yield GoldText(f"{row['doc_id']}.txt", row["text"], tuple(pair for pair in found if pair[0]))


def read_redocred(path: Path) -> Iterator[GoldText]:
    """The paragraphs: every name of every entity that is no date or number, as often as it stands."""
    for row in _lines(path):
        sentences = [sentence.split(" ") for sentence in row["sents"]]
        found = [
            (name_key(_ARTICLE.sub("", written(" ".join(sentences[at][first:last])))), str(entity["id"]))
            for entity in row["entities"]
            if entity["type"] not in ("TIME", "NUM")
            for at, first, last in entity["mentions"]
        ]
        yield GoldText(
            f"{row['doc_id']}.txt",
            " ".join(written(sentence) for sentence in row["sents"]),
            tuple(pair for pair in found if pair[0]),
        )


def words_of(name: str) -> frozenset[str]:
    """The words of a name that two names may share."""
    return frozenset(
        word for word in re.findall(r"[^\W_]+", name) if word not in TITLES and word not in _PARTICLES and len(word) > 1
    )


def _bearers(characters: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What a mention may call a character, its id or any of its names, if it means one alone."""
    bearers: dict[str, set[str]] = defaultdict(set)
    for one in characters:
        for called in (one["id"], one["name"], *one["aliases"]):
            bearers[called.strip()].add(one["id"])
    exact = {one["name"].strip(): one["id"] for one in characters} | {one["id"]: one["id"] for one in characters}
    return {called: exact.get(called) or next(iter(ids)) for called, ids in bearers.items() if called in exact or len(ids) == 1}


def _with_title(text: str, start: int, end: int) -> str:
    before = _TITLE_BEFORE.search(text, max(0, start - 12), start)
    return text[before.start(1) if before else start : end]


def _referring(text: str, quote: Sequence[Any]) -> str:
    """The only name of "said Miss Bartlett", as it stands near its quotation (annotators left its marks out); "" where there is none or several."""
    words = [r"['\u2019.-]?".join(map(re.escape, word)) for word in re.findall(r"[^\W_]+", quote[4])]
    stands = re.compile(r"[\W_]+".join(words)).search(text, max(0, quote[0] - 500), quote[1] + 500)
    found = _NAMED.findall(" ".join(stands.group().replace("_", "").split())) if stands else []
    return found[0] if len(found) == 1 else ""


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def most_meant(mentions: Sequence[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """The entity that each name means most often; several when they tie."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, entity in mentions:
        counts[name][entity] += 1
    return {name: frozenset(entity for entity, n in count.items() if n == max(count.values())) for name, count in counts.items()}
