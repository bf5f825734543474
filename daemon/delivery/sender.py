"""Sends a table's events: several in flight, acknowledged in order, each taken once.

in flight  a bus that allows it (`EventBulk`) is given events before it has acknowledged the ones
           before. They count as published from the oldest on, never past one that failed.
failure    when the oldest one fails, the answers of those behind it are waited for and do not
           count. It goes out again by itself, until it is acknowledged; then those behind it go
           out again, under the same ids.
number     a bus that refuses an event may have taken the next one. So the numbers that it gives
           must rise: one that does not belongs to an event that the bus took too early. That
           event, and whatever else was in flight then, goes out again under other ids
           ("…:again:<number>"). A consumer finds every event in order, and drops the early ones,
           which were behind a gap, as repeats.
doubt      from a failure on, or a comparison, until all that may have been in flight then is
           acknowledged in order, the cursor stays: who goes on from it after a crash finds by the
           numbers what is out of order.
proven     most refusals are known before: the bus does not allow a kind of event, or its size. The
           first event of a kind, and one that is larger than all before, is acknowledged before
           another is sent behind it.
batch      taken in order or not at all. Where a batch fails, its events go out one by one: only
           then does the bus say which of them it is.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from daemon.delivery.bus import (
    Address,
    BusRefused,
    BusUnavailable,
    IdTaken,
    LeaseChanged,
    OpenBus,
    Outgoing,
)
from daemon.delivery.comparison import WITHHELD, Place, kind_of
from daemon.delivery.lease_keeper import LeaseKeeper
from daemon.delivery.outage import Outage
from daemon.delivery.repeats import Repeats
from daemon.delivery.reports import PublisherEvents, Tombstone

Due: TypeAlias = tuple[Place, str, bytes]
"""An event of the journal that is to be published: its place, its kind and its JSON."""
_ID_DIGEST_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class _Sent:
    """An event in flight.

    kind     of what goes out
    blob     what the journal has
    payload  what goes out: the same, or its tombstone
    ending   of its id
    fence    the lease's number that it names
    proves   whether nothing may be sent behind it before it is acknowledged
    """

    place: Place
    kind: str
    blob: bytes
    payload: bytes
    ending: str
    fence: int
    proves: bool
    answer: asyncio.Task[int]


class Sender:
    """Sends one table's events.

    withheld  the events of this run that became tombstones
    doubt     the last event that the bus may have taken too early; None where there is no doubt
    """

    def __init__(
        self,
        bus: OpenBus,
        address: Address,
        lease: LeaseKeeper,
        repeats: Repeats,
        outage: Outage,
        *,
        tombstone: Tombstone,
        tell: PublisherEvents,
        on_answer: Callable[[], None],
    ) -> None:
        """Prepare. `on_answer` is called when something in flight is answered."""
        self.withheld: set[Place] = set()
        self.doubt: Place | None = None
        self._bus = bus
        self._address = address
        self._lease = lease
        self._repeats = repeats
        self._outage = outage
        self._tombstone = tombstone
        self._tell = tell
        self._on_answer = on_answer
        self._flight: deque[_Sent] = deque()
        self._number = 0
        self._kinds: set[str] = set()
        self._largest = 0
        self._failed: tuple[Place, bytes, str] | None = None
        self._one_by_one_to: Place | None = None

    @property
    def last(self) -> Place | None:
        """Return the newest event in flight, None where none is."""
        return self._flight[-1].place if self._flight else None

    async def start_over(self) -> None:
        """Wait for what is in flight, whose answers do not count; nothing is proven any more."""
        await self._settle()
        self._number, self._largest = 0, 0
        self._failed = self._one_by_one_to = self.doubt = None
        self._kinds.clear()

    async def cancel(self) -> None:
        """End what is in flight."""
        for one in self._flight:
            one.answer.cancel()
        await self._settle()

    def send(self, due: Sequence[Due]) -> int:
        """Send the first of these events, as many as may be in flight; return how many.

        Sends nothing while something is in flight, where so many wait that they go as a batch, or
        where the lease has another number since: the bus would refuse what is in flight, and take
        what comes behind it.
        """
        bulk, fence, sent = self._bus.bulk, self._lease.lease.number, 0
        if self._flight and (self._goes_as_batch(due) or self._flight[-1].fence != fence):
            return 0
        most = 1 if bulk is None else bulk.in_flight(self._address)
        for place, kind_due, blob in due:
            kind, payload, ending = kind_due, blob, self._repeats.ending(place)
            if again := self._failed is not None and self._failed[0] == place:
                _, payload, ending = self._failed
                kind = kind_of(payload)
            proves = again or kind not in self._kinds or len(payload) > self._largest
            if self._flight and (proves or self._flight[-1].proves or len(self._flight) >= most):
                break
            event = self._outgoing(place, kind, payload, ending)
            answer = asyncio.create_task(self._bus.publish(self._address, event, fence))
            answer.add_done_callback(self._answered)
            self._flight.append(_Sent(place, kind, blob, payload, ending, fence, proves, answer))
            sent += 1
        return sent

    async def acknowledged(self) -> Place | None:
        """Return the oldest event in flight if it was acknowledged by now.

        None: no answer has come, or it failed. Then nothing is in flight any more, and returns when
        it may be sent again.
        """
        if not self._flight or not self._flight[0].answer.done():
            return None
        sent = self._flight.popleft()
        try:
            number = sent.answer.result()
        except (BusUnavailable, BusRefused, LeaseChanged, IdTaken) as error:
            await self._doubt_the_rest()
            self._failed = sent.place, *await self._after(sent, error)
            return None
        self._outage.over()
        if 0 < number <= self._number:
            await self._doubt_the_rest()
            self._failed = None
            self._repeats.renew(self.doubt or sent.place)
            return None
        self._failed = None
        self._took(sent.place, sent.kind, sent.payload, number)
        if number:
            self._tell.taken(number, number)
        return sent.place

    async def send_batch(self, due: Sequence[Due]) -> Sequence[Place]:
        """Return the events that the bus took together: all of these, or none of them.

        It takes none where a batch does not pay, or fails: then they go out one by one.
        """
        bulk = self._bus.bulk
        if bulk is None or self._flight or not self._goes_as_batch(due):
            return ()
        events = [
            self._outgoing(place, kind, blob, self._repeats.ending(place))
            for place, kind, blob in due
        ]
        try:
            number = await bulk.publish_batch(self._address, events, self._lease.lease.number)
        except (BusUnavailable, BusRefused, LeaseChanged):
            self._one_by_one_to = due[-1][0]
            return ()
        self._outage.over()
        for place, kind, blob in due:
            self._took(place, kind, blob, number)
        self._tell.taken(number - len(due) + 1, number)  # a batch is stored as one
        return [place for place, _, _ in due]

    def _took(self, place: Place, kind: str, payload: bytes, number: int) -> None:
        if self.doubt is not None and place[1] >= self.doubt[1]:
            self.doubt = None
        self._number = number
        self._kinds.add(kind)
        self._largest = max(self._largest, len(payload))

    def _goes_as_batch(self, due: Sequence[Due]) -> bool:
        """Return whether a batch of them pays, and none that they were in has failed."""
        bulk, (epoch, seq), until = self._bus.bulk, due[0][0], self._one_by_one_to
        if bulk is None or self._failed is not None:
            return False
        if until is not None and epoch == until[0] and seq <= until[1]:
            return False
        return 0 < bulk.batch_from(self._address) <= len(due)

    def _answered(self, answer: asyncio.Task[int]) -> None:
        if not answer.cancelled():
            answer.exception()  # it is looked at in its turn, or does not count any more
        self._on_answer()

    async def _doubt_the_rest(self) -> None:
        """Wait for what is in flight behind an event that failed: the bus may have taken it."""
        if self._flight and (self.doubt is None or self.doubt[1] < self._flight[-1].place[1]):
            self.doubt = self._flight[-1].place
        await self._settle()

    async def _settle(self) -> None:
        flight, self._flight = self._flight, deque()
        await asyncio.gather(*(one.answer for one in flight), return_exceptions=True)

    def _outgoing(self, place: Place, kind: str, payload: bytes, ending: str) -> Outgoing:
        epoch, seq = place
        digest = hashlib.blake2b(payload, digest_size=_ID_DIGEST_BYTES).hexdigest()
        message_id = f"{self._address.table}:{epoch}:{seq}:{digest}{ending}"
        return Outgoing(kind, message_id, payload)

    async def _after(self, sent: _Sent, error: Exception) -> tuple[bytes, str]:
        """Return when an event that failed may go out again: its payload, and its id's ending."""
        match error:
            case BusUnavailable():
                await self._outage.wait(error)
            case LeaseChanged():
                self._lease.refuted()
                await self._lease.settled()
            case IdTaken():
                epoch, seq = sent.place
                self._tell.foreign(f"under the id of event {seq} of {epoch} the bus has {error}")
                return sent.payload, self._repeats.another()
            case BusRefused() if sent.kind == WITHHELD:
                await self._outage.wait(_tombstone_refused(error))
            case _:
                self.withheld.add(sent.place)
                return self._tombstone(sent.blob, str(error)), sent.ending
        return sent.payload, sent.ending


def _tombstone_refused(error: BusRefused) -> BusUnavailable:
    return BusUnavailable(
        f"the bus refuses even the tombstone of an event ({error})",
        "look at the bus's limits and permissions for this table",
    )
