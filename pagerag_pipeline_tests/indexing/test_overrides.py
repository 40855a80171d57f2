"""What people may write into `governance.toml`, and which of it contradicts itself."""

import pytest

from pagerag_pipeline.indexing.overrides import Overrides, OverridesError, parse_overrides, with_keys

ID = "0123456789abcdef0123456789abcdef"


def test_every_entry_is_read_with_names_as_keys() -> None:
    overrides = parse_overrides(
        """
        suppress = ["Harbour  Lane"]
        merge = [["Ann Hale", "Mrs Hale"], ["Mrs HALE", "Nan"]]
        keep_apart = [["Tom Fenn", "Odo Fenn"]]
        distrust = ["blogs/"]
        [retype]
        Tinworks = "ORG"
        [rename]
        "Odo" = " Odo   Fenn "
        """
    )
    assert overrides == Overrides(
        suppress=("harbour lane",),
        merge=(("ann hale", "mrs hale", "nan"),),
        keep_apart=(("odo fenn", "tom fenn"),),
        retype=(("tinworks", "ORG"),),
        rename=(("odo", "Odo Fenn"),),
        distrust=("blogs/",),
    )
    assert overrides.names() == ["ann hale", "harbour lane", "mrs hale", "nan", "odo", "odo fenn", "tinworks", "tom fenn"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('merge = [["A", "B"]]\nkeep_apart = [["b", "a"]]', "'a' and 'b' stand both under merge and under keep_apart"),
        ('merge = [["A", "B"], ["B", "C"]]\nkeep_apart = [["C", "A"]]', "'a' and 'c' stand both"),
        ('[retype]\nTinworks = "ORG"\n" tinworks" = "FAC"', "retype gives 'tinworks' two values"),
        ('merge = [["A", "B"]]\n[retype]\nA = "ORG"\nB = "FAC"', "retype gives 'b' two values, 'ORG' and 'FAC'"),
        ('merge = [["A", "B"]]\n[rename]\nA = "One"\nB = "Two"', "rename gives 'b' two values"),
        ('[rename]\nA = "One"\nB = "one"', "rename calls both 'a' and 'b' 'one'"),
        ('merge = [["Ann", "ANN"]]', "merge needs two different names in ['Ann', 'ANN']"),
        ('keep_apart = [["Ann"]]', "keep_apart needs two different names"),
        ('[retype]\nA = "person"', "'person' cannot be the type of 'A'"),
        ('[retype]\nA = "DATE"', "names no value"),
        ('[rename]\nA = " "', r"[rename] must be a section"),
        ('distrust = "a.txt"', "distrust must be a list"),
        (f"merge = {'[' * 100_000}", "governance.toml is not readable TOML"),
        (f"merge = {'9' * 5_000}", "governance.toml is not readable TOML"),
        ('merge = [["...", "!!"]]', "merge has '...', which names nothing"),
        ('keep_apart = [["A", "--"]]', "keep_apart has '--', which names nothing"),
        ('suppress = ["\u200b"]', "suppress has '\\u200b', which names nothing"),
        ('[rename]\nA = "..."', "rename has '...', which names nothing"),
        ('[rename]\n"..." = "A"', "rename has '...', which names nothing"),
        ('[rename]\nA = "x\\u0000y"', "rename has 'x\\x00y', which names nothing"),
        ('[retype]\n"" = "PERSON"', "retype has '', which names nothing"),
        ('"a\\nb" = 1', "unknown entries a\\nb"),
    ],
)
def test_contradictions_and_slips_are_one_clear_line(text: str, told: str) -> None:
    with pytest.raises(OverridesError) as caught:
        parse_overrides(text)
    assert str(caught.value).startswith("governance.toml") and told in str(caught.value) and "\n" not in str(caught.value)


def test_two_names_of_a_merged_entity_may_be_given_the_same() -> None:
    assert parse_overrides('merge = [["A", "B"]]\n[rename]\nA = "One"\nB = "One"').rename == (("a", "One"), ("b", "One"))


def test_an_id_stands_for_its_key_in_every_entry() -> None:
    overrides = parse_overrides(f'suppress = ["{ID}"]\nmerge = [["{ID}", "B"]]\n[retype]\n{ID} = "ORG"')
    resolved = with_keys(overrides, {ID: "tinworks"})
    assert (resolved.suppress, resolved.merge, resolved.retype) == (("tinworks",), (("b", "tinworks"),), (("tinworks", "ORG"),))
    with pytest.raises(OverridesError, match="both under merge and under keep_apart"):
        with_keys(parse_overrides(f'merge = [["{ID}", "B"]]\nkeep_apart = [["Tinworks", "B"]]'), {ID: "tinworks"})
    with pytest.raises(OverridesError, match="'tinworks' twice"):
        with_keys(parse_overrides(f'keep_apart = [["{ID}", "Tinworks"]]'), {ID: "tinworks"})
