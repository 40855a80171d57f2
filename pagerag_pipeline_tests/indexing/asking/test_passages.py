"""Partitions, records and profiles by a model."""

from collections.abc import Iterator
from typing import Any

import pytest

from pagerag_pipeline.indexing.asking.partition import Parted, ask_partition
from pagerag_pipeline.indexing.asking.profile import Described, ask_profile, excerpts, reading
from pagerag_pipeline.indexing.asking.records import Filed, ask_records
from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.schema.knowledge import EntityPassage
from pagerag_pipeline.settings import PartitionSettings
from pagerag_pipeline_tests.fakes import WordTokenizer
from pagerag_pipeline_tests.models.chat.opened import opened
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

PARAGRAPHS = [f"Paragraph {n} tells of Odo Fenn and the bell that he rang." for n in range(6)]
TEXT = "\n\n".join(PARAGRAPHS)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


def segment(first: int, last: int, entity: str = "Odo Fenn", kind: str = "person") -> dict[str, Any]:
    return {"first": first, "last": last, "entity": entity, "entity_type": kind}


def parted(server: ScriptedServer, *replies: list[dict[str, Any]], text: str = TEXT, most: int = 1200) -> Parted:
    server.says(*(Say({"segments": reply}) for reply in replies))
    found = ask_partition(text, "", opened(server).chat.model("extract"), tokenizer=WordTokenizer(), settings=PartitionSettings(most_tokens=most))
    assert isinstance(found, Parted), found
    assert "".join(text[one.start : one.end] for one in found.passages) in ("", text)
    return found


def test_a_sound_partition_is_taken_as_it_is(server: ScriptedServer) -> None:
    found = parted(server, [segment(0, 3), segment(4, 5, "", "other")])
    assert [(one.entity, one.entity_type) for one in found.passages] == [("Odo Fenn", "PERSON"), ("", "")] and not found.repaired and server.calls == 1


def test_a_gap_is_asked_about_once_and_then_repaired_by_rule(server: ScriptedServer) -> None:
    found = parted(server, [segment(0, 1), segment(3, 5)], [segment(0, 1), segment(4, 5)])
    assert found.repaired and server.calls == 2 and "blocks 2 stand in no segment" in server.prompts()[1]
    assert [TEXT[one.start : one.end].count("Paragraph") for one in found.passages] == [4, 2]


def test_no_passage_has_more_tokens_than_allowed_however_the_model_parts_it(server: ScriptedServer) -> None:
    found = parted(server, [segment(0, 5)], most=40)
    assert len(found.passages) > 1 and max(one.tokens for one in found.passages) <= 40


def test_one_block_is_not_asked_about(server: ScriptedServer) -> None:
    assert parted(server, [], text="One line.").passages == () and server.calls == 0


def record(**changes: Any) -> dict[str, Any]:
    given = {
        "entity": "Odo Fenn", "entity_type": "person", "category": "property", "field": "Number of bells", "value": "3", "value_is_entity": False,
        "modality": "asserted", "qualifiers": [], "quote": "had 3 bells",
    }  # fmt: skip
    return {**given, **changes}


def test_records_are_bound_in_their_passage_and_those_that_are_not_are_counted(server: ScriptedServer) -> None:
    text = "Mara had 3 bells. Odo Fenn had 3 bells."
    passages = [EntityPassage(0, 18, 5, "Mara", "PERSON"), EntityPassage(18, len(text), 6, "Odo Fenn", "PERSON")]
    server.says(Say({"records": []}), Say({"records": [record(), record(quote="owned 99 ships"), record(value="17"), {"entity": "x"}]}))
    filed = ask_records(text, passages, opened(server).chat.model("extract"), context="Bells", ontology=load_ontology())
    assert isinstance(filed, Filed) and server.calls == 2 and filed.unbound == 2 and len(filed.rejected) == 1
    (kept,) = filed.records
    assert (kept.entity_type, kept.field, text[kept.start : kept.end], kept.start) == ("PERSON", "number_of_bells", "had 3 bells", 27)
    assert ("number", "3") in kept.qualifiers


def test_a_profile_has_topics_whose_weights_sum_to_one(server: ScriptedServer) -> None:
    topics = [{"label": "Bells", "weight": 0.5}, {"label": "bells", "weight": 0.3}, {"label": "Tin", "weight": 0.4}, {"label": "", "weight": 1.0}, {"label": "sea", "weight": 0.1}]
    server.says(Say({"form": "fiction", "form_confidence": 0.9, "mode": "narrative", "mode_confidence": 0.7, "topics": topics, "language": "EN", "rationale": "It tells."}))
    found = ask_profile(TEXT * 400, "Bells", ["One", "Two"], opened(server).chat.model("extract"), topics=2)
    assert isinstance(found, Described) and found.language == "en"
    assert found.topics == (("bells", 0.6667), ("tin", 0.3333)) and server.calls == 1
    assert len(server.prompts()[0]) / 3 < 8_192


def test_excerpts_are_beginning_middle_and_end() -> None:
    assert excerpts("abc", 2) == ["abc"] and excerpts("abcdefghi", 2) == ["ab", "de", "hi"]


def test_an_edit_outside_the_excerpts_leaves_what_a_profile_reads() -> None:
    paragraphs = [f"Paragraph {number} tells of bell {number}, and of nothing else that anybody in the yard had asked for." for number in range(400)]
    text = "\n\n".join(paragraphs)
    before = reading(text, "Bells", ["One"], topics=5)
    for place in (120, 390 - 120):
        changed = "\n\n".join([*paragraphs[:place], "A heron was seen on the roof of the boat-house.", *paragraphs[place + 1 :]])
        assert (reading(changed, "Bells", ["One"], topics=5) == before) == (paragraphs[place] not in excerpts(text, 3_200)[1])
    for other in (reading(f"First. {text}", "Bells", ["One"], topics=5), reading(text, "Tin", ["One"], topics=5), reading(text, "Bells", ["Two"], topics=5)):
        assert other != before
