"""What roulette remembers: edges and their instants, never a speed or a last-seen time.

A wheel repeats its status twice a second, and only what changes the state is journalled. So a
status line that brings no edge, and proves nothing, has to leave the state equal. Only a line that
has to be said twice is kept whole, until the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from daemon.games.roulette.drift import Drift
from protocols.events import RunningSpin
from protocols.instant import Instant
from protocols.readings import Direction, WheelPhase, WheelStatus

SpinEventName = Literal["started", "ball_in_rim"]
RunEnd = Literal["landed", "late", "lost", "invalid", "void", "old"]

ORDER: Final[dict[WheelPhase, int]] = {
    "closed": -1,
    "before_game": 0,
    "place_bets": 1,
    "ball_in_rim": 2,
    "no_more_bets": 3,
    "ball_off_track": 4,
    "winning_number": 5,
}
"""The phases in the order in which a healthy spin goes through them."""

BALL_RUNS: Final[frozenset[WheelPhase]] = frozenset(
    ("ball_in_rim", "no_more_bets", "ball_off_track")
)
BALL_OUT: Final[frozenset[WheelPhase]] = BALL_RUNS | {"winning_number"}


@dataclass(frozen=True)  # no slots: protocols/replace.py
class BallRun:
    """One run of the ball; how it lives and ends is at the head of the package.

    counted       the wheel numbers no spins: `number` is our own count
    begun_at      when a counted spin was first seen to get ready
    round_id      the round that it decides, fixed when the ball is first seen to run
    opened        the run opened a round itself (round control by the device)
    taken_up      its start was not seen
    again         the spin number has had a result before
    launching     the launch was seen to begin
    ball          the ball was seen in the rim or later
    early         its number was first stated while bets were open
    damaged       bytes said nothing while bets were open, and no line since then said that the ball
                  still ran: they may have been its number
    ready_at      when the ball was last heard to wait for its launch
    rim           when the lines in the rim came, until they prove enough laps: `laps.py`
    timed         no edge of a counted spin was missed so far
    rim_at nmb_at when the rim, and no more bets, were first reported
    no_more_bets  the wheel's no-more-bets was seen
    unsent        deferred events: they leave when the bets are closed
    bare field    statements of the result: by the number alone; by a winning-number status line
    off_speed     the rotor was reported outside its band
    raced         the rotor was reported to race, with bets closed
    disputed      a status line after the result named this pocket instead
    end           how the run ended, None while it can still give a result
    """

    number: int
    counted: bool = False
    begun_at: Instant | None = None
    round_id: str | None = None
    opened: bool = False
    taken_up: bool = False
    again: bool = False
    launching: bool = False
    ball: bool = False
    timed: bool = True
    rim_at: Instant | None = None
    nmb_at: Instant | None = None
    no_more_bets: bool = False
    unsent: tuple[SpinEventName, ...] = ()
    direction: Direction | None = None
    laps: float | None = None
    laps_most: float | None = None
    bare: str | None = None
    field: str | None = None
    off_speed: bool = False
    disputed: str | None = None
    end: RunEnd | None = None
    early: bool = False
    damaged: bool = False
    ready_at: Instant | None = None
    rim: tuple[Instant, ...] = ()
    raced: bool = False

    @property
    def has_begun(self) -> bool:
        """Return whether the ball was seen to be launched."""
        return self.launching or self.ball

    @property
    def was_early(self) -> bool:
        """Return whether its number was, or may have been, stated before."""
        return self.early or self.damaged

    @property
    def stated(self) -> str | None:
        """Return the pocket that its statements name so far; a status line counts for more."""
        return self.field if self.field is not None else self.bare


@dataclass(frozen=True, slots=True)
class Pending:
    """A result of an open round that may not leave yet.

    waits_for  `resume`: only the hold; `announce`: the dealer; `accept`: a supervisor
    sure       two statements of the wheel agree
    laps       at least so many laps, and `laps_most` at most
    until      when the wait for the dealer's announcement ends
    """

    round_id: str
    spin: int
    pocket: str
    direction: Direction | None
    laps: float | None
    waits_for: Literal["resume", "announce", "accept"]
    sure: bool = True
    laps_most: float | None = None
    until: Instant | None = None


@dataclass(frozen=True)  # no slots: protocols/replace.py
class RouletteState:
    """A wheel and its table.

    device           the wheel's name, for the events that a Tick causes
    phase spin       those of the last status line, None before the first
    since            when the clock of this phase began
    rung             how many timers of this phase raised their alarm; `alarm_at`: the next one
    ball_missing_at  when a 'ball not detected' that stays becomes a fault
    conditions       faults reported and not over
    waits            the open round for which no ball has run yet
    done             the last spin number that has had a result
    counts           the wheel numbers no spins: `spin` is our own count
    missed           such a wheel may have spun unheard since its last line
    drift            where the balls landed
    doubted          a status line that has to be said twice, and was said once: `single_lines.py`
    early            the round whose ball lay, or may have lain, while its bets were open
    told             the run of the ball that is under way, as far as it was published
    """

    device: str = ""
    phase: WheelPhase | None = None
    spin: int | None = None
    since: Instant | None = None
    rung: int = 0
    alarm_at: Instant | None = None
    ball_missing_at: Instant | None = None
    conditions: tuple[str, ...] = ()
    run: BallRun | None = None
    waits: str | None = None
    pending: Pending | None = None
    done: int | None = None
    counts: bool = False
    missed: bool = False
    drift: Drift = field(default_factory=Drift)
    early: str | None = None
    doubted: WheelStatus | None = None
    told: RunningSpin | None = None
