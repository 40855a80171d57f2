"""Chunks tile the document, passages tile the chunks, all fits the window, and an edit moves the boundaries near it alone."""

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.schema.documents import Chunk, ParsedDocument, chunk_id, embed_text
from pagerag_pipeline.settings import ChunkSettings, EmbedSettings, ParseSettings, ProfileSettings
from pagerag_pipeline_tests.fakes import WordTokenizer

TOKENIZER = WordTokenizer()
SMALL = ChunkSettings(chunk_tokens=40, chunk_min_tokens=20, passage_tokens=12, context_tokens=6, embed_window=24)
PIECES = st.sampled_from(
    ["word ", "Mara Quill. ", "\n\n", "\n", " " * 40, "。", "山高水长，", "\U0001f980", "e\u0301", "👨\u200d👩\u200d👧", "CHAPTER I\n\n", "x" * 200, "\u3000", "\u2028", "Is it? ", "| a | b |\n"]
)


def cut(document: ParsedDocument, chunk: ChunkSettings = ChunkSettings()) -> list[Chunk]:
    return chunk_document(document, profile_document(document, ProfileSettings()), TOKENIZER, chunk)


def kind(chunks: list[Chunk], name: str) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.kind == name]


def tokens(text: str) -> int:
    return len(TOKENIZER.offsets(text))


def check(document: ParsedDocument, chunks: list[Chunk], chunk: ChunkSettings) -> None:
    wholes, passages = kind(chunks, "chunk"), kind(chunks, "passage")
    assert "".join(c.text for c in wholes) == document.text
    for whole in wholes:
        assert "".join(p.text for p in passages if p.parent == whole.ordinal) == whole.text
    for one in chunks:
        assert one.text == document.text[one.start : one.end] != ""
        assert one.tokens == tokens(one.text)
        assert one.kind in ("chunk", "fixed") or tokens(embed_text(one.context, one.text)) + 1 <= chunk.embed_window
    ids = [chunk_id("d", c.kind, c.content_id, c.occurrence) for c in chunks]
    assert len(set(ids)) == len(ids)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join)))
def test_any_text_is_tiled_exactly_and_fits(text: str) -> None:
    document = ParsedDocument("", "A title", text)
    check(document, cut(document, SMALL), SMALL)


def prose(words: int, seed: int = 1) -> list[str]:
    """Paragraphs of made-up sentences."""
    source = random.Random(seed)
    vocabulary = ["".join(source.choices("abcdefghijklmnoprstuvw", k=source.randint(2, 9))) for _ in range(900)]
    paragraphs = []
    while words > 0:
        size = source.randint(20, 160)
        sentences = [" ".join(source.choices(vocabulary, k=source.randint(4, 25))).capitalize() + "." for _ in range(max(1, size // 14))]
        paragraphs.append(" ".join(sentences))
        words -= size
    return paragraphs


def test_a_paragraph_inserted_at_the_top_leaves_nearly_all_ids(tmp_path: object) -> None:
    paragraphs = prose(60_000)
    before = cut(ParsedDocument("", "", "\n\n".join(paragraphs)))
    after = cut(ParsedDocument("", "", "\n\n".join([prose(60, seed=2)[0], *paragraphs])))
    for name in ("chunk", "passage"):
        old, new = ({chunk_id("d", c.kind, c.content_id, c.occurrence) for c in kind(chunks, name)} for chunks in (before, after))
        assert len(old & new) >= 0.95 * len(old)


def test_chunks_are_about_as_large_as_asked() -> None:
    sizes = [c.tokens for c in kind(cut(ParsedDocument("", "", "\n\n".join(prose(60_000)))), "chunk")]
    assert 1000 <= sum(sizes) / len(sizes) <= 1300
    assert max(sizes) <= 1800
    assert min(sizes[:-1]) >= 600


def test_chunks_never_cross_a_section_and_carry_its_path() -> None:
    text = "# Tinworks\n\nOne.\n\n## Rooms\n\nTwo.\n\n## Yard\n\nThree.\n"
    (document,) = parse_file("x.md", text.encode(), ParseSettings()).documents
    passages = kind(cut(document), "passage")
    assert [(p.context, p.text.split()[-1]) for p in passages] == [("Tinworks", "One."), ("Tinworks > Rooms", "Two."), ("Tinworks > Yard", "Three.")]


def test_a_long_path_loses_its_outermost_parts_first() -> None:
    text = "# " + "Outermost words " * 30 + "\n\n## Inner\n\nText.\n"
    (document,) = parse_file("x.md", text.encode(), ParseSettings()).documents
    assert kind(cut(document), "passage")[-1].context == "Inner"


def test_table_rows_stand_alone_with_caption_and_header_as_context() -> None:
    page = "<h1>Tin</h1><table><caption>Rooms of 1901</caption><tr><th>room</th><th>size</th></tr><tr><td>Hall</td><td>12</td></tr></table>"
    (document,) = parse_file("x.html", page.encode(), ParseSettings()).documents
    (row,) = kind(cut(document), "row")
    assert (row.text, row.context) == ("Hall | 12", "Tin > Rooms of 1901: room | size")
    assert kind(cut(document), "chunk")[row.parent].text[row.start - kind(cut(document), "chunk")[row.parent].start :].startswith(row.text)


def test_a_row_longer_than_the_window_is_cut_into_rows_that_fit() -> None:
    data = "name,story\nMara," + "and then she went on " * 200 + "\n"
    (document,) = parse_file("x.csv", data.encode(), ParseSettings()).documents
    chunks = cut(document)
    check(document, chunks, ChunkSettings())
    assert "".join(r.text for r in kind(chunks, "row")) == document.text.split("\n")[1]


def test_chinese_without_line_ends_is_cut_at_its_stops() -> None:
    sentence = "那山高水长的地方住着一位老人，他每天清早到河边去打水。"
    text = "".join(sentence.replace("老", chr(0x4E00 + i)) for i in range(12_000 // len(sentence)))
    chunks = cut(ParsedDocument("", "", text))
    check(ParsedDocument("", "", text), chunks, ChunkSettings())
    assert all(c.text.endswith("。") for c in chunks)
    assert max(c.tokens for c in kind(chunks, "chunk")) <= 1800


def test_one_endless_word_is_cut_into_pieces() -> None:
    document = ParsedDocument("", "", "a" * 100_000)
    chunks = cut(document)
    check(document, chunks, ChunkSettings())
    assert len(kind(chunks, "passage")) > 50


@pytest.mark.parametrize(
    "text",
    ["A" + " " * 50_000 + "B", "x" * 200_000, "." * 100_000, "\n" * 100_000 + "x", "a. " * 60_000, "\u0301" * 50_000, "\U0001f980" * 50_000, "a\n" * 60_000, "I\n\n" * 20_000, "CHAPTER I\n\n" * 5_000]
)  # fmt: skip
def test_odd_input_takes_linear_time(text: str) -> None:
    document = ParsedDocument("", "", text)
    began = time.perf_counter()
    chunks = cut(document)
    assert time.perf_counter() - began < 10
    assert "".join(c.text for c in kind(chunks, "chunk")) == text


def test_a_and_b_far_apart_are_two_chunks_at_most() -> None:
    chunks = cut(ParsedDocument("", "", "A" + " " * 50_000 + "B"))
    assert len(kind(chunks, "chunk")) <= 2


def test_fixed_windows_come_when_asked_for_and_overlap() -> None:
    text = "word " * 3000
    asked = replace(ChunkSettings(), fixed=True)
    windows = kind(cut(ParsedDocument("", "", text), asked), "fixed")
    assert [w.tokens for w in windows] == [1200, 1200, 800]
    assert windows[0].end - windows[1].start == 100 * len("word ")
    assert kind(cut(ParsedDocument("", "", text)), "fixed") == []


@pytest.mark.parametrize(("tokens", "windows"), [(0, 1), (1, 1), (1200, 1), (1201, 2), (2300, 2), (2301, 3)])
def test_there_are_as_many_fixed_windows_as_it_takes(tokens: int, windows: int) -> None:
    """Systems, section 7, 1."""
    text = "word " * tokens or " "
    found = kind(cut(ParsedDocument("", "", text), replace(ChunkSettings(), fixed=True)), "fixed")
    assert len(found) == windows
    assert (found[0].start, found[-1].end) == (0, len(text))


@pytest.mark.models
def test_the_real_tokenizer_agrees_on_the_bundled_novella() -> None:
    tokenizer = load_tokenizer(EmbedSettings())
    path = Path(__file__).parent.parent.parent / "data" / "corpus" / "novella" / "the_tide_clerk_of_pellgarrow.txt"
    (document,) = parse_file(path.name, path.read_bytes(), ParseSettings()).documents
    chunks = chunk_document(document, profile_document(document, ProfileSettings()), tokenizer, ChunkSettings())
    assert "".join(c.text for c in kind(chunks, "chunk")) == document.text
    for one in chunks:
        assert one.tokens == len(tokenizer.offsets(one.text))
        assert one.kind == "chunk" or len(tokenizer.offsets(embed_text(one.context, one.text))) <= 254
