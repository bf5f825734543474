"""One table's events, from the journal to the bus: at least once, in order, never dropped.

The publisher keeps no event: it reads the journal behind its position. What is durable reaches the
bus, after whatever restarts.

position   (epoch, seq) of the last event that this run has published, None before the first. It
           moves only when the bus has acknowledged the event, one event at a time: that is the
           order. At the end of an epoch it goes on to the next one.
cursor     the same in the journal, written within a second of the acknowledgement. After a crash
           it may be behind: those events are published once more, under the same message id.
lease      nothing goes out before the table's lease is ours (`lease.py`), and every event names its
           number: the bus refuses it where another daemon has taken the lease.
compare    before the first event, after every connection, and whenever the lease became ours, the
           newest event on the bus is compared with the journal (`comparison.py`). The cursor may be
           behind, which it moves on; the bus may have lost events, which go out again; or it may
           have events that the journal lacks. Then everything in the journal that is unpublished is
           abandoned, and the table begins a new epoch, held (service/running_table.py).
message id "<table>:<epoch>:<seq>:<digest of the body>". The bus takes an id once in its duplicate
           window; after that a consumer drops the repeat by (epoch, seq). Nobody who does not know
           the body can use up the id before us. Where the bus calls an event a repeat, what it has
           is looked at: another body is told (`on_foreign`), and the event gets another id.
refused    the bus refuses an event for good, say for its size: `event.withheld`, a tombstone with
           the same (epoch, seq), takes its place, so a consumer sees no hole. A bus that refuses
           even that is waited for.
away       the bus cannot be reached: the event is tried again after 0.1 s, doubled up to 5 s, at
           once when the bus reports that it is back. Meanwhile events gather in the journal: `lag`.
damage     what the bus does not have yet is checked before it goes out; and the next event may be
           missing, another one, or none at all. The epoch is abandoned there: its rest never goes
           out, consumers would see a gap, or worse. `on_damage` names it once, and the table is
           held and goes on in a new epoch.

`resend` moves the position back within the epoch of the cursor, and gives the repeats ids of their
own ("…:resend:<number>"), or the bus would drop them. Behind the last of them the position is again
where it was: what was not asked for is not published once more. What the bus lost goes out again
likewise ("…:again:<number>"). The cursor never moves back.

Invariants: an event is published only if every earlier one of its epoch was acknowledged, or its
tombstone was; the cursor is never ahead of an acknowledgement; an epoch begins only when the one
before is published to its end, or abandoned.
Every turn of the loop awaits the bus or new events, or leaves an epoch for good: whatever the file
holds, the loop cannot spin.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final, TypeVar

from daemon.delivery.bus import (
    Address,
    BusRefused,
    BusUnavailable,
    IdTaken,
    LeaseChanged,
    OpenBus,
)
from daemon.delivery.comparison import (
    WITHHELD,
    Comparison,
    Place,
    compare,
    identity,
    is_before,
    kind_of,
)
from daemon.delivery.epochs import Epochs
from daemon.delivery.lease_keeper import LeaseKeeper
from daemon.delivery.outage import Outage
from daemon.delivery.repeats import Repeats
from daemon.delivery.reports import PublisherEvents, PublisherState, Tombstone
from daemon.journal.background_check import check_unpublished
from daemon.journal.store import Journal
from daemon.journal.walk import BadRecord
from drivers.clock import Clock

_T = TypeVar("_T")

_BATCH: Final = 64
_ID_DIGEST_BYTES: Final = 12


class _CompareFirst(Exception):  # noqa: N818 - a condition
    """The bus has connected, or the lease changed hands: nothing goes out before a comparison."""


class Publisher:
    """Publishes one table. `run` is its task; the rest is called on the same loop.

    withheld  the events of this run that became tombstones
    """

    def __init__(
        self,
        journal: Journal,
        bus: OpenBus,
        address: Address,
        lease: LeaseKeeper,
        *,
        tombstone: Tombstone,
        tell: PublisherEvents,
        clock: Clock,
    ) -> None:
        self.withheld: set[Place] = set()
        self._journal = journal
        self._bus = bus
        self._address = address
        self._lease = lease
        self._tombstone = tombstone
        self._tell = tell
        self._clock = clock
        self._new_events = asyncio.Event()
        self._position = journal.cursor(address.table)
        self._epochs = Epochs(journal, address.table)
        self._term = 0
        self._compared_in = 0
        self._stale = True
        self._checked = False
        self._damage: BadRecord | None = None
        self._sound_to: Place | None = None
        self._repeats = Repeats(self._epochs)
        self._published = 0
        self._outage = Outage(clock)

    async def run(self) -> None:
        """Publish while the lease is ours, until cancelled. Raises JournalFailed."""
        while True:
            self._term = await self._lease.held()
            self._stale = False
            with contextlib.suppress(_CompareFirst):
                await self._compare()
                if not self._checked:
                    await self._check_unpublished()
                while True:
                    self._new_events.clear()
                    if not await self._publish_some():
                        self._must_compare()
                        await self._new_events.wait()
                    self._must_compare()

    async def _insist(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """Return what the bus answers; ask again for as long as it cannot be reached."""
        while True:
            try:
                answer = await ask()
            except BusUnavailable as error:
                await self._outage.wait(error)
                self._must_compare()
            else:
                self._outage.over()
                return answer

    def notify(self) -> None:
        """Note that events of this table became durable, or that the lease changed hands."""
        self._new_events.set()

    def bus_connected(self) -> None:
        """Note that the bus is back: a wait is cut short."""
        self._stale = True
        self._outage.bus_is_back()
        self._new_events.set()

    def resend(self, from_seq: int, to_seq: int | None = None) -> None:
        """Publish again what the bus has of the current epoch, from this seq to that one.

        to_seq  None: to the last that the bus has. What is being repeated already is not left out
        Does nothing where the bus has nothing of it yet: it is all still to be published.
        """
        table, cursor = self._address.table, self._journal.cursor(self._address.table)
        if cursor is None or self._position is None:
            return
        if next(self._epochs.after(cursor[0]), None) is not None:
            return
        epoch, position = cursor[0], self._position
        first = max(from_seq, self._journal.first_seq(table, epoch), 1)  # what was pruned is gone
        until = min(cursor[1], cursor[1] if to_seq is None else to_seq)
        if first > until or self._repeats.lost_to is not None:  # then it all goes out again
            return
        self._repeats.resend((epoch, until), position)
        self._position = (epoch, min(first - 1, position[1]))
        self._new_events.set()

    def state(self) -> PublisherState:
        """Return the state of delivery."""
        error, since = self._outage.trouble or self._lease.trouble or (None, None)
        cursor = self._journal.cursor(self._address.table)
        reached = cursor if self._repeats.lost_to is None else self._position
        return PublisherState(
            lag=self._epochs.lag(reached),
            published=self._published,
            refused=len(self.withheld),
            error=None if error is None else error.what,
            action=None if error is None else error.action,
            since=since,
        )

    async def _compare(self) -> None:
        """Find out where publishing goes on, and whether it may."""
        log, table = self._bus.log, self._address.table
        if log is None:
            comparison = Comparison("empty", self._position)
        else:
            newest = await self._insist(lambda: log.newest(self._address))
            kept_s = await self._insist(lambda: log.keeps_s(self._address))
            self._must_compare()
            oldest = None if kept_s is None else self._clock.wall() - timedelta(seconds=kept_s)
            comparison = compare(
                self._journal,
                table,
                newest,
                self._epochs,
                keeps_all=log.keeps_all,
                oldest=oldest,
            )
            if comparison.abandoned and self._compared_in == self._term:
                # Nobody else had the lease meanwhile: it is no event of a daemon's.
                self._tell.foreign(comparison.detail)
                comparison = Comparison("agrees", self._position, number=comparison.number)
        self._compared_in = self._term
        self._tell.compared(self._go_on_from(comparison))

    def _go_on_from(self, comparison: Comparison) -> Comparison:
        self._epochs.abandoned |= comparison.abandoned
        if comparison.verdict == "agrees" and comparison.position is not None:
            # The cursor may have been lost with the process.
            self._move_cursor(*comparison.position)
            if self._repeats.asked_for:
                return comparison  # that is not over
        self._position = comparison.position
        if comparison.lost is None:
            return comparison
        self._epochs.go_back()
        if self._repeats.lost_to == comparison.lost:  # told before, and still going out
            return replace(comparison, verdict="agrees")
        self._repeats.send_lost(comparison.lost)
        return comparison

    def _must_compare(self) -> None:
        """Raise _CompareFirst where what was compared is no longer what is."""
        lease = self._lease
        if self._stale or lease.term != self._term or lease.lease.standing != "ours":
            raise _CompareFirst

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
                self._position = self._repeats.behind((epoch, seq))
        return True

    async def _check_unpublished(self) -> None:
        """Find out how far what the bus does not have yet is what was written."""
        self._checked = True
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
        self._tell.damaged(f"the journal is damaged: {what}")
        return True

    def publishes(self, epoch: str) -> bool:
        """Return whether events of this epoch go out."""
        return epoch not in self._epochs.abandoned

    def _enter_next_epoch(self) -> bool:
        epoch = self._epochs.leave(None if self._position is None else self._position[0])
        if epoch is None:
            return False
        self._position = (epoch, 0)
        return True

    async def _publish(self, epoch: str, seq: int, blob: bytes) -> None:
        payload, ending = blob, self._repeats.ending((epoch, seq))
        while True:
            self._must_compare()
            kind, number = kind_of(payload), self._lease.lease.number
            message_id = _message_id(self._address.table, epoch, seq, payload) + ending
            try:
                await self._bus.publish(self._address, kind, message_id, payload, number)
            except BusUnavailable as error:
                await self._outage.wait(error)
            except LeaseChanged:
                self._lease.refuted()
                await self._lease.settled()
            except IdTaken as error:
                self._tell.foreign(f"under the id of event {seq} of {epoch} the bus has {error}")
                ending = self._repeats.another()
            except BusRefused as error:
                if kind == WITHHELD:
                    await self._outage.wait(_tombstone_refused(error))
                    continue
                self.withheld.add((epoch, seq))
                payload = self._tombstone(blob, str(error))
            else:
                self._outage.over()
                return

    def _move_cursor(self, epoch: str, seq: int) -> None:
        cursor = self._journal.cursor(self._address.table)
        if cursor is None or is_before(cursor, (epoch, seq), self._epochs):
            self._journal.move_cursor(self._address.table, epoch, seq)


def _message_id(table: str, epoch: str, seq: int, payload: bytes) -> str:
    digest = hashlib.blake2b(payload, digest_size=_ID_DIGEST_BYTES).hexdigest()
    return f"{table}:{epoch}:{seq}:{digest}"


def _damage_at(epoch: str, due: int, seq: int, blob: bytes) -> str | None:
    """Return why the event that comes next in the journal is not the one that is due."""
    if seq != due:
        return f"event {due} of epoch {epoch} is missing; event {seq} comes next"
    if identity(blob)[:2] != (epoch, seq):
        return f"the record of event {seq} of epoch {epoch} is another or none"
    return None


def _tombstone_refused(error: BusRefused) -> BusUnavailable:
    return BusUnavailable(
        f"the bus refuses even the tombstone of an event ({error})",
        "look at the bus's limits and permissions for this table",
    )
