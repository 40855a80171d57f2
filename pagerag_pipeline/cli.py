"""`pagerag`: the commands. Results go to standard output, everything else to standard error; each command imports its rooms itself.

Exit codes: 0 done, 1 failed, 2 misuse, 3 refused to start, 4 done with skipped files under `--strict`. A refusal to answer is 0.
"""

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pagerag_pipeline.arguments import fault, parsed

if TYPE_CHECKING:
    from pagerag_pipeline.defs.runs import RefreshRun
    from pagerag_pipeline.schema.asking import Question
    from pagerag_pipeline.terminal import Output

DONE, FAILED, MISUSE, REFUSED, SKIPPED = range(5)

_ERRORS = {
    MISUSE: "CannotStart EvaluationError LongQuestion Misuse OntologyError OverridesError SettingsError UnknownDocument UnknownElement",
    REFUSED: "CeilingReached CorpusError CorpusGuard GenerationError Held NoIndex OtherModel OtherTerms TablesLocked TablesVersion UiRefused WorkLayoutError",
    FAILED: "AuditError DiskFull EmbeddingFault FileDamaged GenerationMoved GraphError GraphLimit LostUnits OutOfStep PromptError TablesError TooManyFailures VectorsError",
}
EXIT_CODES = {name: code for code, names in _ERRORS.items() for name in names.split()}
"""Every error that a room raises on purpose for a person to read, by class name, so that no room is imported to name it; others fail, with their name."""


class Misuse(ValueError):
    """A command line that cannot be meant."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    given = parsed(arguments)
    from pagerag_pipeline.terminal import Output, quiet_encodings

    quiet_encodings()
    output = Output(sys.stdout, json=given.json)
    try:
        if wrong := fault(given):
            raise Misuse(wrong)
        # Whatever a library prints must not get between the results.
        with contextlib.redirect_stdout(sys.stderr):
            return COMMANDS[given.command](given, output)
    except KeyboardInterrupt:
        return _told(output, "Interrupted", "Interrupted. What was finished is kept; the same command goes on from there.")
    except BrokenPipeError:
        # The reader has gone; without this, Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("PAGERAG_TRACE"):
            raise
        return _told(output, type(error).__name__, str(error))


def _told(output: "Output", kind: str, message: str) -> int:
    """Tell an error in one line on standard error, and as an object under `--json`; returns its exit code."""
    code = EXIT_CODES.get(kind, FAILED)
    line = " ".join((message if kind in EXIT_CODES or kind == "Interrupted" else f"{kind}: {message}").split())
    print(f"pagerag: {line}", file=sys.stderr)
    if output.json:
        output.line({"status": "refused" if code == REFUSED else "failed", "kind": kind, "error": line})
    return code


def _refresh(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.refresh.starting import checked

    home = _home(given)
    settings = checked(home, given.corpus, write=not given.dry_run)
    if given.dry_run:
        from pagerag_pipeline.refresh.preview import dry_run
        from pagerag_pipeline.terminal import plan_text

        plan = dry_run(home, settings, force=given.force)
        output.show(plan, plan_text(plan))
        return REFUSED if plan["refused"] else DONE
    from pagerag_pipeline.refreshing import run_refresh_job

    return _show_run(run_refresh_job(home, given), output, strict=given.strict)


def _show_run(run: "RefreshRun", output: "Output", *, strict: bool) -> int:
    from pagerag_pipeline.refreshing import table_of
    from pagerag_pipeline.terminal import refresh_text

    if run.status == "interrupted":
        raise KeyboardInterrupt
    table = table_of(run)
    output.show(table, refresh_text(run.reports, run.in_words))
    if run.error:
        print(f"pagerag: {run.error}", file=sys.stderr)
        return EXIT_CODES.get(run.kind, FAILED)
    return SKIPPED if strict and table["skipped"] else DONE


def _estimate(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.refreshing import estimated

    output.show(*estimated(_home(given), given.corpus))
    return DONE


def _ask(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.outcomes import outcome_json
    from pagerag_pipeline.prompting import asked_of, prompted
    from pagerag_pipeline.query import QueryEngine
    from pagerag_pipeline.schema.asking import Scope
    from pagerag_pipeline.terminal import outcome_text

    code, asked = DONE, 0
    with QueryEngine(_home(given)) as engine:
        question, documents = asked_of(given.question, given.documents, engine) if given.documents else (given.question, ())
        scope = Scope(documents) if documents else None
        for asked, text in enumerate([question] if question is not None else prompted(), start=1):
            outcome = outcome_json(engine.ask(text, system=given.system, scope=scope, budget=given.budget, plan=given.plan))
            output.show(outcome, outcome_text(outcome))
            code = FAILED if outcome["status"] == "failed" else code
    if not asked and not sys.stdin.isatty():
        raise Misuse("No question came: give one as QUESTION, or one a line on standard input.")
    return code


def _answer(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.outcomes import outcome_json
    from pagerag_pipeline.query import QueryEngine

    questions = _questions(given.file)
    failed = 0
    with _written(given.out, output) as target, QueryEngine(_home(given)) as engine:
        for outcome in engine.ask_all(questions, system=given.system, budget=given.budget, plan=given.plan):
            target.line(outcome_json(outcome))
            failed += outcome.status == "failed"
    return FAILED if failed else DONE


def _retrieve(given: argparse.Namespace, output: "Output") -> int:
    from dataclasses import asdict

    from pagerag_pipeline.query import QueryEngine
    from pagerag_pipeline.schema.asking import Question
    from pagerag_pipeline.terminal import results_text

    questions = _questions(given.file) if given.file else [Question("1", given.question)]
    with _written(given.out, output) as target, QueryEngine(_home(given)) as engine:
        for question in questions:
            results = engine.retrieve(question, system=given.system, top=given.top, plan=given.plan)
            ranking = {"qid": question.qid, "question": question.text, "results": [asdict(result) for result in results]}
            if given.file or given.out:
                target.line(ranking)
            else:
                target.show(ranking, results_text(ranking))
    return DONE


def _questions(path: str) -> "list[Question]":
    from pagerag_pipeline.stores.questions import read_questions

    try:
        questions = read_questions(path)
    except OSError as error:
        raise Misuse(f"FILE {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise Misuse(str(error)) from error
    if not questions:
        print(f"pagerag: {path} holds no question.", file=sys.stderr)
    return questions


@contextlib.contextmanager
def _written(path: str | None, output: "Output") -> "Iterator[Output]":
    """The output for lines: standard output, or a file that is there from the first line on."""
    if path is None:
        yield output
        return
    try:
        stream = Path(path).open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise Misuse(f"--out {path} cannot be written: {error.strerror}.") from error
    with stream:
        yield type(output)(stream, json=True)


def _evaluate(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.evaluating import evaluated

    value, text, wrong = evaluated(given)
    output.show(value, text)
    for told in wrong:
        print(f"pagerag: {told}", file=sys.stderr)
    return DONE if value["status"] == "done" else EXIT_CODES.get(value["kind"], FAILED)


def _show(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.settings_file import load_settings
    from pagerag_pipeline.showing import shown

    value, text = shown(given.what, _home(given), load_settings(_home(given)), given.id or "")
    output.show(value, text)
    return MISUSE if value.get("status") == "ambiguous" else DONE


def _status(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.health import status
    from pagerag_pipeline.terminal import status_text

    found = status(_home(given))
    output.show(found, status_text(found))
    return DONE


def _doctor(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.health import examine
    from pagerag_pipeline.terminal import findings_text

    findings = examine(_home(given))
    well = all(finding["ok"] for finding in findings)
    output.show({"status": "done" if well else "failed", "findings": findings}, findings_text(findings))
    return DONE if well else FAILED


def _ui(given: argparse.Namespace, output: "Output") -> int:
    from pagerag_pipeline.refresh.starting import check_home, make_home
    from pagerag_pipeline.settings_file import load_settings
    from pagerag_pipeline.stores import orphans
    from pagerag_pipeline.stores.serving import hold_ui

    home = _home(given)
    load_settings(home)
    check_home(home)
    make_home(home)
    hold_ui(home, host=given.host, port=given.port)
    from pagerag_pipeline.defs.instance import ui_command, ui_environment

    environment = ui_environment(home)
    # Dagster looks for a `dagster.yaml` where it is started: in the instance's own folder it finds the right one.
    os.chdir(environment["DAGSTER_HOME"])
    command = ui_command(host=given.host, port=given.port)
    for one in (signal.SIGINT, signal.SIGTERM):
        # A shell's `&` in a script has SIGINT ignored, and so it would stay: nothing could end the UI in good order.
        signal.signal(one, signal.SIG_DFL)
    orphans.start()
    os.execve(command[0], command, environment)


def _home(given: argparse.Namespace) -> Path:
    from pagerag_pipeline.settings_file import home_folder

    return home_folder(given.home)


COMMANDS: "dict[str, Callable[[argparse.Namespace, Output], int]]" = {
    "refresh": _refresh,
    "estimate": _estimate,
    "ask": _ask,
    "answer": _answer,
    "retrieve": _retrieve,
    "evaluate": _evaluate,
    "show": _show,
    "status": _status,
    "doctor": _doctor,
    "ui": _ui,
}


if __name__ == "__main__":
    sys.exit(main())
