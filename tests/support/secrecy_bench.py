"""A table under glass: the real session, inbox, journal and views, and all that they show, by step.

That is what anybody sees who has no key.

Nothing here waits: the clock stands where the bench puts it, and a step is over when every part of
the table is idle again. Two plays that differ in one hidden card are two transcripts; `differences`
says on which surfaces they can be told apart before that card is turned.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import structlog
from prometheus_client import generate_latest
from support.durable import KEYS as SIGNING
from support.hidden_bench import KEYS, LEASE, NoPublisher
from support.memory_journal import MemoryJournal
from support.secrecy_compare import TABLE, Step, Surfaces, in_the_journal, masked
from support.secrecy_wire import Wire
from support.table_bench import SUPERVISED

from daemon.cli.event_format import event_line
from daemon.delivery.bus import Address, Request
from daemon.devices.attachment import AttachedDevice
from daemon.devices.live_views import LiveViews
from daemon.devices.session import Session
from daemon.devices.session_metrics import SessionMetrics
from daemon.journal.records import Transaction
from daemon.journal.store import Journal
from daemon.journal.writer import Reports
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.command_handler import TableCommands
from daemon.runtime.inbox import Outlets
from daemon.runtime.table_start import begin_first_epoch, resume_table
from daemon.service import status
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineClock
from daemon.service.sealing_keys import TableKeys
from daemon.table.apply import wake_at
from daemon.table.inputs import TimePassed
from daemon.table.state import TableSetup
from daemon.telemetry import logs
from daemon.telemetry.metrics import Metrics
from drivers.backoff import Backoff
from drivers.catalog import link_kinds
from drivers.link import Chunk
from protocols.canonical import canonical
from protocols.device import DeviceSpec
from protocols.instant import Instant
from protocols.table_terms import Role

EPOCH = "000001-aa"
ALWAYS = "2026-11-30T12:00:00Z"
APART_S = 2.0


@dataclass(frozen=True)
class Reader:
    """A device and how it spells a card: (number of the frame, card, place) -> its bytes."""

    spec: DeviceSpec
    settings: Any
    frame: Callable[[int, str, str], bytes]


ANY_SHOE: Mapping[str, Any] = {
    "decks": None,
    "cut_card_from_back": 0,
    "cut_card_min_from_back": None,
    "cut_card_tolerance": 0,
}
"""A shoe of any size is dealt to its end: what is asked is what its cards tell."""


@dataclass(frozen=True)
class House:
    """A table's rules and readers."""

    game: str
    profile: str
    readers: Mapping[Role, Reader]
    rules: Mapping[str, Any] = field(default_factory=dict)
    control: str = "server"
    keys: TableKeys = KEYS
    witness_wait_s: float = 0.0

    def setup(self) -> TableSetup:
        config = one_table(
            self.game,
            self.profile,
            "barcode_lines" if self.control == "server" else "angel_eye_ii_ex",
            rules={**SUPERVISED, **self.rules},
            round_control=self.control,
        )
        devices = {role: one.spec.under(one.settings) for role, one in self.readers.items()}
        setup = setup_of(config, self.keys)
        profile = replace(setup.profile, **ANY_SHOE)
        return replace(setup, profile=profile, devices=devices, witness_wait_s=self.witness_wait_s)


class _Lines(logging.Handler):
    """Keeps what the standard library's loggers are told, at every level."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__(level=1)
        self._kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        self._kept.append(f"{record.name} {record.levelname} {record.getMessage()}")


class Glass:
    """Use as `with`. One table, its readers, and everything that it shows.

    journal  a file for the real journal; None: one in memory
    """

    def __init__(self, house: House, journal: Path | None = None) -> None:
        self.house = house
        self.steps: list[Step] = []
        self.blobs: list[str] = []
        self.metrics = Metrics()
        self._path = journal
        self._setup = house.setup()
        self._clock = OfflineClock(Instant("bench", 0))
        self._clock.wall = lambda: datetime(2026, 11, 30, tzinfo=UTC)  # type: ignore[method-assign] # a clock that stands
        self._time = Timekeeper(self._clock, lambda: "unknown")
        self._new: Surfaces = {}
        self._numbers: dict[Role, int] = {}
        self.last: dict[Role, bytes] = {}
        self._commands = 0
        self._seen = 0
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        told: list[str] = self._new.setdefault("logs", [])
        handler = _Lines(told)
        root = logging.getLogger()
        before = root.level
        root.addHandler(handler)
        self._stack.callback(root.removeHandler, handler)
        self._stack.callback(root.setLevel, before)
        self._runner = self._stack.enter_context(asyncio.Runner())
        self._loop = self._runner.get_loop()
        root.setLevel(1)
        # Lines of every level, whatever a test before this one has chosen.
        self._stack.callback(structlog.configure, **structlog.get_config())
        structlog.reset_defaults()
        self._log_lines = self._stack.enter_context(structlog.testing.capture_logs())
        self._memory = MemoryJournal()
        self._do("start", self._start)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        try:
            self._runner.run(self._end())
        finally:
            self._stack.close()

    # --- its parts -------------------------------------------------------------------------

    def _open_journal(self) -> MemoryJournal | Journal:
        if self._path is None:
            return self._memory
        reports = Reports(*([lambda _told: None] * 4))
        return Journal.open(self._path, self._loop, SIGNING, reports)

    async def _start(self) -> None:
        self.journal = self._open_journal()
        self.inbox = resume_table(
            self._setup,
            Address("house", TABLE, "rehearsal"),
            self.journal,
            self._time,
            Outlets(
                shown=lambda blob: self._show("bus", blob.decode()),
                counted=lambda event, at: self.metrics.count_event(
                    TABLE, event, self._time.now().since(at)
                ),
            ),
            self.house.keys.cipher,
            next_epoch=lambda _before: EPOCH,
        )
        if not self.inbox.begun:
            begin_first_epoch(self.inbox, None, next_epoch=lambda _before: EPOCH)
        written = lambda done: self.journal.append(Transaction(TABLE, ()), done)  # noqa: E731 - as the app has it
        self.views = LiveViews(self._clock, written)
        self._audiences = {one: self.views.join(one) for one in ("frames", "chunks")}  # type: ignore[arg-type] # both of them
        watching = SessionMetrics(TABLE, self.metrics, structlog.get_logger(), self._clock)
        self.wires: dict[Role, Wire] = {}
        self.sessions: dict[Role, Session] = {}
        self._tasks: list[asyncio.Task[None]] = []
        for role, reader in self.house.readers.items():
            wire = self.wires[role] = Wire(self._clock)
            link = replace(link_kinds()["simulated"], open=wire.open)
            plug = AttachedDevice(role, self._setup.devices[role], reader.settings, link, None)
            session = Session(
                plug, self.inbox, self._clock, watching, self.views, backoff=Backoff(0.0, 1.0, 0.0)
            )
            self.sessions[role] = session
            task = self._loop.create_task(session.run())
            task.add_done_callback(self._ended)
            self._tasks.append(task)
        self.door = TableCommands(
            self.inbox,
            self._time,
            self.journal.find_answer,
            status=self._status,
            resend=lambda _first, _last: None,
            writable=lambda: True,
            refused=lambda: None,
            metrics=self.metrics,
        )

    def _ended(self, task: asyncio.Task[None]) -> None:
        """As the daemon does with a defect of ours."""
        if not task.cancelled() and (error := task.exception()) is not None:
            told = logs.defect(error, hidden=True)
            told["traceback"] = ""  # where in the code: it names no value
            self._show("exceptions", canonical(told).decode())

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if isinstance(self.journal, Journal):
            await self.journal.close()

    async def _idle(self) -> None:
        """Wait until nobody has anything to do, and everything is written."""
        for _ in range(2):
            for wire in self.wires.values():
                wire.bell.set()
            for _ in range(8):
                await asyncio.sleep(0)
            done = self._loop.create_future()
            self.journal.append(Transaction(TABLE, ()), lambda: done.set_result(None))  # noqa: B023 - called before the next
            await done

    # --- what it shows ---------------------------------------------------------------------

    def _status(self) -> dict[str, Any]:
        sessions = tuple(self.sessions.values())
        return asdict(status.table_status(self.inbox, sessions, NoPublisher(), LEASE, self._time))  # type: ignore[arg-type] # its state is all that is asked

    def _show(self, surface: str, text: str) -> None:
        self._new.setdefault(surface, []).append(text)

    def _do(self, name: str, work: Callable[[], Any]) -> Any:
        """Do one step and keep what it showed."""
        printed = io.StringIO()

        async def bounded() -> Any:
            given = work()
            if asyncio.iscoroutine(given):
                given = await given
            await self._idle()
            return given

        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            given = self._runner.run(bounded())
        self._show("printed", printed.getvalue())
        self._gather()
        shown = {surface: [masked(one) for one in lines] for surface, lines in self._new.items()}
        self.blobs += shown.get("bus", [])
        for lines in self._new.values():
            lines.clear()  # in place: a handler writes into one of them
        self.steps.append(Step(name, {"bus": [], **shown}))
        return given

    def _gather(self) -> None:
        for blob in self._new.get("bus", []):
            self._show("tail", event_line(json.loads(masked(blob))))
        for record in self.journal.records(TABLE, self._seen + 1):
            self._seen = record.record
            self._show("journal", in_the_journal(record))
        for line in self._log_lines:
            self._show("logs", json.dumps(line, sort_keys=True, default=str))
        self._log_lines.clear()
        for name, audience in self._audiences.items():
            while not audience._lines.empty():
                self._show(name, audience._lines.get_nowait().decode())
        self._show("status", canonical(self._status()).decode())
        counted = generate_latest(self.metrics.registry).decode().splitlines()
        self._show("metrics", "\n".join(one for one in counted if "_created" not in one))

    # --- what happens ----------------------------------------------------------------------

    def wait(self, seconds: float = APART_S) -> None:
        """Let time pass."""

        def later() -> None:
            self._clock.at = self._clock.at.after(seconds)
            due = wake_at(self.inbox.setup, self.inbox.state)
            if due is not None and self._clock.at.reached(due):
                self.inbox.put(TimePassed())

        self._do(f"{seconds} s", later)

    def hear(self, data: bytes, role: Role = "primary", *, stale: bool = False) -> None:
        """Let bytes arrive."""
        self._clock.at = self._clock.at.after(APART_S)
        self._do("time", lambda: None)  # half frames end
        chunk = Chunk(self._clock.at, data, stale)
        self._do("bytes", lambda: self.wires[role].queue.append(chunk))

    def frame(self, card: str, place: str = "", role: Role = "primary") -> bytes:
        """Return the reader's next frame, for this card."""
        number = self._numbers[role] = self._numbers.get(role, 0) + 1
        self.last[role] = self.house.readers[role].frame(number, card, place)
        return self.last[role]

    def draw(self, *cards: str, role: Role = "primary") -> None:
        """Let cards be read: `KS`, or `KS>dealer.2` where the reader states places."""
        for one in cards:
            card, _, place = one.partition(">")
            self.hear(self.frame(card, place, role), role)

    def again(self, role: Role = "primary") -> None:
        """Let the last frame come once more."""
        self.hear(self.last[role], role)

    def at_once(self, data: bytes, role: Role = "primary") -> None:
        """Let bytes arrive right after the last ones: no other card can pass in so little."""
        self._clock.at = self._clock.at.after(0.02)
        self._do("at once", lambda: self.wires[role].ring(data))

    def pull(self, role: Role = "primary") -> None:
        """Pull the cable out."""
        self._do("pull", lambda: setattr(self.wires[role], "plugged", False))

    def plug(self, role: Role = "primary", stale: bytes = b"") -> None:
        """Put it in again; `stale` lay in the port by then."""
        wire = self.wires[role]
        self._clock.at = self._clock.at.after(APART_S)
        if stale:
            wire.queue.append(Chunk(self._clock.at, stale, stale=True))
        self._do("plug", lambda: setattr(wire, "plugged", True))

    def crash(self) -> None:
        """Kill the daemon; another one takes the table up from the journal."""
        self._runner.run(self._end())
        self._do("crash", self._start)

    def send(self, payload: bytes) -> dict[str, Any]:
        """Let a command arrive as it is."""
        blob: bytes = self._do("command", lambda: self.door.handle(Request(payload)))
        self.steps[-1].shown.setdefault("answers", []).append(masked(blob.decode()))
        answer: dict[str, Any] = json.loads(blob)
        return answer

    def ask(self, name: str, **fields: Any) -> dict[str, Any]:
        """Let the table server say something, whatever comes of it."""
        self._commands += 1
        call = {"id": f"c{self._commands}", "expires": ALWAYS, "command": name, **fields}
        return self.send(json.dumps(call).encode())

    def obey(self, name: str, **fields: Any) -> None:
        """Let it say something that is obeyed."""
        answer = self.ask(name, **fields)
        assert answer["answer"] == "accepted", (name, answer)

    def resolve(self, action: str, **fields: Any) -> dict[str, Any]:
        """Let a supervisor decide about the oldest open violation."""
        first = self.inbox.state.open[0].violation_id
        names = {"who": "anna", "second_who": "bert", "why": "seen"}
        named = {"violation_id": first, "action": action, **names, **fields}
        return self.ask("violation.resolve", **named)

    @property
    def codes(self) -> list[str]:
        """Return the codes of every violation so far."""
        told = [json.loads(one) for one in self.blobs]
        return [one["data"]["code"] for one in told if "violation.raised" in one["type"]]
