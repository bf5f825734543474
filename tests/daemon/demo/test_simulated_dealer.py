"""What the demo's dealer and players show by themselves, from the pure table alone."""

from __future__ import annotations

import pytest

from daemon.demo.demo import GAMES
from daemon.demo.simulated_dealer import Dealer
from daemon.service.assembly import one_table, setup_of
from protocols.commands import Command, Decide, PeekHoleCard, RevealCard


def first_round(seed: int) -> list[Command]:
    """Return what the table server says in the first round of blackjack."""
    seat = GAMES["blackjack"]
    setup = setup_of(one_table(seat.game, seat.profile, seat.device, round_control="server"))
    dealer, said = Dealer(setup, seed), list[Command]()
    boxes = dealer.bets()
    dealer.shuffle("S1", seat.decks or 1)
    while dealer.next() is not None:
        pass  # the burned cards
    dealer.open_round("R1", boxes)
    gesture = dealer.close_bets("R1")
    while gesture is not None or (word := dealer.word()) is not None:
        if gesture is None:
            said.append(word)
            dealer.said(word)
        gesture = dealer.next()
    return said


@pytest.mark.parametrize("seed", range(8))
def test_the_first_round_of_blackjack_shows_a_peek_a_split_and_a_reveal(seed: int) -> None:
    said = first_round(seed)
    split = next(word for word in said if isinstance(word, Decide) and word.action == "split")
    peek = next(word for word in said if isinstance(word, PeekHoleCard))
    assert said.index(peek) < said.index(split)
    assert isinstance(said[-1], RevealCard)
