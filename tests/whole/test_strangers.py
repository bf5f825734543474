"""Strangers at the daemon's doors: they are turned away, and no table notices (F12, F13, A11)."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.whole_rig import BACCARAT, Rig, needs_nats, pitwire, until

from daemon.service.control_socket import MOST_CALLERS, TAKES_WITHIN_S
from daemon.telemetry.metrics_server import MOST_CALLERS as MOST_SCRAPERS

pytestmark = [pytest.mark.slow, needs_nats]

STRANGERS = 300
BAC = BACCARAT.table


def free_port() -> tuple[str, int]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return "127.0.0.1", free.getsockname()[1]


def scrape(host: str, port: int) -> str:
    with urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
        return text


def descriptors(rig: Rig) -> int:
    assert rig.daemon is not None
    return len(list(Path(f"/proc/{rig.daemon.pid}/fd").iterdir()))


def served(host: str, port: int) -> bool:
    try:
        return "pitwire_bus_connected" in scrape(host, port)
    except OSError:
        return False


async def test_f12_a11_idle_connections_end_nothing_and_take_no_more_than_their_share(
    tmp_path: Path,
) -> None:
    host, port = free_port()
    async with Rig(tmp_path, metrics=f"{host}:{port}") as rig:
        await rig.dealing("R-1")
        await until(lambda: served(host, port), "metrics served")
        before = descriptors(rig)
        with ExitStack() as strangers:
            for _ in range(STRANGERS):
                one = strangers.enter_context(socket.socket())
                one.setblocking(False)  # noqa: FBT003 - the socket's own word
                one.connect_ex((host, port))
                other = strangers.enter_context(socket.socket(socket.AF_UNIX))
                other.connect(rig.socket)
            await until(
                lambda: descriptors(rig) >= before + MOST_CALLERS, "the strangers are let in"
            )
            rig.draw("KS>player.1")
            await rig.heard(BAC, "card.dealt", slot="player.1")
            most = before + MOST_CALLERS + MOST_SCRAPERS + 5
            await until(lambda: descriptors(rig) <= most, "the others are turned away")
            code, _out, err = await pitwire("status", "--socket", rig.socket)
            assert code == 1
            assert err == f"pitwire: {MOST_CALLERS} callers hold the daemon's socket; try again\n"
        await until(lambda: descriptors(rig) <= before + 1, "they are gone")
        code, out, _err = await pitwire("status", "--socket", rig.socket, "--json")
        assert code == 0
        assert json.loads(out)["metrics"] is None
        assert served(host, port)


async def test_f13_a_metrics_port_that_is_taken_stops_no_table_and_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host, port = taken.getsockname()
        async with Rig(tmp_path, metrics=f"{host}:{port}") as rig:
            await rig.dealing("R-1")
            rig.draw("KS>player.1")
            await rig.heard(BAC, "card.dealt", slot="player.1")
            code, out, _err = await pitwire("status", "--socket", rig.socket, "--json")
            assert code == 0
            assert json.loads(out)["metrics"] == f"{host}:{port}: Address already in use"
            log = (tmp_path / "daemon.log").read_text("utf-8")
            assert log.count("metrics_not_served") == 1
            assert f"sport = :{port}" in log
            taken.close()
            async with asyncio.timeout(30):
                while not served(host, port):  # noqa: ASYNC110 - it tries again by itself
                    await asyncio.sleep(0.2)
            code, out, _err = await pitwire("status", "--socket", rig.socket, "--json")
            assert json.loads(out)["metrics"] is None


async def test_a11_a_caller_who_never_reads_is_hung_up_on(tmp_path: Path) -> None:
    async with Rig(tmp_path) as rig:
        await rig.connected(BAC)
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(10)
            caller.connect(rig.socket)
            # Answers that nobody takes fill the buffers; then the daemon waits, and gives up.
            caller.sendall(b'{"verb": "status"}\n' * 2000)
            hung_up = select.poll()
            hung_up.register(caller, select.POLLHUP)
            async with asyncio.timeout(TAKES_WITHIN_S + 20):
                while not hung_up.poll(0):  # noqa: ASYNC110 - the daemon's own patience
                    await asyncio.sleep(0.2)
        code, _out, _err = await pitwire("status", "--socket", rig.socket)
        assert code == 0
