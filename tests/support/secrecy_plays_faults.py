"""Plays in which something goes wrong beside a hidden card: violations, noise, cables, voids."""

from __future__ import annotations

from support.secrecy_bench import Glass
from support.secrecy_houses import (
    BURNING_NEVER,
    DARK,
    GREEK,
    ONE,
    ONE_SHOWN,
    ONE_SSI,
    ONE_STATING,
    SQUEEZE,
    TWO,
    TWO_STATING,
    label,
)
from support.secrecy_pieces import (
    DEALER,
    NOISE,
    _dealt,
    _decide,
    _first_deal,
    _go_on,
    _hole_card,
    _hole_reader,
    _opened,
    _opened_after_burns,
    _played_out,
    _turn,
    play,
)

from protocols.shoes.zebra_ssi.layout import sent_again

# --- violations ----------------------------------------------------------------------------------


@play(ONE, ONE_STATING, TWO, shows=("card_without_decision",))
def card_without_decision(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    t.draw("3C>box1.3")
    t.resolve("accept")
    t.resolve("correct", card="3C")
    t.draw("8D>box1.4")
    t.resolve("burn")
    t.crash()
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE, ONE_SHOWN, GREEK, shows=("card_without_decision",))
def hole_card_read_again_by_the_only_reader_and_burned(t: Glass, secret: str) -> None:
    """Who lets it be burned could ask for its face."""
    _dealt(t, secret)
    t.again()
    t.resolve("accept")
    t.resolve("burn")
    for number in (1, 2):
        t.ask("card.reveal", slot=f"burn.{number}")
    _played_out(t)


@play(ONE_SSI, ONE_STATING, TWO)
def hole_card_read_twice_at_once(t: Glass, secret: str) -> None:
    _first_deal(t)
    role = "hole" if _hole_reader(t) else "primary"
    frame = t.frame(secret, DEALER, role)
    t.hear(frame + frame, role)
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE, TWO, turned=False, shows=("hole_card_unscanned",))
def unread_hole_card(t: Glass, secret: str) -> None:
    """Its label is one that no card has; it tells of the card all the same."""
    _first_deal(t)
    t.hear(f"Z{label(secret)}\r\n".encode(), "hole" if _hole_reader(t) else "primary")
    t.resolve("accept")


@play(DARK, turned=False, shows=("card_unread",))
def unread_dark_card(t: Glass, secret: str) -> None:
    _opened_after_burns(t)
    t.draw("5C", "7D", "6C")
    _decide(t, "double", dark=True)
    t.hear(f"Z{label(secret)}\r\n".encode())
    t.resolve("correct", card="3C")
    t.resolve("void")


@play(BURNING_NEVER, turned=False)
def unread_burned_card(t: Glass, secret: str) -> None:
    t.obey("shoe.load", shoe_id="S1", decks=8)
    t.hear(f"Z{label(secret)}\r\n".encode())


@play(TWO, TWO_STATING, shows=("hole_card_peek_not_allowed",))
def hole_card_read_again_early(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    t.draw(secret, role="hole")
    t.resolve("accept")
    _played_out(t)


@play(TWO, shows=("hole_card_peek_not_allowed",))
def another_card_on_the_hole_reader(t: Glass, secret: str) -> None:
    """Its answer must not tell whether it is the hole card's like."""
    _dealt(t, secret)
    t.draw("KS", role="hole")
    t.resolve("accept")
    t.draw("9H", role="hole")
    t.crash()
    _go_on(t)
    _decide(t, "stand")
    _turn(t)


@play(TWO, shows=("hole_card_unscanned",))
def hole_card_on_the_wrong_reader(t: Glass, secret: str) -> None:
    _first_deal(t)
    t.draw(secret)
    t.resolve("accept")
    _played_out(t)


@play(ONE_STATING, TWO_STATING, shows=("sealed_violation",))
def face_down_slot_stated_again(t: Glass, secret: str) -> None:
    """Whether the shoe now states the same card or another one is not to be told."""
    _dealt(t, secret)
    t.draw(f"KS>{DEALER}")
    t.resolve("accept")
    t.draw(f"9H>{DEALER}")
    t.resolve("accept")
    _decide(t, "stand")
    _turn(t)


@play(SQUEEZE, shows=("sealed_violation",))
def squeezed_slot_stated_again(t: Glass, secret: str) -> None:
    _opened(t)
    t.draw("6D>player.1", "3C>banker.1", f"{secret}>player.2")
    t.draw("9H>player.2")
    t.resolve("accept")
    t.draw("4C>banker.2")
    _turn(t, "player.2")


@play(ONE, ONE_SSI, TWO)
def noise_among_hidden_frames(t: Glass, secret: str) -> None:
    _first_deal(t)
    role = "hole" if _hole_reader(t) else "primary"
    whole = t.house.readers[role].frame(99, secret, DEALER)
    t.hear(NOISE * 5 + b"\r\n", role)
    t.hear(whole[:1], role)
    t.wait(20)
    t.hear(b"\xff" + whole[1:], role)
    t.wait(20)
    t.wait(20)  # nothing of it is sent again
    while t.inbox.state.held:
        t.resolve("accept")
    _hole_card(t, secret)
    t.hear(whole[:-1] + b"\xff\r\n", role)
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE_STATING, TWO_STATING, turned=False)
def torn_hidden_frames(t: Glass, secret: str) -> None:
    _first_deal(t)
    role = "hole" if _hole_reader(t) else "primary"
    whole = t.frame(secret, DEALER, role)
    t.hear(whole[:-3] + b"\xff" + whole[-2:], role)
    t.hear(b"\xff" + whole[1:], role)
    for _ in range(12):
        t.hear(b"\x02" + NOISE + b"\x0300", role)


@play(ONE, TWO, turned=False, shows=("device_lost",))
def unplugged_while_the_hole_card_is_read(t: Glass, secret: str) -> None:
    """How many bytes lay in the port tells how long its label is."""
    _first_deal(t)
    role = "hole" if _hole_reader(t) else "primary"
    t.pull(role)
    t.plug(role, stale=t.house.readers[role].frame(9, secret, DEALER))
    _go_on(t)
    t.draw("8D", role=role)


@play(ONE_STATING, shows=("device_lost",))
def unplugged_and_back(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    t.pull()
    t.at_once(t.last["primary"])
    t.plug()
    t.resolve("accept")
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE, TWO, ONE_STATING, shows=("device_lost",))
def read_while_held(t: Glass, secret: str) -> None:
    _first_deal(t)
    t.pull()
    t.plug()
    _hole_card(t, secret)
    t.crash()
    _go_on(t)
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE, ONE_SSI, ONE_STATING, TWO)
def hidden_frame_again_and_again(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    role = "hole" if _hole_reader(t) else "primary"
    again = t.last[role]
    t.at_once(again, role)
    _decide(t, "hit")
    t.at_once(again, role)
    t.at_once(again[:-1], role)
    t.wait(20)
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE_SSI)
def hidden_packet_sent_again(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    t.hear(sent_again(t.last["primary"]))
    _decide(t, "hit")
    t.hear(sent_again(t.last["primary"]))
    t.draw("3C")
    _decide(t, "stand")
    _turn(t)


@play(ONE_STATING, shows=("reading_gap",))
def older_hidden_frame_again(t: Glass, secret: str) -> None:
    """It comes when other cards were read, and its number shows that it is out of its order."""
    _dealt(t, secret)
    hidden = t.last["primary"]
    _decide(t, "hit")
    t.draw("3C>box1.3")
    _decide(t, "hit")
    t.hear(hidden)
    t.resolve("void")


@play(ONE, ONE_STATING, TWO)
def void_instead_of_reveal(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    _decide(t, "hit")
    t.draw("3C>box1.3")
    t.obey("round.void", round_id="R1", reason="misdeal")


@play(ONE, TWO, secrets=("2H", "AS", "9H", "8S"))
def peek_that_says_no(t: Glass, secret: str) -> None:
    _dealt(t, secret, up="AD")
    t.ask("hole_card.peek", round_id="R1")
    t.obey("insurance.close", round_id="R1")
    t.obey("hole_card.peek", round_id="R1")
    t.ask("hole_card.peek", round_id="R1")
    t.crash()
    _go_on(t)
    _decide(t, "stand")
    _turn(t)


@play(ONE, TWO, secrets=("KS", "TH", "QD", "JC"))
def peek_that_says_yes(t: Glass, secret: str) -> None:
    _dealt(t, secret, up="AD")
    t.obey("insurance.close", round_id="R1")
    t.obey("hole_card.peek", round_id="R1")
    t.ask("decision", round_id="R1", box=1, hand=1, action="hit")
    _turn(t)


@play(TWO, TWO_STATING, secrets=("2H", "AS", "9H", "8S"), shows=("hole_card_peek_not_allowed",))
def look_that_says_no(t: Glass, secret: str) -> None:
    _dealt(t, secret, up="AD")
    t.obey("insurance.close", round_id="R1")
    t.draw(secret, role="hole")
    t.ask("hole_card.peek", round_id="R1")
    t.crash()
    _go_on(t)
    t.draw(secret, role="hole")
    t.resolve("accept")
    _decide(t, "stand")
    _turn(t)


@play(TWO, TWO_STATING, secrets=("KS", "TH", "QD", "JC"))
def look_that_says_yes(t: Glass, secret: str) -> None:
    _dealt(t, secret, up="AD")
    t.obey("insurance.close", round_id="R1")
    t.draw(secret, role="hole")
    t.ask("decision", round_id="R1", box=1, hand=1, action="hit")
    _turn(t)


@play(TWO, shows=("hole_card_mismatch",))
def another_card_is_looked_at(t: Glass, secret: str) -> None:
    """Which card it is not is all that it tells, and the round is void for it."""
    _dealt(t, secret, up="AD")
    t.obey("insurance.close", round_id="R1")
    t.draw("3C", role="hole")
    t.resolve("accept")
    t.crash()
    t.draw("4C", role="hole")
    t.resolve("void")
