"""Records <e, t, k, v> of one passage by a model, each bound to a quote in it; one that is not is left out and counted (EnSI-RAG, EN-4 and EN-5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.indexing.asking.replies import Rejected, good_items, halves, item_wise, too_long
from pagerag_pipeline.indexing.asking.vocabulary import fields_told, predicate_of, type_of, types_told
from pagerag_pipeline.indexing.bind import bind_quote
from pagerag_pipeline.indexing.extraction.records import bound_records
from pagerag_pipeline.indexing.ontology import Ontology
from pagerag_pipeline.indexing.tabular.quantities import read_amount
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.knowledge import EntityPassage, Record
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline.schema.protocols import LanguageModel

VERSION = "ask_records/1"
PROMPT = "records"


@dataclass(frozen=True, slots=True)
class Filed:
    """The records of passages, offsets relative to their chunk, and what was left out."""

    records: tuple[Record, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    unbound: int = 0
    """Records whose quote, or value, stands nowhere in the passage."""


def ask_records(text: str, passages: Sequence[EntityPassage], model: LanguageModel, *, context: str, ontology: Ontology) -> Filed | Failure:
    """The records of all passages of a chunk, one call each; a failure of one is a failure of the chunk."""
    whole = Filed()
    for passage in passages:
        told = text[passage.start : passage.end]
        if not told.strip():
            continue
        filed = _of_passage(told, passage.entity, model, (context, ontology))
        if isinstance(filed, Failure):
            return filed
        whole = _joined(whole, filed, passage.start)
    return whole


def _of_passage(text: str, entity: str, model: LanguageModel, known: tuple[str, Ontology]) -> Filed | Failure:
    context, ontology = known
    request = load_prompt(PROMPT).request(
        types=types_told(),
        fields=fields_told(ontology),
        context=fence_text(context) if context else "nothing is known of that",
        entity=fence_text(entity) if entity else "nobody in particular",
        text=fence_text(text),
    )
    asked = item_wise(request, "records")
    reply = model.reply(asked)
    if not isinstance(reply, Failure):
        items, rejected = good_items(reply.value, asked, "records")
        kept, unbound = bound_records(text, (_record(item, text) for item in items))
        return Filed(tuple(kept), tuple(rejected), unbound)
    if not too_long(reply, text):
        return reply
    whole = Filed()
    for start, half in halves(text):
        filed = _of_passage(half, entity, model, known)
        if isinstance(filed, Failure):
            return filed
        whole = _joined(whole, filed, start)
    return whole


def _record(item: dict[str, Any], text: str) -> Record:
    span = bind_quote(text, item["quote"], 0)
    start, end, quote = (span.start, span.end, text[span.start : span.end]) if span else (0, 0, item["quote"])
    value = " ".join(item["value"].split())
    qualifiers = tuple((predicate_of(one["name"]), one["value"]) for one in item["qualifiers"] if one["value"].strip())
    measured = read_amount(value) if item["category"] == "property" else ()
    return Record(
        entity=" ".join(item["entity"].split()), entity_type=type_of(item["entity_type"]), category=item["category"], field=predicate_of(item["field"]), value=value,
        value_is_entity=item["value_is_entity"], modality=item["modality"], qualifiers=(*qualifiers, *measured), start=start, end=end, quote=quote,
    )  # fmt: skip


def _joined(whole: Filed, more: Filed, start: int) -> Filed:
    moved = (replace(record, start=record.start + start, end=record.end + start) for record in more.records)
    return Filed((*whole.records, *moved), (*whole.rejected, *more.rejected), whole.unbound + more.unbound)
