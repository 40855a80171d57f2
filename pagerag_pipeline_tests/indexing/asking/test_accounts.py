"""Summaries and reports by a model: every statement cites what was shown, what does not fit the window is counted, else the extractive one stays."""

from collections.abc import Iterator
from typing import Any

import pytest

from pagerag_pipeline.indexing.asking.describe import Description, ask_description
from pagerag_pipeline.indexing.asking.report import Community, Reported, ask_report
from pagerag_pipeline.indexing.asking.statements import is_foreign
from pagerag_pipeline.indexing.asking.summarize import Condensed, Group, ask_summary, needs_model
from pagerag_pipeline.indexing.report import Binding, Bond, MemberEvidence, report_community
from pagerag_pipeline.indexing.summarize import SummaryPart, summarize_texts
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Quote
from pagerag_pipeline.settings import SummarizeSettings
from pagerag_pipeline_tests.fakes import WordTokenizer
from pagerag_pipeline_tests.models.chat.opened import opened
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

SETTINGS = SummarizeSettings(summary_tokens=40)
TOKENIZER = WordTokenizer()


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


def part(name: str, *sentences: str) -> SummaryPart:
    text, spans = "", []
    for sentence in sentences:
        spans.append(Span(len(text), len(text) + len(sentence)))
        text += f"{sentence} "
    return SummaryPart(name, text, tuple(spans))


BELLS = [f"On day {n} Odo Fenn rang the great bell of Tinworks {n} times." for n in range(30)]
GROUP = Group(((part("a", *BELLS[:15]),), (part("b", *BELLS[15:]),)), ("", ""))
BASE = summarize_texts([part("a", *BELLS[:15]), part("b", *BELLS[15:])], TOKENIZER, SETTINGS)


def statement(text: str, *labels: str) -> dict[str, Any]:
    return {"text": text, "labels": list(labels)}


def condensed(server: ScriptedServer, *replies: list[dict[str, Any]], **changes: Any) -> Condensed:
    server.says(*(Say({"statements": reply}) for reply in replies))
    found = ask_summary(GROUP, BASE, opened(server, **changes).chat.model("summarize"), tokenizer=TOKENIZER, settings=SETTINGS)
    assert isinstance(found, Condensed), found
    return found


def test_a_summary_stands_on_the_sentences_that_it_cites(server: ScriptedServer) -> None:
    found = condensed(server, [statement("Odo rang  a bell daily.", "S16", "[S2]")])
    assert found.summary.text == "Odo rang a bell daily." and (found.shown, found.left_out, server.calls) == (30, 0, 1)
    assert [(quote.content_id, quote.text) for quote in found.summary.quotes] == [("a", BELLS[1]), ("b", BELLS[15])]


def test_labels_that_stand_nowhere_are_asked_about_once_and_then_dropped_with_what_they_hold(server: ScriptedServer) -> None:
    found = condensed(server, [statement("One.", "S99")], [statement("One.", "S1"), statement("Two.", "S99"), statement("Three.")])
    assert (found.summary.text, found.uncited, found.extractive, server.calls) == ("One.", 2, False, 2)
    assert "statements[0] cites S99, which stands nowhere" in server.prompts()[1]


def test_without_one_sound_citation_the_extractive_summary_stays_and_it_is_told(server: ScriptedServer) -> None:
    found = condensed(server, [statement("One.", "S99")], [statement("One.", "S98")])
    assert found.summary == BASE and found.extractive and found.uncited == 1


def test_statements_beyond_the_budget_are_cut_and_counted(server: ScriptedServer) -> None:
    found = condensed(server, [statement(f"Odo rang the bell of the old works {n} times on that day.", "S1") for n in range(9)])
    assert 0 < len(TOKENIZER.offsets(found.summary.text)) <= SETTINGS.summary_tokens and found.cut == 9 - found.summary.text.count("Odo") > 0


def test_ctx_01_sentences_are_packed_by_rank_into_the_window_and_the_rest_is_counted(server: ScriptedServer) -> None:
    found = condensed(server, [statement("Odo rang.", "S1")], context_tokens=1_500, reply_tokens=200)
    assert 0 < found.shown < 30 and found.shown + found.left_out == 30 and server.calls == 1
    assert len(server.prompts()[0]) / 3 < 1_300


def test_a_text_that_is_its_own_summary_is_not_asked_about() -> None:
    short = part("a", "Odo rang.", "Mara left.")
    group = Group(((short,),), ("",))
    assert not needs_model(group, summarize_texts([short], TOKENIZER, SETTINGS)) and needs_model(GROUP, BASE)


def community(size: int) -> Community:
    members = tuple(
        MemberEvidence(f"e{n:03}", f"Name {n}", 1.0, (Quote("c", 100 * n, 100 * n + 40, f"Name {n} stood beside the hub {n} times."),)) for n in range(size)
    )
    binding = Binding((Bond("Name 0", "friend_of", "Name 1", places=2),), size)
    return Community(members, binding, report_community(members, TOKENIZER, SETTINGS, binding=binding))


def reported(server: ScriptedServer, asked: Community, *replies: dict[str, Any], most: int = 40) -> Reported:
    server.says(*(Say(reply) for reply in replies))
    found = ask_report(asked, opened(server).chat.model("summarize"), tokenizer=TOKENIZER, settings=SETTINGS, most=most)
    assert isinstance(found, Reported), found
    return found


def test_a_report_has_a_title_topics_findings_and_what_it_leaves_out(server: ScriptedServer) -> None:
    found = reported(server, community(4), {"title": "The hub", "statements": [statement("They stood there.", "E1", "E2")], "topics": ["standing", "x" * 41]})
    report = found.report
    assert (report.title, report.text, report.topics, len(report.quotes)) == ("The hub", "They stood there.", ("standing",), 2)
    assert (report.uncited, report.edges, report.evidence_left_out, report.bonds) == (2, 1, 2, ("Name 0 friend of Name 1 (2 places)",))
    assert "Name 0 friend of Name 1" in server.prompts()[0]


def test_ctx_04_a_hub_of_500_is_reported_within_the_window_and_its_coverage_is_kept(server: ScriptedServer) -> None:
    found = reported(server, community(500), {"title": "The hub", "statements": [statement("They stood there.", "E1")], "topics": []}, most=40)
    assert found.shown == 40 and (found.report.uncited, found.report.evidence_left_out) == (499, 499)
    assert "and 460 more" in server.prompts()[0] and len(server.prompts()[0]) / 3 < 8_192


def test_an_uncited_report_stays_extractive(server: ScriptedServer) -> None:
    asked = community(3)
    found = reported(server, asked, {"title": "T", "statements": [], "topics": []})
    assert found.report == asked.base and found.extractive and server.calls == 2


def described(server: ScriptedServer, quotes: list[Quote], *replies: list[dict[str, Any]], tokens: int = 60, **changes: Any) -> Description:
    server.says(*(Say({"statements": reply}) for reply in replies or ([],)))
    found = ask_description("Odo Fenn", quotes, opened(server, **changes).chat.model("summarize"), tokenizer=TOKENIZER, tokens=tokens)
    assert isinstance(found, Description), found
    return found


QUOTES = [Quote(f"c{number}", 0, len(text), text) for number, text in enumerate(BELLS)]


def test_little_is_its_own_description_and_much_is_condensed_by_one_call(server: ScriptedServer) -> None:
    few = described(server, QUOTES[:2])
    assert (few.text, few.quotes, few.condensed, server.calls) == (f"{BELLS[0]} {BELLS[1]}", tuple(QUOTES[:2]), False, 0)
    many = described(server, QUOTES, [statement("Odo Fenn rang the bell of Tinworks daily.", "E3", "E1")])
    assert (many.text, many.condensed, many.left_out, server.calls) == ("Odo Fenn rang the bell of Tinworks daily.", True, 0, 1)
    assert [quote.content_id for quote in many.quotes] == ["c2", "c0"] and "Odo Fenn" in server.prompts()[0]
    assert len(TOKENIZER.offsets(many.text)) < 60


def test_a_description_that_cites_nothing_is_asked_about_once_and_then_the_first_quotes_stand(server: ScriptedServer) -> None:
    found = described(server, QUOTES, [statement("He is tall.", "E99")], [statement("He is tall.")])
    assert server.calls == 2 and not found.condensed and found.uncited == 1 and "tall" not in found.text
    assert found.quotes and found.quotes[0] == QUOTES[0] and found.left_out == 30 - len(found.quotes) and len(TOKENIZER.offsets(found.text)) <= 60


def test_quotes_beyond_the_window_are_left_out_of_a_description_and_counted(server: ScriptedServer) -> None:
    found = described(server, QUOTES, [statement("Odo rang it.", "E1")], context_tokens=1_800, reply_tokens=200)
    assert found.condensed and found.left_out > 0


def test_a_statement_in_another_script_than_what_it_cites_is_asked_about_once_and_then_dropped(server: ScriptedServer) -> None:
    russian = "\u041e\u0434\u043e \u0437\u0432\u043e\u043d\u0438\u043b \u0432 \u043a\u043e\u043b\u043e\u043a\u043e\u043b."
    found = condensed(server, [statement(russian, "S1")], [statement(russian, "S1"), statement("Odo rang a bell.", "S2")])
    assert (found.summary.text, found.uncited, server.calls) == ("Odo rang a bell.", 1, 2)
    assert "another language" in server.prompts()[1]


@pytest.mark.parametrize(
    ("text", "cited", "foreign"),
    [
        ("Odo rang it.", "Odo Fenn rang the bell.", False),
        ("\u30aa\u30c9\u304c\u9418\u3092\u9cf4\u3089\u3057\u305f\u3002", "Odo Fenn rang the bell.", True),
        ("Odo rang it.", "\u30aa\u30c9\u304c\u9418\u3092\u9cf4\u3089\u3057\u305f\u3002", True),
        ("Odo \u304c\u9418\u3092\u9cf4\u3089\u3057\u305f\u3002", "Odo \u304c\u9418\u3092\u4f55\u5ea6\u3082\u9cf4\u3089\u3057\u305f\u3002", False),
        ("1912: 7.", "Odo rang it 7 times in 1912.", False),
    ],
)
def test_scripts_tell_languages_apart_where_they_differ(text: str, cited: str, foreign: bool) -> None:
    assert is_foreign(text, [Quote("c", 0, len(cited), cited)]) is foreign


def test_no_description_is_empty_however_few_tokens_it_may_have(server: ScriptedServer) -> None:
    found = described(server, QUOTES, [statement("He is tall.", "E99")], [statement("He is tall.")], tokens=3)
    assert found.text == " ".join(QUOTES[0].text.split()) and found.quotes == (QUOTES[0],) and found.left_out == len(QUOTES) - 1


def test_a_statement_in_another_language_of_the_same_script_is_asked_about_once_and_then_dropped(server: ScriptedServer) -> None:
    french = "Odo Fenn sonnait la cloche de la tour tous les jours avec un marteau."
    found = condensed(server, [statement(french, "S1")], [statement(french, "S1"), statement("Odo rang a bell.", "S2")])
    assert (found.summary.text, found.uncited, server.calls) == ("Odo rang a bell.", 1, 2)
    assert "another language" in server.prompts()[1]


def test_a_language_is_told_by_enough_words_and_never_by_names() -> None:
    english = [Quote("c", 0, 1, "The tower of Tinworks was built by the men who had come from the harbor, and it is still in use.")]
    french = [Quote("c", 0, 1, "La tour de la ville a \u00e9t\u00e9 construite par les hommes qui sont venus du port, et elle est encore l\u00e0.")]
    told = "Il y a une tour dans la ville que les hommes du port ont construite."
    assert is_foreign(told, english) and not is_foreign(told, french)
    assert is_foreign("The tower of the town was built by the men who came from the harbor.", french)
    for name in ("Le Pont de la Roque", "Rue de la Paix, Les Halles", "Vincent van der Meer of the Hague met the king of Spain in the tower."):
        assert not is_foreign(name, english)
