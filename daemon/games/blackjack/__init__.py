"""Blackjack: boxes, decisions, splits, the hole card, the dealer's draw.

rules.py what cards are worth · profile.py the house's rules · state.py what is remembered
waiting.py what comes next · dealing.py a card lies in a slot · deciding.py what the server says
outcome.py how it ended · wording.py the house's rules in words · daemon/shoegame the rest
"""

from __future__ import annotations

from typing import Final

from daemon.games.blackjack import dealing, deciding, waiting
from daemon.games.blackjack.dealing import BOXES
from daemon.games.blackjack.outcome import outcome
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.state import BlackjackState
from daemon.games.blackjack.wording import sentences
from daemon.shoegame import ShoeGame, game_spec
from protocols.events import BlackjackOutcome


def _hides(rules: BlackjackProfile) -> bool:
    down = rules.dealer_first_card == "down_then_revealed"
    return rules.hole_card or rules.double_dark or down


GAME: Final = game_spec(
    ShoeGame(
        due=waiting.due,
        outcome=outcome,
        hands={
            "dealer": "dealer",
            "box1": "box1",
            "box2": "box2",
            "box3": "box3",
            "box4": "box4",
            "box5": "box5",
            "box6": "box6",
            "box7": "box7",
        },
        most_cards=3 * BOXES + 5,  # ours: seven boxes and a dealer as they usually end
        first_slot=None,
        state=BlackjackState,
        opened=dealing.opened,
        emptied=dealing.emptied,
        laid=dealing.laid,
        refuses=deciding.refuses,
        obey=deciding.obey,
        own_commands=deciding.own_commands,
        may_turn=waiting.may_turn,
        undue=waiting.undue,
        waits=waiting.confirmed_late,
        hides=_hides,
        hole_slots=waiting.HOLE_SLOTS,
    ),
    key="blackjack",
    title="Blackjack",
    default_profile="blackjack-lv",
    profile=BlackjackProfile,
    outcome=BlackjackOutcome,
    sentences=sentences,
)
