"""From gated units to the governed graph: alignment decides on what the store gives, consolidation obeys."""

from pagerag_pipeline.indexing.align import align_names, named_in
from pagerag_pipeline.indexing.ontology import ALIAS, load_ontology
from pagerag_pipeline.indexing.overrides import parse_overrides
from pagerag_pipeline.settings import GovernSettings
from pagerag_pipeline.stores import knowledge
from pagerag_pipeline.stores.tables import Tables


def govern(tables: Tables, overrides_text: str, settings: GovernSettings) -> None:
    """Fill the governed tables from the raw graph and the gated units. Raises OverridesError for a malformed `governance.toml`."""
    overrides = parse_overrides(overrides_text)
    predicates = load_ontology().predicates.values()
    causal = sorted(predicate.name for predicate in predicates if predicate.causal)
    inputs = knowledge.alignment_inputs(tables, named=named_in(overrides), causal=causal, alias=ALIAS)
    alignment = align_names(inputs.declared, inputs.nodes, facts=inputs.facts, causal=inputs.causal, overrides=overrides)
    knowledge.consolidate(
        tables, alignment.groups, decisions=alignment.decisions, suppress=overrides.suppress, settings=settings
    )


def unmatched_overrides(tables: Tables, overrides_text: str) -> list[str]:
    """Keys that overrides speak of and that name nothing in the corpus, sorted."""
    named = named_in(parse_overrides(overrides_text))
    return sorted(set(named) - knowledge.known_keys(tables, named))
