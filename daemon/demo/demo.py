"""The demo: everything that a casino's tables need, but real cards and a real ball.

Simulated devices on ptys, the real daemon as its own process, a message bus, and a small table
server that opens rounds, closes bets and reads the events.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg

from config.rehearsal_text import rehearsal_text
from daemon.demo.child_process import dies_with
from daemon.demo.embedded_nats import EmbeddedNats
from daemon.demo.simulated_dealer import Dealer, DealerAction
from daemon.gamekit.spec import AnyGame
from daemon.runtime.catalog import games
from daemon.runtime.command_payload import command_json
from daemon.service.assembly import one_table, setup_of
from drivers.clock import BootClock
from drivers.pty_simulator import SimulatorOnPty
from protocols.catalog import devices
from protocols.commands import AUTHORITIES, Command
from protocols.simulator import PowerOn

SITE = "house"
BETTING_S = 8.0
DECISION_S = 1.5
PATIENCE_S = 240.0
"""The longest that a round may take, in table time: a wheel may relaunch several times."""


@dataclass(frozen=True, slots=True)
class DemoTable:
    """One table of the demo."""

    table: str
    game: str
    profile: str
    device: str
    decks: int | None = None
    rules: Mapping[str, float] = field(default_factory=dict)


def _table_of(game: AnyGame) -> DemoTable:
    plan = game.rehearsal
    house = game.default_profile
    return DemoTable(plan.table, game.key, house, plan.device, plan.decks, plan.rules)


GAMES: Final[Mapping[str, DemoTable]] = MappingProxyType(
    {key: _table_of(game) for key, game in games().items()}
)
"""A table for each game."""
DEMO_TABLES: Final = tuple(GAMES[key] for key, game in games().items() if game.rehearsal.by_default)
"""What the demo plays where no game is named."""


class DemoError(Exception):
    """The demo cannot run; the sentence says why."""


class TableServer:
    """What a table server does for one table, and the dealer's hands beside it.

    patience_s  real seconds after which a round that does not end is voided; None: PATIENCE_S
    """

    def __init__(
        self,
        seat: DemoTable,
        port: SimulatorOnPty,
        speed: float,
        seed: int,
        patience_s: float | None = None,
    ) -> None:
        self.seat = seat
        self.completed = 0
        self.over = asyncio.Event()
        self.stopped = asyncio.Event()
        table = one_table(
            seat.game, seat.profile, seat.device, round_control="server", rules=seat.rules
        )
        setup = setup_of(table)
        self._inspected = setup.game.inspects(setup.profile)
        self._dealer = Dealer(setup, seed)
        self._port = port
        self._speed = speed
        self._patience_s = PATIENCE_S / speed + 5 if patience_s is None else patience_s
        self._shoes = self._rounds = 0
        self._run = secrets.token_hex(3)
        self.bus: Client | None = None

    def take(self, envelope: dict[str, Any]) -> None:
        """Take an event of this table."""
        match envelope["type"]:
            case "pitwire.round.completed.v1":
                self.completed += 1
                self.over.set()
            case "pitwire.round.voided.v1":
                self.over.set()
            case "pitwire.violation.raised.v1" if envelope["data"]["holds"]:
                _background(self._void(envelope["data"]["violation_id"]))
            case "pitwire.table.stopped.v1":
                self.stopped.set()
            case _:
                pass

    async def play(self, rounds: int | None) -> None:
        """Play this many rounds, or for ever."""
        while rounds is None or self.completed < rounds:
            await self._one_round()
            await self._pause(2.0)

    async def _one_round(self) -> None:
        self._rounds += 1
        round_id = f"{self.seat.table}-{self._run}-{self._rounds}"
        self.over.clear()
        boxes = self._dealer.bets()
        await self._until_open(round_id)
        await self._act(self._dealer.open_round(round_id))
        await self._pause(BETTING_S)
        await self._command("bets.close", round_id=round_id, boxes=boxes)
        gesture = self._dealer.close_bets(round_id, boxes)
        while not self.over.is_set():
            if gesture is not None:
                await self._act(gesture)
            elif (command := self._dealer.next_command()) is not None:
                await self._send(command)
            else:
                break
            gesture = self._dealer.next()
        try:
            await asyncio.wait_for(self.over.wait(), self._patience_s)
        except TimeoutError:
            await self._command("round.void", round_id=round_id, reason="the demo lost patience")

    async def _send(self, command: Command) -> None:
        """Send a decision when the daemon has heard the card that it is about."""
        await self._pause(DECISION_S)
        fields = command_json(command)
        for _ in range(400):
            answer = await self._command(fields["command"], **_without_name(fields))
            if answer["answer"] == "accepted" or self.over.is_set():
                self._dealer.obeyed(command)
                return
            await asyncio.sleep(0.02)
        raise DemoError(f"{self.seat.table}: {fields} was never obeyed: {answer}")

    async def _until_open(self, round_id: str) -> None:
        for _ in range(400):
            answer = await self._command("round.open", round_id=round_id)
            if answer["answer"] == "accepted":
                return
            if answer.get("reason") in ("no_shoe", "last_round_played"):
                await self._new_shoe(answer["reason"] == "last_round_played")
            elif answer.get("reason") == "not_inspected":
                await self._inspect()
            else:
                await asyncio.sleep(0.1)
        raise DemoError(f"{self.seat.table}: no round could be opened: {answer}")

    async def _inspect(self) -> None:
        """Do what the house does each day before a table opens."""
        for what in self._inspected:
            found = {"what": what, "result": "passed", "who": "demo pit boss"}
            await self._command("inspection.record", **found)

    async def _new_shoe(self, change: bool) -> None:
        if change:
            await self._command("shoe.close")
            self._port.cue(PowerOn())
        self._shoes += 1
        shoe_id = f"shoe-{self._run}-{self._shoes}"
        self._dealer.shuffle(shoe_id, self.seat.decks or 1)
        await self._command("shoe.load", shoe_id=shoe_id, decks=self.seat.decks)
        while (gesture := self._dealer.next()) is not None:
            await self._act(gesture)

    async def _act(self, gesture: DealerAction | None) -> None:
        if gesture is not None:
            await self._pause(gesture.after_s)
            self._port.cue(gesture.cue)

    async def _void(self, violation_id: str) -> None:
        await self._command(
            "violation.resolve",
            violation_id=violation_id,
            action="void",
            who="demo supervisor",
            why="the demo voids what it does not expect",
        )

    async def _pause(self, table_seconds: float) -> None:
        await asyncio.sleep(table_seconds / self._speed)

    async def _command(self, name: str, **fields: Any) -> dict[str, Any]:
        payload = {
            **fields,
            "command": name,
            "id": secrets.token_hex(8),
            "expires": (datetime.now(UTC) + timedelta(seconds=10)).isoformat(),
        }
        if self.bus is None:
            raise DemoError("the table server is not connected")
        subject = f"pit-rehearsal.command.{SITE}.{self.seat.table}.{AUTHORITIES[name]}.demo"
        for _ in range(100):
            with contextlib.suppress(nats.errors.NoRespondersError, nats.errors.TimeoutError):
                reply = await self.bus.request(subject, json.dumps(payload).encode(), timeout=2)
                answer: dict[str, Any] = json.loads(reply.data)
                return answer
            await asyncio.sleep(0.1)
        raise DemoError(f"{self.seat.table}: the daemon does not answer {name}")


@dataclass
class Demo:
    """Starts everything, plays, and stops everything in good order."""

    folder: Path
    speed: float
    seed: int
    show: Callable[[dict[str, Any]], None]
    seats: Sequence[DemoTable] = DEMO_TABLES
    _seen: dict[str, tuple[str, int]] = field(default_factory=dict)

    async def run(self, rounds: int | None, started: Callable[[str], None]) -> None:
        """Play `rounds` rounds at each table, or until cancelled. Raises HouseError."""
        server = EmbeddedNats()
        try:
            url = server.start(self.folder / "nats")
            started(f"bus: {server.binary} at {url}")
            async with contextlib.AsyncExitStack() as stack:
                await self._open(rounds, url, stack, started)
        finally:
            server.stop()

    async def _open(
        self,
        rounds: int | None,
        url: str,
        stack: contextlib.AsyncExitStack,
        started: Callable[[str], None],
    ) -> None:
        clock = BootClock(self.speed)
        tables = {}
        for number, seat in enumerate(self.seats):
            spec = devices()[seat.device]
            link = self.folder / f"{seat.table}.tty"
            port = await stack.enter_async_context(
                SimulatorOnPty(spec.simulator(spec.settings()), clock, str(link))
            )
            port.cue(PowerOn())
            tables[seat.table] = TableServer(seat, port, self.speed, self.seed + number)
            started(f"{seat.table}: {spec.title}, simulated, on {link}")
        bus = await nats.connect(url)
        stack.push_async_callback(bus.close)
        await self._subscribe(bus, tables)
        daemon = await self._daemon(url)
        started(f"daemon: pid {daemon.pid}, log {self.folder / 'daemon.log'}")
        games = [asyncio.create_task(table.play(rounds)) for table in tables.values()]
        ended = asyncio.create_task(daemon.wait())
        try:
            await self._until_played(games, ended)
        finally:
            for game in games:
                game.cancel()
            await self._stop(daemon, ended, tables)

    async def _until_played(
        self, games: list[asyncio.Task[None]], ended: asyncio.Task[int]
    ) -> None:
        waiting: set[asyncio.Task[Any]] = {*games, ended}
        while waiting - {ended}:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if ended in done:
                log = (self.folder / "daemon.log").read_text("utf-8", "replace")
                raise DemoError(f"the daemon ended with {ended.result()}:\n{log[-2000:]}")
            for task in done:
                task.result()

    async def _subscribe(self, bus: Client, tables: dict[str, TableServer]) -> None:
        stream = bus.jetstream()
        await stream.add_stream(
            name="PIT-REHEARSAL", subjects=["pit-rehearsal.event.>"], duplicate_window=600
        )

        async def take(message: Msg) -> None:
            envelope = json.loads(message.data)
            await message.ack()
            place = (envelope["epoch"], int(envelope["sequence"]))
            if self._seen.get(envelope["source"], ("", 0)) >= place:
                return  # a consumer keeps (epoch, sequence): seen before
            self._seen[envelope["source"]] = place
            self.show(envelope)
            tables[envelope["source"].rsplit("/", 1)[-1]].take(envelope)

        await stream.subscribe(
            "pit-rehearsal.event.>", durable="table-server", cb=take, manual_ack=True
        )
        for table in tables.values():
            table.bus = bus

    async def _daemon(self, url: str) -> asyncio.subprocess.Process:
        text = rehearsal_text(
            tables={
                seat.table: {
                    "game": seat.game,
                    "profile": seat.profile,
                    "device": seat.device,
                    "rules": seat.rules,
                    "link": {"kind": "serial_port", "port": str(self.folder / f"{seat.table}.tty")},
                }
                for seat in self.seats
            },
            bus={"kind": "nats_jetstream", "servers": [url]},
            journal=str(self.folder / "journal.db"),
            control=str(self.folder / "control.sock"),
            time_scale=self.speed,
        )
        path = self.folder / "pitwire.toml"
        path.write_text(text, "utf-8")
        command = [sys.executable, "-P", "-m", "daemon.cli.main", "run", "--config", str(path)]
        log = os.open(self.folder / "daemon.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            # its own session: a Ctrl-C on the terminal reaches us, and we stop it in good order
            return await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=dies_with(os.getpid()),
            )
        finally:
            os.close(log)

    async def _stop(
        self,
        daemon: asyncio.subprocess.Process,
        ended: asyncio.Task[int],
        tables: dict[str, TableServer],
    ) -> None:
        if daemon.returncode is not None:
            return
        daemon.send_signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(
                asyncio.gather(*(table.stopped.wait() for table in tables.values())), 5
            )
        try:
            await asyncio.wait_for(ended, 10)
        except TimeoutError:
            daemon.kill()
            await daemon.wait()


def _without_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != "command"}


_tasks: set[asyncio.Task[None]] = set()


def _background(work: Any) -> None:
    """Run something that is not awaited, and keep it from being collected."""
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
