"""Two daemons that are one table on one bus: one serves, and the other says which one it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.aio.msg import Msg
from support.harness import run_all
from support.harness_two_daemons import TwoDaemons
from support.whole_rig import BACCARAT, SITE, Rig, command, needs_nats, pitwire, until

BAC = BACCARAT.table
COMMANDS = f"pit-rehearsal.command.{SITE}.{BAC}.read.server"

pytestmark = [needs_nats, pytest.mark.slow]


@asynccontextmanager
async def another_on(first: Rig, folder: Path) -> AsyncIterator[Rig]:
    """Start a second daemon of the same table on the first one's bus."""
    folder.mkdir()
    async with Rig(folder, seats=[BACCARAT], bus=False) as other:
        await other.stop_daemon()
        other._url = first._url
        await other.start_daemon()
        yield other


async def lease(rig: Rig) -> dict[str, Any]:
    code, out, _ = await pitwire("status", "--socket", rig.socket, "--json")
    if code != 0:
        return {"state": ""}
    found: dict[str, Any] = json.loads(out)["tables"][0]["lease"]
    return found


async def until_lease(rig: Rig, state: str) -> dict[str, Any]:
    async with asyncio.timeout(20):
        while (found := await lease(rig))["state"] != state:
            pass  # each look is a process of its own
    return found


async def answers(rig: Rig) -> list[dict[str, Any]]:
    """Return every answer to one command from the bus."""
    bus, inbox = rig.consumer.bus, rig.consumer.bus.new_inbox()
    came: list[Msg] = []

    async def take(message: Msg) -> None:
        came.append(message)

    subscription = await bus.subscribe(inbox, cb=take)
    await bus.publish(COMMANDS, command("table.status"), reply=inbox)
    await until(lambda: came, "an answer")
    await rig.send(BAC, command("table.status"))  # whoever was slower has answered by now
    await subscription.unsubscribe()
    return [json.loads(message.data) for message in came]


async def test_b13_c2_one_daemon_serves_a_table_and_the_other_says_who_and_asks_again(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as first:
        await first.connected(BAC)
        mine = await until_lease(first, "held")
        epoch = (await first.command(BAC, "table.status"))["epoch"]
        async with another_on(first, tmp_path / "second") as other:
            refused = await until_lease(other, "other")
            assert str(first.folder / "journal.db") in refused["owner"]
            assert refused["number"] == 0
            _, out, _ = await pitwire("status", "--socket", other.socket)
            assert "NOT served here: another daemon serves the table: " in out
            assert "primary: angel_eye_ii_ex starting" in out, "its device is let go"
            door = ("--socket", other.socket)
            code, out, err = await pitwire("send", BAC, "shoe.load", "shoe_id=S", "decks=8", *door)
            assert (code, "not_serving" in out + err) == (1, True)
            told = [
                json.loads(line)
                for line in (other.folder / "daemon.log").read_text().splitlines()
                if "table_served_by_another" in line
            ]
            assert [one["level"] for one in told] == ["error"], "once, however often it asks"
            assert [answer["epoch"] for answer in await answers(first)] == [epoch]
            await first.obeyed(BAC, "shoe.load", shoe_id="S-1", decks=8)
            await first.heard(BAC, "shoe.loaded")
            assert (await until_lease(first, "held"))["number"] >= mine["number"]
            # the owner dies, and the one that has asked takes its place: it knows nothing of the
            # table, and says so
            await first.kill_daemon()
            await until_lease(other, "held")
            started = await first.heard(BAC, "table.started", reason="journal_lost")
            assert (started["data"]["previous"], started["epoch"] > epoch) == (epoch, True)
            raised = await first.heard(BAC, "violation.raised", code="journal_rolled_back")
            assert epoch in raised["data"]["detail"]
            taken = await first.heard(BAC, "lease.taken")
            assert str(other.folder / "journal.db") in taken["data"]["owner"]
            # and the first one does not take it back
            await first.start_daemon()
            await until_lease(first, "other")
            assert len(await answers(first)) == 1
        assert not first.consumer.faults


async def test_c2_two_that_start_while_the_bus_is_away_are_one_when_it_is_back(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as first:
        await first.connected(BAC)
        await until_lease(first, "held")
        first.kill_nats()
        async with another_on(first, tmp_path / "second") as other:
            await until_lease(other, "unknown")
            assert (await lease(first))["state"] in ("unconfirmed", "held")
            await first.start_nats()
            await until_lease(other, "other")
            await until_lease(first, "held")
            assert len(await answers(first)) == 1


async def test_a9_whoever_answers_our_commands_refuses_nobody(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        stranger = await nats.connect(rig._url)

        async def answer(message: Msg) -> None:
            await message.respond(b'{"answer":"accepted","epoch":"000009-0000000000000000"}')

        await stranger.subscribe(COMMANDS.replace("read.server", ">"), cb=answer)
        await stranger.jetstream().publish(f"pit-rehearsal.lease.{SITE}.{BAC}.claim", b"mine")
        await rig.restart_daemon()
        await rig.heard(BAC, "table.recovered")
        await until_lease(rig, "held")
        await rig.connected(BAC)
        await stranger.close()


FILES = ("journal.db", "journal.db-wal", "journal.db-shm")


def deleted(folder: Path) -> None:
    for name in FILES:
        (folder / name).unlink(missing_ok=True)


def emptied(folder: Path) -> None:
    deleted(folder)
    (folder / "journal.db").touch()


@pytest.mark.parametrize("harm", [deleted, emptied])
async def test_f7_a7_a_table_with_a_lost_journal_is_held_and_comes_after(
    tmp_path: Path, harm: Any
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.dealing("R-1")
        await rig.heard(BAC, "round.bets_closed")
        before = rig.events(BAC)[-1]["epoch"]
        await rig.stop_daemon()
        harm(tmp_path)
        await rig.start_daemon()
        started = await rig.heard(BAC, "table.started", reason="journal_lost")
        assert started["data"]["previous"] == before
        assert started["epoch"] > before
        raised = await rig.heard(BAC, "violation.raised", code="journal_rolled_back")
        assert raised["data"]["detail"] == (
            f"the bus has events of epoch {before}, and the journal has nothing at all"
        )
        answer = await rig.command(BAC, "round.open", round_id="R-2")
        assert (answer["answer"], answer["reason"]) == ("refused", "held")
        assert not rig.consumer.faults


async def test_f7_a_journal_whose_log_is_emptied_is_older_than_the_bus_and_held(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        await rig.stop_daemon()  # folds the log into the file
        await rig.start_daemon()
        await rig.dealing("R-1")
        await rig.heard(BAC, "round.bets_closed")
        before = rig.events(BAC)[-1]
        await rig.kill_daemon()
        (tmp_path / "journal.db-wal").write_bytes(b"")
        await rig.start_daemon()
        started = await rig.heard(BAC, "table.started")
        assert started["epoch"] > before["epoch"]
        raised = await rig.heard(BAC, "violation.raised", code="journal_rolled_back")
        assert "the bus has event" in raised["data"]["detail"]
        assert not rig.consumer.faults


async def test_c3_an_event_in_the_tables_name_is_found_told_and_holds_it(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.open("R-1")
        opened = await rig.heard(BAC, "round.opened")
        seq = int(opened["sequence"]) + 1
        forged = {**opened, "sequence": f"{seq:020d}", "id": f"{opened['epoch']}.{seq}"}
        stranger = await nats.connect(rig._url)
        await stranger.jetstream().publish(
            f"pit-rehearsal.event.{SITE}.{BAC}.round.opened",
            json.dumps(forged).encode(),
            headers={"Nats-Msg-Id": f"{BAC}:{opened['epoch']}:{seq}"},
        )
        await stranger.close()
        await rig.heard(BAC, "round.opened")
        held = await rig.heard(BAC, "violation.raised", code="foreign_event")
        assert f"says that it is event {seq} of epoch {opened['epoch']}" in held["data"]["detail"]
        assert held["epoch"] > opened["epoch"], "consumers took its number for the forged one"
        await rig.heard(BAC, "round.held", round_id="R-1")
        assert "foreign_event" in (tmp_path / "daemon.log").read_text()


def test_partitions_restarts_and_copies_leave_one_daemon_to_serve() -> None:
    report = run_all(TwoDaemons(disturbances=2), count=2)
    assert report.failures == []
    assert report.done == 2
