"""What a build by a chat model asks and takes, against a scripted server: a build, a second refresh, edited sentences, another summary model.

The server stands on this machine, answers at once and quotes what it is shown, so that calls and tokens read are those of a real build with the same
settings, while seconds and tokens written are not. Embedder and tagger are stubs. Of each random edit the summaries to be made anew follow from the plan of
the tree, which needs no call; of the first few edits all calls are made and counted.
"""

import os
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import corpora
import figures
import homes

from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.indexing.tree import ENDING, document_tree, leaf_marks
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.refresh import products
from pagerag_pipeline.refresh.estimating import estimate
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline_tests.chat_replies import prompt_of, reply
from pagerag_pipeline_tests.scripted_server import ScriptedServer, scripted_server

STUBS = {"PAGERAG_EMBED_MODEL": "hash", "PAGERAG_EXTRACT_TAGGER": "rules"}
_SENTENCE = re.compile(r"(?<=[.!?] )[A-Z][^.!?\n]{30,}[.!?](?= )")


def refreshed(home: Path, server: ScriptedServer, settings: Settings) -> dict[str, Any]:
    """What one refresh asked: calls by prompt, tokens read and written."""
    server.requests = []
    with Session.open(home, settings=settings, purpose="benchmark") as session:
        products.refresh(session)
        spent = session.chat.spending.total() if session.chat else None
    assert spent is not None
    calls = dict(sorted(Counter(prompt_of(request) for request in server.requests).items()))
    return {"calls": sum(calls.values()), "by_prompt": calls, "tokens_read": spent.prompt_tokens, "tokens_written": spent.completion_tokens}


def edited(text: str, chance: random.Random, number: int) -> str:
    """A text with one of its sentences replaced."""
    found = chance.choice(list(_SENTENCE.finditer(text)))
    return f"{text[: found.start()]}On evening {number} a grey heron was seen on the roof of the boat-house.{text[found.end() :]}"


def planned(text: str, settings: Settings) -> tuple[set[str], list[set[str]]]:
    """Contents of a document's chunks, and per level of its tree the digests of what its summaries are made of."""
    (document,) = parse_file("book.txt", text.encode(), settings.parse).documents
    profile = profile_document(document, settings.profile)
    chunks = [c for c in chunk_document(document, profile, load_tokenizer(settings.embed), settings.chunk) if c.kind == "chunk"]
    below = [chunk.content_id for chunk in chunks]
    levels: list[set[str]] = []
    marks = leaf_marks([(chunk.content_id, chunk.text[-ENDING:]) for chunk in chunks])
    for level in document_tree(marks, settings.summarize):
        below = [digest("node", *below[start:end]) for start, end in level.groups]
        levels.append(set(below))
    return {chunk.content_id for chunk in chunks}, levels


def planned_edits(text: str, settings: Settings, count: int) -> dict[str, Any]:
    """Over random edits: chunks made anew, and the most summaries of a level."""
    chunks, levels = planned(text, settings)
    worst: list[int] = []
    again: list[int] = []
    for number in range(count):
        now, above = planned(edited(text, random.Random(number), number), settings)
        again.append(len(now - chunks))
        old = levels + [set()] * len(above)
        worst.append(max((len(new - before) for new, before in zip(above, old, strict=False)), default=0))
    return {
        "edits": count,
        "chunks_anew_mean": round(sum(again) / count, 2),
        "chunks_anew_most": max(again),
        "at_most_two_summaries_a_level": round(sum(one <= 2 for one in worst) / count, 3),
        "most_summaries_of_a_level": max(worst),
    }


def measured(home: Path, document: Path, server: ScriptedServer, counts: tuple[int, int]) -> dict[str, Any]:
    """All figures of one document."""
    settings = load_settings(home)
    before = estimate(home, settings)["total"]
    found: dict[str, Any] = {"expected_calls": before["calls"], "expected_tokens_read": before["prompt_tokens"]}
    found["build"] = refreshed(home, server, settings)
    found["second_refresh_calls"] = refreshed(home, server, settings)["calls"]
    text = document.read_text(encoding="utf-8")
    found["planned"] = planned_edits(text, settings, counts[0])
    edits = []
    try:
        for number in range(counts[1]):
            document.write_text(edited(text, random.Random(number), number), encoding="utf-8")
            edits.append(refreshed(home, server, settings)["by_prompt"])
    finally:
        document.write_text(text, encoding="utf-8")
    found["calls_after_an_edit"] = edits
    found["back_to_the_first_text_calls"] = refreshed(home, server, settings)["calls"]
    other = replace(settings, chat=replace(settings.chat, summarize_model="other"))
    found["another_summary_model"] = refreshed(home, server, other)["by_prompt"]
    return found


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", "novel"))
    parser.add_argument("--edits", type=int, default=50, help="random edits of which the tree is planned (default: 50)")
    parser.add_argument("--asked", type=int, default=3, help="edits of which all calls are made (default: 3)")
    given = parser.parse_args()
    os.environ.update(STUBS)
    with scripted_server() as server:
        server.says(reply)
        os.environ.update({"PAGERAG_CHAT_BASE_URL": server.base_url, "PAGERAG_CHAT_MODEL": "scripted"})
        home = homes.fresh_home(given.data, given.work / "chat")
        document = max(corpora.corpus(given.data, given.work / "chat").rglob("*.txt"), key=lambda path: path.stat().st_size)
        found = measured(home, document, server, (given.edits, given.asked))
        del os.environ["PAGERAG_CHAT_BASE_URL"]
    figures.show("chat", data=given.data, n=1, figures=found)


if __name__ == "__main__":
    main()
