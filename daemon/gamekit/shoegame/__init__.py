"""What every game from a shoe shares; a game is a table of rules on top of it (`ShoeGame`).

rules.py what a game and a house say · sentences.py the house's rules in words · state.py what is
remembered · card_drawn.py a card left the shoe · shoe_reports.py what else the shoe reports ·
commands.py what the server asks · hole_card.py the hole-card reader · reveal.py a face-down card is
turned · resolve.py what a supervisor decides · verify.py the cards of a shoe are counted ·
factory_order.py cards that nobody shuffled · transition.py one input on its way · game.py the game
as its table sees it
"""

from daemon.gamekit.shoegame.game import game_spec
from daemon.gamekit.shoegame.rules import PlayCommand, ShoeGame, ShoeRules, Undue
from daemon.gamekit.shoegame.sentences import shoe_sentences
from daemon.gamekit.shoegame.state import Dealt, ShoeState, listed
from daemon.gamekit.shoegame.transition import ShoeTransition

__all__ = [
    "Dealt",
    "PlayCommand",
    "ShoeGame",
    "ShoeRules",
    "ShoeState",
    "ShoeTransition",
    "Undue",
    "game_spec",
    "listed",
    "shoe_sentences",
]
