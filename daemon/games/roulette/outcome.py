"""What a pocket is: colour, parity, half, dozen, column, and its place on the wheel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from daemon.games.roulette.profile import RouletteProfile
from protocols.events import Outcome

_NUMBERS: Final = {str(number): number for number in range(1, 37)}
"""The pockets that even chances, dozens and columns know; every zero is outside of them."""


@dataclass(frozen=True, slots=True)
class RouletteOutcome(Outcome):
    """The pocket and what it is.

    colour  its colour; a zero is green
    parity  None for a zero
    half    low: 1 to 18, high: 19 to 36; None for a zero
    dozen   1, 2 or 3; None for a zero
    column  1, 2 or 3; None for a zero
    index   its place on the wheel, clockwise from zero, which is 0
    """

    pocket: str
    colour: Literal["red", "black", "green"]
    parity: Literal["odd", "even"] | None
    half: Literal["low", "high"] | None
    dozen: int | None
    column: int | None
    index: int
    game: Literal["roulette"] = "roulette"


def outcome_of(pocket: str, profile: RouletteProfile) -> RouletteOutcome:
    """Return the outcome of a pocket. It has to be a pocket of the wheel."""
    index = profile.wheel.index(pocket)
    number = _NUMBERS.get(pocket)
    if number is None:
        return RouletteOutcome(pocket, "green", None, None, None, None, index)
    return RouletteOutcome(
        pocket=pocket,
        colour="red" if pocket in profile.red else "black",
        parity="odd" if number % 2 else "even",
        half="low" if number <= 18 else "high",
        dozen=(number - 1) // 12 + 1,
        column=(number - 1) % 3 + 1,
        index=index,
    )
