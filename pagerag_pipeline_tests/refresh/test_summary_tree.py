"""The tree with fixed groups, as E2GraphRAG has it: its counts, what its summaries read, and its ends (systems, sections 3.3 and 7)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from pagerag_pipeline.refresh import workers
from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.work import open_work
from pagerag_pipeline_tests.homes import STUB_MODELS, build, digests, refreshed, write_files

SMALL = "\n[chunk]\nchunk_tokens = 12\nchunk_min_tokens = 6\npassage_tokens = 8\ncontext_tokens = 2\n"
FIXED = STUB_MODELS + SMALL + '\n[summarize]\ngrouping = "fixed"\n'
LONG = "\n\n".join(f"Ann Hale walked to mill {n} and saw the {n} birds there." for n in range(230))


def tree_of(home: Path) -> list[tuple[str, str, int, str]]:
    with open_work(home, StoreSettings()) as tables:
        return tables.rows("SELECT node_id, document, level, parent_id FROM tree ORDER BY document, level, ordinal")  # type: ignore[return-value]


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A home of one document of more than two hundred leaves, and what each of its summaries read."""
    read: list[str] = []
    summarize = workers.summarize_batch

    def watched(tasks: list[dict[str, object]]) -> object:
        read.extend(json.dumps([(part["text"], part["quotes"]) for part in task["parts"]]) for task in tasks)  # type: ignore[attr-defined]
        return summarize(tasks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "summarize_batch", watched)
        return build(tmp_path_factory.mktemp("long"), {"long.txt": LONG}, settings=FIXED), read


def test_no_summary_of_two_hundred_leaves_reads_the_id_of_a_node(long: tuple[Path, list[str]]) -> None:
    """Systems, section 7, 2; D1: upper levels must read texts."""
    home, read = long
    tree = tree_of(home)
    counts = Counter(level for _, _, level, _ in tree)
    assert counts[0] >= 200 and max(counts) >= 3 and len(read) == sum(counts.values()) - counts[0]
    assert not any(node in text for node, *_ in tree for text in read)
    assert all(any(word in text for word in ("Ann", "mill", "saw", "birds", "there")) for text in read), "each reads what stands in its leaves"


def test_fixed_groups_have_their_size_and_every_child_its_parent(long: tuple[Path, list[str]]) -> None:
    """D2, D3: the ends of a group are those of its level, and parents and children are each other's inverse."""
    tree = tree_of(long[0])
    counts = Counter(level for _, _, level, _ in tree)
    for level in range(1, max(counts) + 1):
        assert counts[level] == -(-counts[level - 1] // 5)
    assert counts[max(counts)] <= 6
    children = Counter(parent for *_, parent in tree if parent)
    levels = {node: level for node, _, level, _ in tree}
    assert set(children) == {node for node, level in levels.items() if level} and max(children.values()) == 5
    assert all(levels[parent] == level + 1 for _, _, level, parent in tree if parent)
    assert [parent for _, _, level, parent in tree if level == max(counts)] == [""] * counts[max(counts)]


def test_several_documents_stand_under_one_tree_and_one_of_them_under_none(tmp_path: Path) -> None:
    home = build(tmp_path, {"a.txt": LONG[:1500], "b.txt": "Bob Fenn slept."}, settings=FIXED)
    tops = [node for node, document, level, parent in tree_of(home) if document == ""]
    below = [node for node, document, level, parent in tree_of(home) if parent in tops]
    assert tops and len(below) == sum(document != "" and parent in tops for _, document, _, parent in tree_of(home)) >= 2


def test_changing_how_groups_close_tells_nothing_anew_that_was_told_before(tmp_path: Path) -> None:
    files = {"a.txt": LONG[:2000], "b.txt": "Bob Fenn slept."}
    content = digests(refreshed(build(tmp_path, files, settings=STUB_MODELS + SMALL)))
    home = build(tmp_path, files, settings=FIXED)
    fixed = refreshed(home)
    assert fixed["summary_tree"].digest != content["summary_tree"]
    assert {name: one.digest for name, one in fixed.items() if name not in ("summary_tree", "hybrid_repository")} == {
        name: one for name, one in content.items() if name not in ("summary_tree", "hybrid_repository")
    }
    again = refreshed(build(tmp_path, files, settings=STUB_MODELS + SMALL))
    assert digests(again) == content and again["summary_tree"].computed == 0


def test_an_edit_of_a_fixed_tree_ends_where_a_clean_build_does(tmp_path: Path) -> None:
    home = build(tmp_path / "one", {"a.txt": LONG[:3000], "b.txt": "Bob Fenn slept."}, settings=FIXED)
    edited = {"a.txt": "Ida Holt came first.\n\n" + LONG[:3000], "b.txt": "Bob Fenn slept."}
    write_files(home.parent / "corpus", edited)
    assert digests(refreshed(home)) == digests(refreshed(build(tmp_path / "two", edited, settings=FIXED)))
