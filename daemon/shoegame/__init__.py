"""What every game from a shoe shares; a game is a table of rules on top of it (`ShoeGame`).

rules.py what a game and a house say · wording.py the house's rules in words · state.py what is
remembered · cards.py a card left the shoe · saying.py what else the shoe says · commands.py what
the server asks · hole.py the hole-card reader · turning.py a face-down card is turned · resolve.py
what a supervisor decides · verify.py the cards of a shoe are counted · order.py cards that nobody
shuffled · work.py one input on its way · spec.py the game as its table sees it
"""

from daemon.shoegame.rules import PlayCommand, ShoeGame, ShoeRules, Undue
from daemon.shoegame.spec import game_spec
from daemon.shoegame.state import Dealt, ShoeState, listed
from daemon.shoegame.wording import shoe_sentences
from daemon.shoegame.work import Work

__all__ = [
    "Dealt",
    "PlayCommand",
    "ShoeGame",
    "ShoeRules",
    "ShoeState",
    "Undue",
    "Work",
    "game_spec",
    "listed",
    "shoe_sentences",
]
