"""`pagerag show`: what can be shown of the published generation, as a value and as text."""

from pathlib import Path
from typing import Any

from pagerag_pipeline import stories
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores.documents import show_document
from pagerag_pipeline.stores.shape import show_graph
from pagerag_pipeline.stores.stories import show_decision, show_edge, show_entity
from pagerag_pipeline.terminal import document_text, graph_text

SHOWN = {
    "document": (show_document, document_text),
    "entity": (show_entity, stories.entity_text),
    "edge": (show_edge, stories.edge_text),
    "decision": (show_decision, stories.decision_text),
    "graph": (show_graph, graph_text),
}


def shown(what: str, home: Path, settings: Settings, name: str) -> tuple[dict[str, Any], str]:
    """One of SHOWN by name or id, as a value and as text; every decision in it has its sentence as `told`.

    Its `status`, where it has one, is `ambiguous` when the name means several. Raises published.NoIndex, documents.UnknownDocument,
    stories.UnknownElement.
    """
    look, phrase = SHOWN[what]
    value = look(home, settings, name)
    decisions = [*value.get("decisions", ()), *value.get("followed", ()), *([value["decision"]] if "decision" in value else ())]
    for decision in decisions:
        decision["told"] = " ".join(stories.told(decision, about=value.get("entity_id", "")).split())
    return value, phrase(value)
