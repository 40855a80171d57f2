"""Opening chat mode: one connection, one pace and one set of dialects for a server in a process, and for each run its own spending."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pagerag_pipeline.models.chat.calling import Caller, Line
from pagerag_pipeline.models.chat.client import ChatModel
from pagerag_pipeline.models.chat.dialects import Dialects
from pagerag_pipeline.models.chat.letters import Letters
from pagerag_pipeline.models.chat.many import Item, Result, ask_each
from pagerag_pipeline.models.chat.pace import Pace
from pagerag_pipeline.models.chat.spending import Spending
from pagerag_pipeline.models.chat.waiting import Waiter
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Role
from pagerag_pipeline.schema.protocols import LanguageModel, Notebook
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline.settings_file import KEY_VARIABLES, secret_key

_OPENING = threading.Lock()
_SHARED: dict[tuple[ChatSettings, str], "_Shared"] = {}


@dataclass(frozen=True, slots=True)
class _Shared:
    line: Line
    pace: Pace


class Chat:
    """The chat models of one run, its spending and its ceilings."""

    def __init__(self, settings: ChatSettings, line: Line, pace: Pace, *, notebook: Notebook, waiter: Waiter | None = None) -> None:
        self._settings = settings
        self._waiter = waiter or Waiter()
        self._dialects = Dialects(settings.base_url, notebook)
        self._letters = Letters(settings.base_url, notebook)
        self.spending = Spending(settings)
        self._caller = Caller(line, pace, settings, spending=self.spending, waiter=self._waiter)

    @property
    def ceiling(self) -> str:
        """Which ceiling was reached, in words; empty while none was. Once one is, no further call of this run is made."""
        return self._caller.ceiling

    def model(self, role: Role) -> LanguageModel:
        """The model of a role."""
        return ChatModel(role, self._settings, self._caller, dialects=self._dialects, letters=self._letters)

    def each(self, ask: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item with what came of asking for it, in order of completion; as many are under way as the settings allow.

        Who stops listening, by Ctrl-C too, cancels the run.
        """
        try:
            yield from ask_each(ask, items, threads=self._settings.concurrency)
        except BaseException:
            self.cancel()
            raise

    def cancel(self) -> None:
        """End the run: waits end at once, nothing is tried again, no further call is made. A call under way ends by itself."""
        self._waiter.cancel()


def open_chat(settings: ChatSettings, notebook: Notebook) -> Chat | None:
    """Chat models for one run, None when no server is set: then nothing of the client is imported. No call is made before the first request."""
    if not settings.on:
        return None
    from pagerag_pipeline.models.chat.transport import Transport

    key = secret_key(KEY_VARIABLES)
    with _OPENING:
        place = (settings, digest("key", key))
        if place not in _SHARED:
            _SHARED[place] = _Shared(Transport(settings.base_url, key), Pace(settings))
        shared = _SHARED[place]
    return Chat(settings, shared.line, shared.pace, notebook=notebook)
