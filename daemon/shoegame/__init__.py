"""What every game from a shoe shares; a game is a table of rules on top of it (`ShoeGame`).

rules.py what a game and a house say · state.py what is remembered · cards.py a card left the shoe
saying.py what else the shoe says · commands.py what the server asks · resolve.py what a supervisor
decides · work.py one input on its way · spec.py the game as its table sees it
"""

from daemon.shoegame.rules import ShoeGame, ShoeRules
from daemon.shoegame.spec import game_spec
from daemon.shoegame.state import Dealt, ShoeState, listed

__all__ = ["Dealt", "ShoeGame", "ShoeRules", "ShoeState", "game_spec", "listed"]
