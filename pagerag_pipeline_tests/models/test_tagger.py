"""Taggers: by rules for any language, by spaCy where a pipeline is installed; fingerprints without loading one."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.models.rules_tagger import SentenceSplitter, tag_text
from pagerag_pipeline.models.tagger import load_tagger, tagger_fingerprint
from pagerag_pipeline.settings import ExtractSettings


def names(text: str) -> list[tuple[str, str]]:
    return [(text[n.start : n.end], n.label) for n in tag_text(text).names]


def sentences(text: str) -> list[str]:
    return [text[s.start : s.end] for s in tag_text(text).sentences]


def test_names_are_runs_of_capitalized_words() -> None:
    assert names("Mara Quill founded Tinworks in 1901.") == [("Mara Quill", "MISC"), ("Tinworks", "MISC"), ("1901", "DATE")]
    assert names("The Bank of Hale lent Sister Bell a cart.") == [("Bank of Hale", "MISC"), ("Sister Bell", "PERSON")]
    assert names("Mr. J. Fenn met Dr. Hale.") == [("Mr. J. Fenn", "PERSON"), ("Dr. Hale", "PERSON")]


def test_a_word_that_is_capitalized_by_its_place_is_no_name() -> None:
    assert names("Bread is baked. We eat bread.") == []
    assert names("When he came, he slept.") == []


def test_sentences_end_at_stops_of_many_scripts_but_not_at_abbreviations() -> None:
    assert sentences("Mr. Fenn left. He came back! Why?\n\nNobody knew") == ["Mr. Fenn left.", "He came back!", "Why?", "Nobody knew"]
    assert sentences("第一句。第二句！「第三句？」第四句") == ["第一句。", "第二句！", "「第三句？」", "第四句"]
    assert sentences("") == []


@given(st.text(max_size=300))
def test_any_text_is_tagged_within_its_bounds_in_order(text: str) -> None:
    tagged = tag_text(text)
    for spans in (tagged.sentences, tagged.tokens, tagged.names):
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
        assert all(a.end <= b.start for a, b in zip(spans, spans[1:], strict=False))
    assert all(text[t.start : t.end] == t.text for t in tagged.tokens)
    assert all(tagged.sentences[t.sentence].start <= t.start and t.end <= tagged.sentences[t.sentence].end for t in tagged.tokens)


def test_fingerprints_differ_by_tagger_and_match_the_loaded_one() -> None:
    rules, spacy = ExtractSettings(tagger="rules"), ExtractSettings()
    assert tagger_fingerprint(rules) != tagger_fingerprint(spacy)
    assert load_tagger(rules).fingerprint == tagger_fingerprint(rules)
    assert load_tagger(spacy).fingerprint == tagger_fingerprint(spacy)


def test_a_fingerprint_loads_no_pipeline() -> None:
    code = (
        "import sys; from pagerag_pipeline.models.tagger import tagger_fingerprint, load_tagger; "
        "from pagerag_pipeline.settings import ExtractSettings; tagger_fingerprint(ExtractSettings()); load_tagger(ExtractSettings()); "
        "sys.exit('spacy' in sys.modules or 'torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_language_without_a_pipeline_is_tagged_by_rules() -> None:
    text = "第一句。第二句。"
    assert load_tagger(ExtractSettings()).tag([text], "zh") == [tag_text(text)]


@pytest.mark.models
@pytest.mark.parametrize("language", ["en", "und"])
def test_a_text_in_another_script_is_tagged_by_rules_whatever_its_document_is_in(language: str) -> None:
    chinese, english = "\u9edb\u7389\u8d70\u8fdb\u6765\u3002\u5b9d\u7389\u7b11\u4e86\u3002", "The bells rang."
    first, second, third = load_tagger(ExtractSettings()).tag([chinese, english, chinese], language)
    assert first == third == tag_text(chinese)
    assert [token.pos for token in second.tokens] == ["DET", "NOUN", "VERB", "PUNCT"]


def test_a_newly_installed_pipeline_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = tagger_fingerprint(ExtractSettings())
    monkeypatch.setattr("pagerag_pipeline.models.tagger.PIPELINES", {})
    assert tagger_fingerprint(ExtractSettings()) != before


@pytest.mark.models
def test_spacy_gives_lemmas_heads_and_names_whatever_the_batch() -> None:
    tagger = load_tagger(ExtractSettings())
    texts = ["Mara Quill founded Tinworks in 1901.", "", "The bells rang. Nobody came."]
    together = tagger.tag(texts, "en")
    assert together == [tagger.tag([text], "en")[0] for text in texts]
    verb = together[0].tokens[2]
    assert (verb.text, verb.lemma, verb.pos, verb.dep, verb.head) == ("founded", "found", "VERB", "ROOT", 2)
    assert together[0].tokens[1].head == 2
    assert len(together[2].sentences) == 2
    assert ("Mara Quill", "PERSON") in [(texts[0][n.start : n.end], n.label) for n in together[0].names]


@given(st.text(alphabet="ab .!?\n\u3002MrJ", max_size=60))
def test_a_splitter_gives_the_sentences_of_the_tagger_alone(text: str) -> None:
    (split,) = SentenceSplitter().tag([text], "und")
    assert split.sentences == tag_text(text).sentences and not split.tokens and not split.names
