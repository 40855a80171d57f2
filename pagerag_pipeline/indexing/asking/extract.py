"""A_mu by a model: the units that a chunk states, asked in the words of its discourse mode, each bound to a quote (PAGE-RAG, section 2.3, step 3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.indexing.asking.replies import Rejected, good_items, halves, item_wise, listed, too_long
from pagerag_pipeline.indexing.asking.vocabulary import predicate_of, relations_told, type_of, types_told
from pagerag_pipeline.indexing.bind import bind_quote
from pagerag_pipeline.indexing.ontology import ALIAS, Ontology
from pagerag_pipeline.indexing.tabular.quantities import read_amount
from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.prompts.load import Prompt, fence_text, load_prompt
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, Category, Record, Unit
from pagerag_pipeline.schema.language import Failure, Request
from pagerag_pipeline.schema.protocols import LanguageModel

VERSION = "ask_extract/1"

PROMPTS: dict[Mode, str] = {
    "narrative": "extract_narrative",
    "conceptual": "extract_conceptual",
    "argumentative": "extract_argumentative",
    "mixed": "extract_conceptual",
}
"""What is asked in a chunk of a mode; a mixed one is asked in the words that leave most open."""
GLEAN = "glean"


@dataclass(frozen=True, slots=True)
class Piece:
    """A text to be read, with what its prompts hold besides."""

    text: str
    context: str
    mode: Mode
    ontology: Ontology


@dataclass(frozen=True, slots=True)
class Stated:
    """What a model read in a chunk."""

    units: tuple[Unit, ...]
    rejected: tuple[Rejected, ...] = ()
    gleaned: int = 0
    """Units that a later round brought."""
    halved: int = 0
    """How often a text was parted, because it or its reply was too long."""
    unfinished: str = ""
    """Why gleaning ended early, where a call failed: what was read before it is kept."""


def ask_units(piece: Piece, model: LanguageModel, *, rounds: int) -> Stated | Failure:
    """The units of a text, or why there are none; offsets are relative to it, and what is quoted nowhere in it keeps its words, for gate G1 to reject."""
    first = _asked(piece, model, _request(piece))
    if isinstance(first, Failure):
        return _by_halves(piece, model, rounds) if too_long(first, piece.text) else first
    stated = first
    for _ in range(rounds):
        more = _asked(piece, model, _gleaning(piece, stated.units))
        if isinstance(more, Failure):
            return replace(stated, unfinished=f"{more.kind}: {more.message}")
        new = _new(more.units, stated.units)
        stated = replace(stated, units=(*stated.units, *new), rejected=(*stated.rejected, *more.rejected), gleaned=stated.gleaned + len(new))
        if not new:
            break
    return stated


def records_of(unit: Unit, ontology: Ontology) -> list[Record]:
    """The records of one unit, with its modality: a property or aspect of its head, or a relation, with its inverse where both ends are entities."""
    literal = unit.tail_type in LITERAL_TYPES
    category: Category = "aspect" if unit.kind == "claim" else "property" if literal or unit.predicate == "is_a" else "relation"
    measured = read_amount(unit.tail) if literal else ()
    record = Record(
        entity=unit.head, entity_type=unit.head_type, category=category, field=unit.predicate, value=unit.tail, value_is_entity=not literal and unit.kind != "claim",
        modality=unit.modality, qualifiers=(*unit.qualifiers, *measured), start=unit.start, end=unit.end, quote=unit.quote,
    )  # fmt: skip
    if category != "relation":
        return [record]
    inverse = ALIAS if unit.predicate == ALIAS else ontology.inverse(unit.predicate)
    return [record, replace(record, entity=unit.tail, entity_type=unit.tail_type, field=inverse, value=unit.head)]


def _request(piece: Piece) -> Request:
    return load_prompt(PROMPTS[piece.mode]).request(**_shared(piece))


def _gleaning(piece: Piece, units: Sequence[Unit]) -> Request:
    kinds = kinds_of(load_prompt(PROMPTS[piece.mode]))
    found = [f"{unit.head} | {unit.predicate} | {unit.tail}" for unit in units]
    return load_prompt(GLEAN).request(kinds=", ".join(kinds), found=fence_text(listed(found)), **_shared(piece))


def kinds_of(prompt: Prompt) -> list[str]:
    """The kinds of units that a prompt asks for."""
    return list(prompt.schema["properties"]["units"]["items"]["properties"]["kind"]["enum"])


def _shared(piece: Piece) -> dict[str, str]:
    context = fence_text(piece.context) if piece.context else "nothing is known of that"
    return {"types": types_told(), "relations": relations_told(piece.ontology, piece.mode), "context": context, "text": fence_text(piece.text)}


def _asked(piece: Piece, model: LanguageModel, request: Request) -> Stated | Failure:
    asked = item_wise(request, "units")
    reply = model.reply(asked)
    if isinstance(reply, Failure):
        return reply
    items, rejected = good_items(reply.value, asked, "units")
    return Stated(tuple(_new((_unit(item, piece.text) for item in items), ())), tuple(rejected))


def _unit(item: dict[str, Any], text: str) -> Unit:
    """A unit with its quote as it stands in the text; one that stands nowhere begins at 0 and is as it was given."""
    span = bind_quote(text, item["quote"], 0)
    start, end, quote = (span.start, span.end, text[span.start : span.end]) if span else (0, len(item["quote"]), item["quote"])
    qualifiers = tuple((one["name"], one["value"]) for one in item["qualifiers"] if one["value"].strip())
    return Unit(
        kind=item["kind"], head=_flat(item["head"]), head_type=type_of(item["head_type"]), predicate=predicate_of(item["predicate"]), tail=_flat(item["tail"]),
        tail_type=type_of(item["tail_type"]), modality=item["modality"], confidence=round(float(item["confidence"]), 4), start=start, end=end, quote=quote,
        qualifiers=qualifiers,
    )  # fmt: skip


def _flat(name: str) -> str:
    return " ".join(name.split())


def _new(units: Iterable[Unit], known: Iterable[Unit]) -> list[Unit]:
    """Units that say what none of the known, or of those before them, says."""
    seen = {_said(unit) for unit in known}
    found: list[Unit] = []
    for unit in units:
        if _said(unit) not in seen:
            seen.add(_said(unit))
            found.append(unit)
    return found


def _said(unit: Unit) -> tuple[str, ...]:
    return (name_key(unit.head), unit.predicate, name_key(unit.tail), unit.modality)


def _by_halves(piece: Piece, model: LanguageModel, rounds: int) -> Stated | Failure:
    """What the two halves of a text state; a failure of one is a failure of both."""
    whole = Stated(())
    for start, text in halves(piece.text):
        half = ask_units(replace(piece, text=text), model, rounds=rounds)
        if isinstance(half, Failure):
            return half
        moved = [replace(unit, start=unit.start + start, end=unit.end + start) for unit in half.units]
        whole = Stated(
            (*whole.units, *_new(moved, whole.units)), (*whole.rejected, *half.rejected), whole.gleaned + half.gleaned, whole.halved + half.halved,
            whole.unfinished or half.unfinished,
        )  # fmt: skip
    return replace(whole, halved=whole.halved + 1)
