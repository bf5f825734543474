"""The lease's policy, case by case; every order of them is in `test_lease_model.py`."""

from __future__ import annotations

import pytest

from daemon.delivery.bus import LeaseBoard
from daemon.delivery.lease import (
    CLAIM_S,
    NO_LEASE,
    TRUST_S,
    Lease,
    Owner,
    WriteClaim,
    WriteLease,
    owner_of,
)

HERE, THERE = Owner("here", "place one"), Owner("there", "place two")


def taken(lease: Lease, at: float = 0.0, word: str = "a") -> bytes:
    """Let a lease that nobody has be taken, under the number 7."""
    write = lease.look(LeaseBoard(), at, word)
    assert isinstance(write, WriteLease)
    lease.written(7, at)
    return write.body


def test_an_owner_is_confirmed_from_when_it_asked_and_not_for_long() -> None:
    lease = Lease(HERE)
    body = taken(lease)
    assert lease.look(LeaseBoard(7, body), 1.0, "b") is None
    assert lease.confirmed(1.0 + TRUST_S - 0.1)
    assert not lease.confirmed(1.0 + TRUST_S)
    lease.look(LeaseBoard(7, body), 5.0, "b")
    lease.refuted()
    assert not lease.confirmed(5.0), "the bus has refused our number"


def test_an_owner_answers_a_claim_by_writing_its_lease_anew() -> None:
    lease = Lease(HERE)
    body = taken(lease)
    write = lease.look(LeaseBoard(7, body, 9, b"whoever it is"), 1.0, "b")
    assert isinstance(write, WriteLease)
    assert (write.after, lease.standing) == (7, "ours")


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"token":1}', b"\xff", b"[" * 100_000])
def test_what_is_no_lease_refuses_nobody(body: bytes) -> None:
    write = Lease(HERE).look(LeaseBoard(3, body), 0.0, "a")
    assert isinstance(write, WriteLease)
    assert write.after == 3
    assert owner_of(body) == NO_LEASE


def test_a_lease_that_was_given_back_is_taken_at_once() -> None:
    owner, next_one = Lease(THERE), Lease(HERE)
    taken(owner)
    released = owner.release("b")
    assert released is not None
    assert not owner.confirmed(0.0)
    assert isinstance(next_one.look(LeaseBoard(8, released.body), 0.0, "c"), WriteLease)


def test_a_predecessor_is_dead_and_a_copy_of_its_journal_is_not() -> None:
    body = taken(Lease(HERE))
    assert isinstance(Lease(HERE).look(LeaseBoard(7, body), 0.0, "b"), WriteLease)
    copy = Lease(Owner("here", "another lock"))
    assert isinstance(copy.look(LeaseBoard(7, body), 0.0, "b"), WriteClaim)
    assert copy.standing == "unknown", "nobody has shown that he lives"


def test_an_owner_that_says_nothing_is_replaced_and_one_that_answers_is_named() -> None:
    body = taken(Lease(THERE))
    silent, answered = Lease(HERE), Lease(HERE)
    for lease in (silent, answered):
        lease.look(LeaseBoard(7, body), 0.0, "b")
        lease.claimed(8, 0.1)
    assert silent.look(LeaseBoard(7, body, 8, b""), CLAIM_S, "c") is None
    write = silent.look(LeaseBoard(7, body, 8, b""), CLAIM_S + 0.1, "d")
    assert isinstance(write, WriteLease)
    again = taken(Lease(THERE), word="e")
    assert isinstance(answered.look(LeaseBoard(9, again, 8, b""), 0.5, "f"), WriteClaim)
    assert (answered.standing, answered.other) == ("other", "there")


def test_a_claim_does_not_count_over_a_lost_connection() -> None:
    body = taken(Lease(THERE))
    lease = Lease(HERE)
    lease.look(LeaseBoard(7, body), 0.0, "b")
    lease.claimed(8, 0.1)
    lease.disconnected()
    assert isinstance(lease.look(LeaseBoard(7, body, 8, b""), CLAIM_S + 1, "c"), WriteClaim)


def test_of_a_process_and_its_copy_one_is_the_owner_after_a_connection() -> None:
    first = second = Lease(HERE)
    body = taken(first)
    second = Lease(HERE)  # a snapshot of the machine: all that the first one knows
    second.__dict__.update(first.__dict__, _tokens=first._tokens.copy())
    second.disconnected()
    write = second.look(LeaseBoard(7, body), 1.0, "of the copy")
    assert isinstance(write, WriteLease)
    second.written(8, 1.0)
    first.look(LeaseBoard(8, write.body), 1.1, "b")
    assert (first.standing, second.standing) == ("other", "ours")


def test_whoever_is_named_in_a_lease_can_be_shown() -> None:
    body = taken(Lease(Owner("a\x1b[2J\n" + "x" * 1000, "place")))
    shown = owner_of(body)
    assert shown.isprintable()
    assert len(shown) == 200
