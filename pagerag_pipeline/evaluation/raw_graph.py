"""The ablation `raw_graph`: the same home, its graph as it was extracted, before any gate."""

from pathlib import Path

from pagerag_pipeline.evaluation.homes import EvaluatedHome
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.stores.generations import current_name
from pagerag_pipeline.stores.raw_layer import write_raw_generation

RAW_GRAPH = "raw_graph"


def raw_home(home: EvaluatedHome) -> Path:
    """The home with the raw graph for a home's current generation, in its cache; written when it is not there yet."""
    name = current_name(home.folder)
    target = home.cache / f"raw-{digest('raw', str(home.folder.resolve()), name)[:12]}"
    if current_name(target) is None:
        write_raw_generation(home.folder, target, home.settings.store)
    return target
