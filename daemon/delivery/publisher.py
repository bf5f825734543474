"""One table's events, from the journal to the bus: at least once, in order, never dropped.

The publisher keeps no event: it reads the journal behind its position. What is durable reaches the
bus, after whatever restarts.

position   (epoch, seq) of the last event that this run has published, None before the first. It
           moves only when the bus has acknowledged the event, one event at a time: that is the
           order. At the end of an epoch it goes on to the next one.
cursor     the same in the journal, written within a second of the acknowledgement. After a crash
           it may be behind: those events are published once more, under the same message id.
message id "<table>:<epoch>:<seq>". The bus takes an id once in its duplicate window; after that a
           consumer drops the repeat by (epoch, seq).
refused    the bus refuses an event for good, say for its size: `event.withheld`, a tombstone with
           the same (epoch, seq), takes its place, so a consumer sees no hole. A bus that refuses
           even that is waited for.
away       the bus cannot be reached: the event is tried again after 0.1 s, doubled up to 5 s, at
           once when the bus reports that it is back. Meanwhile events gather in the journal: `lag`.
damage     what the bus does not have yet is checked before it goes out; and the next event may be
           missing, another one, or none at all. The epoch is abandoned there: its rest never goes
           out, consumers would see a gap, or worse. `on_damage` names it once, and the table is
           held and goes on in a new epoch.

At the start of a run, before anything is published, `reconcile` compares the newest event on the
bus with the journal (`Reconciled`): the cursor may be behind, which it moves on; or the journal may
be older than the bus. Then that epoch is abandoned, its unpublished rest would contradict what
consumers have, and the table has to begin a new one (service/running_table.py).

`resend` moves the position back within the epoch of the cursor, and gives the repeats ids of their
own ("…:resend:<number>"), or the bus would drop them. Behind the last of them the position is again
where it was: what was not asked for is not published once more. The cursor never moves back.

Invariants: an event is published only if every earlier one of its epoch was acknowledged, or its
tombstone was; the cursor is never ahead of an acknowledgement; an epoch begins only when the one
before is published to its end, or abandoned.
Every turn of the loop awaits the bus or new events, or leaves an epoch for good: whatever the file
holds, the loop cannot spin.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeVar

from daemon.delivery.bus import Address, BusRefused, BusUnavailable, OpenBus
from daemon.delivery.epochs import Epochs
from daemon.journal.background_check import check_unpublished
from daemon.journal.store import Journal
from daemon.journal.walk import BadRecord
from drivers.backoff import Backoff
from drivers.clock import Clock
from protocols.instant import Instant

_T = TypeVar("_T")

_BUS: Final = Backoff(first_s=0.1, factor=2.0, most_s=5.0)
"""Quick after a blip, quiet through an outage."""
_BATCH: Final = 64
_WITHHELD: Final = "event.withheld"

Reconciled: TypeAlias = Literal["empty", "agrees", "unknown_epoch", "rolled_back"]
"""What the bus's newest event says about the journal.

empty          the bus has none
agrees         the journal has it, with the same body
unknown_epoch  the journal knows nothing of its epoch: another journal wrote it
rolled_back    the journal lacks it, or has another body for its seq: it is older than the bus
"""

Tombstone: TypeAlias = Callable[[bytes, str], bytes]
"""(the refused event's blob, why) -> the payload of its `event.withheld`, same epoch and seq."""


@dataclass(frozen=True, slots=True)
class PublisherState:
    """The state of delivery. `error`, `action` and `since` are None while the bus takes events.

    lag      durable events that the bus does not have yet
    refused  events of this run that became tombstones
    """

    lag: int
    published: int
    refused: int
    error: str | None
    action: str | None
    since: Instant | None


@dataclass(frozen=True, slots=True)
class _Resend:
    """Repeats of an epoch's events.

    until   seq of the last of them
    then    the position when it was asked for: publishing goes on there
    number  makes their ids new
    """

    epoch: str
    until: int
    then: int
    number: int


class Publisher:
    """Publishes one table. `run` is its task; the rest is called on the same loop.

    bus_epoch  of the newest event on the bus when they were compared, None if it had none
    """

    def __init__(
        self,
        journal: Journal,
        bus: OpenBus,
        address: Address,
        *,
        tombstone: Tombstone,
        on_reconciled: Callable[[Reconciled], None],
        on_damage: Callable[[str], None],
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._bus = bus
        self._address = address
        self._tombstone = tombstone
        self._on_reconciled = on_reconciled
        self._on_damage = on_damage
        self._clock = clock
        self._new_events = asyncio.Event()
        self._bus_is_back = asyncio.Event()
        self._position = journal.cursor(address.table)
        self.bus_epoch: str | None = None
        self._epochs = Epochs(journal, address.table)
        self._damage: BadRecord | None = None
        self._sound_to: tuple[str, int] | None = None
        self._resend: _Resend | None = None
        # Not from 0: the ids of a resend must differ from those before a restart.
        self._resends = secrets.randbits(32)
        self._published = 0
        self._refused = 0
        self._trouble: tuple[BusUnavailable, Instant] | None = None
        self._failures = 0  # in a row

    async def run(self) -> None:
        """Reconcile once, then publish until cancelled. Raises JournalFailed."""
        self._on_reconciled(await self.insist(self.reconcile))
        await self._check_unpublished()
        while True:
            self._new_events.clear()
            if not await self._publish_some():
                await self._new_events.wait()

    async def insist(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """Return what the bus answers; ask again for as long as it cannot be reached."""
        while True:
            try:
                answer = await ask()
            except BusUnavailable as error:
                await self._wait_out(error)
            else:
                self._trouble = None
                return answer

    def give_up(self, error: BusUnavailable) -> None:
        """Publish nothing in this run; `state` says why."""
        self._trouble = (error, self._clock.now())

    def notify(self) -> None:
        """Note that events of this table became durable."""
        self._new_events.set()

    def bus_connected(self) -> None:
        """Note that the bus is back: a wait is cut short."""
        self._bus_is_back.set()

    def resend(self, from_seq: int, to_seq: int | None = None) -> None:
        """Publish again what the bus has of the current epoch, from this seq to that one.

        to_seq  None: to the last that the bus has. What is being repeated already is not left out
        Does nothing where the bus has nothing of it yet: it is all still to be published.
        """
        table = self._address.table
        cursor = self._journal.cursor(table)
        if cursor is None or self._position is None:
            return
        if next(self._epochs.after(cursor[0]), None) is not None:
            return
        epoch, position = cursor[0], self._position[1]
        first = max(from_seq, self._journal.first_seq(table, epoch), 1)  # what was pruned is gone
        until, then = min(cursor[1], cursor[1] if to_seq is None else to_seq), position
        if first > until:
            return
        if self._resend is not None:
            then = self._resend.then
            until = max(until, self._resend.until)
        self._resends += 1
        self._resend = _Resend(epoch, until, then, self._resends)
        self._position = (epoch, min(first - 1, position))
        self._new_events.set()

    def state(self) -> PublisherState:
        """Return the state of delivery."""
        error, since = self._trouble or (None, None)
        return PublisherState(
            lag=self._epochs.lag(self._journal.cursor(self._address.table)),
            published=self._published,
            refused=self._refused,
            error=None if error is None else error.what,
            action=None if error is None else error.action,
            since=since,
        )

    async def reconcile(self) -> Reconciled:
        """Compare the bus's newest event with the journal. Raises BusUnavailable.

        When the journal was rolled back, the rest of that epoch is never published: it would
        contradict what consumers have. The table must start a new epoch.
        """
        payload = await self._bus.last_event(self._address)
        if payload is None:
            return "empty"
        table = self._address.table
        epoch, seq, withheld = _identity(payload)
        self.bus_epoch = epoch
        last = self._journal.last_seq(table, epoch)
        if last == 0:
            return "unknown_epoch"
        ours = dict(self._journal.events(table, epoch, seq - 1, 1)).get(seq)
        if seq > last or (ours not in {None, payload} and not withheld):
            self._epochs.abandoned.add(epoch)
            return "rolled_back"
        if self._is_behind(epoch, seq):
            # The cursor was lost with the process: the bus has everything up to here already.
            self._position = (epoch, seq)
            self._move_cursor(epoch, seq)
        return "agrees"

    def _is_behind(self, epoch: str, seq: int) -> bool:
        """Return whether the position is before this event."""
        if self._position is None:
            return True
        own_epoch, own_seq = self._position
        return own_seq < seq if own_epoch == epoch else epoch in self._epochs.after(own_epoch)

    async def _publish_some(self) -> bool:
        """Publish a batch of what is durable. Return False where there is nothing to publish."""
        table = self._address.table
        if self._position is None or self._position[0] in self._epochs.abandoned:
            return self._enter_next_epoch()
        epoch, after = self._position
        events = self._journal.events(table, epoch, after, _BATCH)
        if not events:
            last = self._journal.last_seq(table, epoch)
            if last > after and not self._journal.has_events(table, epoch, after):
                what = f"events {after + 1} to {last} of epoch {epoch} cannot be found"
                return self._abandon(epoch, what)
            return self._enter_next_epoch()
        for due, (seq, blob) in enumerate(events, after + 1):
            if self._position != (epoch, due - 1):
                break  # a resend moved it
            if self._damage is not None and self._position == self._sound_to:
                return self._abandon(epoch, self._damage.sentence)
            damage = _damage_at(epoch, due, seq, blob)
            if damage is not None:
                return self._abandon(epoch, damage)
            await self._publish(epoch, seq, blob)
            self._published += 1
            self._move_cursor(epoch, seq)
            if self._position == (epoch, seq - 1):
                self._position = (epoch, self._after(seq))
        return True

    def _after(self, seq: int) -> int:
        """Return the position behind an event that was acknowledged."""
        resend = self._resend
        if resend is None or seq < resend.until:
            return seq
        self._resend = None
        return max(seq, resend.then)

    async def _check_unpublished(self) -> None:
        """Find out how far what the bus does not have yet is what was written."""
        table = self._address.table
        if table in self._journal.damage:
            # None of it is proven, and the table is held since the start, in a new epoch.
            self._epochs.abandon_damaged(self._position and self._position[0])
            return
        self._damage = await check_unpublished(self._journal, table)
        if self._damage is None:
            return
        proven = self._damage.proven or 0
        self._sound_to = self._journal.last_event_before(table, proven + 1)
        epoch = None if self._sound_to is None else self._sound_to[0]
        self._epochs.abandoned.update(self._epochs.after(epoch))
        if self._sound_to is None or self._position == self._sound_to:
            self._abandon(epoch or "", self._damage.sentence)

    def _abandon(self, epoch: str, what: str) -> bool:
        """Publish nothing more of a damaged epoch, and name the damage."""
        self._epochs.abandoned.add(epoch)
        self._on_damage(f"the journal is damaged: {what}")
        return True

    def publishes(self, epoch: str) -> bool:
        """Return whether events of this epoch go out."""
        return epoch not in self._epochs.abandoned

    def _enter_next_epoch(self) -> bool:
        epoch = self._epochs.leave(None if self._position is None else self._position[0])
        if epoch is None:
            return False
        self._position, self._resend = (epoch, 0), None
        return True

    async def _publish(self, epoch: str, seq: int, blob: bytes) -> None:
        message_id = self._message_id(epoch, seq)
        kind, payload = _kind(blob), blob
        while True:
            try:
                await self._bus.publish(self._address, kind, message_id, payload)
            except BusUnavailable as error:
                await self._wait_out(error)
            except BusRefused as error:
                if kind == _WITHHELD:
                    await self._wait_out(_tombstone_refused(error))
                    continue
                self._refused += 1
                kind, payload = _WITHHELD, self._tombstone(blob, str(error))
            else:
                self._trouble = None
                return

    def _message_id(self, epoch: str, seq: int) -> str:
        message_id = f"{self._address.table}:{epoch}:{seq}"
        resend = self._resend
        if resend is None or resend.epoch != epoch:
            return message_id
        return f"{message_id}:resend:{resend.number}"

    def _move_cursor(self, epoch: str, seq: int) -> None:
        cursor = self._journal.cursor(self._address.table)
        if cursor is None or cursor[0] != epoch or cursor[1] < seq:
            self._journal.move_cursor(self._address.table, epoch, seq)

    async def _wait_out(self, error: BusUnavailable) -> None:
        since = self._clock.now() if self._trouble is None else self._trouble[1]
        self._failures = 1 if self._trouble is None else self._failures + 1
        self._trouble = (error, since)
        self._bus_is_back.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_BUS.wait_s(self._failures)):
                await self._bus_is_back.wait()


def _damage_at(epoch: str, due: int, seq: int, blob: bytes) -> str | None:
    """Return why the event that comes next in the journal is not the one that is due."""
    if seq != due:
        return f"event {due} of epoch {epoch} is missing; event {seq} comes next"
    if _identity(blob)[:2] != (epoch, seq):
        return f"the record of event {seq} of epoch {epoch} is another or none"
    return None


def _tombstone_refused(error: BusRefused) -> BusUnavailable:
    return BusUnavailable(
        f"the bus refuses even the tombstone of an event ({error})",
        "look at the bus's limits and permissions for this table",
    )


def _kind(blob: bytes) -> str:
    """Return `card.dealt` of an event whose type is `pitwire.card.dealt.v1`."""
    kind: str = json.loads(blob)["type"]
    return kind.removeprefix("pitwire.").rpartition(".")[0]


def _identity(payload: bytes) -> tuple[str, int, bool]:
    """Return (epoch, seq, is a tombstone) of an event; no epoch where it is not one of ours."""
    try:
        event: dict[str, Any] = json.loads(payload)
        return event["epoch"], int(event["sequence"]), _kind(payload) == _WITHHELD
    except (ValueError, LookupError, TypeError, AttributeError):
        return "", 0, False
