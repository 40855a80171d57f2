"""A real server with a real, weak model: whatever it says, nothing invalid is kept, failures are counted, citations hold, and nothing is asked twice.

Run by `make llm`, not by `make test`: it needs the extra `llm` and minutes.
"""

import json
import logging
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pagerag_pipeline.outcomes import outcome_json
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.stores.layout import LEDGERS
from pagerag_pipeline.stores.servers import SERVERS_FILE
from pagerag_pipeline.stores.work import WORK_FILE
from pagerag_pipeline_tests.cases.stored import Stored, stored
from pagerag_pipeline_tests.homes import STUB_MODELS, make_home, refreshed
from pagerag_pipeline_tests.small_model import model_file, small_model

pytestmark = pytest.mark.llm
LOGGER = logging.getLogger(__name__)

WINDOW = 4096
FILES = {
    "tinworks.txt": "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane in Tarn Bay. Odo Fenn bought Tinworks from Mara Quill in 1912.",
    "fenn.txt": "Odo Fenn was a merchant of Tarn Bay. Odo Fenn married Ida Holt in 1908. Odo Fenn hired Jonas Reed as the foreman of Tinworks.",
}
QUESTIONS = (("page", "Who founded Tinworks?"), ("pank", "Who married the man that bought Tinworks?"), ("page", "Who painted the Sistine ceiling?"))
CHAT = {
    "model": "smollm2", "context_tokens": WINDOW, "reply_tokens": 200, "concurrency": 1, "timeout_seconds": 1800.0, "total_seconds": 3600.0, "attempts": 2,
}  # fmt: skip

BUILD = "[build]\nprofile = false\nmax_failed_share = 1.0\n"
"""A document whose profile failed has nothing below it, and this model fails at nearly every profile; all else is asked of it, and may fail."""


@dataclass(frozen=True)
class Seen:
    """What two refreshes and some questions came to."""

    home: Path
    first: dict[str, ProductReport]
    again: dict[str, ProductReport]
    outcomes: list[dict[str, Any]]
    failures: Counter[str]
    """Failed units after the first refresh, by kind."""
    kept: Stored


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    weights = model_file()
    if weights is None:
        pytest.skip("needs the extra llm: `make llm` installs it")
    with small_model(weights, context=WINDOW) as base_url:
        chat = "\n".join(f"{name} = {json.dumps(value)}" for name, value in {"base_url": base_url, **CHAT}.items())
        home = make_home(tmp_path_factory.mktemp("small"), FILES, settings=f"{STUB_MODELS}\n[chat]\n{chat}\n\n{BUILD}")
        started = time.monotonic()
        first = refreshed(home)
        failures = failed_units(home)
        built = time.monotonic()
        again = refreshed(home)
        kept = stored(home)
        refreshed_again = time.monotonic()
        with QueryEngine(home) as engine:
            outcomes = [outcome_json(engine.ask(question, system=system)) for system, question in QUESTIONS]
        found = Seen(home, first, again, outcomes, failures, kept)
        LOGGER.info(summary(found, (built - started, refreshed_again - built, time.monotonic() - refreshed_again)))
        yield found


def failed_units(home: Path) -> Counter[str]:
    """Failed units of all ledgers by the kind of their failure, which their error begins with."""
    with duckdb.connect(str(home / WORK_FILE), read_only=True) as connection:
        found = {name: connection.execute(f"SELECT error FROM ledger_{name} WHERE status = 'failed'").fetchall() for name in LEDGERS}
    return Counter(f"{name} {error.partition(':')[0]}" for name, errors in found.items() for (error,) in errors)


def chat_of(reports: dict[str, ProductReport]) -> dict[str, dict[str, Any]]:
    return {name: report.details["chat"] for name, report in reports.items() if "chat" in report.details}


def summary(found: Seen, seconds: tuple[float, float, float]) -> str:
    """What was seen, in a few lines; shown by `make llm`."""
    first, again = (
        {name: {key: chat[key] for key in ("calls", "prompt_tokens", "completion_tokens")} for name, chat in chat_of(reports).items()}
        for reports in (found.first, found.again)
    )
    told = [f"{one['system']}: {one['status']} {one['reason'] or ''} {one['answer']!r} {one['usage']['calls']} calls" for one in found.outcomes]
    times = ", ".join(f"{one:.0f}" for one in seconds)
    return "\n".join([f"first refresh {first}", f"second refresh {again}", f"failed {dict(found.failures)}", *told, f"seconds {times}"])


def test_the_server_is_asked_with_a_schema_that_it_enforces(seen: Seen) -> None:
    dialects = json.loads((seen.home / SERVERS_FILE).read_text(encoding="utf-8"))
    assert {one["mode"] for one in dialects.values() if "mode" in one} == {"json_schema"}


def test_what_was_asked_and_what_failed_is_counted(seen: Seen) -> None:
    chats = chat_of(seen.first)
    assert chats["entity_records"]["calls"] >= len(FILES)
    assert all(chat["prompt_tokens"] > 0 for chat in chats.values() if chat["calls"])
    assert sum(report.failed for report in seen.first.values()) >= sum(seen.failures.values())
    assert not [kind for kind in seen.failures if kind.split()[-1] in ("transport", "rejected", "too_long")], seen.failures


def test_no_invalid_row_is_stored(seen: Seen) -> None:
    assert seen.kept.faults == [] and set(FILES) == seen.kept.column("documents", "document")
    assert seen.kept.column("profiles", "mode") <= {"narrative", "conceptual", "argumentative", "mixed"}
    assert seen.kept.column("profiles", "form") <= {"fiction", "research_paper", "report", "mixed"}


def test_a_second_refresh_asks_for_the_failed_units_alone(seen: Seen) -> None:
    calls = sum(chat["calls"] for chat in chat_of(seen.again).values())
    failed = sum(seen.failures.values())
    assert calls <= 4 * failed, "a request and its repair, each once more where the first reply was empty"
    assert failed or all(report.computed == 0 for name, report in seen.again.items() if name in chat_of(seen.again))


def test_every_question_ends_in_a_checked_answer_or_a_refusal(seen: Seen) -> None:
    texts = {row["document"]: row["text"] for row in seen.kept.rows["documents"]}
    for one in seen.outcomes:
        assert one["status"] in ("answered", "partial", "refused"), one
        assert (one["status"] == "refused") == (one["answer"] is None) and (one["status"] != "refused" or one["reason"])
        assert (one["status"] == "refused") == (one["citations"] == [])
        assert all(texts[cited["document"]][cited["start"] : cited["end"]] == cited["quote"] for cited in one["citations"])
        assert one["usage"]["calls"] > 0 or one["reason"] in ("no_evidence", "beyond_scope")
