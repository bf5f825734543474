"""What is against the rules of any game from a shoe. Source: docs/rules/README.md#violations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.gamekit.violations import (
    ANY_CARD,
    CARD_OUT,
    GO_ON,
    TABLE_VIOLATIONS,
    VALUE,
    VOID_ONLY,
    Seen,
    ViolationRule,
)

_BY_ALL: Final[Seen] = {"identity": "this card", "position": "this card", "hole": "this card"}
_BY_POSITION: Final[Seen] = {"identity": "never", "position": "this card", "hole": "never"}
_BY_HOLE: Final[Seen] = {"identity": "never", "position": "never", "hole": "this card"}

SHOE_VIOLATIONS: Final[Mapping[str, ViolationRule]] = {
    "card_before_no_more_bets": ViolationRule(
        "No card leaves the shoe before 'no more bets'.",
        holds=True,
        resolutions=ANY_CARD,
        seen=_BY_ALL,
        cause="early",
    ),
    "card_not_due": ViolationRule(
        "No card is due to any hand.", holds=True, resolutions=CARD_OUT, seen=_BY_ALL
    ),
    "card_out_of_turn": ViolationRule(
        "The card went to another slot than the one due.",
        holds=True,
        resolutions=ANY_CARD,
        seen={"identity": "never", "position": "next card", "hole": "never"},
    ),
    "card_after_cut_card": ViolationRule(
        "The round in which the cut card came out was the last of the shoe.",
        holds=True,
        resolutions=ANY_CARD,
        seen=_BY_ALL,
    ),
    "impossible_card": ViolationRule(
        "No more copies of a card than decks, no more cards than the shoe holds.",
        holds=True,
        resolutions=ANY_CARD,
        seen=_BY_ALL,
    ),
    "card_unread": ViolationRule(
        "A card left the shoe and the reader did not identify it.",
        holds=True,
        resolutions=("void", "burn", "correct"),
        seen=_BY_ALL,
    ),
    "reading_damaged": ViolationRule(
        "Bytes of a card's reader that say nothing are a card, until a person or its device says "
        "that there was none.",
        holds=True,
        resolutions=VALUE,
    ),
    "hole_card_unscanned": ViolationRule(
        "No hole card is played on before its reader identified it.",
        holds=True,
        resolutions=("void", "burn", "accept"),
        seen={"identity": "decision", "position": "decision", "hole": "decision"},
    ),
    "hole_card_mismatch": ViolationRule(
        "The card that is turned, or looked at, is the card that was sealed.",
        holds=True,
        resolutions=VOID_ONLY,
        seen=_BY_HOLE,
    ),
    "hole_card_peek_not_allowed": ViolationRule(
        "Nobody looks at the hole card before it may be turned, unless the house checks it then.",
        holds=True,
        resolutions=GO_ON,
        seen=_BY_HOLE,
    ),
    "sealed_violation": ViolationRule(
        "Something is wrong with a card that lies face down; it is told when the card is turned.",
        holds=True,
        resolutions=GO_ON,
        seen={"identity": "never", "position": "this card", "hole": "this card"},
    ),
    "wrong_burn_count": ViolationRule(
        "Another number of cards was burned than is due.",
        holds=True,
        resolutions=GO_ON,
        seen=_BY_POSITION,
    ),
    "shoe_not_verified": ViolationRule(
        "No card is dealt or burned from a shoe before its decks are known to be whole.",
        holds=True,
        resolutions=GO_ON,
        seen=_BY_ALL,
    ),
    "pack_not_whole": ViolationRule(
        "When play is over every card of the shoe is there, and none is too many.",
        holds=True,
        resolutions=GO_ON,
    ),
    "factory_order": ViolationRule(
        "Cards do not come out of a shuffled shoe in the order of a new deck.",
        holds=True,
        resolutions=GO_ON,
        seen=_BY_ALL,
    ),
    "cut_card_misplaced": ViolationRule(
        "The cut card was not where the house places it.", holds=False, resolutions=()
    ),
    "cut_card_missing": ViolationRule(
        "No round is dealt from a shoe whose cut card should have come long ago.",
        holds=True,
        resolutions=ANY_CARD,
        seen=_BY_ALL,
    ),
    "shoe_exhausted": ViolationRule(
        "Too few cards are left to finish a round.", holds=True, resolutions=VOID_ONLY
    ),
    "card_reversed": ViolationRule(
        "A card was pushed back towards the shoe.", holds=True, resolutions=GO_ON
    ),
    "card_conflict": ViolationRule(
        "The shoe stated two different cards for one slot; the first stands.",
        holds=True,
        resolutions=GO_ON,
        seen=_BY_POSITION,
        cause="malfunction",
    ),
    "shoe_error": ViolationRule(
        "The shoe is in error mode.", holds=True, resolutions=GO_ON, cause="malfunction"
    ),
    "shoe_changed_in_round": ViolationRule(
        "The shoe was changed in mid-round.", holds=True, resolutions=VOID_ONLY
    ),
    **TABLE_VIOLATIONS,
}
