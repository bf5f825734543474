"""docs/security: each user can do exactly its part; every allowed and forbidden subject is tried.

Tried with rights put into the recipes, each noticed: a technician who reads all events, a table
server that supervises, a daemon that writes another table, an auditor who reads commands.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client
from support.delivering import eventually
from support.durable import body
from support.mosquitto import needs_mosquitto, peer
from support.recipes import USERS, Secured, password, secured_mosquitto, secured_nats
from support.whole_rig import needs_nats

from daemon.buses.mqtt import BUS as MQTT
from daemon.buses.mqtt import MqttSettings
from daemon.buses.nats_jetstream import NatsBus, NatsSettings
from daemon.delivery.bus import Address, OpenBus, Outgoing, Request

HERE = Address("oslo", "BAC-1", "live")
PC, SERVER, ANN, BO, AUDITOR = USERS
NOBODY: set[str] = set()
SEES_CARDS = {SERVER, ANN, AUDITOR}

RIGHTS: dict[str, tuple[set[str], set[str]]] = {
    "pit.event.oslo.BAC-1.card.dealt": ({PC}, SEES_CARDS),
    "pit.event.oslo.BAC-1.device.connected": ({PC}, {*SEES_CARDS, BO}),
    "pit.event.oslo.BAC-2.card.dealt": (NOBODY, SEES_CARDS),
    "pit.event.bergen.BAC-1.card.dealt": (NOBODY, NOBODY),
    "pit.status.oslo.BAC-1": ({PC}, {*SEES_CARDS, BO}),
    "pit.status.oslo.BAC-2": (NOBODY, {*SEES_CARDS, BO}),
    "pit.command.oslo.BAC-1.play.server": ({SERVER}, {PC}),
    "pit.command.oslo.BAC-2.play.server": ({SERVER}, NOBODY),
    "pit.command.bergen.BAC-1.play.server": (NOBODY, NOBODY),
    "pit.command.oslo.BAC-1.play.ann": (NOBODY, {PC}),
    "pit.command.oslo.BAC-1.supervise.ann": ({ANN}, {PC}),
    "pit.command.oslo.BAC-1.supervise.server": (NOBODY, {PC}),
    "pit.command.oslo.BAC-1.supervise.bo": (NOBODY, {PC}),
    "pit.command.oslo.BAC-1.maintain.bo": ({BO}, {PC}),
    "pit.command.oslo.BAC-1.maintain.ann": (NOBODY, {PC}),
    "pit.command.oslo.BAC-1.read.server": ({SERVER}, {PC}),
    "pit.command.oslo.BAC-1.read.ann": ({ANN}, {PC}),
    "pit.command.oslo.BAC-1.read.bo": ({BO}, {PC}),
    "pit.command.oslo.BAC-1.read.auditor": (NOBODY, {PC}),
    "pit.command.oslo.BAC-1.read.pitwire": ({PC}, {PC}),
    "pit-rehearsal.event.oslo.BAC-1.card.dealt": (NOBODY, NOBODY),
}
"""Of each subject: who may write, and who may read. In MQTT a dot is a slash."""

OF_NATS: dict[str, tuple[set[str], set[str]]] = {
    "pit.lease.oslo.BAC-1.owner": ({PC}, NOBODY),
    "pit.lease.oslo.BAC-2.owner": (NOBODY, NOBODY),
    "$JS.API.STREAM.INFO.PIT": ({PC, SERVER, AUDITOR}, NOBODY),
    "$JS.API.STREAM.MSG.GET.PIT": ({PC, AUDITOR}, NOBODY),
    "$JS.API.STREAM.CREATE.PIT": ({PC}, NOBODY),
    "$JS.API.STREAM.UPDATE.PIT": ({PC}, NOBODY),
    "$JS.API.STREAM.DELETE.PIT": (NOBODY, NOBODY),
    "$JS.API.STREAM.PURGE.PIT": (NOBODY, NOBODY),
    "$JS.API.STREAM.MSG.DELETE.PIT": (NOBODY, NOBODY),
    "$JS.API.CONSUMER.DURABLE.CREATE.PIT.server": ({SERVER}, NOBODY),
    "$JS.API.CONSUMER.DURABLE.CREATE.PIT.other": (NOBODY, NOBODY),
    "$JS.API.CONSUMER.DELETE.PIT.server": (NOBODY, NOBODY),
    "$JS.API.CONSUMER.MSG.NEXT.PIT.server": ({SERVER}, NOBODY),
    "$JS.ACK.PIT.server.1.1.1.1.0": ({SERVER}, NOBODY),
    "_INBOX_server.x": (NOBODY, {SERVER}),
    "_INBOX_ann.x": (NOBODY, {ANN}),
    "_INBOX.x": (NOBODY, {PC}),
    "$SYS.ACCOUNT.x": (NOBODY, NOBODY),
}
OF_MQTT: dict[str, tuple[set[str], set[str]]] = {
    "pit/newest/oslo/BAC-1": ({PC}, {PC, AUDITOR}),
    "pit/newest/oslo/BAC-2": (NOBODY, {AUDITOR}),
    "pit/owner/oslo/BAC-1": ({PC}, {PC}),
    "pit/owner/oslo/BAC-2": (NOBODY, NOBODY),
    "pit/answer/server/1": ({PC}, {SERVER}),
    "pit/answer/ann/1": ({PC}, {ANN}),
    "pit/answer/pitwire-pc1/1": ({PC}, {PC}),
    "elsewhere": (NOBODY, NOBODY),
}
ON_NATS = {**RIGHTS, **OF_NATS}
# On NATS the table server reads events from the stream, not from their subjects.
ON_NATS = {
    subject: (writers, readers - {SERVER} if subject.startswith("pit.event.") else readers)
    for subject, (writers, readers) in ON_NATS.items()
}
ON_MQTT = {**{one.replace(".", "/"): rights for one, rights in RIGHTS.items()}, **OF_MQTT}


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    with secured_nats(tmp_path_factory.mktemp("recipe") / "nats") as one:
        yield one


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    with secured_mosquitto(tmp_path_factory.mktemp("recipe") / "mosquitto") as one:
        yield one


class Denied:
    """A NATS client of one user, which remembers what it was denied."""

    def __init__(self) -> None:
        self.client = Client()
        self.said: list[str] = []

    async def _error(self, error: Exception) -> None:
        self.said.append(str(error))

    async def connect(self, server: Secured, user: str) -> None:
        await self.client.connect(
            server.url,
            user=user,
            password=password(user),
            tls=ssl.create_default_context(cafile=server.ca),
            inbox_prefix="_INBOX" if user == PC else f"_INBOX_{user}",
            error_cb=self._error,
            allow_reconnect=False,
        )

    async def denied(self) -> bool:
        """Return whether anything since the last time was; the server answers in order."""
        await self.client.flush()
        await self.client.flush()  # the first overtakes what waits to be sent
        said, self.said = self.said, []
        assert all("permissions violation" in one.lower() for one in said), said
        return bool(said)


@asynccontextmanager
async def nats_user(server: Secured, user: str) -> AsyncIterator[Denied]:
    one = Denied()
    async with asyncio.timeout(20):
        while True:
            try:
                await one.connect(server, user)
                one.said.clear()
                break
            except (OSError, nats.errors.NoServersError):
                await asyncio.sleep(0.02)
    try:
        yield one
    finally:
        await one.client.close()


@needs_nats
@pytest.mark.parametrize("user", USERS)
async def test_each_user_of_nats_has_exactly_its_rights(secured: Secured, user: str) -> None:
    async with nats_user(secured, user) as one:
        for subject, (writers, readers) in ON_NATS.items():
            await one.client.publish(subject, b"")
            assert await one.denied() == (user not in writers), f"publish {subject}"
            subscription = await one.client.subscribe(subject)
            assert await one.denied() == (user not in readers), f"subscribe {subject}"
            await subscription.unsubscribe()
        for everything in (">", "pit.>", "$JS.>", "_INBOX_server.>", "pit.command.>"):
            if everything.startswith("_INBOX") and user == SERVER:
                continue
            await one.client.subscribe(everything)
            assert await one.denied(), f"subscribe {everything}"


@needs_mosquitto
async def test_each_user_of_mosquitto_has_exactly_its_rights(broker: Secured) -> None:
    async with AsyncExitStack() as stack:
        peers = {}
        for user in USERS:
            login = (user, password(user))
            one = peer(broker.url, "#", login=login, ca=broker.ca)
            peers[user] = await stack.enter_async_context(one)
        for topic, (writers, readers) in ON_MQTT.items():
            for user, one in peers.items():
                code = await one.publish(topic, user.encode())
                assert (code == 0x87) == (user not in writers), f"{user} writes {topic}"
            for reader in readers if writers else NOBODY:
                await peers[reader].until_last(topic)
        # in order: what has come before the last message of all was all that came
        for user, one in peers.items():
            mine = [message.topic for message in one.heard]
            due = [
                topic
                for topic, (writers, readers) in ON_MQTT.items()
                if user in readers
                for _ in writers
            ]
            assert mine == due, user


async def answered(_: Request) -> bytes:
    return b"answer"


async def serves(bus: OpenBus) -> None:
    assert bus.log is not None
    await eventually(bus.log.newest, HERE)
    await bus.serve(HERE, answered)


@needs_nats
async def test_daemon_and_table_server_work_together_on_nats(secured: Secured) -> None:
    said: list[str | None] = []
    settings = NatsSettings(
        servers=(secured.url,),
        user=PC,
        password_file=secured.password_file(PC),
        ca_file=secured.ca,
    )
    bus = NatsBus(settings, said.append)
    await serves(bus)
    await bus.publish(HERE, Outgoing("card.dealt", "BAC-1:1", body(1)), 0)
    await bus.publish_status(HERE, b"{}")
    async with nats_user(secured, SERVER) as server:
        asked = await server.client.request("pit.command.oslo.BAC-1.play.server", b"{}", timeout=5)
        assert asked.data == b"answer"
        events = await server.client.jetstream().pull_subscribe("", "server", stream="PIT")
        (event,) = await events.fetch(1, timeout=5)
        assert event.data == body(1)
        await event.ack_sync()
        assert not await server.denied()
    await bus.close()
    assert [one for one in said if one] == []


@needs_mosquitto
async def test_daemon_and_table_server_work_together_on_mosquitto(broker: Secured) -> None:
    said: list[str | None] = []
    settings = MqttSettings(
        broker.url, user=PC, password_file=broker.password_file(PC), ca_file=broker.ca
    )
    bus = await MQTT.connect(settings, said.append)
    login = (SERVER, password(SERVER))
    topics = ("pit/event/oslo/#", "pit/answer/server/#")
    async with peer(broker.url, *topics, login=login, ca=broker.ca) as server:
        await serves(bus)
        await eventually(bus.publish, HERE, Outgoing("card.dealt", "BAC-1:1", body(1)), 0)
        command = "pit/command/oslo/BAC-1/play/server"
        assert await server.ask(command, b"{}", "pit/answer/server/1") == b"answer"
        assert server.heard[0].payload == body(1)
    await bus.close()
    assert [one for one in said if one and "not connected yet" not in one] == []


@needs_nats
@needs_mosquitto
@pytest.mark.parametrize("key", ["nats", "mosquitto"])
async def test_a_wrong_password_is_told_once_by_the_servers_own_reason(
    tmp_path: Path, request: pytest.FixtureRequest, key: str
) -> None:
    wrong = tmp_path / "password"
    wrong.write_text("guessed")
    said: asyncio.Queue[str | None] = asyncio.Queue()
    bus: OpenBus
    if key == "nats":
        one: Secured = request.getfixturevalue("secured")
        settings = NatsSettings((one.url,), user=PC, password_file=str(wrong), ca_file=one.ca)
        bus, reason = NatsBus(settings, said.put_nowait), "Authorization Violation"
    else:
        one = request.getfixturevalue("broker")
        mqtt = MqttSettings(one.url, user=PC, password_file=str(wrong), ca_file=one.ca)
        bus, reason = await MQTT.connect(mqtt, said.put_nowait), "not authorized"
    async with asyncio.timeout(20):
        assert reason in (await said.get() or "")
    await bus.close()
    assert said.empty(), "told once, however often it tried"
