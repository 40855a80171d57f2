"""From gated units to the governed graph: alignment decides on what the store gives, people go before it, consolidation obeys."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import polars as pl

from pagerag_pipeline.indexing.align import Alignment, align_names
from pagerag_pipeline.indexing.ontology import ALIAS, GENERIC, Ontology, load_ontology
from pagerag_pipeline.indexing.overrides import FILE, Overrides, OverridesError, parse_overrides, with_keys
from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.models.tagger import parsed_languages
from pagerag_pipeline.refresh.peopling import with_people
from pagerag_pipeline.schema.knowledge import GENERIC_TYPES
from pagerag_pipeline.settings import GovernSettings, Settings
from pagerag_pipeline.stores import audits, knowledge
from pagerag_pipeline.stores.documents import matching_documents
from pagerag_pipeline.stores.governed_statements import GOVERNED_TABLES
from pagerag_pipeline.stores.tables import Tables

TABLES = GOVERNED_TABLES
"""The tables that `govern` fills."""


def govern(tables: Tables, overrides_text: str, settings: GovernSettings, *, ontology_text: str = "") -> None:
    """Fill the governed tables from the raw graph and the gated units. Raises OverridesError for a `governance.toml` that cannot be obeyed."""
    overrides = _read(tables, overrides_text)
    knowledge.stage_units(tables, _distrusted(tables, overrides)[0])
    predicates = _predicates(load_ontology(ontology_text))
    _, alignment = _aligned(tables, overrides, predicates)
    _check_renames(tables, overrides, alignment.groups)
    rulings = knowledge.Rulings(alignment.groups, alignment.decisions, overrides.suppress, overrides.retype, overrides.rename)
    knowledge.consolidate(tables, rulings, predicates=predicates, settings=settings)


def aligned(tables: Tables, overrides_text: str, *, ontology_text: str = "") -> tuple[knowledge.AlignmentInputs, Alignment]:
    """What alignment was given and what it decided, after `knowledge.stage_units`."""
    return _aligned(tables, _read(tables, overrides_text), _predicates(load_ontology(ontology_text)))


def _aligned(
    tables: Tables, overrides: Overrides, predicates: knowledge.Predicates
) -> tuple[knowledge.AlignmentInputs, Alignment]:
    inputs = knowledge.alignment_inputs(tables, named=overrides.names(), predicates=predicates)
    found = align_names(inputs.declared, inputs.nodes, facts=inputs.facts, causal=inputs.causal, overrides=overrides)
    return inputs, with_people(tables, found, inputs.declared, causal=predicates.causal, overrides=overrides)


def warnings(tables: Tables, overrides_text: str) -> list[str]:
    """What people should know of their `governance.toml`: entries that match nothing (any more), and causes that their merges turned, in words."""
    overrides = _read(tables, overrides_text)
    known = knowledge.known_keys(tables, overrides.names()) | knowledge.known_entities(tables, overrides.names())
    names = [f"{FILE}: no entity is called {name!r}" for name in overrides.names() if name not in known]
    names += [
        f"{FILE}: {entry} takes names as texts have them, and none has {name!r}"
        for entry, name in _not_in_texts(tables, overrides, known)
    ]
    documents = [f"{FILE}: no document is called {name!r}" for name in _distrusted(tables, overrides)[1]]
    return [*names, *documents, *knowledge.causal_warnings(tables)]


def _not_in_texts(tables: Tables, overrides: Overrides, known: Collection[str]) -> list[tuple[str, str]]:
    """Entries, and names under them of entities that only governing tells from others; a name with the mark of a document may be kept apart."""
    said = knowledge.known_keys(tables, overrides.names())
    merged = [("merge", name) for group in overrides.merge for name in group]
    apart = [("keep_apart", name) for group in overrides.keep_apart for name in group if not name.endswith(")")]
    return sorted({(entry, name) for entry, name in [*merged, *apart] if name in known and name not in said})


def audit_limits(settings: Settings) -> audits.Limits:
    """What the audits of the graphs are told: how much silence is too much, and in which languages it is sure to be one."""
    parsed = sorted(parsed_languages(settings.extract)) if settings.extract.tagger == "spacy" else []
    return audits.Limits(settings.govern.silent_words, settings.govern.max_silent_share, parsed)


def silent_texts(tables: Tables, settings: Settings) -> int:
    """Texts of some length in which nothing was found, however few; too many of them fail a check of the raw graph."""
    return audits.offenders(tables, "texts_that_gave_nothing", replace(audit_limits(settings), share=0.0)).count


def _read(tables: Tables, overrides_text: str) -> Overrides:
    """The overrides by key; an id stands for the key it was made of, a name that people gave for the entity they gave it to."""
    overrides = parse_overrides(overrides_text)
    known = knowledge.known_keys(tables, overrides.names())
    given = {name_key(new): key for key, new in overrides.rename if name_key(new) not in known}
    return with_keys(with_keys(overrides, given), knowledge.keys_of_ids(tables, overrides.names()))


def _distrusted(tables: Tables, overrides: Overrides) -> tuple[list[str], list[str]]:
    """The documents that are distrusted, and the entries that name none. A file or a folder (ending in `/`) stands for all its documents."""
    if not overrides.distrust:
        return [], []
    documents = knowledge.live_documents(tables)
    found: set[str] = set()
    unmatched: list[str] = []
    for name in overrides.distrust:
        of_file = [document for document in documents if document.startswith(name if name.endswith("/") else f"{name}#")]
        matches = [name] if name in documents else of_file or matching_documents(name, documents)
        if len(matches) > 1 and not of_file:
            raise OverridesError(
                f"{FILE}: distrust of {name!r} means more than one document: {', '.join(matches[:5])}. Give more of its path."
            )
        found.update(matches)
        unmatched += [] if matches else [name]
    return sorted(found), unmatched


def _check_renames(tables: Tables, overrides: Overrides, groups: pl.DataFrame) -> None:
    """A name to show may not be a name of another entity: two would be called the same. Raises OverridesError."""
    taken = knowledge.known_keys(tables, [name_key(new) for _, new in overrides.rename])
    meant: dict[str, set[str]] = {}
    for _, key, group in groups.iter_rows():
        meant.setdefault(key, set()).add(group)
    for key, new in overrides.rename:
        other = name_key(new)
        if other in taken and not meant.get(other, {other}) & meant.get(key, {key}) and knowledge.known_keys(tables, [key]):
            raise OverridesError(
                f"{FILE}: {key!r} cannot be renamed to {new!r}, the name of another entity; merge the two if they are one."
            )


def _predicates(ontology: Ontology) -> knowledge.Predicates:
    known = sorted(ontology.predicates.values(), key=lambda predicate: predicate.name)
    ends = [(p.name, side, end) for p in known for side, end in (("head", p.head), ("tail", p.tail)) if end != "any"]
    return knowledge.Predicates(
        ends=ends,
        types=[
            row
            for name in sorted({end for _, _, end in ends} & set(ontology.classes))
            for row in _types(name, sorted(ontology.classes[name]))
        ],
        causal=[predicate.name for predicate in known if predicate.causal],
        alias=ALIAS,
        generic=GENERIC,
    )


def _types(name: str, types: Sequence[str]) -> list[tuple[str, str, bool]]:
    said = [(name, one, False) for one in types if one not in GENERIC_TYPES]
    return [*said, *((name, one, True) for one in GENERIC_TYPES)]
