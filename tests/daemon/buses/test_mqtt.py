"""What becomes of events, status and commands on a broker: a real mosquitto, or a scripted one.

Tried with faults seeded in the bus; each was noticed by the test beside it:

 a reason code not looked at                 an_event_that_is_not_taken_waits
 an event taken although nobody subscribes   an_event_that_nobody_subscribes_to_waits
 answers to wherever the sender asks         no_answer_goes_where_only_we_may_write
 what the broker forgot not sent again       what_a_broker_forgot_is_sent_again
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.delivering import eventually
from support.durable import body
from support.mosquitto import OPEN, Mosquitto, mosquitto, peer
from support.mqtt_bus import COMMAND, EVENT, HERE, NEWEST, STATUS, opened, until
from support.scripted_broker import scripted_broker

from daemon.buses.mqtt import client, topics
from daemon.delivery.bus import Address, BusRefused, BusUnavailable, Outgoing, Request


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path / "broker") as one:
        yield one


# --- events that are not taken ------------------------------------------------------------


async def test_an_event_that_nobody_subscribes_to_waits(broker: Mosquitto) -> None:
    async with opened(broker.url) as it:
        trouble = await it.trouble()
        assert trouble.what == (
            f"nobody subscribes to {EVENT}: the broker would throw the event away"
        )
        assert "table server" in trouble.action
        async with peer(broker.url, "pit/event/#") as server:
            await it.publish(1)
            await server.until(lambda: server.heard)
            assert [one.payload for one in server.heard] == [body(1)]


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (0x87, f"the broker forbids us to publish on {EVENT}"),
        (0x97, f"the broker does not take {EVENT}: quota exceeded"),
        (0x10, f"nobody subscribes to {EVENT}: the broker would throw the event away"),
        (0x80, f"the broker does not take {EVENT}: unspecified error"),
        (0x83, f"the broker does not take {EVENT}: implementation specific error"),
        (0x90, f"the broker does not take {EVENT}: topic name invalid"),
    ],
)
async def test_an_event_that_is_not_taken_waits_and_the_broker_s_reason_is_named(
    code: int, what: str
) -> None:
    async with scripted_broker(codes=[code]) as broker, opened(broker.url) as it:
        assert (await it.trouble()).what == what
        await it.publish(1)
        assert broker.events == [body(1)]


async def test_an_event_whose_form_the_broker_does_not_take_is_refused_for_good() -> None:
    async with scripted_broker(codes=[0x99]) as broker, opened(broker.url) as it:
        await eventually(it.bus.log.newest, HERE)
        with pytest.raises(BusRefused, match="payload format invalid"):
            await eventually(it.publish, 1)
        await it.publish(2)
        assert broker.events == [body(2)]


@pytest.mark.parametrize("limit", [300, 600])
async def test_an_event_is_measured_as_it_is_on_the_wire(tmp_path: Path, limit: int) -> None:
    config = f"{OPEN}max_packet_size {limit}\n"
    with mosquitto(tmp_path / "broker", config) as broker:
        async with peer(broker.url, "pit/event/#") as server, opened(broker.url) as it:
            size = limit - 200
            refusal = ""
            while not refusal:
                size += 1
                try:
                    await eventually(it.publish, 1000 + size, b"x" * size)
                except BusRefused as error:
                    refusal = str(error)
            assert refusal == f"{limit + 1} bytes on the wire are more than the broker takes"
            # everything smaller was taken, and the broker hung up on nothing
            await server.until(lambda: server.heard and len(server.heard[-1].payload) == size - 1)
        assert "oversize" not in broker.log


async def test_an_answer_that_is_no_mqtt_is_named_and_holds_only_its_table(
    tmp_path: Path,
) -> None:
    # mosquitto acknowledges an event over message_size_limit with a code that no PUBACK has
    config = f"{OPEN}message_size_limit 1000\n"
    with mosquitto(tmp_path / "broker", config) as broker:
        async with peer(broker.url, "pit/event/#"), opened(broker.url) as it:
            await eventually(it.publish, 1)
            with pytest.raises(BusUnavailable) as caught:
                await it.publish(2, b"x" * 2000)
            assert "says what is no MQTT 5" in caught.value.what
            assert "max_packet_size" in caught.value.action
            other = Address("oslo", "B-02", "live")
            await eventually(it.bus.publish, other, Outgoing("card.dealt", "B-02:1", body(1)), 0)


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (0x8E, "session taken over"),
        (0x8B, "server shutting down"),
        (0x98, "administrative action"),
        (0x97, "quota exceeded"),
        (0x95, "packet too large"),
    ],
)
async def test_the_reason_of_a_broker_that_hangs_up_is_named(code: int, what: str) -> None:
    async with scripted_broker(goodbye=[code]) as broker, opened(broker.url) as it:
        trouble = await it.trouble()
        assert trouble.what == f"the broker at {broker.url} ended the connection: {what}"
        await eventually(it.publish, 1)
        assert broker.events == [body(1)]


async def test_an_event_that_is_not_acknowledged_ends_the_connection(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with peer(broker.url, "pit/event/#") as server, opened(broker.url) as it:
        await eventually(it.publish, 1)
        monkeypatch.setattr(client, "ACK_S", 0.3)
        broker.freeze()
        with pytest.raises(BusUnavailable, match="did not acknowledge within 0 s"):
            await it.publish(2)
        broker.thaw()
        await eventually(it.publish, 2)
        await server.until(lambda: server.heard and server.heard[-1].payload == body(2))


# --- a broker that comes back -------------------------------------------------------------


async def test_what_a_broker_forgot_is_sent_again(broker: Mosquitto) -> None:
    async with peer(broker.url, "pit/event/#", name="server"):
        pass
    async with opened(broker.url) as it:
        for seq in range(1, 4):
            await eventually(it.publish, seq)
        broker.kill()  # it has written nothing down: its snapshot comes every half hour
        await asyncio.to_thread(broker.start)
        async with peer(broker.url, "pit/event/#") as server:
            await eventually(it.publish, 4)
            await server.until(lambda: len(server.heard) == 4)
            assert [one.payload for one in server.heard] == [body(seq) for seq in range(1, 5)]
        assert "has forgotten events" in await it.until_said("has forgotten events")


async def test_what_it_kept_over_a_restart_is_not_sent_again(broker: Mosquitto) -> None:
    async with peer(broker.url, "pit/event/#", name="server"):
        pass
    async with opened(broker.url) as it:
        for seq in range(1, 4):
            await eventually(it.publish, seq)
        broker.stop()
        await asyncio.to_thread(broker.start)
        await eventually(it.publish, 4)
    async with peer(broker.url, "pit/event/#", name="server") as server:
        await server.until(lambda: len(server.heard) == 4)
        assert [one.payload for one in server.heard] == [body(seq) for seq in range(1, 5)]


# --- status and commands ------------------------------------------------------------------


async def test_a_status_is_kept_for_a_moment_and_a_table_that_goes_is_away(
    broker: Mosquitto,
) -> None:
    away = {"mode": "live", "state": "away", "table": "T-07"}
    async with peer(broker.url, "pit/event/#"), opened(broker.url) as it:
        await eventually(it.publish, 1)
        await it.bus.publish_status(HERE, b'{"state":"open"}')
        async with peer(broker.url, STATUS) as late:
            await late.until(lambda: late.heard)
            assert (late.heard[0].payload, late.heard[0].retained) == (b'{"state":"open"}', True)
            assert late.heard[0].properties.MessageExpiryInterval <= 3
    async with peer(broker.url, STATUS) as later:
        await later.until(lambda: later.heard)
        assert json.loads(later.heard[0].payload) == away


async def test_a_connection_that_is_lost_without_a_word_leaves_a_will(broker: Mosquitto) -> None:
    async with peer(broker.url, "pit/event/#", STATUS) as server, opened(broker.url) as it:
        await eventually(it.publish, 1)
        async with peer(broker.url, name="pit.oslo.T-07"):  # the broker throws ours out
            await server.until(lambda: server.heard[-1].topic == STATUS)
        assert json.loads(server.heard[-1].payload)["state"] == "away"


async def test_commands_are_answered_over_a_reconnect_and_retained_ones_are_marked(
    broker: Mosquitto,
) -> None:
    async def handle(request: Request) -> bytes:
        return b"%d %s" % (request.retained, request.payload)

    async with opened(broker.url) as it:
        async with peer(broker.url, "pit/answer/server/#") as server:
            await server.publish(COMMAND, b"kept", retain=True, ResponseTopic="pit/answer/server/0")
            await it.bus.serve(HERE, handle)
            await server.until(lambda: server.heard)
            assert server.heard[0].payload == b"1 kept"
            assert await server.ask(COMMAND, b"one", "pit/answer/server/1") == b"0 one"
        broker.stop()
        await asyncio.to_thread(broker.start)
        async with peer(broker.url, "pit/answer/server/#") as server:
            await it.until_said("is lost")
            await until(lambda: it.said[-1] is None)
            assert await server.ask(COMMAND, b"two", "pit/answer/server/1") == b"0 two"


async def test_no_answer_goes_where_only_we_may_write(broker: Mosquitto) -> None:
    async def handle(_: Request) -> bytes:
        return b"answer"

    everything = ("pit/answer/#", "pit/event/#", NEWEST, STATUS, "pit-rehearsal/#", "elsewhere")
    async with peer(broker.url, *everything) as server, opened(broker.url) as it:
        await it.bus.serve(HERE, handle)
        await eventually(it.publish, 1)
        for topic in (EVENT, NEWEST, STATUS, COMMAND, "pit-rehearsal/answer/x", "elsewhere"):
            await server.publish(COMMAND, b"{}", ResponseTopic=topic)
        assert await server.ask(COMMAND, b"{}", "pit/answer/server/1") == b"answer"
        answered = {one.topic for one in server.heard if one.payload == b"answer"}
        assert answered == {"pit/answer/server/1"}


def test_topics_are_those_of_the_published_contract() -> None:
    contract = json.loads((Path(__file__).parents[3] / "docs/asyncapi.json").read_text())
    said = {name: channel["address"] for name, channel in contract["channels"].items()}
    words = {"{root}": "pit", "{site}": "oslo", "{table}": "T-07", "{noun}/{verb}": "card/dealt"}
    words |= {"{authority}": "play", "{user}": "server"}
    for name, topic in (
        ("mqttEvents", topics.event_topic(HERE, "card.dealt")),
        ("mqttCommands", topics.command_topic(HERE, "play", "server")),
        ("mqttStatus", topics.status_topic(HERE)),
    ):
        address = said[name]
        for word, value in words.items():
            address = address.replace(word, value)
        assert address == topic
