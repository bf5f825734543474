"""How connections to a broker come, end, and are kept to one daemon: real mosquitto, or scripted.

Tried with faults seeded in the bus; each was noticed by the test beside it:

 a connection that is tried again at once    who_turns_us_away_is_not_asked_again_at_once
 a table's connection that asks nobody first a_second_daemon_stays_away
 TCP_NODELAY left out                        an_answer_does_not_wait_for_nagle
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from support.connections import connections
from support.delivering import eventually
from support.durable import body
from support.mosquitto import Mosquitto, mosquitto, peer
from support.mqtt_bus import HERE, NEWEST, opened, until
from support.scripted_broker import scripted_broker

from daemon.delivery.bus import BusUnavailable


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path / "broker") as one:
        yield one


# --- the connection -----------------------------------------------------------------------


async def test_who_turns_us_away_is_not_asked_again_at_once_and_is_told_once() -> None:
    async with scripted_broker(connack=(0x9F, b"")) as broker, opened(broker.url) as it:
        said = f"the broker at {broker.url} refuses us: connection rate exceeded"
        await it.until_said(said)
        began, before = asyncio.get_running_loop().time(), broker.connections
        await until(lambda: broker.connections >= before + 3)
        # 0.2, 0.4, 0.8 s and so on, as drivers/backoff.py counts
        assert asyncio.get_running_loop().time() - began > 0.2 + 0.4
        assert [one for one in it.said if one] == [said]


@pytest.mark.parametrize(
    ("connack", "said"),
    [
        ((0x86, b""), "refuses us: bad user name or password"),
        ((0x87, b""), "refuses us: not authorized"),
        ((0x85, b""), "refuses us: client identifier not valid"),
        ((0x8A, b""), "refuses us: banned"),
        ((0, bytes([0x24, 0])), "takes no QoS 1, or keeps no retained messages"),
        ((0, bytes([0x25, 0])), "takes no QoS 1, or keeps no retained messages"),
    ],
)
async def test_the_reason_of_a_broker_that_does_not_let_us_in_is_named(
    connack: tuple[int, bytes], said: str
) -> None:
    async with scripted_broker(connack=connack) as broker, opened(broker.url) as it:
        assert said in await it.until_said(broker.url)


async def test_a_foreign_banner_is_named_and_a_broker_that_follows_is_found() -> None:
    banner = b"SSH-2.0-OpenSSH_9.2p1\r\n"
    async with scripted_broker(banner=banner) as broker, opened(broker.url) as it:
        await it.until_said("is no broker of MQTT 5, or hangs up at once")
        broker.banner = None
        await eventually(it.publish, 1)


async def test_a_password_file_is_read_again_at_each_connection(
    tmp_path: Path, broker: Mosquitto
) -> None:
    secret = tmp_path / "password"
    async with opened(broker.url, user="pit", password_file=str(secret)) as it:
        assert "No such file" in await it.until_said("cannot sign in")
        secret.write_text("")
        assert "is empty" in await it.until_said("is empty")
        secret.write_text("secret\n")
        await until(lambda: it.said[-1] is None)


async def test_a_server_that_never_answers_keeps_no_stop_waiting() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        async with asyncio.timeout(5), opened(f"mqtt://127.0.0.1:{deaf.getsockname()[1]}"):
            await asyncio.sleep(0)


async def test_a_receive_maximum_of_one_is_kept() -> None:
    said = (0, bytes([0x21, 0, 1]))
    async with scripted_broker(connack=said, delay_s=0.01) as broker, opened(broker.url) as it:
        await eventually(it.publish, 1)
        for seq in range(2, 6):
            await it.bus.publish_status(HERE, b"{}")
            await it.publish(seq)
        assert broker.events == [body(seq) for seq in range(1, 6)]
        assert broker.most_under_way == 1


# --- one daemon for a table ---------------------------------------------------------------


async def test_b13_a_second_daemon_stays_away_and_the_first_goes_on(broker: Mosquitto) -> None:
    async with peer(broker.url, "pit/event/#") as server, opened(broker.url) as first:
        await eventually(first.publish, 1)
        async with opened(broker.url) as second:
            trouble = await second.trouble()
            assert "another daemon is table T-07 on this bus" in trouble.what
            assert "process" in trouble.what
            await first.publish(2)
            with pytest.raises(BusUnavailable):
                await second.publish(2, body(2, "000002-77aa"))
        await first.publish(3)
        await server.until(lambda: len(server.heard) == 3)
        assert [one.payload for one in server.heard] == [body(1), body(2), body(3)]


async def test_a9_a_daemon_that_was_answered_once_asks_again(broker: Mosquitto) -> None:
    """Any answer kept a table off the bus for the rest of the run."""
    async with peer(broker.url, "pit/event/#"), AsyncExitStack() as one:
        first = await one.enter_async_context(opened(broker.url))
        await eventually(first.publish, 1)
        async with opened(broker.url) as second:
            assert "another daemon is table T-07" in (await second.trouble()).what
            await one.aclose()
            await eventually(second.publish, 2)


async def test_a_client_that_takes_our_name_is_followed_by_us_again(broker: Mosquitto) -> None:
    async with peer(broker.url, "pit/event/#") as server, opened(broker.url) as it:
        await eventually(it.publish, 1)
        async with peer(broker.url, name="pit.oslo.T-07"):
            pass
        await eventually(it.publish, 2)
        await server.until(lambda: len(server.heard) == 2)


async def test_an_event_of_somebody_else_takes_the_table_off_the_bus(broker: Mosquitto) -> None:
    async with peer(broker.url, "pit/event/#") as server, opened(broker.url) as it:
        await eventually(it.publish, 1)
        await server.publish(NEWEST, body(2, "000009-ffff"), retain=True)
        said = await it.until_said("somebody else publishes as table T-07")
        with pytest.raises(BusUnavailable, match=said):
            await it.publish(2)
        with pytest.raises(BusUnavailable, match=said):
            await it.publish(2)


async def test_an_answer_does_not_wait_for_nagle(broker: Mosquitto) -> None:
    async with opened(broker.url) as it:
        await eventually(it.bus.publish_status, HERE, b"{}")
        # the visitor's and the table's
        assert list(connections(broker.port).values()) == [True, True]


async def test_a_closed_bus_leaves_no_socket_open(broker: Mosquitto) -> None:
    async with opened(broker.url) as it:
        await eventually(it.bus.publish_status, HERE, b"{}")
        assert connections(broker.port)
    assert not connections(broker.port)
