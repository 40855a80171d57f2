"""Nothing reaches for the network: a refresh and answers with the real models, with every socket closed but loopback."""

import socket
from pathlib import Path

import pytest
from pytest_socket import SocketConnectBlockedError

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh.products import refresh
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings_file import load_settings, write_corpus_folder

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1", "::1"]), pytest.mark.usefixtures("no_look_up")]

CORPUS = {
    "harbor.txt": "The lighthouse at Gull Point was built by Ada Merrow in 1871. Ada Merrow was born in Tarn Bay. She kept the lamp for nine years.",
    "ferry.md": "# The ferry\n\nThe ferry of Tarn Bay belonged to Piet Lund. Piet Lund sold the ferry to Ada Merrow for forty pounds.",
}
ELSEWHERE = ("192.0.2.1", 443)
"""An address reserved for documentation: nobody answers there."""


class LookedUp(AssertionError):
    """A host name was looked up."""


@pytest.fixture
def no_look_up(monkeypatch: pytest.MonkeyPatch) -> None:
    look_up = socket.getaddrinfo

    def local_only(host: str | bytes | None, *others: object, **named: object) -> list[tuple[object, ...]]:
        if host not in (None, "localhost", "127.0.0.1", "::1"):
            raise LookedUp(f"{host!r} was looked up")
        return look_up(host, *others, **named)  # type: ignore[arg-type,return-value]

    monkeypatch.setattr(socket, "getaddrinfo", local_only)


@pytest.mark.filterwarnings("ignore:A test tried to use")
def test_the_guard_closes_every_door_but_loopback() -> None:
    with socket.socket() as outward, pytest.raises(SocketConnectBlockedError):
        outward.connect(ELSEWHERE)
    with pytest.raises(LookedUp):
        socket.create_connection(("example.org", 443))
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass


@pytest.mark.models
def test_refresh_and_ask_need_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(variable, raising=False)
    corpus, home = tmp_path / "corpus", tmp_path / "home"
    corpus.mkdir()
    for name, text in CORPUS.items():
        (corpus / name).write_text(text, encoding="utf-8")
    write_corpus_folder(home, corpus)
    with Session.open(home, settings=load_settings(home)) as session:
        reports = refresh(session)
    assert {report.product: report.rows for report in reports}["source_documents"] == len(CORPUS)
    with QueryEngine(home) as engine:
        outcome = engine.ask("Who built the lighthouse at Gull Point?")
    assert outcome.answer is not None and "Ada Merrow" in outcome.answer
    assert {citation.document for citation in outcome.citations} == {"harbor.txt"}
