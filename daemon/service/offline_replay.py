"""The whole daemon but links, bus and waiting: a capture in, the table's records out.

The bytes go through the same feed, inbox and table as live ones; time is the capture's. Same bytes,
same profile, same keys: the same records, to the byte. `replay`, the scenarios and the laws use it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from daemon.delivery.bus import Address
from daemon.devices.feed import DeviceFeed, Heard, tell
from daemon.journal.records import Transaction
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.command_payload import MalformedCommand, parse_command
from daemon.runtime.inbox import Appender, Outlets
from daemon.runtime.table_start import begin_table
from daemon.table.concealment import stale_bytes_told
from daemon.table.inputs import LinkDown, LinkUp, TimePassed
from daemon.table.state import TableSetup
from drivers.capture_model import Capture, CaptureLine
from drivers.link import Chunk
from protocols.device import DeviceSpec, Settings
from protocols.instant import Instant, earliest
from protocols.rejects import RejectReason
from protocols.table_terms import Role

Reader: TypeAlias = tuple[DeviceSpec, Settings]
"""A device of the table, and its settings."""

_NONE: Final[Mapping[Role, Any]] = MappingProxyType({})

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
    stale      frames that lay in the port when it was opened
    """

    readings: int = 0
    concealed: int = 0
    stale: int = 0
    rejects: dict[RejectReason, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


class OfflineReplay:
    """Plays captures into one table whose primary device is `spec`; each link is open at once.

    beside  the table's other devices
    """

    def __init__(
        self,
        setup: TableSetup,
        spec: DeviceSpec,
        settings: Settings,
        shown: Callable[[bytes], None],
        journal: Appender | None = None,
        site: str = "replay",
        beside: Mapping[Role, Reader] = _NONE,
    ) -> None:
        self.clock = OfflineClock()
        self.tally = Tally()
        self._wake: Instant | None = None
        self.inbox = begin_table(
            setup,
            Address(site, setup.table, "replay"),
            EPOCH,
            journal or NoJournal(),
            Timekeeper(self.clock, lambda: "unknown"),
            Outlets(wake=self._set_wake, shown=shown),
            reason="replay",
        )
        readers: dict[Role, Reader] = {"primary": (spec, settings), **beside}
        self._specs = {role: spec for role, (spec, _) in readers.items()}
        self._feeds = {
            role: DeviceFeed(spec, settings, role, self.inbox)
            for role, (spec, settings) in readers.items()
        }
        for role in readers:
            self._open(role)

    def run(self, capture: Capture, beside: Mapping[Role, Capture] = _NONE) -> None:
        """Play whole captures, then let the devices' own silence pass."""
        played: list[tuple[Role, CaptureLine]] = [("primary", line) for line in capture.lines]
        for role, other in beside.items():
            played += [(role, line) for line in other.lines]
        played.sort(key=lambda line: line[1].seconds)  # stable: each keeps its own order
        for place, (role, moment) in enumerate(played):
            later = (line for other, line in played[place + 1 :] if other == role)
            self.play(moment, role, _stale_bytes(moment, next(later, None)))
        silence = max(spec.framing.silence_s for spec in self._specs.values())
        self.pass_time(self.clock.at.after(silence))

    def play(self, moment: CaptureLine, role: Role = "primary", stale_bytes: int = 0) -> None:
        """Let time pass until the moment, then let it happen.

        stale_bytes  where the link is opened: how many bytes lie in it then
        """
        self.pass_time(Instant("replay", round(moment.seconds * 1e9)))
        if moment.direction == "device" and isinstance(moment.data, bytes):
            chunk = Chunk(self.clock.at, moment.data, moment.stale)
            self._hear(role, self._feeds[role].take(chunk))
        elif moment.direction == "loss":
            chunk = Chunk(self.clock.at, b"", lost=str(moment.data))
            self._hear(role, self._feeds[role].take(chunk))
        elif moment.direction == "command":
            self._obey(json.dumps(moment.data).encode())
        elif moment.data == "open":
            self._open(role, stale_bytes)
        elif moment.data == "lost":
            self._feeds[role].lost()
            reason = "lost: as the capture has it"
            self.inbox.put(LinkDown(role, self._specs[role].key, reason))

    def pass_time(self, until: Instant) -> None:
        """Ring every timer that is due on the way, in order."""
        while due := self._due(until):
            self.clock.at = Instant("replay", max(due.ns, self.clock.at.ns))
            role = next((role for role, feed in self._feeds.items() if feed.wake_at == due), None)
            if role is not None:
                self._hear(role, self._feeds[role].tick(self.clock.at))
            else:
                self._wake = None
                self.inbox.put(TimePassed())
        self.clock.at = Instant("replay", max(until.ns, self.clock.at.ns))

    def _due(self, until: Instant) -> Instant | None:
        due = earliest(self._wake, *(feed.wake_at for feed in self._feeds.values()))
        return due if due is not None and until.reached(due) else None

    def _open(self, role: Role, stale_bytes: int = 0) -> None:
        questions = self._feeds[role].open(self.clock.at)
        stale_bytes = stale_bytes_told(self.inbox.setup, stale_bytes)
        self.inbox.put(LinkUp(role, self._specs[role].key, "replay", stale_bytes))
        self._hear(role, questions)

    def _hear(self, role: Role, items: Iterator[Heard]) -> None:
        for heard in items:
            self._count(heard)
            tell(self.inbox, self._specs[role].key, heard)  # nobody is there to be answered

    def _count(self, heard: Heard) -> None:
        frame, reject = heard.frame, heard.reject
        if frame is None or not frame.raw:
            return
        if heard.stale:
            self.tally.stale += 1
        elif heard.hidden:
            self.tally.concealed += 1
        elif reject is not None:
            self.tally.rejects[reject] = self.tally.rejects.get(reject, 0) + 1
        else:
            self.tally.readings += 1

    def _obey(self, payload: bytes) -> None:
        parsed = parse_command(payload)
        if isinstance(parsed, MalformedCommand):
            self.tally.refused.append(parsed.detail)
        else:
            self.inbox.obey(parsed, self._answered)

    def _answered(self, blob: bytes) -> None:
        answer = json.loads(blob)
        if answer["answer"] == "refused":
            self.tally.refused.append(answer["reason"])

    def _set_wake(self, wanted: Instant | None) -> None:
        self._wake = wanted


def _stale_bytes(moment: CaptureLine, following: CaptureLine | None) -> int:
    """Return how many bytes lay in a link that is opened at this moment."""
    if moment.data != "open" or following is None or not following.stale:
        return 0
    return len(following.data)
