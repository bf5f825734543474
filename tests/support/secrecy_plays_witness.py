"""Plays at tables with a witness: it sees the hidden card too, at a time of its own."""

from __future__ import annotations

from support.secrecy_bench import Glass
from support.secrecy_houses import ONE_WITNESSED, SQUEEZE_WITNESSED, TWO_WITNESSED
from support.secrecy_pieces import _decide, _first_deal, _hole_card, _opened, _turn, play


def _sees(t: Glass, *cards: str) -> None:
    t.draw(*cards, role="witness")


@play(ONE_WITNESSED, TWO_WITNESSED)
def witness_reads_the_hole_card(t: Glass, secret: str) -> None:
    _first_deal(t)
    _sees(t, "5C", "7D", "6C")
    _hole_card(t, secret)
    _sees(t, secret)
    _decide(t, "hit")
    t.draw("3C>box1.3")
    _sees(t, "3C")
    _decide(t, "stand")
    _turn(t)


@play(ONE_WITNESSED, TWO_WITNESSED)
def witness_reads_the_hole_card_when_the_game_has_gone_on(t: Glass, secret: str) -> None:
    """The next card lies face up by then, and the witness hangs on the hidden one."""
    _first_deal(t)
    _sees(t, "5C", "7D", "6C")
    _hole_card(t, secret)
    _decide(t, "hit")
    _sees(t, secret)
    t.again("witness")
    t.draw("3C>box1.3")
    t.crash()
    t.again("witness")
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE_WITNESSED, TWO_WITNESSED, secrets=("KS", "TH", "9H", "7C"))
def witness_states_one_card_whatever_the_hole_card_is(t: Glass, secret: str) -> None:
    """Nobody learns the hidden card by putting one card after another on the witness."""
    _first_deal(t)
    for guess in ("5C", "7D", "6C", "KS", "TH", "9H"):
        _sees(t, guess)
    _hole_card(t, secret)
    _sees(t, "7C")
    t.wait(60.0)
    _decide(t, "stand")
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(SQUEEZE_WITNESSED)
def witness_of_a_squeezed_hand(t: Glass, secret: str) -> None:
    _opened(t)
    for card in ("6D", "3C", secret, "4C"):
        t.draw(card)
        _sees(t, card)
    for slot in ("player.1", "banker.1", "banker.2"):
        _turn(t, slot)
    _turn(t, "player.2")
