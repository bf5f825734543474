"""The client of the control socket never hangs on a daemon that is stopped or stuck."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from daemon.cli import control_client
from daemon.cli.control_client import ask, exchange, stream
from daemon.cli.ports_in_use import tables_by_link
from daemon.exits import Exit

STATUS = {"verb": "status"}


@pytest.fixture(autouse=True)
def _a_short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_client, "ANSWER_WITHIN_S", 0.05)


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """Give a socket that takes connections and says nothing of itself."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        yield server


def test_a_daemon_that_does_not_answer_ends_the_verb_with_69(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "control"
    with listening(path), pytest.raises(SystemExit) as ended:
        ask(str(path), STATUS)
    assert ended.value.code == Exit.UNAVAILABLE
    assert "does not answer within 0.05 s" in capsys.readouterr().err


def test_a_daemon_that_does_not_answer_holds_no_port_for_all_we_know(tmp_path: Path) -> None:
    path = tmp_path / "control"
    with listening(path):
        assert tables_by_link(str(path)) == {}


def test_a_daemon_that_hangs_up_before_it_answers_ends_the_verb_with_69(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "control"

    def serve(server: socket.socket) -> None:
        connection, _ = server.accept()
        connection.close()

    with listening(path) as server:
        thread = threading.Thread(target=serve, args=(server,))
        thread.start()
        with pytest.raises(SystemExit) as ended:
            ask(str(path), STATUS)
        thread.join()
    assert ended.value.code == Exit.UNAVAILABLE
    assert capsys.readouterr().err


def test_what_comes_after_the_first_answer_is_waited_for_without_limit(tmp_path: Path) -> None:
    path, longer = tmp_path / "control", 4 * control_client.ANSWER_WITHIN_S

    def serve(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(1024)
            connection.sendall(b'{"tailing":null}\n')
            threading.Event().wait(longer)
            connection.sendall(b'{"event":1}\n')

    with listening(path) as server:
        thread = threading.Thread(target=serve, args=(server,))
        thread.start()
        assert list(exchange(str(path), {"verb": "tail"})) == [{"tailing": None}, {"event": 1}]
        thread.join()


def test_what_the_daemon_refuses_ends_the_verb_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "control"

    def serve(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, connection.makefile("rwb") as lines:
            asked = json.loads(lines.readline())
            lines.write(json.dumps({"error": f"no {asked['verb']} today"}).encode() + b"\n")

    with listening(path) as server:
        thread = threading.Thread(target=serve, args=(server,))
        thread.start()
        with pytest.raises(SystemExit) as ended:
            list(stream(str(path), STATUS))
        thread.join()
    assert ended.value.code == Exit.FAILED
    assert "no status today" in capsys.readouterr().err
