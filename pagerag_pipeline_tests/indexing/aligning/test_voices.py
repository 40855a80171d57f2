"""What a text tells of people without saying so."""

from pagerag_pipeline_tests.indexing.aligning.told import voices


def test_the_one_who_answers_bears_the_name_that_was_called() -> None:
    told = voices('"Will you come, Miss Hale?" asked Odo.\n\n"I will," said Ann.', "Miss Hale", "Odo", "Ann")
    assert told.answers == {("miss hale", "ann"): 1}
    assert told.addresses == {("odo", "miss hale"): 1}


def test_who_is_only_spoken_of_is_told_not_called() -> None:
    told = voices('"I saw Miss Hale yesterday," said Ann.', "Miss Hale", "Ann")
    assert told.tells == {("ann", "miss hale"): 1}
    assert not told.addresses and not told.answers


def test_names_side_by_side() -> None:
    told = voices("Ann and Odo met Bell. Odo slept.", "Ann", "Odo", "Bell")
    assert told.coordinated == {("ann", "odo"): 1}
    assert told.together == {("ann", "odo"): 1, ("ann", "bell"): 1, ("bell", "odo"): 1}


def test_speech_and_narration_are_two_sentences() -> None:
    assert not voices('"Miss Hale is here." Ann came in.', "Miss Hale", "Ann").together


def test_the_first_pronoun_after_a_name() -> None:
    told = voices("Hale slept; then he woke, and she left. Bell saw her.", "Hale", "Bell")
    assert (told.masculine["hale"], told.feminine["hale"]) == (1, 0)
    assert (told.masculine["bell"], told.feminine["bell"]) == (0, 1)


def test_narration_is_what_stands_outside_speech() -> None:
    told = voices("“Ann is here,” said Odo. Ann slept.", "Ann", "Odo")
    assert told.narrated == {"ann": 1, "odo": 1}


def test_an_empty_text_tells_nothing() -> None:
    assert not voices("", "Ann").together
