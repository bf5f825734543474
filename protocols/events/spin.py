"""What the ball does, and what that and its own test say of the wheel.

`spin` is the wheel's own count of its spins, or ours where it numbers none.
"""

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

    direction  the rotor's; the ball runs against it. None where the wheel does not state it
    laps       the ball went round the track at least so many times, by what the wheel's lines
               prove; None where nothing does
    laps_most  and at most so many times; None where nothing proves it
    """

    round_id: str
    spin: int
    pocket: str
    direction: Direction | None
    laps: float | None
    laps_most: float | None = None
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
    """The spin does not count, whatever the pocket.

    respin  its round is spun again, with the bets as they are
    """

    spin: int
    reason: str
    respin: bool = False
    kind: Literal["spin.invalid"] = "spin.invalid"


@dataclass(frozen=True, slots=True)
class SpinAbandoned:
    """This run of the ball gives no result: it was launched again, was lost, or counts for nothing.

    What that means for the round is a violation's to say. Leaves only when bets are closed.
    """

    spin: int
    reason: str
    kind: Literal["spin.abandoned"] = "spin.abandoned"


@dataclass(frozen=True, slots=True)
class WheelSelfTested:
    """The wheel answered a self-test. A test that fails gives one of these for each fault.

    code     the wheel's own number of the finding
    meaning  what that number means, in words
    passed   whether the test found nothing, which is code 0
    """

    code: int
    meaning: str
    passed: bool
    kind: Literal["wheel.self_tested"] = "wheel.self_tested"


@dataclass(frozen=True, slots=True)
class WheelDriftSuspected:
    """The pockets come up as on a fair wheel they hardly ever would. It holds nothing.

    test       `sector`: some neighbours too often; `pockets`: all counts together (chi-squared)
    pockets    the sector that is meant, clockwise; for `pockets` the one that is furthest off
    direction  the rotor's, where the spins of that direction alone show it most; None: all spins
    spins      how many spins that is, since the count began
    hits       how many of them fell there
    expected   how many of them fall there on a fair wheel
    excess     how many more than expected, as a part of them: 0.1 is a tenth more
    e_value    `sector`: evidence against a fair wheel, which ever reaches e with 1/e at most; else
               None
    p_value    `pockets`: how often a fair wheel is as uneven as that, from 0 to 1; else None
    """

    test: Literal["sector", "pockets"]
    pockets: tuple[str, ...]
    direction: Direction | None
    spins: int
    hits: int
    expected: float
    excess: float
    e_value: float | None
    p_value: float | None
    kind: Literal["wheel.drift_suspected"] = "wheel.drift_suspected"
