"""Dragon Tiger and Football Studio: who wins, for every card against every card."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from support.two_card_bench import GAMES, TwoCards

from daemon.gamekit.spec import Context, GameInput, Round
from daemon.games.dragon_tiger import DragonTigerOutcome
from daemon.games.football_studio import FootballStudioOutcome
from protocols.cards import DECK, Card
from protocols.commands import LoadShoe
from protocols.events import (
    DealtCard,
    Outcome,
    RoundCompleted,
)
from protocols.instant import Instant
from protocols.readings import CardDrawn

COLUMNS = "A23456789TJQK"
ACE_LOW = {
    "A": "=<<<<<<<<<<<<",
    "2": ">=<<<<<<<<<<<",
    "3": ">>=<<<<<<<<<<",
    "4": ">>>=<<<<<<<<<",
    "5": ">>>>=<<<<<<<<",
    "6": ">>>>>=<<<<<<<",
    "7": ">>>>>>=<<<<<<",
    "8": ">>>>>>>=<<<<<",
    "9": ">>>>>>>>=<<<<",
    "T": ">>>>>>>>>=<<<",
    "J": ">>>>>>>>>>=<<",
    "Q": ">>>>>>>>>>>=<",
    "K": ">>>>>>>>>>>>=",
}
"""Dragon Tiger: the first card, a row, against the second, a column."""
ACE_HIGH = {
    "A": "=>>>>>>>>>>>>",
    "2": "<=<<<<<<<<<<<",
    "3": "<>=<<<<<<<<<<",
    "4": "<>>=<<<<<<<<<",
    "5": "<>>>=<<<<<<<<",
    "6": "<>>>>=<<<<<<<",
    "7": "<>>>>>=<<<<<<",
    "8": "<>>>>>>=<<<<<",
    "9": "<>>>>>>>=<<<<",
    "T": "<>>>>>>>>=<<<",
    "J": "<>>>>>>>>>=<<",
    "Q": "<>>>>>>>>>>=<",
    "K": "<>>>>>>>>>>>=",
}
"""Football Studio, in the same way."""
TABLES = {"dragon_tiger": ACE_LOW, "football_studio": ACE_HIGH}
AT = Instant("boot", 0)
PAIRS = list(product(DECK, DECK))

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.key)


def outcomes(game: TwoCards) -> Mapping[tuple[Card, Card], Outcome]:
    """Deal every card against every card through the game itself."""
    rules, spec = game.rules(), game.spec
    between = Context(rules, "b2:00", None, held=False, control="server", next_round_id="R1")
    dealing = Context(
        rules, "b2:00", Round("R1", "dealing"), held=False, control="server", next_round_id="R2"
    )
    loaded = spec.apply(spec.start(), GameInput(AT, LoadShoe("S1", 8)), between).state
    ends = {}
    for first, second in PAIRS:
        after = spec.apply(loaded, GameInput(AT, CardDrawn(first)), dealing).state
        last = spec.apply(after, GameInput(AT, CardDrawn(second)), dealing).effects[-1]
        assert isinstance(last, RoundCompleted)
        ends[first, second] = last.outcome
    return ends


@each_game
def test_every_card_against_every_card_ends_as_the_table_says(game: TwoCards) -> None:
    word = {">": game.first, "<": game.second, "=": game.equal}
    ends = outcomes(game)
    assert len(ends) == 52 * 52
    for (first, second), outcome in ends.items():
        cell = TABLES[game.spec.key][first.rank][COLUMNS.index(second.rank)]
        assert isinstance(outcome, DragonTigerOutcome | FootballStudioOutcome)
        assert outcome.winner == word[cell], (first, second)


def test_a_tie_is_suited_where_both_cards_are_of_one_suit_too() -> None:
    for (dragon, tiger), outcome in outcomes(GAMES[0]).items():
        assert outcome == DragonTigerOutcome(
            winner=outcome.winner,  # type: ignore[union-attr, arg-type] # its game's own
            dragon=DealtCard("dragon.1", dragon.rank, dragon.suit),
            tiger=DealtCard("tiger.1", tiger.rank, tiger.suit),
            suited_tie=str(dragon) == str(tiger),
        )


def test_an_outcome_of_football_studio_names_both_cards() -> None:
    outcome = outcomes(GAMES[1])[Card("A", "S"), Card("K", "D")]
    home, away = DealtCard("home.1", "A", "S"), DealtCard("away.1", "K", "D")
    assert outcome == FootballStudioOutcome(winner="home", home=home, away=away)


@each_game
def test_one_card_in_thirteen_ties_whatever_the_first_is(game: TwoCards) -> None:
    ties = sum(one.winner == game.equal for one in outcomes(game).values())  # type: ignore[union-attr] # its game's own
    assert ties == 52 * 4
