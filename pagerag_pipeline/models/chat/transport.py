"""One call to a chat or embeddings server through the client `openai`, whose exceptions end here as faults. Nothing here tries again."""

import json
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import openai

from pagerag_pipeline.models.chat.faults import Fault, fault_of_status
from pagerag_pipeline.models.chat.parsing import plain_text
from pagerag_pipeline.models.chat.waiting import retry_after

_NO_KEY = "none"
"""Sent where no key is set: local servers want none, and the client insists on one."""
_SHOWN = 300


class Transport:
    """The connection to one server; safe to use from many threads."""

    def __init__(self, base_url: str, key: str, *, section: str = "chat") -> None:
        """`section` is that of the settings which name the server: faults say what to set there."""
        self._base_url = base_url
        self._section = section
        self._key = key
        self._client = openai.OpenAI(base_url=base_url, api_key=key or _NO_KEY, max_retries=0)

    def complete(self, body: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The server's table for one chat completion. Raises Fault, after `timeout` seconds at the latest, however slowly a server sends."""
        rest = {name: value for name, value in body.items() if name not in ("model", "messages")}
        sent = self._client.chat.completions.with_streaming_response.create(
            model=body["model"], messages=body["messages"], extra_body=rest, timeout=timeout
        )
        return self._table(self._received(sent, timeout), "choices")

    def embed(self, body: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The server's table for one request of vectors. Raises Fault as `complete` does."""
        sent = self._client.embeddings.with_streaming_response.create(**body, timeout=timeout)
        return self._table(self._received(sent, timeout), "data")

    def _received(self, sent: AbstractContextManager[Any], timeout: float) -> bytes:
        """The whole body of a response. Raises Fault."""
        started = time.monotonic()
        try:
            with sent as response:
                received = bytearray()
                for piece in response.iter_bytes():
                    received += piece
                    if time.monotonic() - started > timeout:
                        raise Fault("timeout", f"{self._base_url} had not sent its whole reply after {timeout:g} s.")
        except Fault:
            raise
        except openai.APIStatusError as error:
            raise self._refusal(error) from None
        except Exception as error:  # the client and the HTTP library below it raise types of their own, while reading too
            raise self._lost(error, timeout) from None
        return bytes(received)

    def models(self, timeout: float) -> list[str]:
        """Names of the models that the server tells it has, sorted; empty when it does not tell."""
        try:
            return sorted(model.id for model in self._client.models.list(timeout=timeout).data)
        except Exception:  # only wanted for the words of another error
            return []

    def clean(self, text: str) -> str:
        """A text of the server on one line, without the key and characters that say nothing, and not too long."""
        told = " ".join(plain_text(text).split())
        told = told.replace(self._key, "***") if self._key else told
        return told if len(told) <= _SHOWN else f"{told[:_SHOWN]}..."

    def _refusal(self, error: openai.APIStatusError) -> Fault:
        table = error.body if isinstance(error.body, dict) else {}
        words = str(table.get("message") or error.message)
        wait = retry_after(error.response.headers, time.time())
        return fault_of_status(error.status_code, str(table.get("code") or ""), self.clean(words), (self._base_url, self._section), wait)

    def _lost(self, error: Exception, timeout: float) -> Fault:
        if "Timeout" in type(error).__name__:
            return Fault("timeout", f"{self._base_url} did not answer within {timeout:g} s.")
        cause = error.__cause__ or error
        return Fault("transport", f"No reply from {self._base_url}: {self.clean(f'{type(cause).__name__}: {cause}')}")

    def _table(self, received: bytes, wanted: str) -> dict[str, Any]:
        """The reply as a table; what servers send as success and is none is a fault."""
        try:
            table = json.loads(received)
        except (ValueError, RecursionError):
            raise Fault("transport", f"{self._base_url} sent something else than JSON: {self.clean(received.decode(errors='replace')[:_SHOWN])}") from None
        # No vectors for some texts is the caller's to judge; no choice is no reply at all.
        if not isinstance(table, dict) or wanted not in table or (wanted == "choices" and not (isinstance(table[wanted], list) and table[wanted])):
            raise Fault("transport", f"{self._base_url} sent no {wanted}: {self.clean(json.dumps(table))}")
        return table
