"""Objects are read out of chatty replies when nothing is lost by it, and not otherwise."""

import pytest

from pagerag_pipeline.models.chat.parsing import find_object, is_apology, is_looping


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (' \ufeff{"a": 1}\n', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Sure: ```json {"a": 1,} ``` hope it helps', {"a": 1}),
        ('Here it is:\n{"a": {"b": [1, 2,], "c": "}"}}\nDone {smile}.', {"a": {"b": [1, 2], "c": "}"}}),
        ('<think>maybe {"a": 2}?</think>{"a": 1}', {"a": 1}),
        ('{"a": "a \\"quoted\\" brace { and, }"}', {"a": 'a "quoted" brace { and, }'}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": ",]"} and again {"a": ",]"}', {"a": ",]"}),
    ],
)
def test_the_one_object_of_a_reply_is_found_whole(text: str, value: object) -> None:
    assert find_object(text).value == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Expecting value"),
        ("I do not know.", "Expecting value"),
        ('{"units": [{"a": 1}, {"b": ', "never ends"),
        ('{"a": 1} or rather {"a": 2}', "2 different objects"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": NaN}', "NaN is no JSON value"),
        ("{'a': 1}", "Expecting property name"),
        ('x {"a": 1 "b": 2}', "delimiter"),
        ("[1, 2]", "no JSON object but list"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_would_have_to_be_guessed_is_a_fault(text: str, told: str) -> None:
    found = find_object(text)
    assert found.value is None and told in found.fault


def test_only_a_bare_object_is_told_as_bare() -> None:
    assert find_object('{"a": 1}').bare and not find_object('```\n{"a": 1}\n```').bare


def test_loops_and_apologies_are_recognized() -> None:
    assert is_looping('{"units": [' + '{"a": "b"}, ' * 40) and is_looping('{"a": "b"' + "\n " * 200)
    assert not is_looping("Mara Quill founded Tinworks in 1901, and Odo Fenn bought it in 1912. " * 2) and not is_looping("ha ha ha ha ha ha ha")
    assert is_apology("I'm sorry, but I can't help with that.") and not is_apology("Sorrel is a plant.")


def test_control_characters_and_halves_of_pairs_are_left_out_wherever_they_stand() -> None:
    found = find_object('{"name": "Ma\\u0000ra\\u001b[31m", "list": ["\\ud800x", {"deep": "a\\tb\\nc\\u0085"}], "pair": "\\ud83d\\ude00"}')
    assert found.value == {"name": "Mara[31m", "list": ["x", {"deep": "a\tb\nc"}], "pair": "\U0001f600"} and found.bare
