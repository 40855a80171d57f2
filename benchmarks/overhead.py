"""What the pipeline costs beyond its models: seconds of a first build over seconds of the bare model work, in one run.

The bare work is encoding every distinct text that was embedded and tagging every text that was tagged, with the same models, settings
and threads, and nothing else. Inline back end.
"""

import time
from collections import defaultdict
from pathlib import Path

import corpora
import figures
import homes

from pagerag_pipeline.models.embedder import load_embedder
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.documents import embed_text
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.wanted import WANTED
from pagerag_pipeline.stores.work import open_work

EMBEDDED = f"""
    SELECT w.context, c.text FROM ({WANTED["chunk_embeddings"]}) w JOIN contents c USING (content_id)
    UNION SELECT title, text FROM ({WANTED["report_embeddings"]})
    UNION SELECT '', text FROM ({WANTED["summary_embeddings"]})
    UNION SELECT '', text FROM ({WANTED["handle_embeddings"]})
    ORDER BY ALL
"""
TAGGED = f"""
    SELECT DISTINCT w.language, c.text FROM ({WANTED["entity_records"]}) w JOIN contents c USING (content_id) ORDER BY ALL
"""


def bare_encoding(tables: Tables, settings: Settings) -> tuple[int, float]:
    """Texts and seconds of encoding alone; the model is warm."""
    texts = [embed_text(context, text) for context, text in tables.rows(EMBEDDED)]
    embedder = load_embedder(settings.embed)
    embedder.encode(texts[:8])
    begun = time.perf_counter()
    embedder.encode(texts)
    return len(texts), time.perf_counter() - begun


def bare_tagging(tables: Tables, settings: Settings) -> tuple[int, float]:
    """Texts and seconds of tagging alone; the pipelines are warm."""
    by_language: dict[str, list[str]] = defaultdict(list)
    for language, text in tables.rows(TAGGED):
        by_language[language].append(text)
    tagger = load_tagger(settings.extract)
    for language in by_language:
        tagger.tag(["A sentence to warm up with."], language)
    begun = time.perf_counter()
    for language, texts in by_language.items():
        for start in range(0, len(texts), settings.refresh.batch_units):
            tagger.tag(texts[start : start + settings.refresh.batch_units], language)
    return sum(map(len, by_language.values())), time.perf_counter() - begun


def measure(home: Path) -> dict[str, float | int]:
    """The bare model work for a home that was just built."""
    settings = load_settings(home)
    with open_work(home, settings.store) as tables:
        encoded, encoding = bare_encoding(tables, settings)
        tagged, tagging = bare_tagging(tables, settings)
    return {"texts_encoded": encoded, "encoding_seconds": round(encoding, 1), "texts_tagged": tagged, "tagging_seconds": round(tagging, 1)}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=corpora.NAMES)
    given = parser.parse_args()
    built = homes.refresh(homes.fresh_home(given.data, given.work))
    bare = measure(built.home)
    seconds = bare["encoding_seconds"] + bare["tagging_seconds"]
    figures.show(
        "overhead",
        data=given.data,
        n=built.reports[0].rows,
        figures={"ratio": round(built.seconds / seconds, 3), "build_seconds": round(built.seconds, 1), "bare_seconds": seconds, **bare},
    )


if __name__ == "__main__":
    main()
