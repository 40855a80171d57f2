"""An OpenAI-compatible server on loopback that says what a test tells it to, misbehaves on demand, and remembers what it was asked."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROBED = {"color": "blue", "number": 7}
"""What fits the prompt `probe`."""
_STEP = 0.02


@dataclass(frozen=True)
class Say:
    """One behavior: what is answered to one call."""

    content: Any = None
    """The message's content; anything but a text or None is written as JSON."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before anything is sent."""
    slow: float = 0.0
    """Seconds over which the body is sent, byte by byte."""
    finish: str = "stop"
    usage: Mapping[str, Any] | None = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 10})
    body: str | None = None
    """The whole body in place of a completion."""
    disconnect: bool = False
    """Close the connection in the middle of the body."""
    refusal: str = ""
    chances: Mapping[str, float] | None = None
    """Log probabilities of next tokens, told where they are asked for."""


Behavior = Say | Callable[[dict[str, Any]], Say]


class ScriptedServer:
    """What a running server was told to say, and what it was asked. Behaviors are taken in order; the last one stays."""

    def __init__(self) -> None:
        self.base_url = ""
        self.script: list[Behavior] = [Say({})]
        self.probe: Behavior = Say(PROBED)
        self.probe_letters: Behavior = Say("A")
        self.embed: Callable[[str], list[float]] = lambda text: [float(len(text)), 1.0, 0.0]
        self.embed_script: list[Say] = []
        """What is said to requests of vectors, in order, before `embed` is asked."""
        self.embedded: list[dict[str, Any]] = []
        self.models: list[str] = ["small"]
        self.requests: list[dict[str, Any]] = []
        self.probes: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.paths: Counter[str] = Counter()
        self.at_once = 0
        self._running = 0
        self._lock = threading.Lock()

    @property
    def calls(self) -> int:
        """Completions asked for, probes apart."""
        return len(self.requests)

    def says(self, *behaviors: Behavior) -> None:
        """Say these to the calls from here on."""
        self.script = list(behaviors)

    def prompts(self) -> list[str]:
        """The whole words of each request."""
        return ["\n".join(message["content"] for message in request["messages"]) for request in self.requests]

    def behavior(self, request: dict[str, Any]) -> Say:
        """What to say to a request; it is remembered."""
        with self._lock:
            probing = "blue sails" in json.dumps(request["messages"])
            (self.probes if probing else self.requests).append(request)
            if probing:
                chosen = self.probe_letters if request.get("logprobs") else self.probe
            else:
                chosen = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return chosen if isinstance(chosen, Say) else chosen(request)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count how many calls run at once."""
        with self._lock:
            self._running += 1
            self.at_once = max(self.at_once, self._running)
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1


@contextmanager
def scripted_server() -> Iterator[ScriptedServer]:
    """A server for the time of a test."""
    server = ScriptedServer()

    class Handler(_Handler):
        scripted = server

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        http.block_on_close = False
        thread = threading.Thread(target=http.serve_forever, args=(_STEP,), daemon=True)
        thread.start()
        server.base_url = f"http://127.0.0.1:{http.server_port}/v1"
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    scripted: ScriptedServer

    def do_GET(self) -> None:
        self.scripted.paths[self.path] += 1
        self._send(Say(body=json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in self.scripted.models]})), b"")

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.scripted.paths[self.path] += 1
        self.scripted.keys.append(self.headers.get("authorization", ""))
        if self.path.endswith("/embeddings"):
            self.scripted.embedded.append(request)
            if self.scripted.embed_script:
                say = self.scripted.embed_script.pop(0)
                time.sleep(say.delay)
                self._send(say, _completion(say, request))
                return
            texts = [request["input"]] if isinstance(request["input"], str) else request["input"]
            rows = [{"index": place, "embedding": self.scripted.embed(text)} for place, text in enumerate(texts)]
            self._send(Say(body=json.dumps({"data": rows, "model": request["model"], "usage": {"prompt_tokens": sum(map(len, texts)) // 4}})), b"")
            return
        with self.scripted.counted():
            say = self.scripted.behavior(request)
            time.sleep(say.delay)
            self._send(say, _completion(say, request))

    def _send(self, say: Say, completion: bytes) -> None:
        body = completion if say.body is None else say.body.encode()
        try:
            self.send_response(say.status)
            for name, value in {"content-type": "application/json", "content-length": str(len(body)), **say.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if say.disconnect:
                self.wfile.write(body[: len(body) // 2])
                self.close_connection = True
                return
            for piece in [body] if not say.slow else [body[place : place + 1] for place in range(len(body))]:
                self.wfile.write(piece)
                self.wfile.flush()
                time.sleep(say.slow / len(body))
        except OSError:
            self.close_connection = True  # the client went away

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: tests look at `requests`."""


def _completion(say: Say, request: dict[str, Any]) -> bytes:
    if say.status != 200:
        return json.dumps({"error": {"message": say.content, "code": None}}).encode()
    content = say.content if isinstance(say.content, str) or say.content is None else json.dumps(say.content, ensure_ascii=False)
    message = {"role": "assistant", "content": content, **({"refusal": say.refusal} if say.refusal else {})}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": say.finish}
    if say.chances is not None and request.get("logprobs"):
        likeliest = [{"token": token, "logprob": chance, "bytes": None} for token, chance in say.chances.items()]
        choice["logprobs"] = {"content": [{**likeliest[0], "top_logprobs": likeliest}]}
    table: dict[str, Any] = {"id": "c", "object": "chat.completion", "model": request["model"], "choices": [choice]}
    return json.dumps({**table, **({"usage": say.usage} if say.usage is not None else {})}).encode()
