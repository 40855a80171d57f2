"""The house style, held by tools and by a few rules that no tool has: sizes, names, and words that may not stand in the repository."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pagerag_pipeline"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
MAX_PARAMETERS = 5

SWALLOWING_NAMES = {"util", "utils", "helper", "helpers", "common", "base", "manager", "misc"}

FORBIDDEN_WORDS = re.compile(
    "|".join(
        [
            r"(?<![\w.~}/-])/(?:home|root|work|tmp|Users|mnt)/\w",  # a path of one machine
            r"pypi" + r"\.org|python" + r"hosted\.org|--(?:extra-)?" + r"index-url|--find" + r"-links",  # a package index
        ]
    )
)
UNREAD = {".git", ".venv", ".demo", ".bench", ".pagerag", "build", "__pycache__"}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [argument.arg for argument in given if argument.arg not in ("self", "cls")]


def repository_texts() -> Iterator[tuple[Path, str]]:
    """Every text with its place in the repository; what tools and set-ups leave there is not looked into."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(filter(is_read, folders))
        for path in (Path(folder, name) for name in sorted(filter(is_read, files))):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8", errors="replace")


def is_read(name: str) -> bool:
    return name not in UNREAD and not name.endswith(("_cache", ".egg-info", ".hypothesis"))


def tool(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_ruff_finds_nothing() -> None:
    report = tool("ruff", "check", ".")
    assert report.returncode == 0, report.stdout + report.stderr


def test_mypy_finds_nothing() -> None:
    report = tool("mypy")
    assert report.returncode == 0, report.stdout + report.stderr


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_keeps_the_house_law(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    tree = ast.parse(text)
    long_functions = [f.name for f in functions(tree) if (f.end_lineno or f.lineno) - f.lineno + 1 > MAX_FUNCTION_LINES]
    wide_functions = [f.name for f in functions(tree) if len(parameters(f)) > MAX_PARAMETERS]
    assert not long_functions, f"longer than {MAX_FUNCTION_LINES} lines"
    assert not wide_functions, f"more than {MAX_PARAMETERS} parameters"
    assert len(text.splitlines()) <= MAX_FILE_LINES
    assert "from __future__ import annotations" not in text
    assert not SWALLOWING_NAMES & {part.removesuffix(".py") for part in module.relative_to(PACKAGE).parts}


@pytest.mark.parametrize("module", [m for m in MODULES if m.name == "__init__.py"], ids=lambda path: path.parent.name)
def test_a_package_file_holds_a_docstring_only(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert len(tree.body) == 1


def test_no_machine_path_and_no_package_index_is_named() -> None:
    found = [f"{path}: {match.group()}" for path, text in repository_texts() for match in FORBIDDEN_WORDS.finditer(text)]
    assert not found


def test_the_forbidden_words_are_recognized() -> None:
    assert FORBIDDEN_WORDS.search("see " + "/" + "home/someone/corpus")
    assert FORBIDDEN_WORDS.search("https://" + "pypi" + ".org/simple")
    assert not FORBIDDEN_WORDS.search("docs.jsonl#work/tmp and ~/home/x")
