"""clients/python, against the real daemon, bus and a simulated shoe.

The truth is the rig's own consumer: what it has heard is what the client must have applied,
each event once and in order, whatever died on the way.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import nats
import pytest
from pitwire_nats import TableClient
from pitwire_table import Event, Notice, Position, Resend, command
from support.example_server import connected, running, table_of
from support.whole_rig import BACCARAT, Rig, needs_nats, until

pytestmark = [needs_nats, pytest.mark.slow]
BAC = BACCARAT.table
TABLE = table_of(BACCARAT)
PLAYER_WINS = ("KS>player.1", "5H>banker.1", "9D>player.2", "2C>banker.2")


class Listener:
    """Applies into a list; its position is the last of it."""

    def __init__(self) -> None:
        self.applied: list[str] = []
        self.told: list[Notice] = []

    async def apply(self, event: Event) -> None:
        self.applied.append(f"{event.position.epoch}.{event.position.seq}")

    async def tell(self, notice: Notice) -> None:
        self.told.append(notice)


def heard(rig: Rig) -> list[str]:
    return [one["id"] for one in rig.events(BAC)]


async def deal(rig: Rig, cards: tuple[str, ...]) -> None:
    for card in cards:
        rig.draw(card)
        await rig.heard(BAC, "card.dealt", slot=card.partition(">")[2])


async def test_events_that_the_stream_lost_come_again_the_last_one_too(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig, connected(rig) as bus:
        await rig.dealing("R-1")
        await deal(rig, PLAYER_WINS)
        await rig.heard(BAC, "round.completed")
        whole = heard(rig)
        stream = bus.jetstream()
        last = (await stream.stream_info(TABLE.stream)).state.last_seq
        deleted = 0
        for number in range(1, last + 1):
            with suppress(nats.js.errors.APIError):
                subject = (await stream.get_msg(TABLE.stream, number)).subject
                if ".event." in (subject or "") and number % 3 == last % 3:
                    deleted += await stream.delete_msg(TABLE.stream, number)
        assert deleted > 3
        listener = Listener()
        client = TableClient(bus, TABLE, listener, None, "late")
        async with running(client):
            await until(lambda: len(listener.applied) >= len(whole), "all is applied")
        assert listener.applied == whole
        asked = [one for one in listener.told if isinstance(one, Resend)]
        assert asked[-1].to_seq == int(whole[-1].rpartition(".")[2]), "the tail"


async def test_without_a_daemon_nothing_is_known_and_a_command_waits_for_its_answer(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig, connected(rig) as bus:
        await rig.connected(BAC)
        client = TableClient(bus, TABLE, Listener(), None, "life")
        async with running(client):
            await until(client.is_known, "a status")
            await rig.kill_daemon()
            await until(lambda: not client.is_known(), "three seconds of silence")
            load = command("shoe.load", valid_s=60, shoe_id="S-1", decks=8)
            asking = asyncio.create_task(client.send(load))
            await rig.start_daemon()
            first = await asking
            assert first.reason in (None, "device_down")
            assert await client.send(load) == first, "the same bytes, the same answer"
            refused = await client.send(command("bets.close", round_id="none"))
            assert (refused.reason, refused.remedy) == ("wrong_round", "look again")
            at = Position(first.position.epoch, first.position.seq)
            await until(lambda: (client.order.position or at).seq >= at.seq, "its events")
