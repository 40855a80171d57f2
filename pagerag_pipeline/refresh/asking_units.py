"""One unit of a ledger by a chat model, from the plain values of its task to rows; how each ledger's task is read stands beside `workers`."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing.asking.describe import ask_description
from pagerag_pipeline.indexing.asking.extract import Piece, ask_units, records_of
from pagerag_pipeline.indexing.asking.partition import ask_partition
from pagerag_pipeline.indexing.asking.profile import Described, ask_profile, described, reading
from pagerag_pipeline.indexing.asking.records import ask_records
from pagerag_pipeline.indexing.asking.replies import Rejected
from pagerag_pipeline.indexing.asking.report import Community, ask_report
from pagerag_pipeline.indexing.asking.summarize import Group, ask_summary, needs_model
from pagerag_pipeline.indexing.extraction.records import bound_records
from pagerag_pipeline.indexing.ontology import Ontology, load_ontology
from pagerag_pipeline.indexing.report import Binding, Bond, MemberEvidence
from pagerag_pipeline.indexing.summarize import SummaryPart, quoted_parts
from pagerag_pipeline.refresh.asked import asked_code
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.knowledge import EntityPassage, Extraction, Quote, Report, Summary
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import rows
from pagerag_pipeline.stores.work import UnitResult

Task = dict[str, Any]
SILENT = "texts_without_units"
"""Tally of texts of some length in which a model read nothing."""


class Unmade(Exception):
    """A unit that was not made, with the failure that says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Means:
    """What units are made with besides a model."""

    tokenizer: Tokenizer
    settings: Settings
    ontology_text: str

    @property
    def ontology(self) -> Ontology:
        """The ontology of the home."""
        return load_ontology(self.ontology_text)


def profile_unit(task: Task, base: UnitResult, model: LanguageModel, means: Means) -> rows.Rows:
    """Rows of a profile: structure and boundary as they were found, form, mode and topics by the model.

    Sections of the mode that the document was found to have get the model's; those that stood out keep their own.
    """
    if not task["text"].strip():
        return base.rows
    key, _, _, before, _, _, language, *tail = base.rows["profiles"][0]
    sections = base.rows["sections"]
    found: Described | Failure
    if task["known"]:
        found = described(task["known"])
    else:
        found = ask_profile(task["text"], task["title"], _headings(base), model, topics=means.settings.profile.topics)
    if isinstance(found, Failure):
        raise Unmade(found)
    reply = (key, task["reading"], rows.as_json(asdict(found)))
    language = found.language if language == "und" else language
    head = (key, found.form, found.form_confidence, found.mode, found.mode_confidence, rows.as_json(found.topics), language)
    moded = [(*row[:-1], found.mode if row[-1] == before else row[-1]) for row in sections]
    return {**base.rows, "profiles": [(*head, *tail[:-1], f"model {model.name}")], "sections": moded, "profile_replies": [reply]}


def profile_reading(task: Task, base: UnitResult, settings: Settings) -> str:
    """Key of what a model is told of a document, and of the model: two documents, or states of one, with the same are described by one call."""
    told = reading(task["text"], task["title"], _headings(base), topics=settings.profile.topics)
    return digest(asked_code("document_profiles", settings), told)


def _headings(base: UnitResult) -> list[str]:
    return [f"{'  ' * (row[4] - 1)}{row[2]}" for row in base.rows["sections"] if row[2]]


def extract_unit(task: Task, base: UnitResult, model: LanguageModel, means: Means) -> rows.Rows:
    """Rows of a chunk: sentences and terms by the tagger, units and their records by the model."""
    if not task["text"].strip():
        return base.rows
    piece = Piece(task["text"], task["context"], task["mode"], means.ontology)
    stated = ask_units(piece, model, rounds=means.settings.build.glean_rounds)
    if isinstance(stated, Failure):
        raise Unmade(stated)
    records = [record for unit in stated.units for record in records_of(unit, piece.ontology)]
    kept, unbound = bound_records(task["text"], records)
    made = rows.extraction_rows(task["key"], Extraction((), (), stated.units, tuple(kept)), unbound)
    silent = not stated.units and len(set(lexical.words(task["text"]))) >= means.settings.govern.silent_words
    tallies = {"gleaned": stated.gleaned, "texts_halved": stated.halved, "gleaning_unfinished": int(bool(stated.unfinished)), SILENT: int(silent)}
    return {**_told(task, made, tallies, stated.rejected), "sentences": base.rows["sentences"], "terms": base.rows["terms"]}


def partition_unit(task: Task, base: UnitResult, model: LanguageModel, means: Means) -> rows.Rows:
    """Rows of the passages of a chunk; one of a single block is not asked for."""
    parted = ask_partition(task["text"], task["context"], model, tokenizer=means.tokenizer, settings=means.settings.partition)
    if isinstance(parted, Failure):
        raise Unmade(parted)
    if not parted.passages:
        return base.rows
    made = rows.entity_passage_rows(task["key"], task["text"], parted.passages)
    return _told(task, made, {"partitions_repaired": int(parted.repaired)}, ())


def records_unit(task: Task, base: UnitResult, model: LanguageModel, means: Means) -> rows.Rows:
    """Rows of the records of a chunk's passages."""
    passages = [EntityPassage(**one) for one in task["passages"] or ()]
    filed = ask_records(task["text"], passages, model, context=task["context"], ontology=means.ontology)
    if isinstance(filed, Failure):
        raise Unmade(filed)
    return _told(task, rows.record_rows(task["key"], filed.records, {}), {"unbound": filed.unbound}, filed.rejected)


def summary_unit(task: Task, base: UnitResult, model: LanguageModel, means: Means) -> rows.Rows:
    """Rows of a summary; where the group holds no more than its extractive summary, that is it."""
    group = Group(tuple(_parts(given) for given in task["parts"]), tuple(task["said"]))
    _, text, quotes, _ = base.rows["summary_memory"][0]
    before = Summary(text, _quotes(quotes))
    if not needs_model(group, before):
        return base.rows
    made = ask_summary(group, before, model, tokenizer=means.tokenizer, settings=means.settings.summarize)
    if isinstance(made, Failure):
        raise Unmade(made)
    tallies = {"sentences_left_out": made.left_out, "statements_uncited": made.uncited, "statements_cut": made.cut, "kept_extractive": int(made.extractive)}
    return _told(task, rows.summary_rows(task["key"], made.summary), tallies, ())


def report_unit(task: Task, base: UnitResult, model: LanguageModel, means: Means) -> rows.Rows:
    """Rows of a report."""
    _, title, text, topics, quotes, uncited, _, bonds, edges, left = base.rows["report_memory"][0]
    before = Report(title, text, tuple(json.loads(topics)), _quotes(quotes), uncited, tuple(json.loads(bonds)), edges, left)
    members = tuple(MemberEvidence(m["entity_id"], m["name"], float(m["weight"]), tuple(Quote(**q) for q in m["quotes"])) for m in task["members"])
    community = Community(members, Binding(tuple(Bond(**bond) for bond in task["bonds"]), task["places"]), before)
    settings = means.settings
    made = ask_report(community, model, tokenizer=means.tokenizer, settings=settings.summarize, most=settings.build.evidence)
    if isinstance(made, Failure):
        raise Unmade(made)
    tallies = {"findings_uncited": made.uncited, "findings_cut": made.cut, "kept_extractive": int(made.extractive)}
    return _told(task, rows.report_rows(task["key"], made.report), tallies, ())


def description_unit(task: Task, base: UnitResult, model: LanguageModel, means: Means) -> rows.Rows:
    """Rows of the description of an entity; what is said of it is its own description where that is little."""
    quotes = [Quote(**quote) for quote in task["quotes"]]
    made = ask_description(task["name"], quotes, model, tokenizer=means.tokenizer, tokens=means.settings.build.condense_tokens)
    if isinstance(made, Failure):
        raise Unmade(made)
    tallies = {"quotes_left_out": made.left_out, "statements_uncited": made.uncited, "statements_cut": made.cut}
    return _told(task, rows.description_rows(task["key"], made.text, made.quotes, condensed=made.condensed), tallies, ())


UNITS: dict[str, Callable[[Task, UnitResult, LanguageModel, Means], rows.Rows]] = {
    "document_profiles": profile_unit,
    "entity_records": extract_unit,
    "entity_passages": partition_unit,
    "passage_records": records_unit,
    "summaries": summary_unit,
    "descriptions": description_unit,
    "reports": report_unit,
}


def _told(task: Task, made: rows.Rows, tallies: dict[str, int], rejected: Sequence[Rejected]) -> rows.Rows:
    """Rows with what was left out: counted by reason, and the rejected items themselves."""
    counted = {**tallies, "items_rejected": len(rejected)}
    return {
        **made,
        "tallies": [*made.get("tallies", []), *((task["key"], name, number) for name, number in sorted(counted.items()) if number)],
        "rejected_items": [(task["key"], place, one.prompt, one.reason, one.item) for place, one in enumerate(rejected)],
    }


def _quotes(given: str) -> tuple[Quote, ...]:
    return tuple(Quote(**quote) for quote in json.loads(given))


def _parts(given: dict[str, Any]) -> tuple[SummaryPart, ...]:
    if given["text"] is not None:
        sentences = tuple(Span(s["start"], s["end"]) for s in given["sentences"] or ())
        return (SummaryPart(given["ref"].partition(":")[2], given["text"], sentences),)
    return tuple(quoted_parts([Summary("", _quotes(given["quotes"]))]))
