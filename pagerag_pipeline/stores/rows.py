"""From values to rows: tuples in the column order of `layout`, by table name, under a memo key. No statement stands here."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pagerag_pipeline.schema.documents import Chunk, ParsedFile, Profile, embed_text
from pagerag_pipeline.schema.ids import content_id, digest
from pagerag_pipeline.schema.knowledge import EntityPassage, Extraction, GatedUnit, Quote, Record, Report, Summary, TableRow

Rows = dict[str, list[tuple[Any, ...]]]


def as_json(value: Any) -> str:
    """Canonical JSON of a value: sorted keys, no spaces, characters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def output_of(built: Rows) -> str:
    """Digest of the rows of a unit, their key apart."""
    return digest(*(repr((table, [row[1:] for row in built[table]])) for table in sorted(built)))


def parsed_rows(key: str, parsed: ParsedFile) -> Rows:
    """Rows of one file: `parsed`, `texts` and the `parse_notes` that say what was skipped or repaired."""
    documents, texts = [], []
    for ordinal, document in enumerate(parsed.documents):
        text_id = content_id(document.text)
        blocks = as_json([(b.kind, b.start, b.end, b.level, b.label) for b in document.blocks])
        row = (key, ordinal, document.sub_id, document.title, text_id, document.key, as_json(document.metadata), blocks, len(document.text))
        documents.append(row)
        texts.append((text_id, document.text))
    return {"parsed": documents, "texts": texts, "parse_notes": [(key, parsed.skipped, as_json(parsed.notes))]}


def profile_rows(key: str, profile: Profile) -> Rows:
    """Rows of one document: `profiles` and `sections`."""
    head = (profile.form, profile.form_confidence, profile.mode, profile.mode_confidence, as_json(profile.topics), profile.language)
    tail = (as_json(profile.boundary), as_json(profile.features), profile.source)
    sections = [(key, s.ordinal, s.title, s.kind, s.level, s.start, s.end, as_json(s.path), s.mode) for s in profile.sections]
    return {"profiles": [(key, *head, *tail)], "sections": sections}


def chunk_rows(key: str, chunks: Sequence[Chunk]) -> Rows:
    """Rows of one document: `cuts`, and the `contents` they cut out."""
    cuts, contents = [], []
    for c in chunks:
        content = c.content_id
        cuts.append(
            (key, c.kind, c.ordinal, c.parent, c.start, c.end, c.section, c.context, content, c.embed_key, c.tokens, c.occurrence, c.page)
        )
        contents.append((content, c.text))
    return {"cuts": cuts, "contents": contents}


def table_row_rows(key: str, found: Sequence[TableRow]) -> Rows:
    """Rows of one document: `table_rows`, where the rows of its tables stand and what they stand under."""
    return {
        "table_rows": [
            (key, i, r.chunk, r.start, r.end, r.form, as_json(r.header), r.key, as_json(r.dimensions), r.caption, r.subject)
            for i, r in enumerate(found)
        ]
    }


def record_rows(key: str, records: Sequence[Record], tallies: Mapping[str, int]) -> Rows:
    """Rows of one chunk's `records`, and the `tallies` of what gave none, by reason."""
    return {
        "records": [
            (
                key, i, r.entity, r.entity_type, r.category, r.field, r.value, r.value_is_entity, r.modality, as_json(r.qualifiers),
                r.start, r.end, r.quote,
            )
            for i, r in enumerate(records)
        ],
        "tallies": [(key, name, number) for name, number in sorted(tallies.items()) if number],
    }  # fmt: skip


def entity_passage_rows(key: str, text: str, passages: Sequence[EntityPassage]) -> Rows:
    """Rows of one chunk: `entity_cuts`; their text is not kept twice, since the chunk has it."""
    return {
        "entity_cuts": [
            (key, i, p.start, p.end, content_id(text[p.start : p.end]), p.tokens, p.entity, p.entity_type) for i, p in enumerate(passages)
        ]
    }


def extraction_rows(key: str, extraction: Extraction, unbound: int = 0) -> Rows:
    """Rows of one chunk: `sentences`, `terms`, `units`, `records`, and how many records were left out as unbound."""
    return {
        "sentences": [(key, i, s.start, s.end) for i, s in enumerate(extraction.sentences)],
        "terms": [(key, i, t.key, t.surface, t.label, t.start, t.end, t.sentence) for i, t in enumerate(extraction.terms)],
        "units": [
            (key, i, u.kind, u.head, u.head_type, u.predicate, u.tail, u.tail_type, u.modality, u.confidence, u.start, u.end, u.quote, as_json(u.qualifiers))
            for i, u in enumerate(extraction.units)
        ],
        **record_rows(key, extraction.records, {"unbound": unbound}),
    }


def gate_rows(key: str, gated: Sequence[GatedUnit]) -> Rows:
    """Rows of one chunk: `unit_gates`, one a decision; the last of a unit is final."""
    rows: list[tuple[Any, ...]] = []
    for number, one in enumerate(gated):
        u = one.unit
        statement = (u.head, u.head_type, u.predicate, u.tail, u.tail_type, u.modality, u.confidence)
        for place, d in enumerate(one.decisions, start=1):
            final = place == len(one.decisions)
            rows.append((key, len(rows), number, d.gate, d.act, d.reason, d.detail, *statement, final, u.kind, u.start, u.end, u.quote))
    return {"unit_gates": rows}


def summary_rows(key: str, summary: Summary) -> Rows:
    """The `summary_memory` row of one group."""
    return {"summary_memory": [(key, summary.text, _quotes(summary.quotes), content_id(summary.text))]}


def description_rows(key: str, text: str, quotes: Sequence[Quote], *, condensed: bool) -> Rows:
    """The `description_memory` row of one entity."""
    return {"description_memory": [(key, text, _quotes(quotes), condensed)]}


def report_rows(key: str, report: Report) -> Rows:
    """The `report_memory` row of one community; title and text are embedded together."""
    embed_key = content_id(embed_text(report.title, report.text))
    told = (report.title, report.text, as_json(report.topics), _quotes(report.quotes), report.uncited, embed_key)
    return {"report_memory": [(key, *told, as_json(report.bonds), report.edges, report.evidence_left_out)]}


def _quotes(quotes: Sequence[Quote]) -> str:
    return as_json([{"content_id": q.content_id, "start": q.start, "end": q.end, "text": q.text} for q in quotes])
