"""F9: a stream that may lose what it has taken is named, setting by setting; and how it is made."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.js.client import JetStreamContext
from support.delivering import NatsSite, delivering, eventually, on_the_bus, write
from support.durable import TABLE, body, events, nats_server, opened

from daemon.buses.nats_jetstream import NatsBus, NatsSettings
from daemon.delivery.bus import Address, BusUnavailable
from daemon.demo.embedded_nats import EmbeddedNats

HERE = Address("oslo", TABLE, "live")
SUBJECTS = ["pit.event.>", "pit.lease.>"]


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with nats_server(tmp_path / "nats") as (_, url):
        yield url


@asynccontextmanager
async def bus(url: str, **settings: Any) -> AsyncIterator[NatsBus]:
    one = NatsBus(NatsSettings(servers=(url,), **settings), lambda _: None)
    try:
        yield one
    finally:
        await one.close()


@asynccontextmanager
async def streams(url: str) -> AsyncIterator[JetStreamContext]:
    client = await nats.connect(url)
    try:
        yield client.jetstream()
    finally:
        await client.close()


async def unkept(url: str, **settings: Any) -> list[str]:
    async with bus(url, **settings) as one:
        await eventually(one.log.newest, HERE)
        return list((await one.log.keeping(HERE)).unkept)


async def test_a_stream_of_ours_keeps_what_it_takes(url: str) -> None:
    assert await unkept(url) == []


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"retention": "interest"}, "drops events by interest or by work done"),
        ({"retention": "workqueue"}, "drops events by interest or by work done"),
        ({"storage": "memory"}, "keeps events in memory"),
        ({"max_msgs": 1000, "discard": "old"}, "throws its oldest events away when it is full"),
        ({"max_bytes": 10**6, "discard": "old"}, "(max_bytes 1000000)"),
        ({"max_msgs_per_subject": 5}, "keeps 5 events of each kind only"),
        ({"max_age": 3600.0}, "keeps events for 3600 s only (max_age), and in [bus] max_age_s is"),
        ({"duplicate_window": 60.0}, "knows an id for 60 s only"),
        ({"no_ack": True}, "acknowledges nothing"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
async def test_f9_each_setting_that_may_lose_an_event_is_named(
    url: str, made: dict[str, Any], said: str
) -> None:
    async with streams(url) as manager:
        kept = {"duplicate_window": 600.0, "discard": "new", **made}
        await manager.add_stream(name="PIT", subjects=SUBJECTS, **kept)
    (sentence,) = await unkept(url, manage_stream=False)
    assert said in sentence
    assert sentence.startswith("the stream PIT ")


async def test_f9_a_full_stream_that_keeps_its_oldest_is_no_reason_to_warn(url: str) -> None:
    async with streams(url) as manager:
        await manager.add_stream(
            name="PIT", subjects=SUBJECTS, max_msgs=1000, discard="new", duplicate_window=600.0
        )
    assert await unkept(url, manage_stream=False) == []


async def test_a_stream_is_made_and_changed_as_the_settings_say(url: str) -> None:
    async with bus(url, max_age_s=86400.0) as one:
        await eventually(one.log.newest, HERE)
    async with streams(url) as manager:
        config = (await manager.stream_info("PIT")).config
        assert (config.max_age, config.discard, config.allow_atomic) == (86400.0, "new", True)
        await manager.update_stream(config, discard="old", max_age=60.0, duplicate_window=60.0)
    async with bus(url, max_age_s=7 * 86400.0) as one:
        await eventually(one.log.newest, HERE)
        assert list((await one.log.keeping(HERE)).unkept) == []
    async with streams(url) as manager:
        config = (await manager.stream_info("PIT")).config
        assert (config.max_age, config.discard) == (7 * 86400.0, "new")
        assert config.duplicate_window == 600.0


async def test_a_stream_that_cannot_be_as_the_settings_say_is_named_with_the_servers_reason(
    url: str,
) -> None:
    async with bus(url, replicas=3) as one:
        what = "not connected yet"
        async with asyncio.timeout(10):
            while "not connected yet" in what:
                try:
                    await one.log.newest(HERE)
                except BusUnavailable as trouble:
                    what = trouble.what
                await asyncio.sleep(0.01)
    assert what.startswith("the stream PIT cannot be made as [bus] says (")
    assert "replicas" in what


FORBIDS = """
authorization { users: [ { user: pit, password: x, permissions: {
  publish: { deny: "$JS.API.STREAM.INFO.>" } } }, { user: all, password: y } ] }
"""


async def test_a_stream_that_may_not_be_looked_at_is_said_to_be_unknown(tmp_path: Path) -> None:
    with nats_server(tmp_path / "nats", FORBIDS) as (_, url):
        async with streams(url.replace("//", "//all:y@")) as manager:
            await manager.add_stream(name="PIT", subjects=SUBJECTS, duplicate_window=600.0)
        (sentence,) = await unkept(url.replace("//", "//pit:x@"), manage_stream=False)
    assert "is not known; allow our user $JS.API.STREAM.INFO.PIT" in sentence


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[list[str]]:
    """Three servers that are one."""
    with ExitStack() as stack:
        servers = [EmbeddedNats() for _ in range(3)]
        ports = _free_ports(6)
        routes = ", ".join(f"nats://127.0.0.1:{port}" for port in ports[3:])
        urls = []
        for number, server in enumerate(servers):
            name = f"s{number}"
            extra = (
                f"server_name: {name}\ncluster {{ name: pit, listen: 127.0.0.1:{ports[3 + number]},"
                f" routes: [{routes}] }}\n"
            )
            urls.append(server.start(tmp_path / name, port=ports[number], extra_config=extra))
            stack.callback(server.stop)
        yield urls


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        ends = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [end.getsockname()[1] for end in ends]


@pytest.mark.slow
async def test_a_cluster_takes_batches_in_order_and_one_copy_there_is_named(
    tmp_path: Path, cluster: list[str]
) -> None:
    for copies in (1, 3):
        settings = NatsSettings(servers=tuple(cluster), replicas=None if copies == 1 else 3)
        one = NatsBus(settings, lambda _: None)
        async with asyncio.timeout(30):
            while True:
                try:
                    said = list((await one.log.keeping(HERE)).unkept)
                    break
                except BusUnavailable:
                    await asyncio.sleep(0.1)
        if copies == 1:
            (sentence,) = said
            assert sentence.startswith(
                "the stream PIT is kept by one server of the cluster pit only"
            )
            assert (one.bulk.in_flight(HERE), one.bulk.batch_from(HERE)) == (16, 8)
        else:
            assert said == []
            assert (one.bulk.in_flight(HERE), one.bulk.batch_from(HERE)) == (1, 2)
        await one.close()
    site = NatsSite(EmbeddedNats(), cluster[0], tmp_path, "")
    async with opened(tmp_path / "journal.db") as it, delivering(it, site) as delivery:
        for first in (1, 2, 12):
            await write(it, delivery, *events(first, {1: 1, 2: 11, 12: 60}[first]))
        await delivery.until_delivered()
    found = [payload for _, _, payload in await on_the_bus(cluster[0])]
    assert found == [body(seq) for seq in range(1, 61)]
