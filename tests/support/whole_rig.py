"""A whole house under test: simulated devices on ptys, a real bus, the real daemon's process."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import secrets
import signal
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import nats
import nats.errors
import pytest
from support.notation import draw_cue
from support.table_bench import SUPERVISED
from support.whole_consumer import Consumer

from config.rehearsal_text import rehearsal_text
from daemon.demo.demo import DEMO_TABLES, SITE, DemoTable
from daemon.demo.embedded_nats import EmbeddedNats, NatsServerMissing, find_nats_server
from drivers.clock import BootClock
from drivers.pty_simulator import SimulatorOnPty
from protocols.catalog import devices
from protocols.commands import AUTHORITIES
from protocols.simulator import Cue, PowerOn

USER = "ann"
"""Whom the table server sends as."""
Envelope = dict[str, Any]

PATIENCE_S = 20.0
BACCARAT, ROULETTE = DEMO_TABLES
PITWIRE = (sys.executable, "-P", "-m", "daemon.cli.main")


def _server_is_missing() -> str | None:
    try:
        find_nats_server()
    except NatsServerMissing as missing:
        return f"{missing.what}: {missing.action}"
    return None


_MISSING = _server_is_missing()
needs_nats = pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")


async def until(condition: Callable[[], object], what: str) -> None:
    """Wait for something that nobody announces."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():  # noqa: ASYNC110 - the other side is another process
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"never happened: {what}") from None


async def pitwire(*words: str) -> tuple[int, str, str]:
    """Run a verb of the command line; return its exit code, stdout and stderr."""
    process = await asyncio.create_subprocess_exec(
        *PITWIRE, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


def house_rules(game: str) -> dict[str, str | float]:
    """Return the rules of a house that leaves a supervisor his decisions, and counts no laps."""
    return {**SUPERVISED, "min_revolutions": 0.0} if game == "roulette" else {**SUPERVISED}


@dataclass
class Rig:
    """Use as `async with`. What it started is gone afterwards, whatever happened.

    bus       start the bus before the daemon
    plugged   have the devices plugged in and switched on before the daemon starts
    metrics   host:port of /metrics, "" for off
    """

    folder: Path
    seats: Sequence[DemoTable] = DEMO_TABLES
    speed: float = 20.0
    bus: bool = True
    plugged: bool = True
    metrics: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    ports: dict[str, SimulatorOnPty] = field(default_factory=dict)
    consumer: Consumer = field(default_factory=Consumer)
    daemon: asyncio.subprocess.Process | None = None
    _server: EmbeddedNats = field(default_factory=EmbeddedNats)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _url: str = ""

    async def __aenter__(self) -> Self:
        self._stack.callback(self._server.stop)
        try:
            self._url = self._server.start(self.folder / "nats")
            if self.bus:
                await self._listen()
            else:
                self._server.stop()
            clock = BootClock(self.speed)
            for seat in self.seats:
                spec = devices()[seat.device]
                port = SimulatorOnPty(spec.simulator(spec.settings()), clock, self.tty(seat.table))
                self.ports[seat.table] = port
                if self.plugged:
                    await self._stack.enter_async_context(port)
                    port.cue(PowerOn())
            self._stack.push_async_callback(self.kill_daemon)
            await self.start_daemon()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._stack.aclose()

    # --- processes -----------------------------------------------------------------------

    def tty(self, table: str) -> str:
        return str(self.folder / f"{table}.tty")

    @property
    def socket(self) -> str:
        return str(self.folder / "control.sock")

    @property
    def config(self) -> str:
        return str(self.folder / "pitwire.toml")

    @property
    def journal(self) -> str:
        return str(self.folder / "journal.db")

    def configuration(self) -> str:
        text = rehearsal_text(
            tables={
                seat.table: {
                    "game": seat.game,
                    "profile": seat.profile,
                    "device": seat.device,
                    "rules": house_rules(seat.game),
                    "link": {"kind": "serial_port", "port": self.tty(seat.table)},
                }
                for seat in self.seats
            },
            bus={"kind": "nats_jetstream", "servers": [self._url]},
            journal=self.journal,
            control=self.socket,
            time_scale=self.speed,
        )
        return text.replace('listen = ""', f'listen = "{self.metrics}"')

    async def start_daemon(self) -> None:
        path = self.folder / "pitwire.toml"
        path.write_text(self.configuration(), "utf-8")
        with (self.folder / "daemon.log").open("ab") as log:
            self.daemon = await asyncio.create_subprocess_exec(
                *PITWIRE,
                "run",
                "--config",
                str(path),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
            )

    async def kill_daemon(self) -> None:
        """As a power cut would: without a word."""
        process, self.daemon = self.daemon, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()
        self.free_ports()

    async def stop_daemon(self) -> int:
        process, self.daemon = self.daemon, None
        assert process is not None
        process.send_signal(signal.SIGTERM)
        code = await process.wait()
        self.free_ports()
        return code

    async def restart_daemon(self) -> None:
        await self.kill_daemon()
        await self.start_daemon()

    def free_ports(self) -> None:
        """A real port forgets who had it to himself when he dies; a pty outlives him."""
        for port in self.ports.values():
            if port._fds is not None:
                fcntl.ioctl(port._fds[1], termios.TIOCNXCL)

    def kill_nats(self) -> None:
        self._server.kill()

    async def start_nats(self) -> None:
        """On the same store and port as before."""
        number = int(self._url.rpartition(":")[2])
        self._server.start(self.folder / "nats", port=number)
        if not self.consumer.connected:
            await self._listen()

    async def _listen(self) -> None:
        await self.consumer.connect(self._url)
        self._stack.push_async_callback(self.consumer.close)

    # --- what happens at the tables ------------------------------------------------------

    def cue(self, table: str, cue: Cue) -> None:
        self.ports[table].cue(cue)

    def draw(self, text: str, table: str = BACCARAT.table) -> None:
        """Draw a card to a slot: `KS>player.1`."""
        self.cue(table, draw_cue(text))

    async def heard(self, table: str, kind: str, **data: Any) -> Envelope:
        """Wait for the table's next event of this kind whose data says this."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self.consumer.next(f"/pit/{SITE}/{table}", kind, data)
        except TimeoutError:
            raise AssertionError(f"{table}: no {kind} {data}\n{self._story(table)}") from None

    def events(self, table: str) -> list[Envelope]:
        return self.consumer.taken[f"/pit/{SITE}/{table}"]

    def kinds(self, table: str) -> list[str]:
        return [kind_of(one) for one in self.events(table)]

    def count(self, table: str, kind: str) -> int:
        return self.kinds(table).count(kind)

    def _story(self, table: str) -> str:
        lines = [f"{kind_of(one)} {one['data']}" for one in self.events(table)[-15:]]
        log = (self.folder / "daemon.log").read_text("utf-8", "replace")
        return "\n".join([*lines, log[-1500:]])

    # --- what the table server says ------------------------------------------------------

    async def send(self, table: str, payload: bytes, authority: str | None = None) -> Envelope:
        """Send raw bytes as a command, on its own subject or another, until somebody answers."""
        authority = authority or authority_of(payload)
        subject = f"pit-rehearsal.command.{SITE}.{table}.{authority}.{USER}"
        for _ in range(200):
            try:
                reply = await self.consumer.bus.request(subject, payload, timeout=2)
            except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
                await asyncio.sleep(0.05)
            else:
                answer: Envelope = json.loads(reply.data)
                return answer
        raise AssertionError(f"{table}: the daemon does not answer {payload!r}")

    async def command(self, table: str, name: str, **fields: Any) -> Envelope:
        return await self.send(table, command(name, **fields))

    async def obeyed(self, table: str, name: str, **fields: Any) -> None:
        answer = await self.command(table, name, **fields)
        assert answer["answer"] == "accepted", answer

    async def dealing(self, round_id: str, table: str = BACCARAT.table) -> None:
        """Open a round on a new shoe and close the bets."""
        await self.open(round_id, table)
        await self.obeyed(table, "bets.close", round_id=round_id)

    async def open(self, round_id: str, table: str = BACCARAT.table) -> None:
        await self.connected(table)
        if table == BACCARAT.table:
            await self.obeyed(table, "shoe.load", shoe_id=f"shoe of {round_id}", decks=8)
        await self.obeyed(table, "round.open", round_id=round_id)

    async def connected(self, table: str) -> None:
        await self.heard(table, "device.connected")


def command(name: str, **fields: Any) -> bytes:
    """Return a command's bytes; `id` and `expires` are made up unless given."""
    later = (datetime.now(UTC) + timedelta(seconds=30)).isoformat()
    whole = {"id": secrets.token_hex(8), "expires": later, "command": name, **fields}
    return json.dumps(whole).encode()


def authority_of(payload: bytes) -> str:
    """Return the authority that a command needs; of what is none: play."""
    with suppress(ValueError, AttributeError, TypeError):
        return AUTHORITIES.get(json.loads(payload).get("command"), "play")
    return "play"


def kind_of(envelope: Envelope) -> str:
    kind: str = envelope["type"]
    return kind.removeprefix("pitwire.").removesuffix(".v1")


async def derived(rig: Rig) -> None:
    """Derive every event of the rig's journal again from its frames: all must follow."""
    code, out, err = await pitwire("journal", "audit", rig.journal, "--config", rig.config)
    assert code == 0, (out, err)


async def unbroken(journal: str) -> int:
    """Return how many records the journal has, once `journal verify` calls it unbroken."""
    code, out, err = await pitwire("journal", "verify", journal, "--json")
    assert code == 0, (out, err)
    *tables, _file = map(json.loads, out.splitlines())
    return sum(table["records"] for table in tables)
