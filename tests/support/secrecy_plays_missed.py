"""Plays of one reader and a card that it missed."""

from __future__ import annotations

import support.secrecy_plays_faults  # noqa: F401 - its plays join the register
from support.secrecy_bench import Glass
from support.secrecy_houses import (
    FIRST_DOWN,
    GREEK_TWO,
    ONE,
    ONE_SSI,
    ONE_STATING,
    TWO,
    TWO_SHOWN,
    TWO_STATING,
)
from support.secrecy_pieces import (
    DEALER,
    NOISE,
    _go_on,
    _opened,
    play,
)

# --- one reader, and a card missed ---------------------------------------------------------------


def _missed(t: Glass, secret: str) -> None:
    """The reader missed the box's second card: the hole card stands in its place."""
    _opened(t, 1)
    t.draw("5C", "7D", secret)


@play(ONE, ONE_SSI, turned=False)
def missed_card(t: Glass, secret: str) -> None:
    _missed(t, secret)
    for action in ("hit", "stand", "double", "insurance"):
        t.ask("decision", round_id="R1", box=1, hand=1, action=action)
    t.ask("hole_card.peek", round_id="R1")
    t.ask("card.reveal", round_id="R1", slot=DEALER)
    t.hear(NOISE)
    t.wait(60)
    t.crash()
    _go_on(t)
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE, FIRST_DOWN, turned=False, shows=("hole_card_unscanned", "sealed_violation"))
def missed_card_and_a_label_of_nothing(t: Glass, secret: str) -> None:
    """Somebody tries the reader, then scans the hole card once more: neither confirms it."""
    _opened(t, 1)
    t.draw("5C", "7D", secret) if t.house is ONE else t.draw(secret)
    t.hear(b"A PACK OF CIGARETTES\r\n")
    t.resolve("accept")
    t.draw(secret)
    t.crash()
    _go_on(t)
    t.draw(secret)
    t.resolve("void")


@play(ONE, turned=False)
def missed_card_and_a_cable(t: Glass, secret: str) -> None:
    _missed(t, secret)
    t.pull()
    t.plug()
    for action in ("correct", "burn", "accept"):
        if t.inbox.state.held:
            t.resolve(action, card="6C")
    _go_on(t)
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE, turned=False, shows=("device_lost",))
def missed_while_held(t: Glass, secret: str) -> None:
    _opened(t, 1)
    t.draw("5C", "7D")
    t.pull()
    t.plug()
    t.draw(secret)
    _go_on(t)
    t.ask("decision", round_id="R1", box=1, hand=1, action="hit")


@play(FIRST_DOWN, turned=False, shows=("card_before_no_more_bets",))
def first_card_down_read_too_early(t: Glass, secret: str) -> None:
    """The box's card was missed: what the supervisor lets pass is the dealer's."""
    t.obey("shoe.load", shoe_id="S1", decks=8)
    t.obey("round.open", round_id="R1", boxes=[1])
    t.draw(secret)
    t.resolve("accept")
    t.ask("table.status")


@play(ONE_STATING, turned=False, shows=("card_out_of_turn",))
def missed_and_the_shoe_says_whose_it_is(t: Glass, secret: str) -> None:
    """The frame of the box's second card is lost, and its number with it."""
    _opened(t, 1)
    t.draw("5C>box1.1", "7D>dealer.1")
    t.draw(f"{secret}>{DEALER}")
    t.resolve("accept")
    t.ask("table.status")


@play(TWO, TWO_STATING, turned=False, shows=("card_out_of_turn",))
def missed_and_the_hole_card_on_its_reader(t: Glass, secret: str) -> None:
    _opened(t, 1)
    t.draw("5C>box1.1", "7D>dealer.1")
    t.draw(secret, role="hole")
    t.resolve("accept")
    t.ask("table.status")


@play(GREEK_TWO, TWO_SHOWN, turned=False, shows=("card_out_of_turn",))
def missed_and_the_hole_card_burned(t: Glass, secret: str) -> None:
    """On its reader the hole card is none that is due; who lets it be burned asks for its face."""
    _opened(t, 1)
    t.draw("5C", "7D")
    t.draw(secret, role="hole")
    t.resolve("burn")
    for number in (1, 2):
        t.ask("card.reveal", slot=f"burn.{number}")
    t.draw("6C")
    t.draw(secret, role="hole")
    t.ask("card.reveal", slot="burn.1")


@play(FIRST_DOWN, turned=False, shows=("card_before_no_more_bets",))
def first_card_down_read_before_any_bet_is_known(t: Glass, secret: str) -> None:
    """The box's card was missed: the one that is read may be the dealer's, which lies face down."""
    t.obey("shoe.load", shoe_id="S1", decks=8)
    t.obey("round.open", round_id="R1")
    t.draw(secret)
    t.crash()
    t.obey("bets.close", round_id="R1", boxes=[1])
    t.resolve("accept")
    t.resolve("burn")
    t.ask("card.reveal", slot="burn.1")
    t.ask("round.void", round_id="R1", reason="misdeal")
