"""Blackjack: boxes, decisions, splits, the hole card, the dealer's draw.

rules.py what cards are worth · profile.py the house's rules · state.py what is remembered
next_action.py what comes next · placement.py a card lies in a slot
decisions.py what the server says · outcome.py how it ended
sentences.py the house's rules in words · daemon/gamekit/shoegame the rest
"""

from __future__ import annotations

from typing import Final

from daemon.gamekit.shoegame import ShoeGame, game_spec
from daemon.games.blackjack import decisions, next_action, placement
from daemon.games.blackjack.outcome import outcome
from daemon.games.blackjack.placement import BOXES
from daemon.games.blackjack.profile import BlackjackProfile
from daemon.games.blackjack.sentences import sentences
from daemon.games.blackjack.state import BlackjackState
from protocols.events import BlackjackOutcome


def _hides(rules: BlackjackProfile) -> bool:
    down = rules.dealer_first_card == "down_then_revealed"
    return rules.hole_card or rules.double_dark or down


GAME: Final = game_spec(
    ShoeGame(
        due=next_action.due,
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
        opened=placement.opened,
        emptied=placement.emptied,
        laid=placement.laid,
        refuses=decisions.refuses,
        obey=decisions.obey,
        own_commands=decisions.own_commands,
        may_turn=next_action.may_turn,
        undue=next_action.undue,
        waits=next_action.confirmed_late,
        hides=_hides,
        hole_slots=next_action.HOLE_SLOTS,
    ),
    key="blackjack",
    title="Blackjack",
    default_profile="blackjack-lv",
    profile=BlackjackProfile,
    outcome=BlackjackOutcome,
    sentences=sentences,
)
