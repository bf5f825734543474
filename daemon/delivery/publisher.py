"""One table's events, from the journal to the bus: at least once, in order, never dropped.

The publisher keeps no event: it reads the journal behind its position. What is durable reaches the
bus, after whatever restarts.

position   (epoch, seq) of the last event that this run has published, None before the first. It
           moves only when the bus has acknowledged the event, one event at a time: that is the
           order, however many are in flight (`sender.py`). At the end of an epoch, when nothing is
           in flight, it goes on to the next one.
cursor     the same in the journal, written within a second of the acknowledgement. After a crash
           it may be behind: those events are published once more, under the same message id.
lease      nothing goes out before the table's lease is ours (`lease.py`), and every event names its
           number: the bus refuses it where another daemon has taken the lease.
compare    before the first event, after every connection, and whenever the lease became ours, the
           newest event on the bus is compared with the journal (`comparison.py`). The cursor may be
           behind: what follows it goes out again, under the same ids; the bus may have lost events,
           which go out again under others; or it may have events that the journal lacks. Then
           everything in the journal that is unpublished is abandoned, and the table begins a new
           epoch, held (service/running_table.py).
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
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from daemon.delivery.bus import Address, BusUnavailable, OpenBus
from daemon.delivery.comparison import Comparison, Place, compare, go_on, is_before
from daemon.delivery.epochs import Epochs
from daemon.delivery.lease_keeper import LeaseKeeper
from daemon.delivery.outage import Outage
from daemon.delivery.read_ahead import ReadAhead
from daemon.delivery.repeats import Repeats
from daemon.delivery.reports import PublisherEvents, PublisherState, Tombstone
from daemon.delivery.sender import Sender
from daemon.journal.background_check import check_unpublished
from daemon.journal.store import Journal
from drivers.clock import Clock

_T = TypeVar("_T")


class _CompareFirst(Exception):  # noqa: N818 - a condition
    """The bus has connected, or the lease changed hands: nothing goes out before a comparison."""


class Publisher:
    """Publishes one table. `run` is its task; the rest is called on the same loop."""

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
        self._journal = journal
        self._bus = bus
        self._address = address
        self._lease = lease
        self._tell = tell
        self._clock = clock
        self._wake = asyncio.Event()
        self._position = journal.cursor(address.table)
        self._asked: list[tuple[int, int | None]] = []
        self._epochs = Epochs(journal, address.table)
        self._term = 0
        self._compared_in = 0
        self._stale = True
        self._checked = False
        self._repeats = Repeats(self._epochs)
        self._ahead = ReadAhead(journal, address.table, self._repeats)
        self._published = 0
        self._outage = Outage(clock)
        self._sender = Sender(
            bus,
            address,
            lease,
            self._repeats,
            self._outage,
            tombstone=tombstone,
            tell=tell,
            on_answer=self._wake.set,
        )

    async def run(self) -> None:
        """Publish while the lease is ours, until cancelled. Raises JournalFailed."""
        try:
            while True:
                self._term = await self._lease.held()
                self._stale = False
                with contextlib.suppress(_CompareFirst):
                    await self._sender.start_over()
                    self._ahead.due.clear()
                    await self._compare()
                    if not self._checked:
                        await self._check_unpublished()
                    while True:
                        await self._turn()
        finally:
            await self._sender.cancel()

    def was_withheld(self, place: Place) -> bool:
        """Return whether this event became a tombstone in this run."""
        return place in self._sender.withheld

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
        self._wake.set()

    def bus_connected(self) -> None:
        """Note that the bus is back: a wait is cut short."""
        self._stale = True
        self._outage.bus_is_back()
        self._wake.set()

    def resend(self, from_seq: int, to_seq: int | None = None) -> None:
        """Publish again what the bus has of the current epoch, from this seq to that one.

        to_seq  None: to the last that the bus has. What is being repeated already is not left out
        Does nothing where the bus has nothing of it yet: it is all still to be published.
        """
        self._asked.append((from_seq, to_seq))
        self._wake.set()

    def state(self) -> PublisherState:
        """Return the state of delivery."""
        error, since = self._outage.trouble or self._lease.trouble or (None, None)
        cursor = self._journal.cursor(self._address.table)
        reached = cursor if self._repeats.lost_to is None else self._position
        return PublisherState(
            lag=self._epochs.lag(reached),
            published=self._published,
            refused=len(self._sender.withheld),
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
            keeping = await self._insist(lambda: log.keeping(self._address))
            self._must_compare()
            self._tell.unkept(keeping.unkept)
            comparison = compare(
                self._journal,
                table,
                newest,
                self._epochs,
                keeps_all=log.keeps_all,
                oldest=keeping.oldest(self._clock.wall()),
            )
            if comparison.abandoned and self._compared_in == self._term:
                # Nobody else had the lease meanwhile: it is no event of a daemon's.
                self._tell.foreign(comparison.detail)
                comparison = go_on(self._journal, table, comparison.number)
        self._compared_in = self._term
        self._tell.compared(self._go_on_from(comparison))

    def _go_on_from(self, comparison: Comparison) -> Comparison:
        self._epochs.abandoned |= comparison.abandoned
        if comparison.verdict == "agrees" and comparison.position is not None:
            # The cursor may have been lost with the process.
            self._move_cursor(comparison.position)
            if self._repeats.asked_for:
                return comparison  # that is not over
        self._position, self._sender.doubt = comparison.position, comparison.doubt
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

    async def _turn(self) -> None:
        """Take what was acknowledged, send what may be sent; wait where there was neither."""
        self._wake.clear()
        acted = False
        while (place := await self._sender.acknowledged()) is not None:
            self._has_published(place)
            acted = True
        self._must_compare()
        if not await self._send() and not acted:
            await self._wake.wait()

    async def _send(self) -> bool:
        """Send what may go out now. Return False where there is nothing."""
        last = self._sender.last
        if last is not None and (self._asked or self._repeats.ends_with(last)):
            return False  # the position moves behind it
        if self._asked:
            self._repeat(*self._asked.pop(0))
            return True
        place = self._position if last is None else last
        if place is None or place[0] in self._epochs.abandoned:
            return last is None and self._enter_next_epoch()
        wrong = self._ahead.read(place)
        if not self._ahead.due:
            if last is not None:
                return False
            return self._enter_next_epoch() if wrong is None else self._abandon(place[0], wrong)
        if taken := await self._sender.send_batch(self._ahead.due):
            for place in taken:
                self._has_published(place)
            return True
        return self._ahead.pop(self._sender.send(self._ahead.due)) > 0

    def _has_published(self, place: Place) -> None:
        self._published += 1
        doubt = self._sender.doubt
        if doubt is None or doubt[0] != place[0]:
            self._move_cursor(place)
        self._position = self._repeats.behind(place)

    def _repeat(self, from_seq: int, to_seq: int | None) -> None:
        """Let the position go back to what somebody asked for, where the bus has it."""
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

    async def _check_unpublished(self) -> None:
        """Find out how far what the bus does not have yet is what was written."""
        self._checked = True
        table = self._address.table
        if table in self._journal.damage:
            # None of it is proven, and the table is held since the start, in a new epoch.
            self._epochs.abandon_damaged(self._position and self._position[0])
            return
        damage = await check_unpublished(self._journal, table)
        if damage is None:
            return
        sound_to = self._journal.last_event_before(table, (damage.proven or 0) + 1)
        self._ahead.end = sound_to, damage.sentence
        epoch = None if sound_to is None else sound_to[0]
        self._epochs.abandoned.update(self._epochs.after(epoch))
        if sound_to is None or self._position == sound_to:
            self._abandon(epoch or "", damage.sentence)

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

    def _move_cursor(self, place: Place) -> None:
        cursor = self._journal.cursor(self._address.table)
        if cursor is None or is_before(cursor, place, self._epochs):
            self._journal.move_cursor(self._address.table, *place)
