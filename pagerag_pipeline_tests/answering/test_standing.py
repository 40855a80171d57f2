"""A span answers alone only where its sentence says it of what is asked; where none does, the sentence stands whole."""

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.candidates import candidates
from pagerag_pipeline.answering.standing import may_stand, whole_span
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.settings import ExtractSettings
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)
TAGGER = load_tagger(ExtractSettings())


def standing(question: str, sentence: str) -> list[str]:
    """The spans of a sentence that may answer alone, best first, each once."""
    asked, tagged = read_question(question), TAGGER.tag([sentence], "en")[0]
    found = [one for one in candidates(sentence, tagged, asked) if may_stand(one, sentence, tagged, asked)]
    return list(dict.fromkeys(whole_span(one, sentence, tagged, asked) for one in found))


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Who was elected mayor?", "Clara Voss was elected mayor in May; Peter Lund became clerk in her place.", ["Clara Voss"]),
        ("Who became clerk?", "Clara Voss was elected mayor in May; Peter Lund became clerk in her place.", ["Peter Lund"]),
        ("Who founded the brewery?", "Thomas Reed, who founded the brewery, sold it to Walter Hahn.", ["Thomas Reed"]),
        ("Who built the organ?", "The organ, which was built by Samuel Green, was repaired by John Avery.", ["Samuel Green"]),
        ("Who repaired the organ?", "The organ, which was built by Samuel Green, was repaired by John Avery.", ["John Avery"]),
        ("Who painted the ceiling?", "While Robert Moss paid for the scaffolding, Helen Carr painted the ceiling.", ["Helen Carr"]),
        ("Whom did Robert Moss teach?", "Robert Moss taught Helen Carr, and Anna Lind paid him.", ["Helen Carr"]),
        ("Who published the poems?", "The poems were published by Halder and Sons in 1956.", ["Halder and Sons"]),
        ("Who was arrested?", "The police arrested George Hale after Martin Pike had complained.", ["George Hale"]),
    ],
)
def test_a_name_is_taken_from_the_clause_that_says_what_is_asked(question: str, sentence: str, answer: list[str]) -> None:
    assert standing(question, sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who is the treasurer?", "Clara Voss spoke first; the treasurer was ill that night."),
        ("Who is chair of the club?", "Hester Mallory has resigned as chair of the club."),
        ("Who opened the theater?", "The theater was opened in Leeds."),
        ("Who won the debate?", "The debate was held in Upper Norwood."),
        ("Who attacked Walter Hahn?", "The wolves attacked Walter Hahn and George Hale."),
        ("Who did Anna marry?", "Anna Lindqvist married late in life."),
        ("Who designed the bridge over the Tamar?", "The Royal Albert Bridge over the Tamar was designed to carry a railway."),
        ("When was the town hall rebuilt?", "The town hall was built in 1611 and burned down in 1702."),
        ("When did Anna Lind marry?", "Anna Lind was born in 1922, the daughter of the fisherman Nils Lind and his wife Helen."),
        ("Where was Anna Lind born?", "Anna Lind was born the daughter of the fisherman Nils Lind and his wife Berta."),
        ("Where did Anna Lind spend her youth?", "Anna Lind went to school in Bergen."),
        ("Who is Martin Pike?", "Sergeant Martin Pike came in with George Hale."),
        ("The bridge was designed by an engineer who studied in what city?", "The bridge was designed by Helen Carr."),
    ],
)
def test_no_other_name_or_date_stands_in_for_an_answer(question: str, sentence: str) -> None:
    assert standing(question, sentence) == []


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Where was the fair held?", "The fair was held in Leeds.", ["Leeds"]),
        ("Where is the largest club located?", "The largest club is in Leeds.", ["Leeds"]),
        ("In which city did Helen Carr study?", "Helen Carr studied in Vienna under Robert Moss.", ["Vienna"]),
        ("Where did the abbot hide the letter?", "The abbot hid the letter under the altar stone.", ["under the altar stone"]),
        ("In which city did Helen Carr study?", "Helen Carr studied by the river under Robert Moss.", []),
        ("Where was the treaty signed?", "Otto Hahn signed for France; the treaty is lost.", []),
        ("Where did the rider meet Anna?", "Anna saw the rider, who was wrapped in a cloak, and he met her gaze.", []),
    ],
)
def test_a_place_is_where_the_deed_was_done_and_nobody(question: str, sentence: str, answer: list[str]) -> None:
    assert standing(question, sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("How many rooms does the inn have?", "The inn has twelve rooms and three stables.", ["twelve"]),
        ("How many stables does the inn have?", "The inn has twelve rooms and three stables.", ["three"]),
        ("How many rooms does the inn have?", "The inn of many rooms was built by forty masons.", []),
        ("How many widows lived in the row?", "She was called the widow of the row, though there were nine.", ["nine"]),
        ("How many envelopes did she keep?", "Every envelope that she kept was one of the old ones.", []),
        ("How tall is the tower?", "The tower, built by 30 men, is 115 feet tall.", ["115 feet"]),
        ("How tall is the tower?", "The tower has stood for 300 years.", []),
        ("How heavy is the bell?", "The bell, cast in 3 days, weighs two tons.", ["two tons"]),
        ("What percentage of the voters agreed?", "Of 412 voters, 65% agreed.", ["65%"]),
    ],
)
def test_a_number_counts_or_measures_what_is_asked(question: str, sentence: str, answer: list[str]) -> None:
    assert standing(question, sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("By how much was the gauge too low?", "The gauge beside the three steps was eight inches too low.", ["eight inches"]),
        ("By how much did the price rise?", "The price rose by four crowns for the two loaves.", ["four crowns"]),
        ("By how much was the gauge too low?", "The gauge stood as tall as three men.", []),
        ("How much taller is the new mast?", "The new mast is six feet taller than the old one of 40 feet.", ["six feet"]),
        ("How much water did the barge draw?", "The barge drew nine feet of water.", ["nine feet"]),
    ],
)
def test_a_difference_is_one_and_no_number_beside_it(question: str, sentence: str, answer: list[str]) -> None:
    assert standing(question, sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("On what date did the mill burn?", "The mill burned on the eighteenth of March, 1885.", ["the eighteenth of March, 1885"]),
        ("On what date did the mill burn?", "The mill burned in March.", []),
        ("In what year did the mill burn?", "The mill burned in March.", []),
        ("In which century was the mill built?", "The mill was built in the 17th century and described in June 2005.", ["17th century"]),
        ("When was the war fought?", "The war was fought from 1562 to 1598.", ["1562 to 1598"]),
        ("When did the war begin?", "The war lasted from 1562 to 1598 and began badly.", ["1562", "1598"]),
        ("When did the school close?", "The school closed in 1931; the hall was sold in 1950.", ["1931"]),
        ("On what day did Clara Voss die?", "Clara Voss died in 1920 and was buried on 4 May 1920.", []),
        ("On what day did Clara Voss die?", "Clara Voss, who was born on 4 May 1850, died in London.", []),
        ("On what day did Clara Voss die?", "Clara Voss died on Monday, 4 May 1920.", ["Monday, 4 May 1920"]),
        ("When was the mill built?", "The mill, which burned in 1920, was built by Peter Lund.", []),
        ("When was the mill built?", "The mill was built and opened in 1901.", ["1901"]),
        ("When did Clara Voss found the brewery?", "Clara Voss, who founded the brewery in 1901, died in 1920.", ["1901"]),
        ("When did Peter Lund return?", "After the war ended in 1918, Peter Lund returned.", []),
    ],
)
def test_a_date_is_whole_and_of_the_unit_asked_for(question: str, sentence: str, answer: list[str]) -> None:
    assert standing(question, sentence) == answer


def test_years_that_passed_are_no_age() -> None:
    assert standing("How old was Peter Lund when the mill burned?", "Peter Lund spoke of it ten years after the mill burned.") == []
    assert standing("How old was Peter Lund when the mill burned?", "Peter Lund was ten years old when the mill burned.") != []


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("Peter Lund died at the age of 70.", ["70"]),
        ("Peter Lund, aged 34, was arrested.", ["34"]),
        ("The 34-year-old Peter Lund was arrested.", ["34-year-old"]),
        ("Peter Lund was 70 when the mill burned.", ["70"]),
        ("Peter Lund worked for 12 years at the mill.", []),
        ("Peter Lund had been a teacher for 8 years.", []),
    ],
)
def test_an_age_is_told_as_one(sentence: str, answer: list[str]) -> None:
    assert standing("How old was Peter Lund?", sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("How long is the bridge?", "The bridge is 300 meters long and took 3 years to build.", ["300 meters"]),
        ("How long is the bridge?", "The bridge took 3 years to build.", []),
        ("How long did it take to build the bridge?", "It took 3 years to build the bridge of 300 meters.", ["3 years"]),
        ("How long was the reign of Otto?", "Otto reigned for 12 years.", ["12 years"]),
        ("How long was Otto king?", "Otto was king for 12 years.", ["12 years"]),
        ("How long has the bridge been closed?", "The bridge has been closed for 3 years.", ["3 years"]),
    ],
)
def test_things_are_long_by_length_and_deeds_by_time(question: str, sentence: str, answer: list[str]) -> None:
    assert standing(question, sentence) == answer


def test_which_of_two_is_none_but_the_two() -> None:
    told = "Helen Carr was taller than Peter Lund."
    assert standing("Who was taller, Peter Lund or Clara Voss?", told) == []
    assert standing("Who was taller than Peter Lund?", told) == ["Helen Carr"]


def test_where_no_span_may_stand_the_sentence_answers() -> None:
    decision = gate("How many rooms does the inn have?", "The inn of many rooms was built by forty masons.", settings=OPEN)
    assert decision.answer == "The inn of many rooms was built by forty masons."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("On which days is the bakery open?", "Friday to Sunday"),
        ("On which days is the bakery open under its latest hours?", "Wednesday to Sunday"),
    ],
)
def test_days_are_told_as_a_run(question: str, answer: str) -> None:
    old = "Note of 4 March 2019. The bakery is open from Friday to Sunday."
    new = "Note of 11 May 2020. From Wednesday 20 May we shall be open from Wednesday to Sunday, and the cart of the bakery stays."
    assert gate(question, old, new, settings=OPEN).answer == answer


def test_what_holds_after_a_date_is_not_told_by_an_earlier_source() -> None:
    text = "Note of 4 March 2019. Hester Mallory is chair of the club."
    assert gate("Who is chair of the club?", text, settings=OPEN).answer == "Hester Mallory"
    assert gate("Who is chair of the club after June 2021?", text, settings=OPEN).answer != "Hester Mallory"


def test_a_relation_that_the_fullest_sentences_do_not_say_is_looked_for_beside_them() -> None:
    founding = "Note of 4 March 2019. We met in Larkhope and founded the Quern Street Bakery Club. Hester Mallory was elected as chair of the club."
    change = "Note of 7 June 2021. Hester Mallory has resigned as chair. Bridie Lockhart was elected as chair; Jonah Pell becomes secretary in her place."
    assert gate("Who is now the secretary of the Quern Street Bakery Club?", founding, change, settings=OPEN).answer == "Jonah Pell"
    after = gate("Who is chair of the Quern Street Bakery Club after June 2021?", founding, change, settings=OPEN)
    assert after.answer == "Bridie Lockhart"
    assert any("Bridie Lockhart" in sentence.text for sentence in after.cited)
