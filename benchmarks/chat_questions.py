"""What a question asks of a chat model in each system, against a scripted server: calls by prompt, tokens read, what fell back.

The server answers at once: every plan has two hops, one behind the other, and every hop is answered by a name of its evidence, so that calls and tokens
read are those of a model that plans so, while what it writes and whether it is right are not; `abstract`: every search of a plan is for something abstract,
and of each call over reports the first one helps. Embedder and tagger are stubs; the index is built without a model.
"""

import json
import os
from collections import Counter
from dataclasses import replace
from statistics import mean
from typing import Any

import corpora
import figures
import homes
from chat import STUBS
from recall import asked_tasks

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome, Question
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline_tests.chat_replies import prompt_of, reply
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

VARIANTS: dict[str, dict[str, Any]] = {
    "passages": {"system": "passages"},
    "page": {"system": "page"},
    "page, profile": {"system": "page"},
    "page --plan pank": {"system": "page", "plan": "pank"},
    "e2": {"system": "e2"},
    "pank": {"system": "pank"},
    "pank, abstract": {"system": "pank"},
    "ensi": {"system": "ensi"},
}


def asked(engine: QueryEngine, server: ScriptedServer, questions: list[Question], how: dict[str, Any]) -> dict[str, Any]:
    """What these questions asked; the first one is asked before, for the probe is its."""
    engine.ask(questions[0], **how)
    server.requests = []
    outcomes = [engine.ask(question, **how) for question in questions]
    calls = Counter(prompt_of(request) for request in server.requests)
    assert sum(one.usage.calls for one in outcomes) == server.calls
    return {
        "calls": round(mean(one.usage.calls for one in outcomes), 2),
        "by_prompt": {name: round(count / len(questions), 2) for name, count in sorted(calls.items())},
        "tokens_read": round(mean(one.usage.prompt_tokens for one in outcomes)),
        "evidence_tokens": round(mean(one.usage.evidence_tokens for one in outcomes)),
        "refused_before_a_call": sum(not one.usage.calls for one in outcomes),
        "fell_back": sum(fell_back(one) for one in outcomes),
    }


def fell_back(outcome: Outcome) -> bool:
    """Whether something was done without the model that was to do it."""
    return any(step.get("fallback") for step in outcome.trace)


def abstract(request: dict[str, Any]) -> Say:
    """What is said to a request, every search of a plan being for something abstract."""
    said = reply(request)
    return replace(said, content=json.loads(json.dumps(said.content).replace('"scope": "specific"', '"scope": "abstract"')))


def with_server(settings: Settings, server: ScriptedServer, name: str) -> Settings:
    chat = ChatSettings(base_url=server.base_url, model="scripted")
    return replace(settings, chat=chat, ask=replace(settings.ask, profile="profile" in name))


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", *corpora.PASSAGE_SETS))
    parser.add_argument("--limit", type=int, default=20, help="ask the first questions only (default: 20)")
    given = parser.parse_args()
    os.environ.update(STUBS)
    home = homes.ready_home(given.data, given.work / "chat_questions")
    questions = [task.question for task in asked_tasks(given.data)[: given.limit]]
    found: dict[str, Any] = {}
    with scripted_server() as server:
        for name, how in VARIANTS.items():
            server.says(abstract if "abstract" in name else reply)
            with QueryEngine(home, with_server(load_settings(home), server, name)) as engine:
                found[name] = asked(engine, server, questions, how)
    figures.show("chat_questions", data=given.data, n=len(questions), figures=found)


if __name__ == "__main__":
    main()
