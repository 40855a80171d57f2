"""A chat model in one role: a request becomes a checked reply, with one repair, or a failure that says why there is none."""

import json
from collections.abc import Mapping
from dataclasses import replace

from pagerag_pipeline.models.chat.calling import Caller, Effort, Raw
from pagerag_pipeline.models.chat.dialects import Dialect, Dialects, Messages, body_of, probe_shows_schema
from pagerag_pipeline.models.chat.faults import Fault
from pagerag_pipeline.models.chat.letters import PROBED, TOKENS, Letters, letter_body, letter_chances
from pagerag_pipeline.models.chat.parsing import find_object, is_apology, is_looping
from pagerag_pipeline.models.chat.spending import Account, estimate_tokens
from pagerag_pipeline.prompts.load import fence_text, frames_fingerprint, load_prompt
from pagerag_pipeline.prompts.reply import reply_faults
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Failure, FailureKind, Reply, Request, Role, Spent
from pagerag_pipeline.settings_chat import ChatSettings

_VERSION = "chat/1"
_AUDIT = 4000
"""Characters of a reply that are kept for audit."""
_FAULTS = 8
"""Faults that a repair call quotes; the rest is counted."""
_FRAME_TOKENS = 32
"""Tokens that servers put around messages (roles, ends of turns); an upper bound for two of them."""


class ChatModel:
    """A language model behind a server; safe to use from many threads."""

    def __init__(self, role: Role, settings: ChatSettings, caller: Caller, *, dialects: Dialects, letters: Letters) -> None:
        self.name = settings.model_of(role)
        self.fingerprint = model_fingerprint(settings, role)
        self._settings = settings
        self._caller = caller
        self._dialects = dialects
        self._letters = letters

    def fits(self, request: Request) -> bool:
        """Whether a request and its reply have room in the window, by an estimate that errs upward."""
        return tokens_needed(request, self._most(request)) <= self._settings.context_tokens

    def reply(self, request: Request) -> Reply | Failure:
        """A reply that fits the request's schema and its own checks, or why there is none; of a request for letters, the log probability of each that was told."""
        most = self._most(request)
        effort = Effort(Account(request.stage, request.document, request.prompt, self.name))
        messages = messages_of(request)
        if (needed := tokens_needed(request, most)) > self._settings.context_tokens:
            return Failure("too_long", f"Prompt and reply need up to {needed} tokens, the window (chat.context_tokens) has {self._settings.context_tokens}.", 0)
        try:
            if request.letters:
                return self._lettered(request, messages, effort)
            raw = self._ask(request, messages, effort, most)
            reply = _judged(raw, request)
            if isinstance(reply, Failure) and reply.kind == "malformed":
                reply = self._repaired(request, messages, raw, (reply, effort, most))
        except Fault as fault:
            return Failure(fault.kind, fault.message, effort.spent.calls, effort.spent)
        if isinstance(reply, Failure):
            return replace(reply, message=self._caller.line.clean(reply.message), attempts=effort.spent.calls, spent=effort.spent)
        return replace(reply, spent=effort.spent)

    def _lettered(self, request: Request, messages: Messages, effort: Effort) -> Reply | Failure:
        """The letters that a model was about to write; `unsupported` where its server does not tell, or it was about to write something else. Raises Fault."""
        dialect = self._dialects.of(self.name, request.schema, lambda dialect: self._probe(dialect, effort))
        if not self._letters.are_told(self.name, lambda: self._probe_letters(dialect, effort)):
            return Failure("unsupported", f"The server tells no log probabilities for {self.name}.", effort.spent.calls, effort.spent)
        try:
            raw = self._caller.call(letter_body(dialect, self.name, messages, self._settings), effort, most=TOKENS)
        except Fault as fault:
            if fault.kind != "rejected" or fault.final:
                raise self._explained(fault) from fault
            return Failure("unsupported", fault.message, effort.spent.calls, effort.spent)
        chances = letter_chances(raw.likeliest, request.letters)
        if not chances:
            told = self._caller.line.clean(raw.text)
            return Failure("unsupported", f"{self.name} was about to write none of the letters but: {told}", effort.spent.calls, effort.spent)
        return Reply(chances, effort.spent)

    def _probe_letters(self, dialect: Dialect, effort: Effort) -> dict[str, float]:
        """What is told of the letters of a small question; its cost is told as that of the other probe."""
        prompt = load_prompt("probe_letters")
        own = Effort(Account("probe", "", prompt.name, self.name))
        messages = [{"role": "user", "content": prompt.fill()}]
        try:
            return letter_chances(self._caller.call(letter_body(dialect, self.name, messages, self._settings), own, most=TOKENS).likeliest, PROBED)
        finally:
            effort.spent += own.spent

    def _most(self, request: Request) -> int:
        return TOKENS if request.letters else request.most_tokens or self._settings.reply_tokens

    def _repaired(self, request: Request, messages: Messages, raw: Raw, so_far: tuple[Failure, Effort, int]) -> Reply | Failure:
        """The reply to one more call that quotes what is wrong; the first failure, if there is no room for it in the window."""
        first, effort, most = so_far
        asked = load_prompt("repair").fill(faults=fence_text(first.message))
        longer = [*messages, {"role": "assistant", "content": raw.text}, {"role": "user", "content": asked}]
        if sum(estimate_tokens(message["content"]) + _FRAME_TOKENS for message in longer) + most > self._settings.context_tokens:
            return first
        second = _judged(self._ask(request, longer, effort, most), request)
        if isinstance(second, Reply):
            return replace(second, repaired=True, raw=raw.text[:_AUDIT])
        return replace(second, message=f"{second.message} (after one repair; before it: {first.message})")

    def _ask(self, request: Request, messages: Messages, effort: Effort, most: int) -> Raw:
        """What the model says, in the dialect that its server takes. Raises Fault."""

        def probe(dialect: Dialect) -> str:
            return self._probe(dialect, effort)

        dialect = self._dialects.of(self.name, request.schema, probe)
        while True:
            try:
                body = body_of(dialect, self.name, messages, request.schema, (self._settings, most))
                return self._or_once_more(body, effort, most)
            except Fault as fault:
                other = self._dialects.refused(dialect, fault, self.name, request.schema, probe)
                if other is None or other == dialect:
                    raise self._explained(fault) from fault
                dialect = other

    def _or_once_more(self, body: Mapping[str, object], effort: Effort, most: int) -> Raw:
        """A reply; asked once more when the first one is empty, which servers send now and then."""
        raw = self._caller.call(body, effort, most=most)
        if raw.text.strip() or raw.refusal or raw.finish in ("length", "content_filter"):
            return raw
        return self._caller.call(body, effort, most=most)

    def _probe(self, dialect: Dialect, effort: Effort) -> str:
        """What the model replies to the probe; its cost is told under a prompt of its own, and is part of the request's."""
        prompt, most = load_prompt("probe"), min(self._settings.reply_tokens, self._settings.context_tokens // 2)
        schema = json.dumps(prompt.schema) if probe_shows_schema(dialect) else ""
        messages = _messages(prompt.fill(), schema) if schema else [{"role": "user", "content": prompt.fill()}]
        own = Effort(Account("probe", "", prompt.name, self.name))
        try:
            return self._caller.call(body_of(dialect, self.name, messages, prompt.schema, (self._settings, most)), own, most=most).text
        except Fault as fault:
            raise self._explained(fault) from fault
        finally:
            effort.spent += own.spent

    def _explained(self, fault: Fault) -> Fault:
        """A fault about an unknown model with the names that the server has."""
        if fault.status != 404 or not (names := self._caller.line.models(self._settings.timeout_seconds)):
            return fault
        told = f"{fault.message} The server has: {', '.join(names[:20])}{', ...' if len(names) > 20 else ''}."
        return Fault(fault.kind, told, status=fault.status, final=fault.final)


def model_fingerprint(settings: ChatSettings, role: Role) -> str:
    """Digest of what decides a reply besides the request: the model's name and `chat.revision`, how it samples, the words around prompts.

    The address is left out: the same model behind another one is asked nothing anew. Known without a call; never of the key.
    """
    return digest(_VERSION, settings.model_of(role), settings.revision, settings.temperature, settings.seed, frames_fingerprint())


def tokens_needed(request: Request, most: int) -> int:
    """Tokens that a request takes of the window at most: its messages, as estimated, and its reply."""
    return sum(estimate_tokens(message["content"]) + _FRAME_TOKENS for message in messages_of(request)) + most


def messages_of(request: Request) -> Messages:
    """The messages that a request is first put in: behind what a JSON reply must be, or alone where a letter is asked for."""
    if request.letters:
        return [{"role": "user", "content": request.text}]
    return _messages(request.text, json.dumps(request.schema, ensure_ascii=False))


def _messages(text: str, schema: str) -> Messages:
    return [{"role": "system", "content": load_prompt("format").fill(schema=schema)}, {"role": "user", "content": text}]


def _judged(raw: Raw, request: Request) -> Reply | Failure:
    """What one reply is worth: its value, or the failure that it is."""
    if raw.refusal or raw.finish == "content_filter":
        return _failed("refused", f"The model declined: {raw.refusal or 'its server filters the content'}", raw)
    if raw.finish == "length":
        looping = is_looping(raw.text)
        told = "it repeats itself without end" if looping else "raise chat.reply_tokens"
        return _failed("looping" if looping else "truncated", f"The reply was cut off at its most tokens: {told}.", raw)
    if not raw.text.strip():
        return _failed("empty", "The reply was empty, twice.", raw)
    found = find_object(raw.text)
    if found.value is None:
        if is_apology(raw.text):
            return _failed("refused", f"The model declined: {raw.text[:200]}", raw)
        return _failed("looping" if is_looping(raw.text) else "malformed", f"The reply holds no usable JSON object: {found.fault}", raw)
    faults = list(reply_faults(found.value, request.schema if request.held is None else request.held)) or list(request.faults(found.value))
    if faults:
        more = f"; and {len(faults) - _FAULTS} more" if len(faults) > _FAULTS else ""
        return _failed("malformed", f"{'; '.join(faults[:_FAULTS])}{more}", raw)
    return Reply(found.value, Spent(), raw="" if found.bare else raw.text[:_AUDIT])


def _failed(kind: FailureKind, message: str, raw: Raw) -> Failure:
    return Failure(kind, message, 0, raw=raw.text[:_AUDIT])
