"""The whole pipeline without wires or waiting: a capture in, the table's records out.

Same bytes, same profile, same keys: the same records, to the byte. `replay` and the laws use it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from daemon.gamekit.commitments import Concealed
from daemon.gamekit.spec import Role
from daemon.journal.records import Transaction
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.codec import EnvelopeFields, MalformedCommand, parse_command
from daemon.runtime.inbox import Appender, Inbox, JournalPosition, Outlets
from daemon.table.apply import start
from daemon.table.inputs import (
    DeviceSilent,
    FrameDamaged,
    HiddenSaid,
    LinkDown,
    LinkUp,
    Opened,
    TimePassed,
    heard,
)
from daemon.table.state import TableSetup
from drivers.capture_model import Capture, CaptureLine
from protocols.device import Decoded, Decoder, DeviceSpec, Settings
from protocols.instant import Instant, earliest
from protocols.readings import Reading
from protocols.rejects import RejectReason

EPOCH = "000000-replay"
_ORIGIN = datetime(2000, 1, 1, tzinfo=UTC)


class OfflineClock:
    """A clock that stands where it is put.

    pace  is asked before it moves: who wants to see time pass lets it pass there
    """

    def __init__(self, at: Instant = Instant("replay", 0)) -> None:  # noqa: B008 - a value
        self.scale = 1.0
        self.pace: Callable[[Instant], None] | None = None
        self._at = at

    @property
    def at(self) -> Instant:
        """Where the clock stands."""
        return self._at

    @at.setter
    def at(self, at: Instant) -> None:
        if self.pace is not None:
            self.pace(at)
        self._at = at

    def now(self) -> Instant:
        """Return where the clock stands."""
        return self._at

    def wall(self) -> datetime:
        """Return a wall time that says by its year that it is none."""
        return _ORIGIN + timedelta(microseconds=self._at.ns // 1000)


class NoJournal:
    """An appender for runs that keep no journal: everything is durable at once."""

    def append(self, _transaction: Transaction, done: Callable[[], None]) -> None:
        """Call `done`."""
        done()


@dataclass
class Tally:
    """What a replay counted.

    concealed  frames that came while the next card might be hidden, readings and rejects alike
    """

    readings: int = 0
    concealed: int = 0
    rejects: dict[RejectReason, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


@dataclass
class _Line:
    """One device of the table, and its decoder while its link is open."""

    role: Role
    spec: DeviceSpec
    settings: Settings
    decoder: Decoder
    heard_at: Instant | None = None


class OfflineReplay:
    """Plays moments into one table whose primary device is `spec`.

    hole  the hole-card reader and its settings, where the table has one
    """

    def __init__(
        self,
        setup: TableSetup,
        spec: DeviceSpec,
        settings: Settings,
        shown: Callable[[bytes], None],
        journal: Appender | None = None,
        site: str = "replay",
        hole: tuple[DeviceSpec, Settings] | None = None,
    ) -> None:
        self.clock = OfflineClock()
        self.tally = Tally()
        self._wake: Instant | None = None
        stamp = EnvelopeFields(site, setup.table, "replay", EPOCH, setup.digest)
        outlets = Outlets(self._set_wake, lambda: None, shown, lambda _event, _took: None)
        time = Timekeeper(self.clock, lambda: "unknown")
        state = start(setup)
        self.inbox = Inbox(
            setup, stamp, state, JournalPosition(0, 0), journal or NoJournal(), time, outlets
        )
        self.inbox.put(Opened(None, "replay"))
        self._lines: dict[Role, _Line] = {}
        self._plug("primary", spec, settings)
        if hole is not None:
            self._plug("hole", *hole)

    def run(self, capture: Capture, hole: Capture | None = None) -> None:
        """Play whole captures, then let the devices' own silence pass."""
        played: list[tuple[Role, CaptureLine]] = [("primary", one) for one in capture.lines]
        if hole is not None:
            played += [("hole", one) for one in hole.lines]
            played.sort(key=lambda one: one[1].seconds)  # stable: each keeps its own order
        for role, moment in played:
            self.play(moment, role)
        silence = max(one.spec.framing.silence_s for one in self._lines.values())
        self.pass_time(self.clock.at.after(silence))

    def play(self, moment: CaptureLine, role: Role = "primary") -> None:
        """Let time pass until the moment, then let it happen."""
        self.pass_time(Instant("replay", round(moment.seconds * 1e9)))
        line = self._lines[role]
        if moment.direction == "device" and isinstance(moment.data, bytes):
            self._take(line, line.decoder.feed(self.clock.at, moment.data))
        elif moment.direction == "command":
            self._obey(json.dumps(moment.data).encode())
        elif moment.data == "open":
            self._plug(role, line.spec, line.settings)
        elif moment.data == "lost":
            self.inbox.put(LinkDown(role, line.spec.key, "lost: as the capture has it"))

    def pass_time(self, until: Instant) -> None:
        """Ring every timer that is due on the way, in order."""
        while (due := earliest(self._wake, *self._wakes())) and until.reached(due):
            self.clock.at = Instant("replay", max(due.ns, self.clock.at.ns))
            line = next((one for one in self._lines.values() if one.decoder.wake_at == due), None)
            if line is not None:
                self._take(line, line.decoder.tick(self.clock.at))
            else:
                self._wake = None
                self.inbox.put(TimePassed())
        self.clock.at = Instant("replay", max(until.ns, self.clock.at.ns))

    def _wakes(self) -> list[Instant | None]:
        return [one.decoder.wake_at for one in self._lines.values()]

    def _plug(self, role: Role, spec: DeviceSpec, settings: Settings) -> None:
        self._lines[role] = _Line(role, spec, settings, spec.decoder(settings))
        self.inbox.put(LinkUp(role, spec.key, "replay"))

    def _take(self, line: _Line, decoded: Sequence[Decoded]) -> None:
        for one in decoded:
            if not one.raw:
                continue  # nobody is here who could answer a poll
            hidden = self.inbox.conceals(line.role, one)
            self._count(one.body, hidden=hidden)
            if isinstance(one.body, RejectReason):
                if line.spec.resent_within_s is not None:
                    self.inbox.put(FrameDamaged(line.role, line.spec.key), one.at)
                self.inbox.reject(line.spec.key, one.body, one.raw, one.at, hidden=hidden)
            else:
                self._end_silence(line, one.at)
                said = heard(line.role, line.spec.key, one, one.body)
                self.inbox.put(HiddenSaid(Concealed(said)) if hidden else said, one.at)

    def _end_silence(self, line: _Line, at: Instant) -> None:
        """Tell that a device was silent longer than it ever is, before what it says now."""
        quiet = None if line.heard_at is None else at.since(line.heard_at)
        limit, line.heard_at = line.spec.silence_s, at
        if limit is not None and quiet is not None and quiet >= limit:
            self.inbox.put(DeviceSilent(line.role, line.spec.key, round(quiet, 1)), at)

    def _count(self, body: Reading | RejectReason, *, hidden: bool) -> None:
        if hidden:
            self.tally.concealed += 1
        elif isinstance(body, RejectReason):
            self.tally.rejects[body] = self.tally.rejects.get(body, 0) + 1
        else:
            self.tally.readings += 1

    def _obey(self, payload: bytes) -> None:
        call = parse_command(payload)
        if isinstance(call, MalformedCommand):
            self.tally.refused.append(call.detail)
        else:
            self.inbox.obey(call, self._answered)

    def _answered(self, blob: bytes) -> None:
        answer = json.loads(blob)
        if answer["answer"] == "refused":
            self.tally.refused.append(answer["reason"])

    def _set_wake(self, wanted: Instant | None) -> None:
        self._wake = wanted
