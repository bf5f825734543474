"""Which daemon serves a table: the policy of the lease. Pure: answers and times are arguments.

Two daemons on one table would publish every card twice. So the bus keeps a lease for each table,
one message that names its owner. Its position on the bus is the *fencing number*: it grows with
every write. Each event is published with the number that its daemon knows, and the bus takes it
only while the lease still has that number. Whatever a daemon believes, no event of one that lost
the lease is taken. That is the guarantee; the rest of this page is who owns the lease, and that it
is found out soon: an owner that lives stays the owner, and of two that want the lease one gets it.

write   the owner is replaced only by a write that names the number it replaces: of two writers at
        once the bus takes one.
look    every daemon looks at the lease again and again, and at once after a connection or a refused
        event. An owner counts as *confirmed* for TRUST_S after it sent the question that a look
        answered; only then does it answer commands from the bus.
claim   whoever finds another owner asks for the lease: it writes a claim beside it. The owner's
        next look finds the claim, and it writes its lease anew: that shows that it lives, and the
        claimant reads no device any more, and asks again. A claim that no new lease has answered
        after CLAIM_S shows that the owner is gone, and the claimant takes the lease. No answer of
        anybody counts but a lease on the bus: a stranger can refuse nobody.
free    a lease that was given back is taken at once, and so is that of our own predecessor: a
        process that had this very journal file, in this run of this machine, and is dead, since
        its lock is ours. A copy of the journal is another file. A lease that is missing, or that is
        no lease, belongs to nobody: its owner, or who finds it at its first look, writes it.

Why two owners are never confirmed at once: an owner that is confirmed until t + TRUST_S had sent a
question at t, and saw no claim. Our claim was written after that, and we wait CLAIM_S > TRUST_S
from its acknowledgement. Whoever takes a free lease replaces nobody who lives. (Where the bus
itself lost the lease, two may believe in theirs for TRUST_S; the number still keeps one out.)

Why nobody waits for ever: while the bus is there, a claim is either answered, and the owner lives
and looks, or the lease is taken CLAIM_S later. A claim counts only within one connection of the
claimant, so after an outage the owner has as long to come back. CONTEST_S, CLAIM_S and a few
acknowledgements come to less than five seconds.

A process that was copied while it ran (a snapshot of a virtual machine) has the other's tokens.
So an owner writes its lease anew after every connection, with a new random token: the copy, which
had to connect, meets the other's lease there, or the other its.

Without the bus the last owner reads its devices on, into its journal: an outage is no reason to
stop a table. What became of those events is decided when the bus is back (`publisher.py`).
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from daemon.delivery.bus import LeaseBoard
from protocols.canonical import canonical

LOOK_S: Final = 1.0
"""How often a lease is looked at. In seconds, as all here, by a clock that only runs forward."""
TRUST_S: Final = 2.0
"""How long an owner believes what a look showed."""
CLAIM_S: Final = 3.0
"""How long an owner has for an answer to a claim."""
CONTEST_S: Final = 0.5
"""How often a claimant looks."""
NO_LEASE: Final = "what is no lease of a daemon"
_TOKENS: Final = 64
_LONGEST: Final = 200

Standing: TypeAlias = Literal["unknown", "ours", "other"]
"""Whose the lease is: not known yet, ours, another daemon's."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Who a daemon is on the bus.

    who    for people: its machine, process and journal
    place  the same for a process and its successor, and for nobody else
    """

    who: str
    place: str


@dataclass(frozen=True, slots=True)
class WriteLease:
    """Write the lease, if its number is still `after`."""

    after: int
    body: bytes


@dataclass(frozen=True, slots=True)
class WriteClaim:
    """Write a claim beside the lease."""

    body: bytes


@dataclass(frozen=True, slots=True)
class _Written:
    token: str
    who: str
    place: str
    released: bool


@dataclass(frozen=True, slots=True)
class _Claim:
    """Our claim. `number`, `since`: where the bus has it, and since when; None until it says so."""

    contested: tuple[int, bytes | None]
    number: int | None = None
    since: float = 0.0


class Lease:
    """One daemon's view of one table's lease.

    standing  whose it is; another's from the moment at which that one shows that it lives
    number    the fencing number, 0 unless the lease is ours
    other     who has it, where another has
    """

    def __init__(self, owner: Owner) -> None:
        self.standing: Standing = "unknown"
        self.number = 0
        self.other: str | None = None
        self._owner = owner
        self._tokens: deque[str] = deque(maxlen=_TOKENS)
        self._looked = False
        self._confirmed: float | None = None
        self._claim: _Claim | None = None
        self._anew = False

    @property
    def look_after_s(self) -> float:
        """How long after a look the next one is due."""
        return LOOK_S if self._claim is None else CONTEST_S

    def confirmed(self, now: float) -> bool:
        """Return whether the lease is ours beyond doubt at this moment."""
        since = self._confirmed
        return self.standing == "ours" and since is not None and now - since < TRUST_S

    def look(self, board: LeaseBoard, sent: float, token: str) -> WriteLease | WriteClaim | None:
        """Take what a look showed; return what to write now.

        sent   when the question was sent
        token  a new random one, for whatever is written now
        """
        first, self._looked = not self._looked, True
        there = _read(board.lease)
        if there is not None and there.token in self._tokens and not there.released:
            self._is_ours(board.number)
            if self._anew or board.claim_number > board.number:
                return self._write(board.number, token)
            self._confirmed = max(sent, self._confirmed or sent)
            return None
        predecessor = first and there is not None and there.place == self._owner.place
        if there is None:
            free = self.standing != "other"
        else:
            free = predecessor or there.released
            if self.standing != "unknown":
                self._is_of(there.who)  # it was, even if it is given back by now
        return self._write(board.number, token) if free else self._contest(board, sent, token)

    def written(self, number: int, sent: float) -> None:
        """Note that the bus took our lease, under this number; it was sent at `sent`."""
        self._is_ours(number)
        self._anew = False
        self._confirmed = max(sent, self._confirmed or sent)

    def claimed(self, number: int, at: float) -> None:
        """Note that the bus has our claim, at this position, since `at` at the latest."""
        if self._claim is not None:
            self._claim = replace(self._claim, number=number, since=at)

    def disconnected(self) -> None:
        """Note that the bus went away: whoever has the lease may not have seen our claim."""
        self._claim = None
        self._anew = True

    def refuted(self) -> None:
        """Note that the bus refused our number: nothing is sure before the next look."""
        self._confirmed = None

    def release(self, token: str) -> WriteLease | None:
        """Give the lease back; return what to write, None where it is not ours."""
        if self.standing != "ours":
            return None
        self._confirmed = None
        return WriteLease(self.number, self._body(token, released=True))

    def _is_ours(self, number: int) -> None:
        self.standing, self.number, self.other = "ours", number, None
        self._claim = None

    def _is_of(self, who: str) -> None:
        self.standing, self.number, self.other, self._confirmed = "other", 0, who, None

    def _contest(
        self, board: LeaseBoard, sent: float, token: str
    ) -> WriteLease | WriteClaim | None:
        claim, contested = self._claim, (board.number, board.lease)
        answered = claim is not None and claim.contested != contested
        if answered and board.lease is not None:
            self._is_of(owner_of(board.lease))
        if claim is None or answered or claim.number is None or board.claim_number < claim.number:
            self._claim = _Claim(contested)
            return WriteClaim(self._body(token))
        if sent - claim.since < CLAIM_S:
            return None
        self._claim = None
        return self._write(board.number, token)

    def _write(self, after: int, token: str) -> WriteLease:
        self._tokens.append(token)
        return WriteLease(after, self._body(token))

    def _body(self, token: str, *, released: bool = False) -> bytes:
        owner = self._owner
        return canonical(
            {"token": token, "who": owner.who, "place": owner.place, "released": released}
        )


def owner_of(body: bytes) -> str:
    """Return who wrote this lease or claim, for people."""
    there = _read(body)
    return NO_LEASE if there is None else there.who


def _read(body: bytes | None) -> _Written | None:
    """Return a lease's content, None where there is none or it is none of ours."""
    try:
        data = json.loads(body or b"")
        values = [data[key] for key in ("token", "who", "place")]
        released = data["released"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    if not isinstance(released, bool) or not all(isinstance(value, str) for value in values):
        return None
    token, who, place = values
    return _Written(token, _shown(who), place, released)


def _shown(who: str) -> str:
    """Return a name that may be shown: whoever may write there may have written anything."""
    return "".join(letter if letter.isprintable() else "?" for letter in who[:_LONGEST])
