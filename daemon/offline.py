"""The whole pipeline without wires or waiting: a capture in, the table's records out.

Same bytes, same profile, same keys: the same records, to the byte. `replay` and the laws use it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from daemon import table
from daemon.inbox import Appender, Inbox, Outlets, Position
from daemon.inputs import LinkUp, Opened, TimePassed, heard
from daemon.records import Transaction
from daemon.tablestate import TableSetup
from daemon.timekeeping import Timekeeper
from daemon.wire import BadCall, Stamp, parse_call
from drivers.moments import Capture, Moment
from protocols.device import Decoded, Decoder, DeviceSpec, Settings
from protocols.instant import Instant, earliest
from protocols.rejects import RejectReason

EPOCH = "000000-replay"
_ORIGIN = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass
class OfflineClock:
    """A clock that stands where it is put."""

    at: Instant = field(default_factory=lambda: Instant("replay", 0))
    scale: float = 1.0

    def now(self) -> Instant:
        """Return where the clock stands."""
        return self.at

    def wall(self) -> datetime:
        """Return a wall time that says by its year that it is none."""
        return _ORIGIN + timedelta(microseconds=self.at.ns // 1000)


class Unwritten:
    """An appender for runs that keep no journal: everything is durable at once."""

    def append(self, _transaction: Transaction, done: Callable[[], None]) -> None:
        """Call `done`."""
        done()


@dataclass
class Tally:
    """What a replay counted."""

    readings: int = 0
    rejects: dict[RejectReason, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


class Replay:
    """Plays moments into one table whose only device is `spec`."""

    def __init__(
        self,
        setup: TableSetup,
        spec: DeviceSpec,
        settings: Settings,
        shown: Callable[[bytes], None],
        journal: Appender | None = None,
        site: str = "replay",
    ) -> None:
        self.clock = OfflineClock()
        self.tally = Tally()
        self._spec = spec
        self._decoder: Decoder = spec.decoder(settings)
        self._wake: Instant | None = None
        stamp = Stamp(site, setup.table, "replay", EPOCH, setup.digest)
        outlets = Outlets(self._set_wake, lambda: None, shown, lambda _event, _took: None)
        time = Timekeeper(self.clock, lambda: "unknown")
        state = table.start(setup)
        self.inbox = Inbox(
            setup, stamp, state, Position(0, 0), journal or Unwritten(), time, outlets
        )
        self.inbox.put(Opened(None, "replay"))
        self.inbox.put(LinkUp("primary", spec.key, "replay"))

    def run(self, capture: Capture) -> None:
        """Play a whole capture, then let the device's own silence pass."""
        for moment in capture.moments:
            self.play(moment)
        self.pass_time(self.clock.at.after(self._spec.framing.silence_s))

    def play(self, moment: Moment) -> None:
        """Let time pass until the moment, then let it happen."""
        self.pass_time(Instant("replay", round(moment.seconds * 1e9)))
        if moment.direction == "device" and isinstance(moment.data, bytes):
            self._take(self._decoder.feed(self.clock.at, moment.data))
        elif moment.direction == "command":
            self._obey(json.dumps(moment.data).encode())

    def pass_time(self, until: Instant) -> None:
        """Ring every timer that is due on the way, in order."""
        while (due := earliest(self._decoder.wake_at, self._wake)) and until.reached(due):
            self.clock.at = Instant("replay", max(due.ns, self.clock.at.ns))
            if due == self._decoder.wake_at:
                self._take(self._decoder.tick(self.clock.at))
            else:
                self._wake = None
                self.inbox.put(TimePassed())
        self.clock.at = Instant("replay", max(until.ns, self.clock.at.ns))

    def _take(self, decoded: Sequence[Decoded]) -> None:
        for one in decoded:
            if not one.raw:
                pass  # nobody is here who could answer a poll
            elif isinstance(one.body, RejectReason):
                self.tally.rejects[one.body] = self.tally.rejects.get(one.body, 0) + 1
                self.inbox.reject(self._spec.key, one.body, one.raw, one.at)
            else:
                self.tally.readings += 1
                self.inbox.put(heard("primary", self._spec.key, one, one.body), one.at)

    def _obey(self, payload: bytes) -> None:
        call = parse_call(payload)
        if isinstance(call, BadCall):
            self.tally.refused.append(call.detail)
        else:
            self.inbox.obey(call, self._answered)

    def _answered(self, blob: bytes) -> None:
        answer = json.loads(blob)
        if answer["answer"] == "refused":
            self.tally.refused.append(answer["reason"])

    def _set_wake(self, wanted: Instant | None) -> None:
        self._wake = wanted
