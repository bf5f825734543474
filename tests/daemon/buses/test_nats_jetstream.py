from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from support.delivering import NatsSite, delivering, eventually, on_the_bus, write
from support.durable import EPOCH, TABLE, body, events, nats_server, opened

from daemon.buses.nats_jetstream import BUS, NatsBus, NatsSettings, connection
from daemon.delivery.bus import (
    Address,
    BusRefused,
    BusUnavailable,
    CommandHandler,
    Outgoing,
    Request,
)
from daemon.journal.records import Record, Transaction

HERE = Address("oslo", TABLE, "live")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[NatsSite]:
    config: str = getattr(request, "param", "")
    with nats_server(tmp_path / "nats", config) as (server, url):
        yield NatsSite(server, url, tmp_path / "nats", config)


async def test_a_repeated_id_is_taken_once_over_a_server_restart(site: NatsSite) -> None:
    for _ in range(2):
        bus = NatsBus(NatsSettings(servers=(site.url,)), lambda _: None)
        await eventually(bus.log.newest, HERE)
        address = Address("oslo", TABLE, "live")
        for _again in range(2):
            await bus.publish(address, Outgoing("card.dealt", f"T-07:{EPOCH}:1", body(1)), 0)
        await bus.close()
        site.server.kill()
        await asyncio.to_thread(site.restart)
    assert len(await on_the_bus(site.url)) == 1


FORBIDS = """
authorization { users: [
  { user: pit, password: secret, permissions: {
      publish: { allow: ["$JS.API.>", "_INBOX.>", "pit.lease.>",
               "pit.event.oslo.T-07.card.dealt"] }
      subscribe: { deny: "pit.command.>" } } }
  { user: all, password: secret }
] }
"""


@pytest.mark.parametrize("site", [FORBIDS], indirect=True)
async def test_a_missing_permission_is_said_in_words_and_nothing_is_dropped(
    path: Path, site: NatsSite
) -> None:
    url = site.url.replace("//", "//pit:secret@")
    async with opened(path) as it, delivering(it, url) as delivery:
        landed = Record(2, EPOCH, 2, "event", body(2, kind="spin.landed"))
        await write(it, delivery, *events(1, 1), Transaction(TABLE, (landed,)))
        forbidden = "the bus forbids us to publish on pit.event.oslo.T-07.spin.landed"
        await delivery.until(lambda: delivery.error() == forbidden)
        state = delivery.publisher.state()
        assert state.action == "allow it in the permissions of our user on the server"
        assert (state.lag, state.refused) == (1, 0)

        async def never(_: Request) -> bytes:
            raise AssertionError

        await delivery.bus.serve(Address("oslo", TABLE, "live"), never)
        await delivery.until(lambda: delivery.reports[-1] is not None)
        assert delivery.reports[-1] == (
            "the bus does not let us listen on pit.command.oslo.T-07.*.*: allow it for our user"
        )


LOGIN = "authorization { users: [ { user: pit, password: secret } ] }"


@pytest.mark.parametrize("site", [LOGIN], indirect=True)
async def test_a_password_comes_from_its_file_and_shows_in_no_sentence(
    tmp_path: Path, site: NatsSite
) -> None:
    said: asyncio.Queue[str | None] = asyncio.Queue()
    wrong = NatsBus(
        NatsSettings(servers=(site.url.replace("//", "//pit:hunter2@"),)), said.put_nowait
    )
    why = await asyncio.wait_for(said.get(), 5) or ""
    await wrong.close()
    assert "Authorization Violation" in why
    assert "hunter2" not in why
    secret = tmp_path / "password"
    secret.write_text("secret\n")
    settings = NatsSettings(servers=(site.url,), user="pit", password_file=str(secret))
    bus = NatsBus(settings, lambda _: None)
    await eventually(bus.log.newest, HERE)
    await bus.close()


@pytest.mark.parametrize(
    ("site", "user", "reason"),
    [
        (LOGIN, "pit:wrong@", "Authorization Violation"),
        ("max_connections: 0", "", "maximum connections exceeded"),
    ],
    indirect=["site"],
)
async def test_who_turns_us_away_is_told_once_with_its_reason_and_not_asked_again_at_once(
    site: NatsSite, user: str, reason: str
) -> None:
    said: list[str | None] = []
    tries: list[float] = []
    loop = asyncio.get_running_loop()

    class Counted(Client):
        async def connect(self, *words: Any, **options: Any) -> None:
            tries.append(loop.time())
            await super().connect(*words, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "Client", Counted)
        bus = NatsBus(NatsSettings(servers=(site.url.replace("//", f"//{user}"),)), said.append)
        async with asyncio.timeout(20):
            while len(tries) < 5:  # noqa: ASYNC110 - the server is another process
                await asyncio.sleep(0.01)
        await bus.close()
    # 0.1, 0.2, 0.4 and 0.8 s, as drivers/backoff.py counts
    assert tries[4] - tries[0] > 0.1 + 0.2 + 0.4 + 0.8
    # the reset of a connection may overtake the words before it, until they are heard once
    silent = [one for one in said if one == f"the bus at {site.url} hung up without a word"]
    assert said == [*silent, f"the bus at {site.url} refuses us ('{reason}')"]
    assert len(silent) <= 1


async def test_a_password_file_that_is_half_written_ends_no_trying(
    tmp_path: Path, site: NatsSite
) -> None:
    said: list[str | None] = []
    secret = tmp_path / "password"
    settings = NatsSettings(servers=(site.url,), user="pit", password_file=str(secret))
    bus = NatsBus(settings, said.append)
    async with asyncio.timeout(20):
        while not said:  # noqa: ASYNC110 - said by a task
            await asyncio.sleep(0.01)
        assert "No such file" in (said[0] or "")
        secret.write_text("secret")
        while said[-1] is not None:  # noqa: ASYNC110 - said by a task
            await asyncio.sleep(0.01)
    await bus.close()


@pytest.mark.parametrize(
    "word", [b"", b"{}", b"[1]", b"null", b"\xff", b'{"seq": "1"}', b'{"seq": 0}', b"[" * 20_000]
)
async def test_what_a_stranger_answers_is_no_acknowledgement(site: NatsSite, word: bytes) -> None:
    """It ended the publisher: an answer without a seq was taken for a stream's."""
    stranger = await nats.connect(site.url)
    settings = NatsSettings(servers=(site.url,), manage_stream=False)
    bus = NatsBus(settings, lambda _: None)

    async def answer(message: Msg) -> None:
        await message.respond(word)

    await stranger.subscribe("pit.event.>", cb=answer)
    await stranger.flush()
    with pytest.raises(BusUnavailable, match="no acknowledgement of a stream"):
        await until_connected(bus)
    await bus.close()
    await stranger.close()


async def until_connected(bus: NatsBus) -> None:
    """Publish as soon as there is a connection."""
    while True:
        try:
            await bus.publish(HERE, Outgoing("card.dealt", "1", body(1)), 0)
        except BusUnavailable as error:
            if "acknowledgement" in error.what:
                raise
            await asyncio.sleep(0.01)


async def test_a_server_that_does_not_acknowledge_is_left_for_a_new_connection(
    site: NatsSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = NatsBus(NatsSettings(servers=(site.url,)), lambda _: None)
    await eventually(bus.publish, HERE, Outgoing("card.dealt", "1", body(1)), 0)
    before = bus._client
    monkeypatch.setattr(connection, "ACK_S", 0.2)
    site.freeze()
    with pytest.raises(BusUnavailable, match="did not acknowledge"):
        await bus.publish(HERE, Outgoing("card.dealt", "2", body(2)), 0)
    site.thaw()
    await eventually(bus.publish, HERE, Outgoing("card.dealt", "2", body(2)), 0)
    assert bus._client is not before
    await bus.close()


@pytest.mark.parametrize("site", ["max_payload: 1000"], indirect=True)
async def test_an_event_is_measured_with_its_headers(site: NatsSite) -> None:
    bus = NatsBus(NatsSettings(servers=(site.url,)), lambda _: None)
    await eventually(bus.log.newest, HERE)
    client = bus._client
    size, refused = 800, ""
    while not refused:
        size += 1
        try:
            await bus.publish(HERE, Outgoing("card.dealt", f"T-07:{size}", b"x" * size), 0)
        except BusRefused as refusal:
            refused = str(refusal)
    assert refused == "1001 bytes on the wire are more than the server takes"
    found = await on_the_bus(site.url)
    assert len(found[-1][2]) == size - 1
    assert bus._client is client, "the server hung up on none of them"
    await bus.close()


async def test_no_answer_goes_where_only_we_may_write(site: NatsSite) -> None:
    async def handle(_: Request) -> bytes:
        return b"answer"

    bus = NatsBus(NatsSettings(servers=(site.url,)), lambda _: None)
    await bus.serve(HERE, handle)
    await eventually(bus.publish, HERE, Outgoing("card.dealt", "1", body(1)), 0)
    client = await nats.connect(site.url)
    command = "pit.command.oslo.T-07.play.ann"
    for reply in ("pit.event.oslo.T-07.card.dealt", "pit-rehearsal.event.x", "$JS.API.INFO"):
        await client.publish(command, b"{}", reply=reply)
    assert (await client.request(command, b"{}")).data == b"answer"
    assert [one[2] for one in await on_the_bus(site.url)] == [body(1)]
    await client.close()
    await bus.close()


@pytest.mark.parametrize("site", [LOGIN], indirect=True)
async def test_a_bus_that_is_closed_while_it_is_refused_leaves_no_socket_open(
    site: NatsSite,
) -> None:
    gc.collect()  # what other tests left must not go while we count
    before = sockets()
    refused = asyncio.Event()
    bus = NatsBus(
        NatsSettings(servers=(site.url.replace("//", "//pit:wrong@"),)), lambda _: refused.set()
    )
    await refused.wait()
    async with asyncio.timeout(10):
        while sockets() != before + 1:  # noqa: ASYNC110 - between two tries there is none
            await asyncio.sleep(0)
    await bus.close()
    await asyncio.sleep(0)  # a transport closes its socket in the loop's next turn
    assert sockets() == before


def sockets() -> int:
    """Return how many sockets this process has open."""
    links = [one.readlink() for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
    return sum(str(one).startswith("socket:") for one in links)


@pytest.mark.parametrize(
    ("name", "subjects", "said"),
    [
        ("PIT", ["pit.>"], "the stream PIT takes pit.>"),
        ("OTHER", ["pit.event.oslo.>"], "another stream takes part of pit.event.> or pit.lease.>"),
    ],
)
async def test_a_stream_that_would_take_other_things_or_our_things_is_named(
    site: NatsSite, name: str, subjects: list[str], said: str
) -> None:
    client = await nats.connect(site.url)
    await client.jetstream().add_stream(name=name, subjects=subjects)
    connected = asyncio.Event()
    bus = NatsBus(NatsSettings(servers=(site.url,)), lambda _: connected.set())
    await connected.wait()
    with pytest.raises(BusUnavailable) as refusal:
        await bus.publish(Address("oslo", TABLE, "live"), Outgoing("card.dealt", "1", body(1)), 0)
    assert refusal.value.what == said
    await bus.close()
    await client.close()


async def test_commands_are_answered_over_a_reconnect_and_never_by_the_stream(
    site: NatsSite,
) -> None:
    def handler(name: str) -> CommandHandler:
        async def handle(request: Request) -> bytes:
            assert not request.retained
            return name.encode() + b" " + request.payload

        return handle

    reports: asyncio.Queue[str | None] = asyncio.Queue()
    bus = NatsBus(NatsSettings(servers=(site.url,)), reports.put_nowait)
    await bus.serve(Address("oslo", TABLE, "live"), handler("early"))
    assert await reports.get() is None
    await bus.serve(Address("oslo", "B-02", "rehearsal"), handler("late"))
    await bus.log.newest(Address("oslo", TABLE, "live"))
    for _ in range(2):
        client = await nats.connect(site.url)
        early = await client.request("pit.command.oslo.T-07.play.ann", b"one")
        late = await client.request("pit-rehearsal.command.oslo.B-02.play.ann", b"two")
        assert (early.data, late.data) == (b"early one", b"late two")
        await client.close()
        site.server.kill()
        await asyncio.to_thread(site.restart)
        while await reports.get() is not None:
            pass
    await bus.close()


async def test_the_catalogued_bus_connects_in_the_background() -> None:
    bus = await BUS.connect(NatsSettings(servers=("nats://127.0.0.1:1",)), lambda _: None)
    with pytest.raises(BusUnavailable):
        await bus.publish_status(Address("oslo", TABLE, "live"), b"{}")
    await bus.close()
