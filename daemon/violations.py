"""The one vocabulary of violations: what each breaks, whether it holds, how it may be resolved.

Source: rules.md section 5. A violation never disappears and never turns into a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocols.commands import ResolveAction
from protocols.device import DeviceKind


@dataclass(frozen=True, slots=True)
class ViolationRule:
    """The rule in words, whether it holds the table, and what `violation.resolve` allows.

    What does not hold is on record and over: nothing waits to be resolved.
    """

    rule: str
    holds: bool
    resolutions: tuple[ResolveAction, ...]


_VOID: Final[tuple[ResolveAction, ...]] = ("void",)
_CARD: Final[tuple[ResolveAction, ...]] = ("void", "burn", "accept", "correct")
_CARD_OUT: Final[tuple[ResolveAction, ...]] = ("void", "burn")
_GO_ON: Final[tuple[ResolveAction, ...]] = ("void", "accept")
_VALUE: Final[tuple[ResolveAction, ...]] = ("void", "accept", "correct")
_MISSING: Final[tuple[ResolveAction, ...]] = ("void", "correct")

VIOLATIONS: Final[dict[str, ViolationRule]] = {
    "card_before_no_more_bets": ViolationRule(
        "No card leaves the shoe before 'no more bets'.", holds=True, resolutions=_CARD
    ),
    "card_not_due": ViolationRule("No card is due to any hand.", holds=True, resolutions=_CARD_OUT),
    "card_out_of_turn": ViolationRule(
        "The card went to another slot than the one due.", holds=True, resolutions=_CARD
    ),
    "card_after_cut_card": ViolationRule(
        "The round in which the cut card came out was the last of the shoe.",
        holds=True,
        resolutions=_CARD,
    ),
    "impossible_card": ViolationRule(
        "No more copies of a card than decks, no more cards than the shoe holds.",
        holds=True,
        resolutions=_CARD,
    ),
    "card_unread": ViolationRule(
        "A card left the shoe and the reader did not identify it.",
        holds=True,
        resolutions=("void", "burn", "correct"),
    ),
    "card_without_decision": ViolationRule(
        "A hand takes a card only on the server's decision.", holds=True, resolutions=_CARD
    ),
    "hole_card_unscanned": ViolationRule(
        "No hole card is played on before its reader identified it.",
        holds=True,
        resolutions=("void", "burn", "accept"),
    ),
    "hole_card_mismatch": ViolationRule(
        "The card that is turned is the card that was sealed.", holds=True, resolutions=_VOID
    ),
    "hole_card_peek_not_allowed": ViolationRule(
        "Nobody looks at the hole card before it may be turned.", holds=True, resolutions=_GO_ON
    ),
    "sealed_violation": ViolationRule(
        "Something is wrong with a card that lies face down; it is told when the card is turned.",
        holds=True,
        resolutions=_GO_ON,
    ),
    "wrong_burn_count": ViolationRule(
        "Another number of cards was burned than is due.", holds=True, resolutions=_GO_ON
    ),
    "cut_card_misplaced": ViolationRule(
        "The cut card was not where the house places it.", holds=False, resolutions=()
    ),
    "shoe_exhausted": ViolationRule(
        "Too few cards are left to finish a round.", holds=True, resolutions=_VOID
    ),
    "card_reversed": ViolationRule(
        "A card was pushed back towards the shoe.", holds=True, resolutions=_GO_ON
    ),
    "card_conflict": ViolationRule(
        "The shoe stated two different cards for one slot; the first stands.",
        holds=True,
        resolutions=_GO_ON,
    ),
    "shoe_error": ViolationRule("The shoe is in error mode.", holds=True, resolutions=_GO_ON),
    "shoe_changed_in_round": ViolationRule(
        "The shoe was changed in mid-round.", holds=True, resolutions=_VOID
    ),
    "result_conflict": ViolationRule(
        "Two sources state different results.", holds=True, resolutions=_GO_ON
    ),
    "late_result": ViolationRule(
        "A result without a round it could belong to.", holds=False, resolutions=()
    ),
    "journal_rolled_back": ViolationRule(
        "The bus knows events that the journal does not: the journal was rolled back.",
        holds=True,
        resolutions=_GO_ON,
    ),
    "recovery_differs": ViolationRule(
        "Replaying the journal does not give the events that it holds.",
        holds=True,
        resolutions=_GO_ON,
    ),
    "invalid_spin": ViolationRule(
        "The ball runs against the rotor, at least the required number of laps.",
        holds=True,
        resolutions=_VOID,
    ),
    "ball_before_no_more_bets": ViolationRule(
        "No ball lands before 'no more bets'.", holds=True, resolutions=_GO_ON
    ),
    "pocket_unknown": ViolationRule(
        "A result that no pocket of this wheel has.", holds=True, resolutions=_MISSING
    ),
    "pocket_conflict": ViolationRule(
        "Two statements of one result differ.", holds=True, resolutions=_MISSING
    ),
    "spin_lost": ViolationRule(
        "A spin ended without its result being seen.", holds=True, resolutions=_VALUE
    ),
    "spin_timeout": ViolationRule(
        "The spin takes longer than a wheel can.", holds=True, resolutions=_GO_ON
    ),
    "rotor_out_of_range": ViolationRule(
        "The rotor's speed is outside its band.", holds=True, resolutions=_GO_ON
    ),
    "sensor_fault": ViolationRule(
        "The wheel reports a fault of sensor, motor or ball.", holds=True, resolutions=_GO_ON
    ),
    "wheel_closed": ViolationRule("The wheel closed in mid-spin.", holds=True, resolutions=_VOID),
    "dice_before_no_more_bets": ViolationRule(
        "No dice land before 'no more bets'.", holds=True, resolutions=_GO_ON
    ),
    "dice_not_thrown": ViolationRule(
        "Only dice that were seen to be shaken since the last result decide a round.",
        holds=True,
        resolutions=_VALUE,
    ),
    "dice_unread": ViolationRule(
        "The dice of a throw were not all read for sure.", holds=True, resolutions=_VALUE
    ),
    "dice_conflict": ViolationRule(
        "Two different results in one round.", holds=True, resolutions=_MISSING
    ),
    "device_lost": ViolationRule(
        "The device went away in mid-round.", holds=True, resolutions=_GO_ON
    ),
    "reading_gap": ViolationRule(
        "What the device said in the meantime is not known.", holds=True, resolutions=_GO_ON
    ),
}

_ANY: Final = frozenset(
    {"journal_rolled_back", "recovery_differs", "device_lost", "reading_gap", "late_result",
     "result_conflict", "sensor_fault"}
)  # fmt: skip
_WHEEL: Final = frozenset(
    {"invalid_spin", "ball_before_no_more_bets", "pocket_unknown", "pocket_conflict", "spin_lost",
     "spin_timeout", "rotor_out_of_range", "wheel_closed"}
)  # fmt: skip


def violations_of(kind: DeviceKind) -> dict[str, ViolationRule]:
    """Return the violations that a game with this kind of device may raise."""
    return {code: rule for code, rule in VIOLATIONS.items() if _kind(code) in (kind, "any")}


def _kind(code: str) -> str:
    if code in _ANY:
        return "any"
    if code in _WHEEL:
        return "wheel"
    return "dice" if code.startswith("dice_") else "shoe"
