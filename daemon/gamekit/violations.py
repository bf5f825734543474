"""The one vocabulary of violations: what each breaks, whether it holds, how it may be resolved.

And which readers show it, and when; `DEALER_ERRORS` says the same of what dealers do wrong.

Source: docs/rules/README.md#violations. A violation never disappears and never turns into a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from protocols.commands import ResolveAction
from protocols.device import DeviceKind

Reader: TypeAlias = Literal["identity", "position", "hole"]
"""What reads the cards of a table: `identity` knows a card and not its place, `position` states the
hand that each card goes to, `hole` is an identity reader with a hole-card reader beside it."""

Moment: TypeAlias = Literal["this card", "next card", "decision", "never"]
"""When a reader shows an error: at the card itself; at a later card, which then goes where none is
due; when the server's next word is refused; or not for sure, since no count is wrong by it."""

Seen: TypeAlias = Mapping[Reader, Moment]


@dataclass(frozen=True, slots=True)
class ViolationRule:
    """The rule in words, whether it holds the table, and what `violation.resolve` allows.

    What does not hold is on record and over: nothing waits to be resolved.

    seen  when each kind of reader shows it at the latest; empty where that is no matter of cards
    """

    rule: str
    holds: bool
    resolutions: tuple[ResolveAction, ...]
    seen: Seen = field(default_factory=dict)


_VOID: Final[tuple[ResolveAction, ...]] = ("void",)
_CARD: Final[tuple[ResolveAction, ...]] = ("void", "burn", "accept", "correct")
_CARD_OUT: Final[tuple[ResolveAction, ...]] = ("void", "burn")
_GO_ON: Final[tuple[ResolveAction, ...]] = ("void", "accept")
_VALUE: Final[tuple[ResolveAction, ...]] = ("void", "accept", "correct")
_MISSING: Final[tuple[ResolveAction, ...]] = ("void", "correct")

_BY_ALL: Final[Seen] = {"identity": "this card", "position": "this card", "hole": "this card"}
_BY_POSITION: Final[Seen] = {"identity": "never", "position": "this card", "hole": "never"}
_BY_HOLE: Final[Seen] = {"identity": "never", "position": "never", "hole": "this card"}

VIOLATIONS: Final[dict[str, ViolationRule]] = {
    "card_before_no_more_bets": ViolationRule(
        "No card leaves the shoe before 'no more bets'.",
        holds=True,
        resolutions=_CARD,
        seen=_BY_ALL,
    ),
    "card_not_due": ViolationRule(
        "No card is due to any hand.", holds=True, resolutions=_CARD_OUT, seen=_BY_ALL
    ),
    "card_out_of_turn": ViolationRule(
        "The card went to another slot than the one due.",
        holds=True,
        resolutions=_CARD,
        seen={"identity": "never", "position": "next card", "hole": "never"},
    ),
    "card_after_cut_card": ViolationRule(
        "The round in which the cut card came out was the last of the shoe.",
        holds=True,
        resolutions=_CARD,
        seen=_BY_ALL,
    ),
    "impossible_card": ViolationRule(
        "No more copies of a card than decks, no more cards than the shoe holds.",
        holds=True,
        resolutions=_CARD,
        seen=_BY_ALL,
    ),
    "card_unread": ViolationRule(
        "A card left the shoe and the reader did not identify it.",
        holds=True,
        resolutions=("void", "burn", "correct"),
        seen=_BY_ALL,
    ),
    "card_without_decision": ViolationRule(
        "A hand takes a card only on the server's decision.",
        holds=True,
        resolutions=_CARD,
        seen={"identity": "next card", "position": "this card", "hole": "this card"},
    ),
    "hole_card_unscanned": ViolationRule(
        "No hole card is played on before its reader identified it.",
        holds=True,
        resolutions=("void", "burn", "accept"),
        seen={"identity": "decision", "position": "decision", "hole": "decision"},
    ),
    "hole_card_mismatch": ViolationRule(
        "The card that is turned is the card that was sealed.",
        holds=True,
        resolutions=_VOID,
        seen=_BY_HOLE,
    ),
    "hole_card_peek_not_allowed": ViolationRule(
        "Nobody looks at the hole card before it may be turned.",
        holds=True,
        resolutions=_GO_ON,
        seen=_BY_HOLE,
    ),
    "sealed_violation": ViolationRule(
        "Something is wrong with a card that lies face down; it is told when the card is turned.",
        holds=True,
        resolutions=_GO_ON,
        seen={"identity": "never", "position": "this card", "hole": "this card"},
    ),
    "wrong_burn_count": ViolationRule(
        "Another number of cards was burned than is due.",
        holds=True,
        resolutions=_GO_ON,
        seen=_BY_POSITION,
    ),
    "shoe_not_verified": ViolationRule(
        "No card is dealt or burned from a shoe before its decks are known to be whole.",
        holds=True,
        resolutions=_GO_ON,
        seen=_BY_ALL,
    ),
    "factory_order": ViolationRule(
        "Cards do not come out of a shuffled shoe in the order of a new deck.",
        holds=True,
        resolutions=_GO_ON,
        seen=_BY_ALL,
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
        seen=_BY_POSITION,
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
     "result_conflict"}
)  # fmt: skip
_WHEEL: Final = frozenset(
    {"invalid_spin", "ball_before_no_more_bets", "pocket_unknown", "pocket_conflict", "spin_lost",
     "spin_timeout", "rotor_out_of_range", "sensor_fault", "wheel_closed"}
)  # fmt: skip


Sight: TypeAlias = tuple[str, Moment]
"""A violation's code, or the word of a refusal, and when."""


@dataclass(frozen=True, slots=True)
class DealerError:
    """What a dealer does wrong at a table with boxes, and what each kind of reader makes of it.

    seen  what names it, and when; a kind that is missing cannot meet it
    """

    what: str
    seen: Mapping[Reader, Sight]


_ALL_READERS: Final[tuple[Reader, ...]] = ("identity", "position", "hole")


def _all(code: str, moment: Moment) -> dict[Reader, Sight]:
    return dict.fromkeys(_ALL_READERS, (code, moment))


def _differs(identity: Sight, position: Sight, hole: Sight) -> dict[Reader, Sight]:
    return {"identity": identity, "position": position, "hole": hole}


_NO_DECISION: Final[Sight] = ("card_without_decision", "this card")
_NOT_DUE: Final[Sight] = ("card_not_due", "this card")
_MISSED: Final = _differs(
    ("hole_card_unscanned", "decision"),
    ("card_out_of_turn", "next card"),
    ("card_out_of_turn", "next card"),
)

DEALER_ERRORS: Final[dict[str, DealerError]] = {
    "card_before_bets_closed": DealerError(
        "A card before 'no more bets'.", _all("card_before_no_more_bets", "this card")
    ),
    "card_without_decision": DealerError(
        "A card to the hand that is to decide.", _all(*_NO_DECISION)
    ),
    "card_to_standing_hand": DealerError(
        "A card to a hand that stood, while another is to decide.",
        _differs(_NO_DECISION, _NOT_DUE, _NO_DECISION),
    ),
    "card_to_21": DealerError(
        "A card to a hand of 21, while another is to decide.",
        _differs(_NO_DECISION, _NOT_DUE, _NO_DECISION),
    ),
    "second_card_after_double": DealerError(
        "A second card to a doubled hand, while another is to decide.",
        _differs(_NO_DECISION, _NOT_DUE, _NO_DECISION),
    ),
    "card_before_hole_card_is_turned": DealerError(
        "The dealer draws before the hole card is turned.", _all(*_NOT_DUE)
    ),
    "dealer_past_17": DealerError("The dealer draws to 17 or more.", _all(*_NOT_DUE)),
    "card_after_round": DealerError("A card to a box when the round is over.", _all(*_NOT_DUE)),
    "hole_card_missing": DealerError(
        "No hole card is dealt, and the boxes are asked.", _all("hole_card_unscanned", "decision")
    ),
    "hole_card_missing_deal_goes_on": DealerError(
        "No hole card is dealt, and a box gets a card: an identity reader takes it for that.",
        _differs(
            ("hand_differs", "decision"),
            ("hole_card_unscanned", "next card"),
            ("hole_card_unscanned", "next card"),
        ),
    ),
    "up_card_skipped": DealerError("The dealer gets no first card.", _MISSED),
    "up_card_missed": DealerError("The reader says nothing of a card of the first deal.", _MISSED),
    "up_card_missed_without_hole_card": DealerError(
        "The same, in a house without a hole card.",
        _differs(
            ("wrong_phase", "decision"),
            ("card_out_of_turn", "next card"),
            ("wrong_phase", "decision"),
        ),
    ),
    "drawn_card_missed": DealerError(
        "The reader says nothing of a card that a hand asked for.", _all("wrong_phase", "decision")
    ),
    "boxes_in_wrong_order": DealerError(
        "Two boxes get their cards of the first deal in the wrong order: no count is wrong.",
        _differs(
            ("card_out_of_turn", "never"),
            ("card_out_of_turn", "this card"),
            ("card_out_of_turn", "never"),
        ),
    ),
    "drawn_card_to_another_box": DealerError(
        "The card that a hand asked for goes to a box that has stood; the hand is asked again.",
        _differs(("hand_differs", "decision"), _NOT_DUE, ("hand_differs", "decision")),
    ),
    "card_read_again": DealerError(
        "A card is put back and read once more, while its hand is to decide.", _all(*_NO_DECISION)
    ),
    "card_read_again_in_first_deal": DealerError(
        "A card of the first deal is put back and read once more.",
        _differs(
            ("card_without_decision", "next card"),
            ("card_out_of_turn", "this card"),
            ("hole_card_unscanned", "next card"),
        ),
    ),
    "hole_card_at_the_shoe": DealerError(
        "The hole card is read by the shoe, and not by its own reader.",
        {"hole": ("hole_card_unscanned", "this card")},
    ),
    "up_card_on_hole_reader": DealerError(
        "A box's card lies on the hole-card reader.", {"hole": ("card_out_of_turn", "this card")}
    ),
    "hole_card_looked_at": DealerError(
        "The hole card is put on its reader before it may be turned.",
        {"hole": ("hole_card_peek_not_allowed", "this card")},
    ),
    "another_card_turned": DealerError(
        "Another card than the hole card is turned.", {"hole": ("hole_card_mismatch", "this card")}
    ),
}


def violations_of(kind: DeviceKind) -> dict[str, ViolationRule]:
    """Return the violations that a game with this kind of device may raise."""
    return {code: rule for code, rule in VIOLATIONS.items() if _kind(code) in (kind, "any")}


def _kind(code: str) -> str:
    if code in _ANY:
        return "any"
    if code in _WHEEL:
        return "wheel"
    return "dice" if code.startswith("dice_") else "shoe"
