"""Quotes on the right names are no answer when the deed, its date or its being done is left unsaid."""

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.extractive import extract_sentences
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.unsaid import STORY, find_gap
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import RULES, gate, shown, statistics

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)


@pytest.mark.parametrize(
    ("question", "text", "why"),
    [
        ("Why did Odo Fenn burn the ledger?", "Odo Fenn kept the ledger of Tinworks because it was old.", "no source says"),
        ("Did Mara Quill and Odo Fenn ever drink their wine in the garden?", "Mara Quill and Odo Fenn stood on the doorstep.", "something else"),
        ("What reply did the council of Tarn give?", "The council of Tarn must reply by May.", "planned or due"),
        ("What did the surveyor of Tarn measure?", "The council will instruct the surveyor of Tarn to measure the storms.", "planned or due"),
        ("Who was elected chair of the guild in November 2021?", "Note of 2 December 2019: elected as chair of the guild was Hester Roe.", "another time"),
        ("When was Car 2 scrapped?", "Car 3 was scrapped in 1958.", "the quotes are of Car 3, not of Car 2"),
        ("How many passengers does Car 4 seat?", "Car 1 seats 24 passengers.", "the quotes are of Car 1, not of Car 4"),
        ("Who led Tarn in 1902?", "Odo Fenn led Tarn in 1898. In 1902 it rained for weeks.", "another time than 1902"),
        ("Who won Tarn Bowl 2021?", "Orne United won the Tarn Bowl in 2022.", "another time than 2021"),
        ("Which bell did Mara Quill of Tarn cast in 1902?", "Mara Quill of Tarn cast the bell Ruth in 1887.", "another time than 1902"),
        ("When was the Tarn Bowl of 2021 played?", "The Tarn Bowl was played on 13 February 2022.", "another time than 2021"),
        ("What did Tarn Mill earn in Q2 2020?", "In the first quarter of 2020 Tarn Mill earned 5 million.", "the quotes tell 1 where the question says 2"),
        ("Who led the second expedition to Tarn?", "Ada Quill led the first expedition to Tarn.", "the quotes tell 1 where the question says 2 (expedition)"),
        ("Who taught the 300 pupils of the school?", "Ada Quill taught the 200 pupils of the school.", "the quotes tell 200 where the question says 300"),
        ("When was the bridge that cost 300 pounds built?", "The bridge cost 800 pounds and was built in 1901.", "the quotes tell 800"),
        ("On what day did Anna Roe die?", "Anna Roe died in the spring of 1920.", "no quote tells a day"),
        ("In what month did Anna Roe die?", "Anna Roe died in 1920.", "no quote tells a month"),
        ("How old was Anna Roe when she died?", "Anna Roe died 12 years later.", "no quote tells an age"),
        ("How old was Anna Roe when she married?", "Anna Roe taught for 8 years before she married.", "no quote tells an age"),
        ("How long is the bridge of Orne?", "The bridge of Orne took 3 years to build.", "no quote tells how long it is"),
        ("How long did it take to build the bridge?", "The bridge that they took long to build is 300 meters long.", "no quote tells how long it is"),
        ("When was version 2.2 of the guide printed?", "In March the guide as version 2.1 was printed on 2 May 1901.", "of version 2.1, not of version 2.2"),
        ("When was the pier rebuilt?", "The pier was built in 1887. It was opened in spring.", "no quote says rebuilt"),
        ("When was the pier rebuilt?", "The pier was opened in 1887. The mill is old. It was rebuilt in 1709.", "no quote says rebuilt"),
        ("Who designed the pier?", "The mill was rebuilt in 1709. It was designed by Josiah Penn.", "of something else than pier"),
        ("Who translated the ballad?", "The ballad was printed in 1901 and was translated into nine tongues.", "no quote says who did it"),
        ("How many clerks does Tinworks have?", "Clerks of Tinworks may not take gifts worth more than $50.", "how many clerks"),
        ("What did Tinworks pay in 1901?", "In 1898 Tinworks paid forty crowns. Tinworks was sold to Odo Fenn in 1901.", "another time than 1901"),
        ("What did Mara Quill study in Orne?", "Mara Quill died in Orne. Her letters are kept at the university.", "no source says that it happened"),
        ("Who makes the red paint?", "Odo Fenn makes the blue paint.", 'no quote tells of "red paint"'),
        ("Who makes the red paint?", "Odo Fenn makes the paint.", 'no quote tells of "red paint"'),
        ("Where is the wooden bridge?", "The stone bridge is in Tarn.", 'no quote tells of "wooden bridge"'),
        ("Who keeps the old mill?", "Odo Fenn keeps the new mill.", 'no quote tells of "old mill"'),
    ],
)
def test_what_is_left_unsaid_is_refused_and_named(question: str, text: str, why: str) -> None:
    decision = gate(question, text, "It rained from June to November 2021.", settings=OPEN)
    assert (decision.status, decision.reason) == ("refused", "insufficient")
    assert why in decision.missing[0]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Why did Odo Fenn burn the ledger?", "Odo Fenn burned the ledger because it was false."),
        ("Did Mara Quill ever drink wine?", "Mara Quill drank wine on the doorstep."),
        ("What reply did the council of Tarn give?", "The council of Tarn replied that it would wait."),
        ("What must the surveyor of Tarn measure?", "The surveyor of Tarn must measure the storms."),
        ("Who was elected chair of the guild in November 2021?", "Note of 29 November 2021: elected as chair of the guild was Hester Roe."),
        ("Who was elected chair of the guild after June 2021?", "Note of 2 December 2022: elected as chair of the guild was Hester Roe."),
        ("When was Car 3 scrapped?", "Car 3 was scrapped in 1958, Car 2 in 1960."),
        ("When did Apollo 11 land?", "Apollo 11 landed in July 1969, two months after Apollo 10."),
        ("Who was elected chair of the guild in 2021?", "Elected as chair of the guild was Hester Roe."),
        ("Who was mayor of Tarn in 1902?", "Odo Fenn was mayor of Tarn from 1898 to 1906."),
        ("Who was mayor of Tarn in 1902?", "Odo Fenn has been mayor of Tarn since 1898."),
        ("Who was mayor of Tarn in 1902?", "In 1902 the council of Tarn met. Odo Fenn was mayor of Tarn."),
        ("Who won the cup in 2021?", "Tarn United won the cup in the 2020\u201321 season."),
        ("What did Tarn Mill earn in the third quarter of 2020?", "In Q3 2020 Tarn Mill earned 4 million dollars."),
        ("Which school in Tarn has 1500 pupils?", "Low School in Tarn has 1,500 pupils and was founded in 1902."),
        ("How old was Anna Roe when she died?", "Anna Roe died at the age of 70."),
        ("How old was Anna Roe?", "Anna Roe, 34, was elected."),
        ("How long is the bridge of Orne?", "The bridge of Orne is 300 meters long."),
        ("How long did the siege of Orne last?", "The siege of Orne lasted 3 years."),
        ("How long is the film?", "The film is 90 minutes long."),
        ("How long was Orne the capital?", "Orne, a town of 30 houses, was the capital until 1796."),
        ("Who bought 20th Century Fox?", "In the 21st century Tarn Pictures bought 20th Century Fox."),
        ("When was version 2.1 of the guide printed?", "In March the guide as version 2.1 was printed on 2 May 1901."),
        ("When was the pier rebuilt?", "The pier is long. After a storm the pier was rebuilt in 1709."),
        ("Who rebuilt the old mill?", "The old mill was burned down in 1702. It was rebuilt in 1709 to designs by Odo Fenn."),
        ("Who translated the ballad?", "The ballad was translated into nine tongues by Odo Fenn."),
        ("Who kept the lamp lit?", "Odo Fenn never let the lamp go out."),
        ("How many clerks does Tinworks have?", "The clerks of Tinworks are forty strong."),
        ("How many times was the price raised?", "The price was raised twice in 1902."),
        ("What did Mara Quill study in Orne?", "In Orne Mara Quill studied law."),
        ("What did Mara Quill try to sell in Orne?", "In Orne Mara Quill attempted to sell bees."),
        ("What did Mara Quill do in Orne?", "In Orne Mara Quill kept bees."),
        ("Who makes the red paint?", "Odo Fenn makes the red paint."),
        ("Who built the wooden bridge?", "The bridge was built of timber by Odo Fenn."),
        ("Who makes the red paint?", "The paint is red. Odo Fenn makes the paint."),
        ("Who keeps the Red Lion?", "Odo Fenn keeps the Red Lion."),
        ("Who keeps the old mill?", "Odo Fenn keeps the mill."),
    ],
)
def test_what_is_said_is_answered(question: str, text: str) -> None:
    assert gate(question, text, "It rained from June to November 2021.", settings=OPEN).status == "answered"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wer war nach 1902 B\u00fcrgermeister von Tarn?", "B\u00fcrgermeister von Tarn war 1905 Odo Fenn."),
        ("Qui dirigeait Tarn avant 1902 ?", "Odo Fenn dirigeait Tarn en 1898."),
    ],
)
def test_rules_that_read_english_leave_other_languages_alone(question: str, text: str) -> None:
    assert gate(question, text, settings=OPEN).status == "answered"


@pytest.mark.parametrize(
    ("question", "story", "gap"),
    [
        ("Who designed the pier?", 0.0, "of something else than pier"),
        ("Who designed the pier?", STORY, ""),
        ("who designed the pier", 0.0, ""),
    ],
)
def test_deeds_of_stories_and_of_questions_without_capitals_may_be_told_in_other_words(question: str, story: float, gap: str) -> None:
    text = "The mill was rebuilt in 1709. It was designed by Josiah Penn."
    asked = read_question(question)
    wanted, sentences = weigh(asked, statistics(text)), evidence_sentences(shown(text), RULES)
    extract = extract_sentences(asked, wanted, sentences, RULES, settings=OPEN)
    assert extract is not None
    assert (gap in (found := find_gap(asked, wanted, extract, sentences, story=story))) and bool(found) is bool(gap)
