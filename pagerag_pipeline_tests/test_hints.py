"""What messages and the README tell people to set, name or run exists: every variable, setting, option and command."""

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from pagerag_pipeline.arguments import parser
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import EMBED_KEY_VARIABLES, HOME_VARIABLE, KEY_VARIABLES

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pagerag_pipeline"
SECTIONS = {one.name: {key.name for key in fields(getattr(Settings(), one.name))} for one in fields(Settings)}
VARIABLES = {HOME_VARIABLE, *KEY_VARIABLES, *EMBED_KEY_VARIABLES, "PAGERAG_TRACE"} | {
    f"PAGERAG_{section}_{key}".upper() for section, keys in SECTIONS.items() for key in keys
}
PLACES = {"section", "table", "and", "back", "leaves"}
"""Words that stand behind a section's name without being a key of it."""
OTHERS = {"--single-branch", "--max-model-len", "--write", "--sample", "--seed"}
"""Options of other programs and of scripts, which the README tells of."""


def parsers(one: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in one._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


COMMANDS = dict(parsers(parser()))
OPTIONS = {option for one in (parser(), *COMMANDS.values()) for action in one._actions for option in action.option_strings}


def spoken(module: Path) -> Iterator[str]:
    """The texts of a module apart from docstrings; what is filled into one stands as `{}`."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told | inside:
            yield node.value


def wrong_hints(text: str) -> list[str]:
    """What a text names that is not there."""
    found = [one for one in re.findall(r"PAGERAG_[A-Z0-9_]*[A-Z0-9]\b(?!_?[{<])", text) if one not in VARIABLES]
    for section, key in re.findall(r"(?<!\[)\[([a-z_0-9]+)\] `?([a-z_]+)", text):
        found += [f"[{section}] {key}"] if section in SECTIONS and key not in SECTIONS[section] | PLACES else []
        found += [f"[{section}] {key}"] if section not in SECTIONS and re.search(rf"\[{section}\] `?{key} = ", text) else []
    for section, key in re.findall(r"\[([a-z_0-9]+)\] `?([a-z_]+) = ", text):
        found += [f"[{section}] {key}"] if key not in SECTIONS.get(section, set()) else []
    if " " in text and not re.search(r"\b(SELECT|FROM|MATCH|WHERE|CREATE)\b", text):
        dotted = re.findall(rf"(?<![\w./`])({'|'.join(SECTIONS)})\.([a-z]+_[a-z_]+)\b(?!\()", text)
        found += [f"{section}.{key}" for section, key in dotted if key not in SECTIONS[section]]
    found += [one for one in re.findall(r"(?<![\w-])--[a-z][a-z-]+", text) if one not in OPTIONS | OTHERS]
    return found + [one for one in re.findall(r"`pagerag (?:--home \S+ )?([a-z]+)", text) if one not in COMMANDS]


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_message_names_what_exists(module: Path) -> None:
    assert not [(hint, text) for text in spoken(module) for hint in wrong_hints(text)]


def test_the_readme_names_what_exists() -> None:
    assert not wrong_hints((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        "set PAGERAG_ASK_BUDGET", "raise [chat] max_dollars", "[refresh] backnd = inline", "[asking] plan = false", "raise chat.max_dollars, or wait",
        "name it with --folder", "run `pagerag rebuild` first",
    ],
)  # fmt: skip
def test_a_hint_that_names_nothing_is_found(text: str) -> None:
    assert len(wrong_hints(text)) >= 1


@pytest.mark.parametrize("text", ["PAGERAG_BUILD_ASK=false", "[chat] max_usd = 2.0", "chat.max_usd must be 0", "`pagerag --home .demo/home ask`", "PAGERAG_{}_API_KEY", "--max-usd"])
def test_a_hint_that_names_something_is_none(text: str) -> None:
    assert wrong_hints(text) == []
