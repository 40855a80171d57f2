"""A report names its community, quotes what binds it, and counts whom it could not cite."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.indexing.report import Binding, Bond, MemberEvidence, report_community
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.schema.knowledge import Quote
from pagerag_pipeline.settings import EmbedSettings, SummarizeSettings

TOKENIZER = load_tokenizer(EmbedSettings(model="hash"))
SETTINGS = SummarizeSettings()


def quote(content: str, start: int, text: str) -> Quote:
    return Quote(content, start, start + len(text), text)


FOUNDED = quote("f1", 0, "Mara Quill founded Tinworks in 1901.")
STANDS = quote("f1", 37, "Tinworks stands on Harbour Lane.")
BOUGHT = quote("f2", 0, "Odo Fenn bought Tinworks from Mara Quill in 1912.")
MEMBERS = [
    MemberEvidence("e1", "Mara Quill", 2, (FOUNDED, BOUGHT)),
    MemberEvidence("e2", "Tinworks", 3, (FOUNDED, STANDS, BOUGHT)),
    MemberEvidence("e3", "Harbour Lane", 1, (STANDS,)),
    MemberEvidence("e4", "Odo Fenn", 1, (BOUGHT,)),
    MemberEvidence("e5", "Low Farm", 1),
]
BONDS = (
    Bond("Mara Quill", "founded", "Tinworks"),
    Bond("Tinworks", "stands_on", "Harbour Lane", places=3),
    Bond("Odo Fenn", "founded", "Tinworks", modality="denied"),
)


def test_a_report_names_its_heaviest_members_and_their_relation() -> None:
    report = report_community(MEMBERS, TOKENIZER, SETTINGS, binding=Binding(BONDS, 5))
    assert report.title == "Tinworks, Mara Quill, Harbour Lane and 2 more: founded"


def test_what_binds_the_members_is_told_in_words_the_best_supported_first() -> None:
    report = report_community(MEMBERS, TOKENIZER, SETTINGS, binding=Binding(BONDS, 5))
    assert report.bonds == ("Tinworks stands on Harbour Lane (3 places)", "Mara Quill founded Tinworks", "Odo Fenn founded Tinworks (denied)")
    assert report.edges == 3
    assert report == report_community(MEMBERS, TOKENIZER, SETTINGS, binding=Binding(BONDS[::-1], 5))


def test_bonds_beyond_the_first_are_counted() -> None:
    bonds = tuple(Bond("Tinworks", "stands_on", f"lane {number:02}") for number in range(30))
    report = report_community(MEMBERS, TOKENIZER, SETTINGS, binding=Binding(bonds, 30))
    assert (len(report.bonds), report.edges) == (8, 30)


def test_evidence_that_no_quote_shows_is_counted() -> None:
    whole = report_community(MEMBERS, TOKENIZER, SETTINGS, binding=Binding(BONDS, 5))
    assert (len(whole.quotes), whole.evidence_left_out) == (3, 2)
    assert report_community(MEMBERS, TOKENIZER, SummarizeSettings(report_quotes=1), binding=Binding(BONDS, 5)).evidence_left_out == 4


def test_the_quote_that_speaks_of_most_members_comes_first_and_all_are_cited() -> None:
    report = report_community(MEMBERS, TOKENIZER, SETTINGS)
    assert report.quotes[:2] == (BOUGHT, STANDS)
    assert report.text == " ".join(one.text for one in report.quotes)


def test_members_without_a_quote_are_counted() -> None:
    assert report_community(MEMBERS, TOKENIZER, SETTINGS).uncited == 1
    assert report_community(MEMBERS, TOKENIZER, SummarizeSettings(report_quotes=1)).uncited == 2


def test_topics_are_what_quotes_share_besides_the_names() -> None:
    members = [
        MemberEvidence("e1", "Mara Quill", 1, (quote("a", 0, "Mara Quill loved kettles."), quote("b", 0, "A kettle of Mara Quill was sold."))),
        MemberEvidence("e2", "Odo Fenn", 1, (quote("c", 0, "Odo Fenn mended kettles and a bell."),)),
    ]
    topics = report_community(members, TOKENIZER, SETTINGS).topics
    assert topics[0] == "kettles"
    assert not {"mara", "quill", "odo", "fenn", "and"} & set(topics)


def test_the_order_of_members_changes_nothing() -> None:
    assert report_community(MEMBERS[::-1], TOKENIZER, SETTINGS) == report_community(MEMBERS, TOKENIZER, SETTINGS)


def test_overlapping_quotes_are_not_both_cited() -> None:
    inner = quote("f1", 11, "founded Tinworks")
    members = [MemberEvidence("e1", "Mara Quill", 2, (FOUNDED,)), MemberEvidence("e2", "Tinworks", 1, (inner,))]
    report = report_community(members, TOKENIZER, SETTINGS)
    assert len(report.quotes) == 1
    assert report.uncited == 1


def test_a_hub_of_500_stays_within_the_budget_and_counts_the_rest() -> None:
    hub = MemberEvidence("hub", "Bank", 500, tuple(quote(f"c{n:03}", 0, f"Bank lends to firm {n:03}.") for n in range(500)))
    members = [hub, *(MemberEvidence(f"e{n:03}", f"firm {n:03}", 1, (hub.quotes[n],)) for n in range(500))]
    bonds = tuple(Bond("Bank", "lends_to", f"firm {n:03}") for n in range(500))
    report = report_community(members, TOKENIZER, SETTINGS, binding=Binding(bonds, 500))
    assert len(report.quotes) == SETTINGS.report_quotes
    assert report.uncited == 501 - 1 - SETTINGS.report_quotes
    assert report.evidence_left_out == 500 - SETTINGS.report_quotes
    assert report.title == "Bank, firm 000, firm 001 and 498 more: lends to"


def test_a_single_quote_beyond_the_budget_is_clipped_and_still_cited() -> None:
    long = quote("f1", 3, "Tinworks " + "rolls and stamps and trims and " * 60)
    report = report_community([MemberEvidence("e1", "Tinworks", 1, (long,))], TOKENIZER, SETTINGS)
    assert long.text.startswith(report.text)
    assert len(TOKENIZER.offsets(report.text)) <= SETTINGS.summary_tokens
    assert (report.quotes[0].start, report.uncited) == (3, 0)


@pytest.mark.parametrize("members", [[], [MemberEvidence("e1", "Low Farm", 1)], [MemberEvidence("e1", "Low Farm", 1, (quote("a", 0, "  "),))]])
def test_a_community_without_evidence_has_an_empty_text(members: list[MemberEvidence]) -> None:
    report = report_community(members, TOKENIZER, SETTINGS)
    assert (report.text, report.quotes, report.topics) == ("", (), ())
    assert report.uncited == len(members)


QUOTES = st.builds(quote, st.sampled_from("abc"), st.integers(0, 40), st.sampled_from(["Tinworks stands.", "铁厂在路上。", "?", "x" * 400, "y z " * 150]))
PEOPLE = st.builds(
    MemberEvidence,
    st.uuids().map(str),
    st.sampled_from(["Mara", "Tinworks", "n" * 5000, "铁" * 90, ""]),
    st.integers(0, 3),
    st.lists(QUOTES, max_size=4).map(tuple),
)


@given(members=st.lists(PEOPLE, max_size=8), data=st.data())
def test_any_members_give_a_sound_report(members: list[MemberEvidence], data: st.DataObject) -> None:
    settings = SummarizeSettings(summary_tokens=40, report_quotes=3)
    report = report_community(members, TOKENIZER, settings)
    given_quotes = [one for member in members for one in member.quotes]
    assert all(any((one.content_id, one.start) == (q.content_id, q.start) and q.text.startswith(one.text) for q in given_quotes) for one in report.quotes)
    assert sum(len(TOKENIZER.offsets(one.text)) for one in report.quotes) <= 40
    assert len(report.quotes) <= 3
    assert bool(report.quotes) == any(one.text.strip() for one in given_quotes)
    assert len(TOKENIZER.offsets(report.title)) <= 60
    assert 0 <= report.uncited <= len(members)
    assert report_community(data.draw(st.permutations(members)), TOKENIZER, settings) == report
