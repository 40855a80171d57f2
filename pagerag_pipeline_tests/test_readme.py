"""What the README shows is what happens: its first screen is run, command by command, and its words about commands are compared with them."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pagerag_pipeline.arguments import parser
from pagerag_pipeline.cli import COMMANDS
from pagerag_pipeline.indexing.overrides import ENTRIES, parse_overrides
from pagerag_pipeline.indexing.parse import READERS
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.layout import GENERATION, PRODUCTS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST_SCREEN, REST = README.split("\n## ", 1)
MOST_LINES = 40
EVERYWHERE = {"--help", "--home", "--json"}


def sessions(markdown: str) -> list[tuple[str, str]]:
    """Commands of the console blocks, each with what is printed below it."""
    blocks = re.findall(r"```console\n(.*?)```", markdown, re.DOTALL)
    parts = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, printed.strip()) for command, _, printed in parts]


def steady(printed: str) -> str:
    """Output without what differs from run to run: seconds, times, memory, counts of the table of products, and the last digit of an estimate."""
    table = re.sub(r"^([a-z_]+|product) .*$", r"\1", printed, flags=re.MULTILINE) if printed.startswith("product ") else printed
    return re.sub(r"\b\d{8}T\d{6}\w*|(?<=confidence )\d\.\d\d|[\d,]+(?= MiB)", "#", table).strip()


def run(command: str, folder: Path) -> str:
    name, *arguments = shlex.split(command, comments=True)
    assert name == "pagerag"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PAGERAG_", "DAGSTER_"))}
    environment["PYTHONPATH"] = str(ROOT)
    called = [sys.executable, "-m", "pagerag_pipeline.cli", *arguments]
    result = subprocess.run(called, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.models
def test_the_first_screen_prints_what_it_shows(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    install, *told = sessions(FIRST_SCREEN)
    assert install[0].startswith("make setup")
    assert [shlex.split(command)[1] for command, _ in told] == ["refresh", "ask", "ask"]
    for command, printed in told:
        assert steady(run(command, tmp_path)) == steady(printed)


def test_the_first_screen_is_one_screen_and_shows_an_answer_and_a_refusal() -> None:
    assert len(FIRST_SCREEN.splitlines()) <= MOST_LINES
    assert "`make demo`" in FIRST_SCREEN
    assert re.search(r"^\[1\] \S+", FIRST_SCREEN, re.MULTILINE)
    assert re.search(r"^No answer \(", FIRST_SCREEN, re.MULTILINE)


def test_the_products_stand_in_flow_order() -> None:
    line = FIRST_SCREEN[FIRST_SCREEN.index("Products, in order") :]
    assert tuple(re.findall(r"`([a-z_]+)`", line.split("\n\n")[0])) == PRODUCTS


def test_the_table_names_every_command_with_its_every_option_and_no_other() -> None:
    table = REST[REST.index("## Commands") : REST.index("`--home DIR`")]
    told = re.findall(r"`pagerag (\w+)([^`]*)`", table)
    assert {command for command, _ in told} == set(COMMANDS)
    for command in COMMANDS:
        named = {option for name, rest in told if name == command for option in re.findall(r"--[a-z-]+", rest)}
        assert named == set(re.findall(r"--[a-z-]+", help_of(command))) - EVERYWHERE, command


def help_of(command: str) -> str:
    with pytest.raises(SystemExit), pytest.MonkeyPatch.context() as patch:
        written: list[str] = []
        patch.setattr(sys.stdout, "write", written.append)
        parser().parse_args([command, "--help"])
    return "".join(written)


def test_the_python_example_runs_and_refuses_without_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python"), "README.md", "exec"), {})
    assert capsys.readouterr().out == "refused None ()\n"


def test_the_settings_example_is_read(tmp_path: Path) -> None:
    (tmp_path / "pagerag.toml").write_text(block("toml"), encoding="utf-8")
    settings = load_settings(tmp_path)
    assert (settings.corpus.folder, settings.refresh.backend, settings.schedule.enabled) == ("data/corpus", "process", True)


def test_the_chat_example_is_read(tmp_path: Path) -> None:
    example = next(one for one in re.findall(r"```toml\n(.*?)```", REST, re.DOTALL) if "[chat]" in one)
    (tmp_path / "pagerag.toml").write_text(example, encoding="utf-8")
    chat = load_settings(tmp_path).chat
    assert chat.on and chat.price_of(chat.model) and chat.max_usd == 2.0


def test_the_governance_example_is_read_and_names_every_entry() -> None:
    example = next(one for one in re.findall(r"```toml\n(.*?)```", REST, re.DOTALL) if "suppress" in one)
    overrides = parse_overrides(example)
    assert all(getattr(overrides, entry) for entry in ENTRIES)


def test_the_views_it_names_are_those_of_a_generation() -> None:
    told = REST[REST.index("has views that others may build on") : REST.index("## Formats")]
    assert set(re.findall(r"`([a-z]+)`", told)) <= set(GENERATION)


def block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", REST, re.DOTALL)[0]


def test_the_table_of_formats_has_every_reader_and_no_other() -> None:
    table = REST[REST.index("## Formats") : REST.index("UTF-8, UTF-16")]
    told = set(re.findall(r"`(\.[a-z]+)`", table))
    assert told <= set(READERS)
    assert {READERS[suffix] for suffix in told} == set(READERS.values())


def test_links_lead_to_files() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]
