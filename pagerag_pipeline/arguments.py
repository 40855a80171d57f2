"""The grammar of `pagerag`: its commands and their options. What they do stands in `cli`."""

import argparse
import importlib.metadata
import sys
from collections.abc import Sequence

SYSTEMS = ("page", "passages", "e2", "pank", "ensi")
PLANS, PLANNED = ("pank",), ("page", "ensi")
"""Planners, and the systems that one may stand in front of."""
ABLATIONS = ("no_floor", "raw_graph", "no_evidence_constraint", "no_structural_guidance", "no_branches", "no_occurrences", "no_plan", "no_rerank", "no_all_matching", "no_records")

JUDGED = ("grades", "four", "six", "ragas")
"""What `evaluate --judge` can have judged."""


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What a command line says; exits with 2 and the usage of the command it names when it has what none knows."""
    given, unknown = parser().parse_known_args(arguments)
    if unknown:
        given.own.error(f"unrecognized arguments: {' '.join(unknown)}")
    return given


def fault(given: argparse.Namespace) -> str:
    """Why a command line that parses cannot be meant, in words; empty when it can."""
    if given.command == "retrieve" and (given.file is None) == (given.question is None):
        return "retrieve needs a FILE of questions or --question, one of the two."
    systems = given.system if given.command == "evaluate" else [getattr(given, "system", "")]
    if getattr(given, "plan", "") and not set(systems) & set(PLANNED):
        return f"--plan stands in front of --system {', '.join(PLANNED)} alone, not of {', '.join(systems)}."
    if given.command == "show" and (given.id is None) != (given.what == "graph"):
        return "There is one graph: show graph takes no ID." if given.what == "graph" else f"show {given.what} needs an ID."
    question = getattr(given, "question", None)
    return "The question is empty." if question is not None and not question.strip() else ""


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; the parsed `command` names one of them."""
    shared = argparse.ArgumentParser(add_help=False)
    _everywhere(shared, argparse.SUPPRESS)
    root = argparse.ArgumentParser(
        prog="pagerag",
        description="Index a folder of long documents, keep the index fresh, and answer from it with checked citations, or refuse.",
        epilog="Exit codes: 0 done, 1 failed, 2 misuse, 3 refused to start, 4 done with skipped files (--strict). A refusal to answer is 0.",
    )
    _everywhere(root, None)
    root.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, told: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, parents=[shared], help=told, description=f"{told[0].upper()}{told[1:]}.")
        one.set_defaults(own=one)
        return one

    _refresh(command("refresh", "bring the index up to date with the corpus folder; only what changed is computed"))
    estimate = command("estimate", "tell what a refresh would spend on chat models: calls, tokens and dollars by stage; nothing is asked or written")
    estimate.add_argument("--corpus", metavar="DIR", help="the corpus folder, for a home that has none yet")
    _asking(
        command("ask", "answer one question, or, without one, every line that is typed"),
        command("answer", "answer a file of questions, one JSON object a line"),
        command("retrieve", "rank passages for a question or a file of questions, without answering"),
    )
    _evaluate(command("evaluate", "ask published question sets and compare systems with gold: metrics with intervals, a report with plots"))
    show = command("show", "show a document as it is indexed, an entity, an edge or a decision of the graph with its story, or the graph's shape")
    show.add_argument("what", choices=["document", "entity", "edge", "decision", "graph"], help="what to show")
    show.add_argument("id", metavar="ID", nargs="?", help="of a document: its id, the part after its `#`, or an unambiguous end of its path; of an entity: a name, "
                      "an alias or its id; of an edge or a decision: its id or the beginning of it; of the graph: nothing")  # fmt: skip
    command("status", "tell what is published, how the latest refresh stands and whether the corpus changed since")
    command("doctor", "look for what would keep pagerag from working here")
    ui = command("ui", "open the Dagster UI over this home; Ctrl-C ends it")
    ui.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    ui.add_argument("--port", type=_positive, default=3000, help="port to listen on (default: %(default)s)")
    return root


class _Version(argparse.Action):
    """Looks the version up when it is asked for: the metadata of packages takes a while to read."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        try:
            version = importlib.metadata.version("pagerag_pipeline")
        except importlib.metadata.PackageNotFoundError:
            version = "as it stands in its source folder, not installed"
        sys.stdout.write(f"pagerag {version}\n")
        parser.exit()


def _everywhere(one: argparse.ArgumentParser, default: str | None) -> None:
    suppressed = default == argparse.SUPPRESS
    one.add_argument("--home", metavar="DIR", default=default, help="the folder of everything built (default: PAGERAG_HOME, else .pagerag)")
    one.add_argument("--json", action="store_true", default=default if suppressed else False, help="print JSON, one object a line")


def _refresh(one: argparse.ArgumentParser) -> None:
    one.add_argument("--corpus", metavar="DIR", help="the corpus folder; needed once, for a new home")
    one.add_argument("--dry-run", action="store_true", help="tell what would be read, changed, lost or refused; nothing is written")
    one.add_argument("--force", action="store_true", help="go on although many documents are gone from the folder")
    one.add_argument("--wait", action="store_true", help="wait for a refresh that is running")
    one.add_argument("--strict", action="store_true", help="exit with 4 when files were skipped")
    _ceilings(one)


def _ceilings(one: argparse.ArgumentParser) -> None:
    """What a run may spend, in place of the ceilings in the settings."""
    one.add_argument("--max-calls", type=_positive, metavar="N", help="stop before more than N calls to chat models; what was finished is kept")
    one.add_argument("--max-tokens", type=_positive, metavar="N", help="stop before more than N tokens of chat models")
    one.add_argument("--max-usd", type=_dollars, metavar="X", help="stop before chat models cost more than X dollars, by the prices in the settings")


def _asking(ask: argparse.ArgumentParser, answer: argparse.ArgumentParser, retrieve: argparse.ArgumentParser) -> None:
    ask.add_argument("question", nargs="?", metavar="QUESTION", help="the question; without it, questions are read line by line until the input ends, on a terminal also until `exit` or `:q`")
    ask.add_argument("--documents", nargs="+", action="extend", metavar="ID", help="answer from these documents alone; the question stands before, or after the last one")
    answer.add_argument("file", metavar="FILE", help="questions as JSON lines: `qid`, `question`, optionally `doc_ids`, `options`, `history`")
    retrieve.add_argument("file", nargs="?", metavar="FILE", help="questions as JSON lines")
    retrieve.add_argument("--question", metavar="QUESTION", help="one question instead of a file")
    retrieve.add_argument("--top", type=_positive, default=10, metavar="N", help="how many passages a question (default: %(default)s)")
    for one in (ask, answer, retrieve):
        one.add_argument("--system", choices=SYSTEMS, default="page", help="the system that answers (default: %(default)s)")
        one.add_argument("--plan", choices=PLANS, default="", help="plan the question's hops first; the system gathers each of them")
    for one in (ask, answer):
        one.add_argument("--budget", type=_positive, metavar="N", help="the most evidence tokens that an answer may stand on")
    for one in (answer, retrieve):
        one.add_argument("--out", metavar="FILE", help="write the lines to this file")


def _evaluate(one: argparse.ArgumentParser) -> None:
    one.add_argument("sets", nargs="+", metavar="DIR", help="folder of a set: `questions.jsonl` beside `docs.jsonl`, or beside an index of `.txt` files")
    one.add_argument("--system", nargs="+", action=_Named, choices=SYSTEMS, default=list(SYSTEMS), help="the systems, compared with the first one (default: all)")
    one.add_argument("--plan", nargs="+", action="extend", choices=PLANS, default=[], help=f"also ask those of the systems that a planner may stand in front of ({', '.join(PLANNED)}) behind it")
    one.add_argument("--ablate", nargs="+", action="extend", choices=ABLATIONS, default=[], metavar="NAME", help=f"also ask without a part: {', '.join(ABLATIONS)}")
    one.add_argument("--judge", nargs="*", action="extend", choices=JUDGED, default=None, help=f"also have the answers judged by the chat model: {', '.join(JUDGED)} (default, when given alone: all)")
    one.add_argument("--questions", metavar="FILE", default="", help="the question file, in DIR or elsewhere (default: every file there that ends so)")
    one.add_argument("--corpus", metavar="FOLDER", help="where the documents are, when not in DIR or in an indexed folder beside it")
    one.add_argument("--out", metavar="FOLDER", help="where report, plots and results go (default: evaluation/reports in the home)")
    one.add_argument("--where", nargs="+", action="extend", type=_field, default=[], metavar="KEY=VALUE", help="only questions with these fields; values of one field are alternatives")
    one.add_argument("--shortest", type=_positive, metavar="N", help="only questions of the N smallest documents")
    one.add_argument("--limit", type=_positive, metavar="N", help="a sample of N questions, half of them answerable where there are both kinds")
    one.add_argument("--seed", type=_natural, default=7, metavar="N", help="of samples and intervals (default: %(default)s)")
    one.add_argument("--cross", action="store_true", help="ask answerable questions of another document too, as unanswerable")
    one.add_argument("--pool", action="store_true", help="ask of all documents; those that a question names are gold")
    one.add_argument("--last-turn", action="store_true", help="ask without the earlier turns")
    _ceilings(one)


def _field(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ValueError(text)
    return key, value


_field.__name__ = "KEY=VALUE"


class _Named(argparse.Action):
    """Gathers what is named, the option being repeated or not, in place of the default."""

    def __call__(self, parser: argparse.ArgumentParser, given: argparse.Namespace, values: object, option: str | None = None) -> None:
        before = getattr(given, self.dest)
        setattr(given, self.dest, [*([] if before is self.default else before), *(values if isinstance(values, list) else [values])])


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


_natural.__name__ = "number from 0 on"


def _dollars(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(text)
    return number


_dollars.__name__ = "amount above 0"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


_positive.__name__ = "positive number"
