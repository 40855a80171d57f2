"""A summary is made of exact quotes in reading order, within its budget, and never empty for a text that says something."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.indexing.summarize import SummaryPart, clipped, quoted_parts, summarize_texts
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.schema.knowledge import Quote, Summary
from pagerag_pipeline.settings import EmbedSettings, SummarizeSettings

HASH = load_tokenizer(EmbedSettings(model="hash"))
TOKENIZERS = [HASH, load_tokenizer(EmbedSettings())]
SETTINGS = SummarizeSettings()
STORY = (
    "Mara Quill founded Tinworks in 1901. It was a cold spring. Tinworks stands on Harbour Lane, and Mara Quill lived above it. "
    "The kettle sang. Odo Fenn bought Tinworks from Mara Quill in 1912. Nobody spoke of it afterwards."
)


def part(text: str, start: int = 0) -> SummaryPart:
    spans = [Span(*match.span()) for match in re.finditer(r"[^.!?。]+[.!?。]?\s*", text)]
    return SummaryPart(content_id(text), text, tuple(spans), start)


def assert_sound(summary: Summary, parts: list[SummaryPart], budget: int) -> None:
    by_id = {one.content_id: one for one in parts}
    for quote in summary.quotes:
        source = by_id[quote.content_id]
        assert source.text[quote.start - source.start : quote.end - source.start] == quote.text == quote.text.strip() != ""
    order = [([one.content_id for one in parts].index(quote.content_id), quote.start) for quote in summary.quotes]
    assert order == sorted(order)
    assert summary.text == " ".join(quote.text for quote in summary.quotes)
    assert sum(len(HASH.offsets(quote.text)) for quote in summary.quotes) <= budget


def test_what_fits_is_quoted_whole() -> None:
    summary = summarize_texts([part(STORY)], HASH, SETTINGS)
    assert summary.text == STORY
    assert_sound(summary, [part(STORY)], 180)


def test_a_tight_budget_keeps_what_the_text_turns_on() -> None:
    summary = summarize_texts([part(STORY)], HASH, SummarizeSettings(summary_tokens=24))
    assert "Tinworks" in summary.text
    assert "kettle" not in summary.text
    assert_sound(summary, [part(STORY)], 24)


def test_the_same_sentence_is_quoted_once() -> None:
    twice = "Sister Bell kept bees at Low Farm. "
    summary = summarize_texts([part(twice * 5 + "The honey was sold on Saturdays.")], HASH, SETTINGS)
    assert summary.text.count("Sister Bell") == 1
    assert "honey" in summary.text


def test_each_part_is_heard() -> None:
    about = ["The mill grinds rye", "The farm keeps bees", "The harbour rents boats", "The school teaches fencing"]
    parts = [part(". ".join(f"{one} on day {day} of the week" for day in range(30)) + ".") for one in about]
    summary = summarize_texts(parts, HASH, SummarizeSettings(summary_tokens=60))
    assert {quote.content_id for quote in summary.quotes} == {one.content_id for one in parts}


def test_a_sentence_beyond_the_budget_is_clipped_after_a_word() -> None:
    text = "the tide came in and went out again " * 40
    for tokenizer in TOKENIZERS:
        summary = summarize_texts([SummaryPart("id", text, ())], tokenizer, SETTINGS)
        (quote,) = summary.quotes
        assert text.startswith(quote.text)
        assert text[quote.end] == " "
        assert 170 <= len(tokenizer.offsets(quote.text)) <= 180


def test_a_text_without_spaces_is_summarized_by_its_sentences() -> None:
    text = "小明在北京创办了铁厂。天气很冷。铁厂在港口路上。老王买下了小明的铁厂。" * 3
    summary = summarize_texts([part(text)], HASH, SummarizeSettings(summary_tokens=25))
    assert "铁厂" in summary.text
    assert_sound(summary, [part(text)], 25)
    run = "铁" * 5000
    (quote,) = summarize_texts([SummaryPart("id", run, ())], HASH, SETTINGS).quotes
    assert len(quote.text) == 180


@pytest.mark.parametrize("said", ['"{}," she said.', "“{},” she said.", "«{}», she said.", "— {}.", "‘{},’ she said."])
def test_what_is_told_goes_before_what_is_said(said: str) -> None:
    text = f"{said.format('come to the stone mill down by the river')} They went to the stone mill down by the river. "
    summary = summarize_texts([part(text)], HASH, SummarizeSettings(summary_tokens=16))
    assert summary.text == "They went to the stone mill down by the river."


def test_a_term_between_marks_is_no_speech() -> None:
    text = 'The "kernel" of the mill is its stone wheel. Nobody "comes back," she said of the stone wheel. '
    summary = summarize_texts([part(text)], HASH, SummarizeSettings(summary_tokens=14))
    assert summary.text == 'The "kernel" of the mill is its stone wheel.'


def test_who_is_often_named_is_quoted_and_then_who_is_not_named_yet() -> None:
    mara = "so tall Mara walked along the windy quay today. then young Mara cooked seven barrels of salt. for years Mara counted distant northern lights. "
    odo = "at night Odo mended torn ferry sails. later on Odo carried dry sand uphill. "
    rest = "the rain fell on the road. the wind blew over the hill. the snow lay on the quay. "
    summary = summarize_texts([part(rest + mara + odo)], HASH, SummarizeSettings(summary_tokens=20))
    assert [name for name in ("Mara", "Odo") for _ in range(summary.text.count(name))] == ["Mara", "Odo"]


def test_a_capital_at_the_head_of_a_sentence_makes_no_name() -> None:
    heads = "Nobody painted the long stone mill wall. Nobody swept the cold empty farm yard. Nobody drew clean well water again. "
    names = "one day young Tinworks burned bright and fast. then poor Tinworks lost every window pane. "
    summary = summarize_texts([part(heads + names)], HASH, SummarizeSettings(summary_tokens=10))
    assert "Tinworks" in summary.text


def test_quotes_of_a_piece_point_into_the_whole_content() -> None:
    whole = "Front matter. " + STORY
    summary = summarize_texts([SummaryPart("id", STORY, part(STORY).sentences, start=14)], HASH, SETTINGS)
    assert all(whole[quote.start : quote.end] == quote.text for quote in summary.quotes)


def test_a_summary_of_summaries_quotes_the_contents_below() -> None:
    parts = [part(STORY), part("Sister Bell kept bees at Low Farm. She sold honey. The bees swarmed in May.")]
    small = SummarizeSettings(summary_tokens=30)
    below = [summarize_texts([one], HASH, small) for one in parts]
    above = summarize_texts(quoted_parts(below), HASH, SummarizeSettings(summary_tokens=20))
    assert_sound(above, parts, 20)
    assert set(above.quotes) <= {quote for summary in below for quote in summary.quotes}


def test_only_white_space_gives_an_empty_summary() -> None:
    assert summarize_texts([part(" \n ")], HASH, SETTINGS) == Summary("", ())
    assert summarize_texts([], HASH, SETTINGS) == Summary("", ())


ODD = st.lists(st.sampled_from(["Tinworks stands. ", "铁厂在路上。", "x" * 300 + " ", "?!", "\n\n", "안녕 ", "a\u0301. ", "…", "\u200b"]), max_size=20).map("".join)


@given(texts=st.lists(ODD | st.text(max_size=40), max_size=5, unique=True), budget=st.integers(1, 40))
def test_any_texts_give_a_sound_summary(texts: list[str], budget: int) -> None:
    parts = [part(text) for text in texts]
    settings = SummarizeSettings(summary_tokens=budget)
    summary = summarize_texts(parts, HASH, settings)
    assert_sound(summary, parts, budget)
    assert bool(summary.text) == any(text.strip() for text in texts)
    assert summarize_texts(parts, HASH, settings) == summary


@given(text=(ODD | st.text(max_size=60)).map(str.strip).filter(bool), tokens=st.integers(2, 20))
def test_a_clipped_quote_is_a_beginning_that_fits(text: str, tokens: int) -> None:
    for tokenizer in TOKENIZERS:
        quote = clipped(Quote("id", 7, 7 + len(text), text), tokenizer, tokens)
        assert quote.text
        assert text.startswith(quote.text)
        assert (quote.start, quote.end) == (7, 7 + len(quote.text))
        assert len(tokenizer.offsets(quote.text)) <= tokens or len(quote.text) == 1


@pytest.mark.parametrize("sentences", [12_000])
def test_twelve_thousand_sentences_take_seconds(sentences: int) -> None:
    names = ["Mara", "Odo", "Bell", "Tinworks", "harbour", "mill", "bees"]
    text = "".join(f"{names[n % 7]} met {names[n * n % 5]} number {n} by the {names[n % 3]} at noon. " for n in range(sentences))
    begun = time.perf_counter()
    assert summarize_texts([part(text)], HASH, SETTINGS).quotes
    assert time.perf_counter() - begun < 10
