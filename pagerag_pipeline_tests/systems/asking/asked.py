"""A model that says one thing, within a window of so many characters, and the models of one question over it."""

from collections.abc import Callable
from typing import Any

from pagerag_pipeline.prompts.reply import reply_faults
from pagerag_pipeline.schema.language import Failure, Reply, Request, Spent
from pagerag_pipeline.settings_chat import AskSettings, ChatSettings
from pagerag_pipeline.systems.asking.models import Asking, asking_of


class Model:
    """Says what a function of the request gives, if it fits the prompt's schema, and remembers the requests."""

    name, fingerprint = "stub", "stub/1"

    def __init__(self, say: Callable[[Request], dict[str, Any] | Failure], *, room: int = 100_000) -> None:
        self._say = say
        self._room = room
        self.requests: list[Request] = []

    def fits(self, request: Request) -> bool:
        return len(request.text) <= self._room

    def reply(self, request: Request) -> Reply | Failure:
        self.requests.append(request)
        said = self._say(request)
        if isinstance(said, Failure):
            return said
        assert not list(reply_faults(said, request.schema))
        return Reply(said, Spent(1, 100, 10))


def asking(model: Model, **settings: Any) -> Asking:
    return asking_of(model, model, chat=ChatSettings(concurrency=2), settings=AskSettings(**settings))
