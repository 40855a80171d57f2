"""Passages around one main entity part a chunk from its beginning to its end, and turn where the text turns to another name."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pagerag_pipeline.indexing.entity_passages import partition_chunk
from pagerag_pipeline.indexing.extract import extract_chunks
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.knowledge import EntityPassage
from pagerag_pipeline.settings import ExtractSettings, PartitionSettings
from pagerag_pipeline_tests.fakes import WordTokenizer

TOKENIZER = WordTokenizer()
RULES = ExtractSettings(tagger="rules")
SMALL = PartitionSettings(most_tokens=120, least_tokens=20)
QUILL = "Mara Quill founded Tinworks. For years Mara Quill went there each morning, and Mara Quill was never late for it in all of that time."
MORE = "In the evenings Quill walked home along the river, and wrote down what had been sold on that day, in a small hand and in red ink."
FENN = "Odo Fenn kept bees. Nobody knew what Odo Fenn had been before the bees, and of his brothers Odo Fenn never spoke with anybody at all."
STATEMENTS = st.sampled_from([QUILL, MORE, FENN, "He said no.", "- one\n- two", "CHAPTER II", "\u5c71\u9ad8\u6c34\u9577\u3002" * 30, "x" * 300, "word " * 200])


def parted(text: str, knobs: PartitionSettings = SMALL) -> list[EntityPassage]:
    (one,) = extract_chunks([text], load_tagger(RULES), language="en", mode="mixed")
    return partition_chunk(text, one.terms, TOKENIZER, knobs)


def test_a_passage_ends_where_the_text_turns_to_another_name() -> None:
    text = "\n\n".join((QUILL, MORE, FENN))
    first, second = parted(text)
    assert (first.entity, second.entity) == ("Mara Quill", "Odo Fenn")
    assert text[second.start :].startswith("Odo Fenn kept bees.")


def test_a_word_of_a_name_counts_as_the_name_and_a_short_mention_of_another_is_no_turn() -> None:
    (only,) = parted("\n\n".join((QUILL, MORE, MORE)))
    assert only.entity == "Mara Quill"
    (again,) = parted("\n\n".join((QUILL, "Mara Quill met Odo Fenn, and Mara Quill told him of Mara Quill and of the works that Mara Quill had built.", MORE)))
    assert again.entity == "Mara Quill"


def test_a_heading_goes_with_what_it_stands_over() -> None:
    text = "\n\n".join((QUILL, MORE, "The Keeper of the Bees", FENN, FENN))
    assert [text[p.start : p.start + 22] for p in parted(text)][1] == "The Keeper of the Bees"


def test_a_text_without_names_is_one_passage_without_an_entity() -> None:
    (only,) = parted("it rained for a week, and then it rained for another.\n\nnobody minded, for nobody was there.")
    assert (only.entity, only.entity_type) == ("", "")
    assert partition_chunk("", (), TOKENIZER, SMALL) == []


def test_no_passage_exceeds_the_cap_and_small_ends_join_the_one_before() -> None:
    passages = parted("\n\n".join([QUILL, MORE, QUILL, MORE, QUILL, "He left."]))
    assert len(passages) > 1 and all(passage.tokens <= SMALL.most_tokens for passage in passages)
    assert passages[-1].tokens >= SMALL.least_tokens


@settings(max_examples=60, deadline=None)
@given(st.lists(STATEMENTS, min_size=1, max_size=9), st.sampled_from(("\n\n", "\n", "\n \n\n")))
def test_passages_tile_any_text_within_the_cap(parts: list[str], between: str) -> None:
    text = between.join(parts) + between
    passages = parted(text)
    assert "".join(text[passage.start : passage.end] for passage in passages) == text
    assert all(passage.start < passage.end for passage in passages)
    assert all(passage.tokens <= SMALL.most_tokens + 1 for passage in passages)
