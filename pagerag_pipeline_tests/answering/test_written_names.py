"""A name counts as said where the evidence writes it as a name, misspelled or not."""

from dataclasses import replace

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.written_names import lost_names
from pagerag_pipeline_tests.answering.evidence import shown


def lost(question: str, *texts: str) -> float:
    return lost_names(read_question(question), shown(*texts))


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        ("Who met the Time Traveller?", "Filby met the Time Traveller.", 0.0),
        ("Who met the Time Traveller?", "A traveller lost his time at the inn.", 1.0),
        ("Did Odo Fenn meet Mara Quill?", "Odo Fenn came alone.", 0.5),
        ("What did Mara Quill buy?", "Mara bought a mill.", 0.5),
        ("What is a mill?", "No name stands here.", 0.0),
        ("What did Anthony Rodgers learn?", "Anthony Rogers learned to fly.", 0.0),
        ("Why did Matillda weep?", "Matilda wept.", 0.0),
        ("Why did Matilda weep?", "Mathilde wept.", 1.0),
        ("What did Tom do?", "Tim slept.", 1.0),
    ],
)
def test_names_are_lost_that_no_text_writes_as_names(question: str, text: str, share: float) -> None:
    assert lost(question, text) == share


def test_a_name_may_stand_in_the_heading() -> None:
    (item,) = shown("The mill burned down.")
    assert lost_names(read_question("When did Tinworks burn down?"), (replace(item, context="Tinworks > The fire"),)) == 0.0


def test_names_are_lost_when_there_is_no_evidence() -> None:
    assert lost("Who is Mara Quill?") == 1.0
