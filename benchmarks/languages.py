"""What works in each language: how a sample is read and cut, and whether what it holds is found again by BM25 and dense search.

`bundled` is the one document of this repository's corpus that is not in English. `xquad` asks its published questions, English and Chinese apart, each over the
documents of its own language. Of books and novels, sentences at fixed places are asked for by their rarest words, as they stand: known-item search.
`above_cap` counts chunks above one and a half times the target and passages above the embedder's window, `not_joined` documents whose chunks do not
give their text again.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora
import duckdb
import figures
import homes

from pagerag_pipeline.lexical import words
from pagerag_pipeline.models.rules_tagger import tag_text
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.settings import ChunkSettings
from pagerag_pipeline.settings_file import load_settings, write_corpus_folder
from pagerag_pipeline.stores.generations import TABLES_FILE, current, generation_folder
from pagerag_pipeline.stores.work import WORK_FILE

LANGUAGES = {"xquad-en": "en", "xquad-zh": "zh", "zh_novel": "zh", "fr_litbank": "fr", "fr_book": "fr", "de_book": "de", "bundled": "de"}
BUNDLED = corpora.ROOT / "data" / "corpus" / "other" / "die_seilfaehre_von_grauwinkel.md"
CUTS = (1, 5)
RARE = 4
"""Words that are asked for of a sentence."""
SENTENCES = (30, 400)
"""Characters of a sentence that is asked for, from and to; for Chinese a third."""


Rows = Callable[..., list[tuple[Any, ...]]]
"""From a query and its parameters to its rows."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what finds it: the document, or the sentence that a passage must hold."""

    text: str
    document: str
    sentence: tuple[int, int] | None = None


def sample(data: str, characters: int) -> dict[str, str]:
    """File names and texts of a sample: every document of xquad, the beginning of a novel or book."""
    if data == "bundled":
        return {BUNDLED.name: BUNDLED.read_text(encoding="utf-8")}
    folder = corpora.eval_folder()
    if data.startswith("xquad"):
        return {f"{one['doc_id']}.txt": one["text"] for one in lines(folder / "xquad" / f"{data[-2:]}_docs.jsonl")}
    if data == "fr_litbank":
        return {f"{one['doc_id']}.txt": one["text"][: characters // 4] for one in lines(folder / data / "coref.jsonl")[:4]}
    if data == "zh_novel":
        return {path.name: path.read_text(encoding="utf-8")[: characters // 3] for path in sorted((folder / data).glob("*.txt"))}
    books = [book for book in lines(folder / "books" / "books.jsonl") if book["lang"] == data[:2]]
    return {Path(book["file"]).name: (folder / book["file"]).read_text(encoding="utf-8")[:characters] for book in books}


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def built(data: str, files: dict[str, str], work: Path) -> Path:
    """A home over the sample, refreshed."""
    folder, home = work.absolute() / "corpora" / data, work.absolute() / "homes" / data
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if not load_settings(home).corpus.folder:
        write_corpus_folder(home, folder)
    homes.refresh(home)
    return home


def questions(data: str, rows: Rows, most: int) -> list[Asked]:
    """The published questions of xquad, evenly spread; else sentences at fixed places by their rarest words."""
    if data.startswith("xquad"):
        every = lines(corpora.eval_folder() / "xquad" / f"{data[-2:]}_questions.jsonl")
        return [Asked(one["question"], f"{one['doc_ids'][0]}.txt") for one in every[:: max(1, len(every) // most)][:most]]
    texts: list[tuple[str, str]] = rows("SELECT document, text FROM data.documents ORDER BY document")
    counts = Counter(word for _, text in texts for word in words(text))
    low, high = (edge // 3 for edge in SENTENCES) if LANGUAGES[data] == "zh" else SENTENCES
    found = [
        Asked(rarest(text[sentence.start : sentence.end], counts), document, (sentence.start, sentence.end))
        for document, text in texts
        for sentence in tag_text(text).sentences
        if low <= sentence.end - sentence.start <= high
    ]
    fitting = [one for one in found if one.text]
    return fitting[:: max(1, len(fitting) // most)][:most]


def rarest(sentence: str, counts: Counter[str]) -> str:
    """The rarest words of a sentence, in its order; empty when it has too few."""
    every = [word for word in dict.fromkeys(words(sentence)) if len(word) > 1 and not word.isdigit()]
    kept = set(sorted(every, key=lambda word: (counts[word], word))[:RARE])
    return " ".join(word for word in every if word in kept) if len(kept) == RARE else ""


def found_at(engine: QueryEngine, one: Asked, places: dict[str, tuple[int, int]]) -> int:
    """Rank at which what was asked for is found, from 1; 0 when it is not among the first."""
    ranked = engine.retrieve(Question("", one.text), system="passages", top=40)
    if one.sentence is None:
        documents = list(dict.fromkeys(result.document for result in ranked))
        return documents.index(one.document) + 1 if one.document in documents else 0
    start, end = one.sentence
    middle = (start + end) // 2
    holding = [result.document == one.document and places[result.chunk_id][0] <= middle < places[result.chunk_id][1] for result in ranked]
    return holding.index(True) + 1 if True in holding else 0


def reading(rows: Rows) -> dict[str, Any]:
    """How the sample was read and cut."""
    limits = ChunkSettings()
    cap, window = limits.chunk_tokens * 3 // 2, limits.embed_window
    joined = """SELECT count(*) FROM data.documents d LEFT JOIN (SELECT document, string_agg(text, '' ORDER BY start_at) AS text FROM data.chunks
                WHERE kind = 'chunk' GROUP BY document) c USING (document) WHERE c.text IS DISTINCT FROM d.text"""
    return {
        "languages": dict(rows("SELECT language, count(*) FROM data.profiles GROUP BY language ORDER BY language")),
        "characters": rows("SELECT sum(length(text)) FROM data.documents")[0][0],
        "chunks": rows("SELECT count(*) FROM data.chunks WHERE kind = 'chunk'")[0][0],
        "passages": rows("SELECT count(*) FROM data.chunks WHERE kind = 'passage'")[0][0],
        "most_chunk_tokens": rows("SELECT max(tokens) FROM data.chunks WHERE kind = 'chunk'")[0][0],
        "above_cap": rows("SELECT count(*) FROM data.chunks WHERE tokens > CASE WHEN kind IN ('chunk', 'entity') THEN ? ELSE ? END", [cap, window - 1])[0][0],
        "not_joined": rows(joined)[0][0],
    }


def statements(rows: Rows) -> dict[str, Any]:
    """How much was extracted."""
    live = "(SELECT DISTINCT key FROM live_extractions)"
    return {name: rows(f"SELECT count(*) FROM {name} SEMI JOIN {live} USING (key)")[0][0] for name in ("sentences", "terms", "units")}


@contextlib.contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database, only to be read."""
    with duckdb.connect(str(path), read_only=True) as connection:
        yield connection


def rows_of(connection: duckdb.DuckDBPyConnection) -> Rows:
    """A function from a query and its parameters to its rows."""
    return lambda query, parameters=(): connection.execute(query, list(parameters)).fetchall()


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=tuple(LANGUAGES))
    parser.add_argument("--characters", type=int, default=60_000, help="taken from the beginning of books and novels (default: 60000; a third for Chinese)")
    parser.add_argument("--questions", type=int, help="at most this many (default: 100 of xquad, else 20)")
    given = parser.parse_args()
    home = built(given.data, sample(given.data, given.characters), given.work)
    with opened(home / WORK_FILE) as work:
        stated = statements(rows_of(work))
    manifest = current(home)
    assert manifest is not None
    with opened(generation_folder(home, manifest.generation) / TABLES_FILE) as tables:
        rows = rows_of(tables)
        read, places = reading(rows), {chunk: (start, end) for chunk, start, end in rows("SELECT chunk_id, start_at, end_at FROM data.chunks")}
        asked = questions(given.data, rows, given.questions or (100 if given.data.startswith("xquad") else 20))
    with QueryEngine(home) as engine:
        ranks = [found_at(engine, one, places) for one in asked]
    hits = {f"found@{cut}": sum(0 < rank <= cut for rank in ranks) / len(ranks) for cut in CUTS}
    figures.show("languages", data=given.data, n=len(asked), figures={**read, **stated, **hits})


if __name__ == "__main__":
    main()
