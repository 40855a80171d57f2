"""Reading a question: its type of answer, its names, its parts, the relation it asks for."""

import time

import pytest

from pagerag_pipeline.answering.asked import MOST_PARTS, answer_type, question_names, read_question, split_question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who bought Tinworks?", "person"),
        ("In which year was Tinworks founded?", "time"),
        ("When did it open?", "time"),
        ("What is the release date of Harbor Lights?", "time"),
        ("What is the date of the autumn fair?", "time"),
        ("What is the date palm grown for?", "thing"),
        ("Where does Tinworks stand?", "place"),
        ("What is the location of the kiln?", "place"),
        ("Autumn fair 2021 location", "place"),
        ("Autumn fair 2021 date", "time"),
        ("What was Tinworks' revenue in 1912?", "money"),
        ("What was the effect of the budget?", "thing"),
        ("What is her birthplace?", "place"),
        ("How many rooms has it?", "number"),
        ("How old was she when she died?", "number"),
        ("What did the lease cost?", "thing"),
        ("What price was paid for the lease?", "money"),
        ("What is the annual rent of a full plot?", "money"),
        ("How much is the prize worth?", "money"),
        ("How much does the ticket cost?", "money"),
        ("How much rain fell?", "number"),
        ("How fast can the hawk fly?", "number"),
        ("How fast did the news spread?", "thing"),
        ("What color is the roof?", "color"),
        ("Why did he leave?", "reason"),
        ("Did he leave in 1912?", "yes_no"),
        ("What are the main themes?", "theme"),
        ("What did the smith make?", "thing"),
    ],
)
def test_the_type_of_answer_is_read_from_the_words(question: str, kind: str) -> None:
    assert answer_type(question) == kind


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who sold Tinworks to Odo Fenn?", ("Tinworks", "Odo Fenn")),
        ("Did Mara Quill leave?", ("Mara Quill",)),
        ("Where did the bell hang?", ()),
        ("Who wrote \u201cthe long night\u201d?", ("the long night",)),
        ("How many years older is A?", ("A",)),
        ("Is plan A better than B?", ("A", "B")),
        ("Who wrote A Tale of Hale?", ("A Tale of Hale",)),
    ],
)
def test_names_are_what_is_written_as_names(question: str, names: tuple[str, ...]) -> None:
    assert question_names(question) == names


def test_capitals_of_another_language_are_not_taken_for_english_names() -> None:
    assert not read_question("Woraus bestand das Seil?").english
    assert read_question("Who sold Tinworks to Odo Fenn?").english
    assert read_question("Who won Super Bowl 2021?").english


def test_the_chief_term_is_the_relation_and_not_a_name() -> None:
    assert read_question("Who owned Tinworks after its founder?").chief == "own"
    assert read_question("Whom did Mara Quill sell Tinworks to?").object_asked


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who founded Tinworks and where was she born?", ["Who founded Tinworks", "where was she born"]),
        ("Who founded Tinworks? When did Tinworks close?", ["Who founded Tinworks", "When did Tinworks close"]),
        ("What are the founder of Tinworks and her birthplace?", ["What are the founder of Tinworks", "What are her birthplace"]),
        ("Who bought bread and butter?", ["Who bought bread and butter?"]),
    ],
)
def test_a_question_of_two_parts_is_split_and_others_are_not(question: str, parts: list[str]) -> None:
    assert [part.text for part in split_question(question)] == parts


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("What was the maiden name of the Widow of Cable Row?", {"maiden"}),
        ("What is Tarn Mill's capacity?", {"capac"}),
        ("Which joiner made the bench?", {"joiner"}),
        ("What electric oven did they buy?", {"electr", "oven"}),
        ("In which three villages were cisterns dug?", {"villag"}),
        ("What is the rent that Odo Fenn pays?", {"rent"}),
        ("What is the name of the bell?", set()),
        ("What was the real cause of the fire?", set()),
        ("What did the smith make?", set()),
        ("What was kept in the box?", set()),
        ("What did he ask for, which his daughter found?", set()),
        ("Who founded Tinworks?", set()),
    ],
)
def test_the_noun_asked_for_is_read_without_what_grades_it(question: str, head: set[str]) -> None:
    assert read_question(question).head == head


def test_a_part_asked_again_is_one_part_and_a_text_of_many_questions_is_one_whole() -> None:
    assert [part.text for part in split_question("Who founded Tinworks? When was it sold? Who founded Tinworks?")] == ["Who founded Tinworks", "When was it sold"]
    many = " ".join(f"Who founded Works{number}?" for number in range(MOST_PARTS + 1))
    assert [part.text for part in split_question(many)] == [many]


@pytest.mark.parametrize("text", [" " * 20_000, "who is a" + " " * 20_000 + "b", "who is " + "a and " * 4_000, "\n" * 20_000, "A of " * 5_000])
def test_a_question_without_end_takes_no_more_than_its_length(text: str) -> None:
    begun = time.process_time()
    split_question(text)
    assert time.process_time() - begun < 1.5


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Wer verkaufte Tinworks?", ("verkauft", "tinwork")),
        ("Qui a vendu Tinworks ?", ("vendu", "tinwork")),
        ("\u00bfCu\u00e1ndo vendieron Tinworks?", ("vendieron", "tinwork")),
        ("\u05de\u05d9 \u05d9\u05d9\u05e1\u05d3 Tinworks?", ("\u05d9\u05d9\u05e1\u05d3", "tinwork")),
        ("\u0645\u062a\u0649 \u062a\u0627\u0633\u0633\u062a Tinworks\u061f", ("\u062a\u0627\u0633\u0633\u062a", "tinwork")),
        ("Tinworks\u306f\u3044\u3064\u8a2d\u7acb\u3057\u307e\u3057\u305f\u304b\uff1f", ("tinwork", "\u8a2d\u7acb")),
        ("\u8c01\u521b\u7acb Tinworks\uff1f", ("\u521b\u7acb", "tinwork")),
        ("Who made the dove in the comment?", ("made", "dove", "comment")),
        ("Comment on Tinworks", ("comment", "tinwork")),
        ("How large is the park?", ("park",)),
        ("How many parks are there?", ("park",)),
        ("Are there many parks?", ("mani", "park")),
        ("Is the park large?", ("park", "larg")),
    ],
)
def test_words_that_ask_in_other_languages_or_for_a_size_are_nothing_that_evidence_must_say(question: str, terms: tuple[str, ...]) -> None:
    assert read_question(question).terms == terms


def test_a_number_before_a_unit_belongs_to_no_name() -> None:
    assert question_names("Is Iron Bridge 300 metres long?") == ("Iron Bridge",)
    assert question_names("How heavy is the Kestrel 300?") == ("Kestrel 300",)


def test_a_question_word_behind_an_opening_mark_is_no_name() -> None:
    assert question_names("\u00bfQui\u00e9n vendi\u00f3 Tinworks?") == ("Tinworks",)


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("Do full-time employees receive thirty days leave?", True),
        ("Does Tinworks sell brass kettles?", True),
        ("Was kostet heute der Eintritt?", False),
        ("Has visto la torre del Tinworks hoy?", False),
    ],
)
def test_a_question_that_begins_with_an_english_auxiliary_is_english(question: str, english: bool) -> None:
    assert read_question(question).english is english
