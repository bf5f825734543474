"""What is against the rules of blackjack, and what dealers do wrong there.

`DEALER_ERRORS` is tried: the oracle's dealers make every error before every reader, and each is
caught where this table says (`tests/oracle`). Sources: docs/rules/blackjack.md and
docs/rules/README.md#violations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.gamekit.shoegame import SHOE_VIOLATIONS
from daemon.gamekit.violations import ANY_CARD, DealerError, Moment, Reader, Sight, ViolationRule

VIOLATIONS: Final[Mapping[str, ViolationRule]] = {
    **SHOE_VIOLATIONS,
    "card_without_decision": ViolationRule(
        "A hand takes a card only on the server's decision.",
        holds=True,
        resolutions=ANY_CARD,
        seen={"identity": "next card", "position": "this card", "hole": "this card"},
    ),
}

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

DEALER_ERRORS: Final[Mapping[str, DealerError]] = {
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
        "The hole card is put on its reader when it may be neither turned nor looked at.",
        {"hole": ("hole_card_peek_not_allowed", "this card")},
    ),
    "another_card_turned": DealerError(
        "Another card than the hole card is turned.", {"hole": ("hole_card_mismatch", "this card")}
    ),
}
