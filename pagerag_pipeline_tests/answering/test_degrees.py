"""A degree is told in its units, of what is asked about."""

import time

import pytest

from pagerag_pipeline.answering.degrees import degree_asked, measures, untold_degree


@pytest.mark.parametrize(
    ("question", "text", "untold"),
    [
        ("How high is the tower?", "The tower is 40 meters high.", ""),
        ("How high is the tower?", "The tower is 40 years old.", "how high it is"),
        ("How heavy is the bell?", "The bell weighs two tons.", ""),
        ("How heavy is the bell?", "The bell is two feet wide.", "how heavy it is"),
        ("How far is it from Tarn to Orne?", "From Tarn to Orne it is a walk of three hours.", ""),
        ("How long is the bridge?", "The bridge was built in 3 years.", "how long it is"),
        ("How long is the play?", "The play lasts from dusk for more hours than anybody can sit.", ""),
        ("How large is the memory?", "The laptop has 32 GB.", ""),
        ("How big is the memory of the unit?", "The unit stores 2 gigabytes of readings.", ""),
        ("How large is the tank?", "The tank holds 5,000 litres.", ""),
        ("How large is the park?", "The park covers 12 km\u00b2.", ""),
        ("How large is the collection?", "The collection has 4,200 books.", ""),
        ("How large is the park?", "The park was laid out in 1902.", "how large it is"),
        ("How tall is the case?", "The case is 9 centimeters tall.", ""),
        ("How fast can the hawk fly?", "The hawk flies at 180 km/h.", ""),
        ("How fast can the hawk fly?", "The hawk flies for 3 hours.", "how fast it is"),
        ("How heavy is the bell?", "The bell weighs 560g.", ""),
        ("How often does the ferry sail?", "The ferry sails.", ""),
        ("Who built the tower?", "Odo Fenn did.", ""),
    ],
)
def test_a_degree_without_its_units_is_untold(question: str, text: str, untold: str) -> None:
    assert untold_degree(question, [text]) == untold


@pytest.mark.parametrize(
    ("question", "behind", "so"),
    [
        ("How far can the lamp be seen?", " high", False),
        ("How far is the inn?", " in height", False),
        ("How far is the inn?", " away", True),
        ("How high is the lamp?", " tall", True),
        ("How large is the lamp?", " high", True),
        ("How wide is the lamp?", " and its", True),
    ],
)
def test_a_measure_of_another_degree_is_none(question: str, behind: str, so: bool) -> None:
    assert measures(question, degree_asked(question), "31 metres", ("It stands ", behind)) is so


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How old is it?", "1 " * 10_000),
        ("How old is it?", "A" * 20_000 + " 1"),
        ("How long is it?", "last " * 4_000),
        (f"How long is the {' ' * 20_000}\x00", "It is."),
        ("How long is the " * 1_250 + "\x00", "It is."),
    ],
)
def test_long_texts_take_no_more_than_their_length(question: str, text: str) -> None:
    begun = time.process_time()
    untold_degree(question, [text])
    measures(question, degree_asked(question), "5", (text, text))
    assert time.process_time() - begun < 1.5
