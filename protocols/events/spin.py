"""What the ball does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.readings import Direction


@dataclass(frozen=True, slots=True)
class SpinStarted:
    """The wheel is launching the ball of this spin. Leaves only when bets are closed."""

    spin: int
    kind: Literal["spin.started"] = "spin.started"


@dataclass(frozen=True, slots=True)
class SpinBallInRim:
    """The ball runs in the rim. Leaves only when bets are closed."""

    spin: int
    kind: Literal["spin.ball_in_rim"] = "spin.ball_in_rim"


@dataclass(frozen=True, slots=True)
class SpinNoMoreBets:
    """The ball has slowed: the wheel's own end of betting."""

    spin: int
    kind: Literal["spin.no_more_bets"] = "spin.no_more_bets"


@dataclass(frozen=True, slots=True)
class SpinLanded:
    """A sure result: two statements of the wheel agree.

    `direction` is the rotor's; the ball runs against it. `laps` is estimated from the sensor's
    timing, None where the start of the spin was not seen.
    """

    round_id: str
    spin: int
    pocket: str
    direction: Direction | None
    laps: float | None
    kind: Literal["spin.landed"] = "spin.landed"


@dataclass(frozen=True, slots=True)
class SpinRecovered:
    """A result known only from a single or a later statement: doubtful, never an outcome."""

    spin: int
    pocket: str
    reason: str
    kind: Literal["spin.recovered"] = "spin.recovered"


@dataclass(frozen=True, slots=True)
class SpinInvalid:
    """The spin does not count, whatever the pocket."""

    spin: int
    reason: str
    kind: Literal["spin.invalid"] = "spin.invalid"
