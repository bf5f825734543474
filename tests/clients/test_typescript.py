"""The TypeScript client, and its example as the table server of real tables.

It runs in Node, compiled here; `make contract-tools` installs what its lock pins.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from support.whole_rig import BACCARAT, PATIENCE_S, ROULETTE, Rig, needs_nats

from daemon.demo.demo import GAMES, SITE, DemoTable
from protocols.simulator import SpinBall

CLIENT: Final = Path(__file__).parents[2] / "clients" / "typescript"
INSTALLED: Final = CLIENT / "node_modules"
BLACKJACK: Final = GAMES["blackjack"]
NATURAL: Final = ("9S>player.1", "8H>banker.1", "KD>player.2", "QC>banker.2")
"""9 and K against 8 and Q: a natural, and the player wins."""
Line = dict[str, Any]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node on this machine"),
    pytest.mark.skipif(
        not INSTALLED.is_dir(), reason="its packages are not installed: `make contract-tools`"
    ),
]


def node(*words: str) -> str:
    """Return what a script of the client prints."""
    done = subprocess.run(
        ["node", *words], cwd=CLIENT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def compiled() -> Path:
    """Return the folder of the compiled client; the compiler finds nothing wrong in it."""
    node("node_modules/typescript/bin/tsc")
    return CLIENT / "dist"


def test_its_types_are_those_of_the_schemas() -> None:
    assert node("generate_messages.mjs") == (CLIENT / "messages.mts").read_text("utf-8")


def test_what_needs_no_bus_does_as_the_page_says(compiled: Path) -> None:
    told = node("--test", "--test-reporter=tap", str(compiled / "client.test.mjs"))
    assert "\n# fail 0\n" in told
    assert "\n# pass 18\n" in told


# --- the example at real tables --------------------------------------------------------------


@dataclass
class Server:
    """The example's process, and the lines that it has printed."""

    process: asyncio.subprocess.Process
    lines: list[Line] = field(default_factory=list)

    async def says(self, what: str, meets: Callable[[Line], bool]) -> Line:
        """Wait for a line that it has not been asked for yet."""
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while raw := await self.process.stdout.readline():
                    self.lines.append(json.loads(raw))
                    if meets(self.lines[-1]):
                        return self.lines[-1]
        except TimeoutError:
            pass
        raise AssertionError(f"never said: {what}\n{self.lines[-20:]}")

    async def applied(self, kind: str) -> Line:
        return await self.says(kind, lambda line: line.get("applied") == f"pitwire.{kind}.v1")

    async def settled(self) -> Line:
        return await self.says("settled", lambda line: "settled" in line)

    async def ends(self) -> None:
        """Wait until it has played its rounds."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            rest = await self.process.stdout.read()
            assert await self.process.wait() == 0
        self.lines += map(json.loads, rest.splitlines())


@asynccontextmanager
async def table_server(
    rig: Rig, seat: DemoTable, compiled: Path, options: Mapping[str, str]
) -> AsyncIterator[Server]:
    """Run the example at a table; its log is in the rig's folder and outlives it."""
    words = {
        "server": rig._url,
        "site": SITE,
        "table": seat.table,
        "log": str(rig.folder / f"{seat.table}.log"),
        **options,
    }
    process = await asyncio.create_subprocess_exec(
        "node",
        str(compiled / "table_server.mjs"),
        *(f"--{name}={value}" for name, value in words.items()),
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
        env=dict(os.environ),
    )
    try:
        yield Server(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@needs_nats
async def test_it_plays_baccarat_and_settles_what_was_dealt_while_it_was_dead(
    compiled: Path, tmp_path: Path
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BACCARAT.table)
        async with table_server(rig, BACCARAT, compiled, {"decks": "8"}) as server:
            await server.applied("round.bets_closed")
            rig.draw(NATURAL[0])
            await server.applied("card.dealt")
        for card in NATURAL[1:]:
            rig.draw(card)
        over = await rig.heard(BACCARAT.table, "round.completed")
        async with table_server(rig, BACCARAT, compiled, {"decks": "8"}) as server:
            settled = await server.settled()
            await server.ends()
        assert settled["settled"] == over["data"]["round_id"]
        assert settled["outcome"] == over["data"]["outcome"]
        assert (settled["outcome"]["winner"], settled["outcome"]["natural"]) == ("player", True)
        kinds = rig.kinds(BACCARAT.table)
        assert kinds.count("round.opened") == kinds.count("round.completed") == 1


@needs_nats
async def test_an_event_that_the_bus_lost_is_asked_for_and_told_in_its_place(
    compiled: Path, tmp_path: Path
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BACCARAT.table)
        async with table_server(rig, BACCARAT, compiled, {"decks": "8"}) as server:
            await server.applied("round.bets_closed")
        for card in NATURAL:
            rig.draw(card)
        over = await rig.heard(BACCARAT.table, "round.completed")
        bus = rig.consumer.bus.jetstream()
        stream = await bus.stream_info("PIT-REHEARSAL")
        last, before = stream.state.last_seq, stream.state.last_seq - 1
        for number in (before, last):
            await bus.delete_msg("PIT-REHEARSAL", number)
        async with table_server(rig, BACCARAT, compiled, {"decks": "8"}) as server:
            settled = await server.settled()
            await server.ends()
        assert settled["outcome"] == over["data"]["outcome"]
        numbers = [line["sequence"] for line in server.lines if "applied" in line]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert int(over["sequence"]) in numbers


@needs_nats
async def test_with_an_older_log_it_sends_the_same_bytes_and_asks_for_what_it_lacks(
    compiled: Path, tmp_path: Path
) -> None:
    """As after a restore: the log ends with a command that was obeyed long ago."""
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BACCARAT.table)
        async with table_server(rig, BACCARAT, compiled, {"decks": "8"}) as server:
            await server.applied("round.bets_closed")
        log = tmp_path / f"{BACCARAT.table}.log"
        lines = log.read_bytes().splitlines(keepends=True)
        opens = next(at for at, line in enumerate(lines) if b"round.open" in line)
        assert "command" in json.loads(lines[opens])
        log.write_bytes(b"".join(lines[: opens + 1]) + b'{"event":{"ep')
        for card in NATURAL:
            rig.draw(card)
        over = await rig.heard(BACCARAT.table, "round.completed")
        async with table_server(rig, BACCARAT, compiled, {"decks": "8"}) as server:
            settled = await server.settled()
            await server.ends()
        assert settled["settled"] == over["data"]["round_id"]
        answers = [line for line in server.lines if "answer" in line]
        assert answers == [{"command": "round.open", "answer": "accepted"}]
        assert rig.count(BACCARAT.table, "round.opened") == 1


@needs_nats
async def test_a_round_in_which_the_daemon_died_goes_on(compiled: Path, tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BACCARAT.table)
        async with table_server(rig, BACCARAT, compiled, {"decks": "8"}) as server:
            await server.applied("round.bets_closed")
            rig.draw(NATURAL[0])
            await server.applied("card.dealt")
            await rig.restart_daemon()
            await server.applied("table.recovered")
            await server.applied("device.connected")
            for card in NATURAL[1:]:
                rig.draw(card)
            settled = await server.settled()
            await server.ends()
        assert settled["outcome"]["winner"] == "player"
        assert rig.count(BACCARAT.table, "round.opened") == 1


@needs_nats
async def test_a_round_that_a_new_epoch_does_not_have_is_void_and_the_next_waits_for_a_person(
    compiled: Path, tmp_path: Path
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BACCARAT.table)
        options = {"decks": "8", "rounds": "2"}
        async with table_server(rig, BACCARAT, compiled, options) as server:
            await server.applied("round.bets_closed")
            rig.draw(NATURAL[0])
            await server.applied("card.dealt")
            first = rig.events(BACCARAT.table)[-1]["data"]["round_id"]
            await rig.kill_daemon()
            for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
                (tmp_path / name).unlink(missing_ok=True)
            await rig.start_daemon()
            void = await server.says("void", lambda line: "void" in line)
            assert void["void"] == first
            raised = (await rig.heard(BACCARAT.table, "violation.raised", holds=True))["data"]
            await server.applied("violation.raised")
            assert rig.count(BACCARAT.table, "round.opened") == 1
            await rig.obeyed(
                BACCARAT.table,
                "violation.resolve",
                violation_id=raised["violation_id"],
                action=raised["resolutions"][0],
                who="pit boss",
                why="the disk was lost",
            )
            await server.applied("round.bets_closed")
            for card in NATURAL:
                rig.draw(card)
            settled = await server.settled()
            await server.ends()
        assert settled["settled"] != first
        kinds = rig.kinds(BACCARAT.table)
        resolved = kinds.index("violation.resolved")
        assert [at for at, kind in enumerate(kinds) if kind == "round.opened"][1] > resolved
        epochs = {line["epoch"] for line in server.lines if "epoch" in line}
        assert len(epochs) == 2


@needs_nats
async def test_it_plays_roulette(compiled: Path, tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[ROULETTE]) as rig:
        await rig.connected(ROULETTE.table)
        async with table_server(rig, ROULETTE, compiled, {}) as server:
            await server.applied("round.bets_closed")
            rig.cue(ROULETTE.table, SpinBall("17"))
            settled = await server.settled()
            await server.ends()
        assert (settled["outcome"]["pocket"], settled["outcome"]["colour"]) == ("17", "black")


@needs_nats
async def test_it_plays_blackjack_without_a_rule_of_it(compiled: Path, tmp_path: Path) -> None:
    """Two boxes of 19 and 18 stand; the dealer shows an ace, has no blackjack, and stands on 18."""
    async with Rig(tmp_path, seats=[BLACKJACK]) as rig:
        await rig.connected(BLACKJACK.table)
        options = {"decks": "6", "boxes": "1,2"}
        async with table_server(rig, BLACKJACK, compiled, options) as server:
            await server.applied("round.bets_closed")
            for card in ("9S", "8H", "AD", "TC", "TD", "7H"):
                rig.draw(card, BLACKJACK.table)
            settled = await server.settled()
            await server.ends()
        outcome = settled["outcome"]
        assert (outcome["dealer_total"], outcome["dealer_blackjack"]) == (18, False)
        assert [(hand["box"], hand["total"], hand["result"]) for hand in outcome["hands"]] == [
            (1, 19, "win"),
            (2, 18, "push"),
        ]
