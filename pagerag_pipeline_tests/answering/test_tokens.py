"""Sentences compared with a question by the kept signs of their tokens."""

from dataclasses import replace

import numpy as np
import pytest

from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.tokens import cosines_in_place, embed_keys, kept_tokens
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.schema.documents import embed_text
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline_tests.answering.evidence import RULES, TURNED, shown, signs_of

TEXT = "Mara Quill founded Tinworks. Odo Fenn was late for dinner."


def test_a_cosine_is_that_of_the_mean_of_the_tokens_of_its_sentence() -> None:
    evidence = shown("An old tale.", TEXT)
    (question,) = TURNED.token_vectors(["Who founded Tinworks?"])
    found = cosines_in_place(question.pooled, evidence_sentences(evidence, RULES), kept_tokens(evidence, signs_of(evidence), TURNED.tokenizer))
    (tokens,) = TURNED.token_vectors([TEXT])
    first = [place for place, (_, end) in enumerate(tokens.offsets.tolist()) if end <= TEXT.index(" Odo")]
    mean = np.where(tokens.vectors[first] > 0, 1.0, -1.0).sum(axis=0)
    assert found[1] == pytest.approx(float(mean @ question.pooled / np.linalg.norm(mean)), abs=1e-4)
    assert sorted(found) == [0, 1, 2]
    assert found[1] > found[2]


def test_a_sentence_may_be_nearer_with_those_that_it_leans_on() -> None:
    evidence = shown("Tinworks stands in Norwich. It was founded by Mara Quill.")
    own = evidence_sentences(evidence, RULES)[1]
    question = TURNED.encode(["Who founded Tinworks in Norwich?"])[0]
    (kept,) = kept_tokens(evidence, signs_of(evidence), TURNED.tokenizer)
    bare, joined = (cosines_in_place(question, [one], [kept])[0] for one in (replace(own, before=()), own))
    mean = np.unpackbits(kept.signs, axis=1, count=len(question)).astype(float).mean(axis=0) - 0.5
    assert bare < joined == pytest.approx(float(mean @ question / np.linalg.norm(mean)), abs=1e-4)


def test_title_and_section_path_stand_before_the_text_that_was_embedded() -> None:
    bare = shown(TEXT)
    titled = [replace(bare[0], context="The works of Norwich")]
    question = TURNED.encode(["Who founded Tinworks?"])[0]
    one, other = (cosines_in_place(question, evidence_sentences(e, RULES), kept_tokens(e, signs_of(e), TURNED.tokenizer)) for e in (bare, titled))
    assert one == other
    assert embed_keys(titled) == [content_id(embed_text("The works of Norwich", TEXT))]


def test_a_row_shows_the_whole_text_that_was_embedded() -> None:
    line = "Heron | 1902 | Norwich"
    row = Evidence("row", embed_text("Ships", line), 1.0, (SourceSpan("d1.csv", "c1", 40, 40 + len(line), line),), 10, "E1", context="Ships")
    assert embed_keys([row]) == [content_id(embed_text("Ships", line))]
    (kept,) = kept_tokens([row], signs_of([row]), TURNED.tokenizer)
    assert kept.before == len("Ships\n")


def test_a_passage_in_several_places_is_read_in_each() -> None:
    first, second = (SourceSpan(name, name, start, start + len(TEXT), TEXT) for name, start in (("a.txt", 0), ("b.txt", 900)))
    item = replace(shown(TEXT)[0], spans=(first, second))
    (kept,) = kept_tokens([item], signs_of([item]), TURNED.tokenizer)
    sentence = evidence_sentences([item], RULES)[0]
    moved = replace(sentence, span=replace(sentence.span, document="b.txt", start=900, end=900 + len(sentence.text)))
    assert kept.within(sentence) == kept.within(moved) != []
    assert kept.within(replace(sentence, span=replace(sentence.span, document="c.txt"))) == []


def test_nothing_is_compared_where_nothing_was_kept() -> None:
    evidence = shown(TEXT)
    question = TURNED.encode(["Who founded Tinworks?"])[0]
    assert kept_tokens(evidence, {}, TURNED.tokenizer) == []
    assert kept_tokens(evidence, {key: np.zeros((0, 48), dtype=np.uint8) for key in embed_keys(evidence)}, TURNED.tokenizer) == []
    assert cosines_in_place(question, evidence_sentences(evidence, RULES), []) == {}


def test_a_passage_that_was_embedded_in_pieces_is_left_out() -> None:
    evidence = shown(TEXT)
    signs = {key: np.vstack([one, one[:1]]) for key, one in signs_of(evidence).items()}
    assert kept_tokens(evidence, signs, TURNED.tokenizer) == []
