"""ENT: which names are one entity, and what becomes of its evidence, through a whole refresh."""

from pathlib import Path

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline_tests.cases.stored import Stored, stored
from pagerag_pipeline_tests.homes import make_home, refreshed


def built(folder: Path, files: dict[str, str]) -> Stored:
    """What is stored of these files."""
    home = make_home(folder, files)
    refreshed(home)
    found = stored(home)
    assert not found.faults
    return found


def called(found: Stored, name: str) -> list[str]:
    """Ids of the nodes that a name, in whatever case, is a name of."""
    return sorted({row["entity_id"] for row in found.rows["aliases"] if row["alias_key"] == name_key(name)})


def test_ent_06_two_languages_of_a_table_row_are_two_names_until_a_text_says_otherwise(tmp_path: Path) -> None:
    table = "| Role | \u89d2\u8272 |\n|---|---|\n| System admin | \u7cfb\u7edf\u7ba1\u7406\u5458 |\n| Operator | \u64cd\u4f5c\u5458 |\n"
    found = built(tmp_path, {"roles.md": f"# Roles\n\n{table}"})
    assert not set(called(found, "System admin")) & set(called(found, "\u7cfb\u7edf\u7ba1\u7406\u5458"))
    assert not [row for row in found.rows["decisions"] if row["act"] == "merge"]


def test_ent_09_a_heading_of_ten_notes_joins_nothing_and_every_note_keeps_its_evidence(tmp_path: Path) -> None:
    owners = ("Mill", "Forge", "Dairy", "Bakery", "Quarry", "Tannery", "Brewery", "Smithy", "Cannery", "Foundry")
    notes = {f"n{n}.md": f"# Decisions\n\nMara Quill founded Hale {owner} in 19{n:02}.\n" for n, owner in enumerate(owners)}
    found = built(tmp_path, notes)
    assert called(found, "Decisions") == []
    bound = {row["document"] for row in found.rows["bindings"] if row["element_kind"] == "edge"}
    assert bound == set(notes)


def test_ent_12_five_hundred_files_that_name_one_bank_keep_every_source_in_rows(tmp_path: Path) -> None:
    names = {f"f{n:03}.txt": f"Hale Bank opened in 1{n:03}.\nHale Bank hired Person{n} Quill." for n in range(500)}
    found = built(tmp_path, names)
    (bank,) = called(found, "Hale Bank")
    sources = {row["document"] for row in found.rows["bindings"] if row["element_id"] == bank}
    assert sources == set(names)
    (row,) = [row for row in found.rows["nodes"] if row["entity_id"] == bank]
    assert all(len(str(value)) < 500 for value in row.values())
