"""What Sic Bo remembers: how far the throw is, and a result that may not leave yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.faces import Faces

ThrowEnd = Literal["landed", "apart", "lost"]


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice from the moment they are shaken until they are shaken again.

    said    what was stated once, where a single statement is not sure
    faces   what they show, once that is sure
    early   they were seen to lie before the bets of a round were closed
    unread  a die was reported as not recognised
    end     None: they can still decide a round. `landed`: they have, or wait to; `apart`: they
            belong to no round; `lost`: what they show is disputed, and not listened to any more
    """

    said: Faces | None = None
    faces: Faces | None = None
    early: bool = False
    unread: bool = False
    end: ThrowEnd | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """Faces of an open round that may not leave yet.

    waits_for  `resume`: only the hold; `accept`: a supervisor's decision
    """

    round_id: str
    faces: Faces
    waits_for: Literal["resume", "accept"]


@dataclass(frozen=True)  # no slots: protocols/replace.py
class SicBoState:
    """A shaker and its table. Dice that were not seen to be thrown belong to no round."""

    throw: Throw = Throw(end="apart")
    pending: Pending | None = None
