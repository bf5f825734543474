"""What every game from a shoe shares; a game is a table of rules on top of it (`ShoeGame`).

game.py          what a game says and does, and what its table asks it
two_cards.py     games of two cards, as data
rules.py         what a house decides; sentences.py the same in words
violations.py    what is against the rules
state.py         what is remembered
transition.py    one input on its way
card_drawn.py    a card left the shoe
shoe_reports.py  what else the shoe reports
commands.py      what the table server asks
hole_card.py     the hole-card reader; reveal.py a face-down card is turned
resolve.py       what a supervisor decides
verify.py        the cards of a shoe are counted
"""

from daemon.gamekit.shoegame.game import ShoeGame
from daemon.gamekit.shoegame.rules import PlayCommand, ShoeRules, Undue
from daemon.gamekit.shoegame.sentences import shoe_sentences
from daemon.gamekit.shoegame.state import Dealt, ShoeState, listed
from daemon.gamekit.shoegame.transition import ShoeTransition
from daemon.gamekit.shoegame.two_cards import TwoCardGame
from daemon.gamekit.shoegame.violations import SHOE_VIOLATIONS

__all__ = [
    "SHOE_VIOLATIONS",
    "Dealt",
    "PlayCommand",
    "ShoeGame",
    "ShoeRules",
    "ShoeState",
    "ShoeTransition",
    "TwoCardGame",
    "Undue",
    "listed",
    "shoe_sentences",
]
