"""A chat model in the role `judge`: it is asked through the client of chat mode, and never twice for the same words."""

import textwrap
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.judging.memory import JUDGED_FILE, Verdicts, judged_key
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.models.chat.many import Item, Result
from pagerag_pipeline.models.chat.opening import Chat
from pagerag_pipeline.prompts.load import load_prompt
from pagerag_pipeline.schema.language import Failure, Request, Spent

STAGE = "judge"
"""The stage of the ledger of spending under which verdicts stand."""
PROMPTS = ("grade", "compare", "reverse", "statements", "entail", "useful")

_REASON = 200
"""Most characters of a reason: a server may send a page."""
_REASONS = 10
"""Most reasons that are told, the most frequent first; the rest is counted."""

Faults = Callable[[Any], Iterable[str]]


class Unjudged(Exception):
    """A measure without a value: which prompt gave nothing, by what kind of failure, and why, in short."""

    def __init__(self, prompt: str, failure: Failure) -> None:
        super().__init__(failure.message)
        self.name = f"{prompt}: {failure.kind}"
        self.reason = f"{self.name}: {textwrap.shorten(failure.message, _REASON, placeholder=' ...')}"


class Judge:
    """The judge of one evaluation, with its memory and what it spent; safe to use from many threads."""

    def __init__(self, chat: Chat, verdicts: Verdicts) -> None:
        self._chat = chat
        self._model = chat.model("judge")
        self._verdicts = verdicts
        self._lock = threading.Lock()
        self._told: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._under_way: dict[str, threading.Lock] = {}
        """One lock a verdict: what two cases ask alike at the same time is asked once."""

    def ask(self, prompt: str, values: dict[str, str], faults: Faults = lambda _: ()) -> dict[str, Any]:
        """The reply to a prompt, from memory where it was given before; `faults` says what is wrong with one that fits its schema. Raises Unjudged."""
        request = _request(prompt, values, faults)
        key = judged_key(request, self._model.fingerprint)
        with self._lock:
            under_way = self._under_way.setdefault(key, threading.Lock())
        with under_way:
            kept = self._verdicts.read(key)
            if kept is not None:
                return self._counted("remembered", kept)
            result = self._model.reply(request)
            if isinstance(result, Failure):
                unjudged = Unjudged(prompt, result)
                self._counted("failed", {}, reason=unjudged.reason)
                raise unjudged
            self._verdicts.write(key, result.value, prompt=prompt, model=self._model.name)
            return self._counted("given", result.value)

    def fits(self, prompt: str, values: dict[str, str]) -> bool:
        """Whether a prompt filled so has room in the model's window."""
        return self._model.fits(_request(prompt, values, lambda _: ()))

    def each(self, ask: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item with what came of it, in order of completion, as many at once as the settings of chat mode allow."""
        yield from self._chat.each(ask, items)

    def told(self) -> dict[str, Any]:
        """The model, its prompts, how many verdicts it gave anew, how many were remembered or failed and why, and what it spent in this run by prompt."""
        spent: dict[str, Spent] = {}
        for account, one in self._chat.spending.accounts():
            if account.stage == STAGE:
                spent[account.prompt] = spent.get(account.prompt, Spent()) + one
        prompts = {name: load_prompt(name).fingerprint for name in PROMPTS}
        with self._lock:
            verdicts = {name: self._told[name] for name in ("given", "remembered", "failed")}
            reasons = sorted(self._reasons.items(), key=lambda item: (-item[1], item[0]))
        more = sum(count for _, count in reasons[_REASONS:])
        failures = {**dict(reasons[:_REASONS]), **({"other reasons": more} if more else {})}
        told = {"verdicts": verdicts, "failures": failures, "spent": {name: asdict(one) for name, one in spent.items()}}
        return {"model": self._model.name, "fingerprint": self._model.fingerprint, "prompts": prompts, **told}

    def _counted(self, name: str, value: dict[str, Any], *, reason: str = "") -> dict[str, Any]:
        with self._lock:
            self._told[name] += 1
            self._reasons.update([reason] if reason else [])
        return value


def open_judge(chat: Chat | None, home: Path, cache: Path) -> Judge:
    """The judge among the chat models of a run, which the settings of `home` name; its memory stands in `cache`. Raises EvaluationError where there are none."""
    if chat is None:
        raise EvaluationError(
            f"--judge needs a chat model and none is set: name one in {home / 'pagerag.toml'} as [chat] base_url and model (judge_model for another than "
            "the one that answers), or as PAGERAG_CHAT_BASE_URL and PAGERAG_CHAT_MODEL; or leave --judge out."
        )
    return Judge(chat, Verdicts(cache / JUDGED_FILE))


def _request(prompt: str, values: dict[str, str], faults: Faults) -> Request:
    return replace(load_prompt(prompt).request(**values), stage=STAGE, faults=faults)
