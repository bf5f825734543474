"""A table's commands have a pace: in order, one in a round of the loop, so many a second."""

from __future__ import annotations

import asyncio

from daemon.runtime.command_pace import A_SECOND, AT_ONCE, MOST_WAITING, CommandPace
from protocols.instant import Instant


class Watch:
    """A clock that stands until it is moved on."""

    def __init__(self) -> None:
        self.at = Instant("boot", 0)

    def now(self) -> Instant:
        return self.at

    def pass_s(self, seconds: float) -> None:
        self.at = self.at.after(seconds)


async def test_commands_enter_in_order_and_a_neighbour_has_a_turn_between_each_two() -> None:
    entered: list[str] = []
    pace = CommandPace(Watch().now)

    async def command(name: str) -> None:
        await pace.turn("ann")
        entered.append(name)

    async def neighbour() -> None:
        while len(entered) - entered.count("neighbour") < 20:
            entered.append("neighbour")
            await asyncio.sleep(0)

    flood = [asyncio.create_task(command(str(number))) for number in range(20)]
    other = asyncio.create_task(neighbour())
    await asyncio.gather(*flood, other)
    commands = [name for name in entered if name != "neighbour"]
    assert commands == [str(number) for number in range(20)]
    between = " ".join(entered).split("neighbour")
    assert max(len(stretch.split()) for stretch in between) <= 1


async def test_more_than_may_wait_are_not_read() -> None:
    pace = CommandPace(Watch().now)
    waiting = [asyncio.create_task(pace.turn("flood")) for _ in range(MOST_WAITING)]
    assert not pace.is_full("flood")
    await asyncio.sleep(0)
    assert pace.is_full("flood")
    assert not pace.is_full("server")
    waiting[5].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert not pace.is_full("flood")
    assert not pace._waiting


def test_a_sender_has_his_share_and_takes_nobody_elses() -> None:
    watch = Watch()
    pace = CommandPace(watch.now)
    assert [pace.allows("flood") for _ in range(AT_ONCE + 5)].count(True) == AT_ONCE
    assert pace.allows("server")
    watch.pass_s(1.0)
    assert [pace.allows("flood") for _ in range(AT_ONCE)].count(True) == A_SECOND
    watch.pass_s(3600.0)
    assert [pace.allows("flood") for _ in range(2 * AT_ONCE)].count(True) == AT_ONCE


def test_senders_that_were_made_up_take_no_memory() -> None:
    pace = CommandPace(Watch().now)
    for number in range(100_000):
        pace.allows(f"user{number}")
    assert len(pace._allowed) <= 256
