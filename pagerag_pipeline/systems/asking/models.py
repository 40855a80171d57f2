"""The chat models that one question may ask while evidence is gathered, what they cost it, and how it is told that one gave nothing."""

import threading
from dataclasses import dataclass

from pagerag_pipeline.schema.language import Failure, Reply, Request, Spent
from pagerag_pipeline.schema.protocols import LanguageModel
from pagerag_pipeline.settings_chat import AskSettings, ChatSettings

STAGE = "answers"
"""The stage of the ledger of spending under which questions stand."""


class Tally:
    """What one question has spent so far; hops that run at once add to it together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent = Spent()

    def add(self, spent: Spent) -> None:
        """Put one request to the account."""
        with self._lock:
            self._spent += spent

    @property
    def spent(self) -> Spent:
        """All of it."""
        with self._lock:
            return self._spent


class Tallied:
    """A model whose requests are put to the account of one question."""

    def __init__(self, model: LanguageModel, tally: Tally) -> None:
        self.name, self.fingerprint = model.name, model.fingerprint
        self._model, self._tally = model, tally

    def fits(self, request: Request) -> bool:
        """Whether the model has room for a request."""
        return self._model.fits(request)

    def reply(self, request: Request) -> Reply | Failure:
        """The model's reply or failure; its cost is noted either way."""
        result = self._model.reply(request)
        self._tally.add(result.spent)
        return result


@dataclass(frozen=True, slots=True)
class Asking:
    """What one question may ask, of whom, and for how long."""

    plan: Tallied
    answer: Tallied
    settings: AskSettings
    tally: Tally
    seconds: float
    """Most that one request takes, waits included."""
    threads: int
    """Requests at once."""


def asking_of(plan: LanguageModel, answer: LanguageModel, *, chat: ChatSettings, settings: AskSettings) -> Asking:
    """The models of one question with an account of their own."""
    tally = Tally()
    return Asking(Tallied(plan, tally), Tallied(answer, tally), settings, tally, chat.total_seconds, chat.concurrency)


def why_none(failure: Failure) -> str:
    """Why a model gave nothing, in the words of plan and trace."""
    return f"{failure.kind}: {failure.message}"
