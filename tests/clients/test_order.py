"""clients/python: the order of a table's events, against a truth that is known.

A bus loses, repeats and reorders events; a resend brings them again, some of them. What is applied
is what was published: none twice, none missing, none before its time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

import pytest
from pitwire_table import (
    RESEND_S,
    TAIL_S,
    UNKNOWN_AFTER_S,
    EpochLeft,
    Event,
    Known,
    Notice,
    Order,
    Position,
    Resend,
    Status,
    Strange,
)


def event(epoch: str, seq: int, previous: str | None = None, body: bytes = b"") -> Event:
    kind = "table.started" if seq == 1 else "card.dealt"
    raw = body or f"{epoch}.{seq}".encode()
    return Event(Position(epoch, seq), kind, more=False, data={"previous": previous}, raw=raw)


def status(epoch: str, on_bus: int, number: int = 1) -> Status:
    return Status(epoch, on_bus, on_bus, number, {})


def seqs(out: list[Event | Notice]) -> list[int]:
    return [one.position.seq for one in out if isinstance(one, Event)]


def asked(order: Order, now: float) -> list[tuple[int, int, int]]:
    found = [one for one in order.look(now) if isinstance(one, Resend)]
    return [(one.from_seq, one.to_seq, one.tries) for one in found]


def test_an_early_event_waits_and_what_is_missing_is_asked_for_until_it_comes() -> None:
    order = Order(Position("A", 3))
    assert seqs(order.take(event("A", 6), 0.0)) == []
    assert asked(order, 0.0) == [(4, 5, 1)]
    assert asked(order, RESEND_S - 0.1) == []
    assert asked(order, RESEND_S) == [(4, 5, 2)]
    assert asked(order, 2 * RESEND_S) == [], "longer each time"
    assert asked(order, 3 * RESEND_S) == [(4, 5, 3)]
    assert seqs(order.take(event("A", 4), 20.0)) == [4]
    assert asked(order, 20.0) == [], "it is coming"
    assert seqs(order.take(event("A", 5), 20.0)) == [5, 6]
    assert order.position == Position("A", 6)


def test_of_two_gaps_the_first_is_asked_for_and_then_the_second_at_once() -> None:
    order = Order(Position("A", 3))
    order.take(event("A", 8), 0.0)
    order.take(event("A", 5), 0.0)
    assert asked(order, 0.0) == [(4, 4, 1)]
    assert seqs(order.take(event("A", 4), 0.1)) == [4, 5]
    assert asked(order, 0.1) == [(6, 7, 1)]


def test_a_repeat_is_dropped_and_another_body_for_one_place_is_told() -> None:
    order = Order(Position("A", 3))
    assert order.take(event("A", 3), 0.0) == order.take(event("A", 1), 0.0) == []
    assert order.take(event("A", 5), 0.0) == order.take(event("A", 5), 0.0) == []
    assert isinstance(order.take(event("A", 5, body=b"another"), 0.0)[0], Strange)


def test_the_tail_is_asked_for_where_the_stream_has_no_more() -> None:
    order = Order(Position("A", 3))
    order.hear(status("A", 7), 0.0)
    order.pending = 1
    assert asked(order, 0.1) == asked(order, 0.1 + TAIL_S) == []
    order.hear(status("A", 7), 3.0)
    order.pending = 0
    assert asked(order, 3.0) == []
    assert seqs(order.take(event("A", 4), 4.9)) == [4]
    order.hear(status("A", 7), 5.0)
    assert asked(order, 5.0) == [], "what is left may be on its way"
    assert asked(order, 5.0 + TAIL_S) == [(5, 7, 1)]


def test_what_the_bus_does_not_have_yet_is_not_asked_for() -> None:
    order = Order(Position("A", 3))
    order.pending = 0
    for second in range(10):
        order.hear(status("A", 3), float(second))
        assert asked(order, float(second)) == []


def test_three_seconds_without_a_status_and_the_table_is_not_known() -> None:
    order = Order(None)
    assert order.look(0.0) == []
    order.hear(status("A", 0), 0.0)
    assert order.look(0.0) == [Known(known=True)]
    assert order.look(UNKNOWN_AFTER_S - 0.01) == []
    assert order.look(UNKNOWN_AFTER_S) == [Known(known=False)]
    order.hear(status("A", 0), 9.0)
    assert order.look(9.0) == [Known(known=True)]


def test_behind_a_gap_or_the_status_or_without_one_it_is_not_level() -> None:
    order = Order(Position("A", 3))
    assert not order.is_level(0.0)
    order.hear(status("A", 3), 0.0)
    assert order.is_level(0.0)
    assert not order.is_level(UNKNOWN_AFTER_S)
    order.hear(Status("A", 4, 3, 1, {}), 5.0)
    assert not order.is_level(5.0), "the bus does not have the last event yet"
    order.take(event("A", 4), 5.0)
    assert order.is_level(5.0)
    order.take(event("A", 6), 5.0)
    assert not order.is_level(5.0), "the one between may close the bets"
    order.take(event("B", 1, previous="A"), 5.0)
    assert not order.is_level(5.0), "no status of the new epoch"


def test_a_late_word_of_the_bridge_that_lost_the_lease_is_no_sign_of_life() -> None:
    order = Order(None)
    order.hear(status("A", 0, number=7), 0.0)
    order.hear(status("A", 0, number=6), 2.0)
    assert not order.is_known(UNKNOWN_AFTER_S)
    order.hear(status("A", 0, number=2), 4.0)  # the stream was made anew, and counts from 1
    assert order.is_known(4.0)


def test_the_next_epoch_is_entered_at_its_first_event_and_what_was_early_is_told() -> None:
    order = Order(Position("A", 3))
    order.take(early := event("A", 5), 0.0)
    assert order.take(event("B", 2), 0.0) == [], "not before its first"
    left, begun = order.take(event("B", 1, previous="A"), 0.0)
    assert left == EpochLeft(Position("A", 3), "B", (early,), follows=True)
    assert isinstance(begun, Event)
    assert order.take(event("A", 4), 0.0) == [], "an epoch that is left never comes again"
    assert order.take(event("A", 1), 0.0) == []
    order.hear(status("A", 9), 0.0)
    assert not order.is_known(0.0)
    assert order.position == Position("B", 1)


def test_an_epoch_that_does_not_follow_is_entered_only_where_the_status_names_it() -> None:
    order = Order(Position("A", 3))
    assert order.take(event("C", 1, previous="B"), 0.0) == []
    order.pending = 0
    order.hear(status("C", 2), 0.0)
    assert asked(order, 0.0) == []
    order.hear(status("C", 2), 1.0)
    assert asked(order, TAIL_S) == [(1, 2, 1)]
    left, begun = order.take(event("C", 1, previous="B"), 2.0)
    assert isinstance(left, EpochLeft)
    assert not left.follows
    assert isinstance(begun, Event)


def test_a_journal_that_no_longer_has_the_beginning_is_not_asked_for_it_at_every_event() -> None:
    order, now, times = Order(None), 0.0, 0
    order.pending = 0
    for seq in range(5000, 5600):  # ten minutes, an event a second
        now += 1.0
        order.hear(status("A", seq), now)
        assert order.take(event("A", seq), now, pending=3) == []
        order.pending = 0
        times += len(asked(order, now))
    assert 1 < times < 20


# --- the law ---------------------------------------------------------------------------------

EPOCHS: Final = 3
ROUNDS: Final = 300


@dataclass
class Line:
    """A bus between a table and one order: lossy within an epoch, and it overtakes there.

    The first events of an epoch never overtake the last of the one before: that is what the bus
    promises with one message in flight.
    """

    lot: Random
    order: Order
    now: float = 0.0
    applied: list[tuple[str, int]] = field(default_factory=list)
    left: list[EpochLeft] = field(default_factory=list)
    epoch: str = ""
    said: int = 0
    waiting: list[Event] = field(default_factory=list)
    published: list[tuple[str, int]] = field(default_factory=list)
    first: dict[str, str | None] = field(default_factory=dict)

    def publish(self) -> None:
        self.said += 1
        self.published.append((self.epoch, self.said))
        self._carry(self.said)

    def _carry(self, seq: int) -> None:
        one = event(self.epoch, seq, self.first[self.epoch])
        self.waiting += [one] * self.lot.choice([0, 1, 1, 1, 1, 2])

    def deliver(self) -> None:
        if self.lot.random() < 0.3:
            self.lot.shuffle(self.waiting)
        batch, self.waiting = self.waiting, []
        for place, one in enumerate(batch):
            self._take(one, len(batch) - place - 1)

    def _take(self, one: Event, pending: int) -> None:
        for said in self.order.take(one, self.now, pending):
            if isinstance(said, Event):
                self.applied.append((said.position.epoch, said.position.seq))
            elif isinstance(said, EpochLeft):
                self.left.append(said)

    def look(self) -> None:
        self.now += 1.0
        self.order.hear(status(self.epoch, self.said), self.now)
        if not self.waiting:
            self.order.pending = 0
        for said in self.order.look(self.now):
            if isinstance(said, Resend):
                for seq in range(said.from_seq, min(said.to_seq, self.said) + 1):
                    self._carry(seq)

    def settle(self) -> None:
        """Go on until nothing is missing; a bus that loses a sixth of all is slow."""
        for _ in range(400):
            self.look()
            self.deliver()
            if self.order.position == Position(self.epoch, self.said):
                return
        raise AssertionError(f"at {self.order.position}, not at {self.epoch}.{self.said}")


def sitting(seed: int) -> Line:
    lot = Random(seed)
    line, old = Line(lot, Order(None)), list[Event]()
    for number in range(EPOCHS):
        before, line.epoch = line.epoch or None, f"E{lot.random()}.{number}"
        line.first[line.epoch], line.said = before, 0
        for _ in range(lot.randint(1, 25)):
            line.publish()
            if lot.random() < 0.4:
                line.deliver()
            if lot.random() < 0.4:
                line.look()
            if old and lot.random() < 0.2:
                line._take(lot.choice(old), 0)  # what the bus had lost of an old epoch, once more
            if lot.random() < 0.1:  # the server's own crash: it keeps its position alone
                line.order = Order(line.order.position)
        if number == EPOCHS - 1 or lot.random() < 0.5:
            line.settle()
        line.deliver()
        old += [event(line.epoch, seq, before) for seq in range(1, line.said + 1)]
    return line


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_each_event_is_applied_once_and_in_order_whatever_the_bus_does(seed: int) -> None:
    line = sitting(seed)
    assert len(set(line.applied)) == len(line.applied), "one was applied twice"
    epochs = list(line.first)
    whole = [(epoch, seq) for epoch, seq in line.published]
    order = [whole.index(one) for one in line.applied]
    assert order == sorted(order)
    for epoch in epochs:
        got = [seq for of, seq in line.applied if of == epoch]
        assert got == list(range(1, len(got) + 1)), "a hole was stepped over"
        said = sum(of == epoch for of, _ in whole)
        if (
            len(got) < said and epoch != epochs[-1] and got
        ):  # its rest never comes, and that is told
            assert Position(epoch, len(got)) in [one.at for one in line.left]
    assert line.applied[-1] == (epochs[-1], line.said)
