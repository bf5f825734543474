"""Parses a cue for a simulator, as a technician types it."""

from __future__ import annotations

from typing import get_args

from protocols.cards import find_card
from protocols.faces import find_faces
from protocols.readings import CardTarget
from protocols.simulator import (
    Cue,
    DrawCard,
    DrawCutCard,
    Fault,
    PowerOn,
    SpinBall,
    StateResult,
    ThrowDice,
)

GRAMMAR = (
    "draw CARD [player|banker|burn N] · cut · result player|banker|tie|aborted · spin POCKET ·"
    " throw 442 · fault NAME · power"
)


def parse_cue(words: list[str]) -> Cue:
    """Return the cue of a line's words. Raises ValueError saying what is expected."""
    match words:
        case ["power"]:
            return PowerOn()
        case ["cut"]:
            return DrawCutCard()
        case ["spin", pocket]:
            return SpinBall(pocket)
        case ["throw", dice]:
            return _throw(dice)
        case ["fault", name]:
            return Fault(name)
        case ["result", ("player" | "banker" | "tie" | "aborted") as winner]:
            return StateResult(winner)
        case ["draw", code]:
            return _draw(code, None, None)
        case ["draw", code, target, index] if index.isdecimal():
            return _draw(code, target, int(index))
        case _:
            raise ValueError(f"expected: {GRAMMAR}")


def _throw(dice: str) -> Cue:
    faces = find_faces(dice)
    if faces is None:
        raise ValueError(f"{dice!r}: expected three digits from 1 to 6, as 442")
    return ThrowDice(faces)


def _draw(code: str, target: str | None, index: int | None) -> Cue:
    card = find_card(code)
    if card is None:
        raise ValueError(f"{code!r}: expected a card, rank then suit, as KD or TH")
    targets: tuple[CardTarget, ...] = get_args(CardTarget)
    stated = next((known for known in targets if known == target), None)
    if target is not None and stated is None:
        raise ValueError(f"{target!r}: expected one of {', '.join(targets)}")
    return DrawCard(card, stated, index)
