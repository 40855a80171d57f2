"""Chat models over a scripted server, with a clock that tests move."""

from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.models.chat.opening import Chat
from pagerag_pipeline.models.chat.pace import Pace
from pagerag_pipeline.models.chat.transport import Transport
from pagerag_pipeline.schema.language import Failure, Reply, Request
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline_tests.fakes import FakeWaiter, Notes
from pagerag_pipeline_tests.scripted_server import ScriptedServer

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "year": {"type": "integer"}},
    "required": ["name", "year"],
    "additionalProperties": False,
}
GOOD = {"name": "Tinworks", "year": 1901}


@dataclass
class Opened:
    """A run and what a test looks at."""

    chat: Chat
    waiter: FakeWaiter
    notes: Notes

    def ask(self, text: str = "Which year?", **changes: Any) -> Reply | Failure:
        """What comes of one request."""
        return self.chat.model("extract").reply(replace(Request("records", "print", text, SCHEMA, stage="entity_records", document="a.txt"), **changes))

    def fail(self, text: str = "Which year?", **changes: Any) -> Failure:
        """The failure that a request ends in."""
        result = self.ask(text, **changes)
        assert isinstance(result, Failure), result
        return result


def opened(server: ScriptedServer, *, notes: Notes | None = None, key: str = "", **changes: Any) -> Opened:
    """A run against a server, by settings that differ so from the defaults."""
    settings = replace(ChatSettings(base_url=server.base_url, model="small", timeout_seconds=5.0), **changes)
    waiter, kept = FakeWaiter(), notes or Notes()
    return Opened(Chat(settings, Transport(settings.base_url, key), Pace(settings), notebook=kept, waiter=waiter), waiter, kept)
