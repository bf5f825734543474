"""What the demo's dealer and players show by themselves, from the pure table alone."""

from __future__ import annotations

import pytest

from daemon.demo.demo import GAMES
from daemon.demo.simulated_dealer import Dealer
from daemon.service.assembly import one_table, setup_of
from protocols.commands import Command, Decide, PeekHoleCard, RevealCard


def first_round(seed: int) -> list[Command]:
    """Return what the table server sends in the first round of blackjack."""
    seat = GAMES["blackjack"]
    setup = setup_of(one_table(seat.game, seat.profile, seat.device, round_control="server"))
    dealer, sent = Dealer(setup, seed), list[Command]()
    boxes = dealer.bets()
    dealer.shuffle("S1", seat.decks or 1)
    while dealer.next() is not None:
        pass  # the burned cards
    dealer.open_round("R1")
    gesture = dealer.close_bets("R1", boxes)
    while gesture is not None or (command := dealer.next_command()) is not None:
        if gesture is None:
            sent.append(command)
            dealer.obeyed(command)
        gesture = dealer.next()
    return sent


@pytest.mark.parametrize("seed", range(8))
def test_the_first_round_of_blackjack_shows_a_peek_a_split_and_a_reveal(seed: int) -> None:
    sent = first_round(seed)
    decisions = [command for command in sent if isinstance(command, Decide)]
    split = next(decision for decision in decisions if decision.action == "split")
    peek = next(command for command in sent if isinstance(command, PeekHoleCard))
    assert sent.index(peek) < sent.index(split)
    assert isinstance(sent[-1], RevealCard)
