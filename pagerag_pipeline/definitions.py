"""The table of contents of this code location: the products in flow order, and what runs them."""

from pathlib import Path

import dagster as dg

from pagerag_pipeline.defs.assets.chunk_embeddings import chunk_embeddings
from pagerag_pipeline.defs.assets.chunks import chunks
from pagerag_pipeline.defs.assets.communities import communities
from pagerag_pipeline.defs.assets.corpus_folder import corpus_folder
from pagerag_pipeline.defs.assets.document_profiles import document_profiles
from pagerag_pipeline.defs.assets.entity_records import entity_records
from pagerag_pipeline.defs.assets.evaluation_report import evaluation_report
from pagerag_pipeline.defs.assets.governed_graph import governed_graph
from pagerag_pipeline.defs.assets.hybrid_repository import hybrid_repository
from pagerag_pipeline.defs.assets.raw_graph import raw_graph
from pagerag_pipeline.defs.assets.source_documents import source_documents
from pagerag_pipeline.defs.assets.summary_tree import summary_tree
from pagerag_pipeline.defs.jobs import answer_questions, evaluate, refresh_corpus
from pagerag_pipeline.defs.resources import QueryResource, RefreshResource
from pagerag_pipeline.defs.schedules import daily_refresh
from pagerag_pipeline.defs.sensors import corpus_sensor
from pagerag_pipeline.refresh.codes import code_version
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import home_folder, load_settings
from pagerag_pipeline.stores.governance import ontology_text

PRODUCTS = [
    source_documents,
    document_profiles,
    chunks,
    chunk_embeddings,
    entity_records,
    raw_graph,
    governed_graph,
    communities,
    summary_tree,
    hybrid_repository,
]


def house(home: Path) -> dg.Definitions:
    """All definitions over one home, with the code versions and the schedule that its settings give. Raises SettingsError and OntologyError."""
    settings, ontology = load_settings(home), ontology_text(home)
    return dg.Definitions(
        assets=[corpus_folder, *(with_code_version(asset, settings, ontology) for asset in PRODUCTS), evaluation_report],
        jobs=[refresh_corpus, answer_questions, evaluate],
        schedules=[daily_refresh(home, settings.schedule)],
        sensors=[corpus_sensor(home, settings.schedule)],
        resources={"refresh": RefreshResource(home=str(home)), "query": QueryResource(home=str(home))},
        executor=dg.in_process_executor,
    )


def with_code_version(asset: dg.AssetsDefinition, settings: Settings, ontology: str) -> dg.AssetsDefinition:
    """The asset with the digest of the code and settings that shape it: when they change, the UI shows it as stale."""
    return asset.map_asset_specs(lambda spec: spec.replace_attributes(code_version=code_version(spec.key.to_user_string(), settings, ontology)))


@dg.definitions
def defs() -> dg.Definitions:
    """The definitions over the home of the environment: `PAGERAG_HOME`, else `.pagerag` in the working folder."""
    return house(home_folder())
