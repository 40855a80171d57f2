"""From names that declarations and overrides settled to people: each document's cast is aligned in itself, then people are joined across documents."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from pagerag_pipeline.indexing.align import DECISIONS, GROUPS, SINGLE_VALUED, Alignment, year_of
from pagerag_pipeline.indexing.aligning import corpus
from pagerag_pipeline.indexing.aligning.across import People, Unit
from pagerag_pipeline.indexing.aligning.casts import Group
from pagerag_pipeline.indexing.aligning.causes import without_reversals
from pagerag_pipeline.indexing.overrides import Overrides
from pagerag_pipeline.stores import people_rows
from pagerag_pipeline.stores.tables import Tables

BATCH = 200
"""Documents whose texts are in memory at a time."""


def with_people(
    tables: Tables, alignment: Alignment, declared: pl.DataFrame, *, causal: Sequence[str], overrides: Overrides
) -> Alignment:
    """The alignment with the people of every document in it; those of several documents are one by a full name in shared context."""
    everywhere = dict(alignment.groups.select("key", "group_key").iter_rows())
    given = _given(everywhere, declared, overrides)
    crowds = corpus.crowds(people_rows.document_names(tables))
    people = dict(_people(tables, crowds, given))
    contexts = people_rows.contexts(tables, corpus.context_units(people))
    clusters, kept = corpus.join_corpus(people, _years(tables), contexts, given=given)
    causes = people_rows.stated_causes(tables, causal)
    keys, split = without_reversals(corpus.keys_of(clusters, crowds, given), causes, overrides.merge, everywhere)
    rows = [*corpus.decided(clusters, keys, kept), *corpus.turned(split, keys)]
    groups = pl.DataFrame([(*unit, key) for unit, key in sorted(keys.items()) if unit[0]], schema=GROUPS, orient="row")
    decisions = corpus.moved(alignment.decisions, people, keys, given)
    return Alignment(
        pl.concat([alignment.groups, groups]), pl.concat([decisions, pl.DataFrame(rows, schema=DECISIONS, orient="row")])
    )


def _given(everywhere: Mapping[str, str], declared: pl.DataFrame, overrides: Overrides) -> corpus.Given:
    members: dict[str, list[str]] = {}
    for key, group in sorted(everywhere.items()):
        members.setdefault(group, []).append(key)
    groups: dict[str, Group] = {key: tuple(members[group]) for key, group in everywhere.items()}
    documents: dict[Group, set[str]] = {}
    for head, tail, document in declared.select("head", "tail", "document").iter_rows():
        if head in groups and groups[head] == groups.get(tail):
            documents.setdefault(groups[head], set()).add(document)
    return corpus.Given(groups, documents, overrides)


def _people(tables: Tables, crowds: Mapping[str, corpus.Crowd], given: corpus.Given) -> Iterator[tuple[str, People]]:
    """The people of every document; only where two names may be one person's is its text read."""
    found = [document for document, crowd in crowds.items() if crowd.names]
    for document in found:
        if len(crowds[document].names) == 1:
            yield document, corpus.cast_people(crowds[document], None, given, document=document)
    several = [document for document in found if len(crowds[document].names) > 1]
    for first in range(0, len(several), BATCH):
        for reading in people_rows.readings(tables, several[first : first + BATCH]):
            crowd = crowds[reading.document]
            yield reading.document, corpus.cast_people(crowd, reading[1:], given, document=reading.document)


def _years(tables: Tables) -> dict[Unit, dict[str, frozenset[str]]]:
    years: dict[Unit, dict[str, frozenset[str]]] = {}
    for document, key, field, value in people_rows.stated_years(tables, sorted(SINGLE_VALUED)):
        if year := year_of(value):
            found = years.setdefault((document, key), {})
            found[field] = found.get(field, frozenset()) | {year}
    return years
