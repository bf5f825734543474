"""What happens at a table that hides a card: plays by name, each a function of that card alone.

A play ends with the card's reveal, or without one.
"""

from __future__ import annotations

import json
from typing import Final

import support.secrecy_plays_faults
import support.secrecy_plays_missed
import support.secrecy_plays_witness  # noqa: F401 - as above
from support.secrecy_bench import Glass
from support.secrecy_houses import (
    ANGEL,
    BURNING,
    BURNING_NEVER,
    DARK,
    DARK_STATING,
    FIRST_DOWN,
    FIRST_DOWN_TWO,
    ONE,
    ONE_SSI,
    ONE_STATING,
    SQUEEZE,
    SQUEEZE_ALONE,
    SQUEEZE_SCANNED,
    TWO,
    TWO_STATING,
    label,
)
from support.secrecy_pieces import (
    DEALER,
    PLAYS,
    SECRETS,
    Play,
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
from support.shoe_line import card_report

from protocols.cards import DECK
from protocols.shoes.angel_eye_ii_ex.layout import report

# --- each card that lies face down -------------------------------------------------------------


@play(ONE, ONE_SSI, ONE_STATING, TWO, TWO_STATING)
def hole_card(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    _played_out(t)


@play(TWO)
def hole_card_turned_on_its_reader(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    _decide(t, "stand")
    t.draw(secret, role="hole")


@play(DARK, DARK_STATING)
def double_in_the_dark(t: Glass, secret: str) -> None:
    _opened_after_burns(t)
    t.draw("5C>box1.1", "7D>dealer.1", "6C>box1.2")
    _decide(t, "double", dark=True)
    t.draw(f"{secret}>box1.3")
    t.draw("9D>dealer.2", "3D>dealer.3")
    _turn(t, "box1.hand1.card3")


@play(FIRST_DOWN, FIRST_DOWN_TWO)
def first_card_down(t: Glass, secret: str) -> None:
    _opened(t, 1)
    role = "hole" if _hole_reader(t) else "primary"
    t.draw("5C")
    t.draw(secret, role=role)
    t.draw("6C")
    t.draw("8D", role=role)
    _turn(t, "dealer.1")


@play(FIRST_DOWN, FIRST_DOWN_TWO, secrets=("KS", "2H", "TH", "9H"))
def hole_card_beside_a_first_card_that_was_turned(t: Glass, secret: str) -> None:
    _opened(t, 1)
    role = "hole" if _hole_reader(t) else "primary"
    t.draw("5C")
    t.draw("8D", role=role)
    t.draw("6C")
    t.draw(secret, role=role)
    t.ask("card.reveal", round_id="R1", slot=DEALER)
    t.crash()
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(SQUEEZE, SQUEEZE_ALONE)
def squeezed_hand(t: Glass, secret: str) -> None:
    if t.house.control == "server":
        _opened(t)
    t.draw("6D>player.1", "3C>banker.1", f"{secret}>player.2", "4C>banker.2")
    if t.house.control == "server":
        t.hear(report("5", "G", bytes([0x80 | 1 << 4])))  # the shoe's verdict
        for slot in ("player.1", "banker.1", "banker.2"):
            _turn(t, slot)
        _turn(t, "player.2")
    else:
        now = t.inbox.state.round
        t.ask("round.void", round_id=now.round_id if now else "", reason="misdeal")


@play(SQUEEZE_SCANNED)
def squeezed_hand_scanned(t: Glass, secret: str) -> None:
    _opened(t)
    t.draw(secret, "6D", "3C")
    t.crash()
    _go_on(t)
    t.draw("8C")
    _turn(t, "player.1")


@play(BURNING)
def burned_card(t: Glass, secret: str) -> None:
    t.obey("shoe.load", shoe_id="S1", decks=8)
    t.draw("6D>burn", f"{secret}>burn", "3C>burn", "8C>burn")
    t.at_once(t.last["primary"])
    t.crash()
    t.draw("7C>burn", "9C>burn")
    t.obey("round.open", round_id="R1")
    t.obey("bets.close", round_id="R1")
    t.draw("6H>player.1", "3H>banker.1", "3D>player.2", "4H>banker.2")
    t.obey("card.reveal", slot="burn.2")


@play(BURNING_NEVER, turned=False)
def burned_card_that_nobody_turns(t: Glass, secret: str) -> None:
    t.obey("shoe.load", shoe_id="S1", decks=8)
    t.draw("6D", "3C", secret, "8C", "5D")
    t.draw("7C")
    t.obey("round.open", round_id="R1")
    t.obey("bets.close", round_id="R1")
    t.draw("8H", "3H", "KD", "4H")
    t.ask("card.reveal", slot="burn.3")
    t.obey("shoe.close")


# --- a crash -----------------------------------------------------------------------------------


@play(ONE, ONE_STATING, TWO)
def crash_between_seal_and_reveal(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    t.crash()
    _go_on(t)
    _played_out(t)


@play(ONE, ONE_STATING)
def crash_before_the_hole_card(t: Glass, secret: str) -> None:
    _first_deal(t)
    t.crash()
    _hole_card(t, secret)
    _go_on(t)
    _played_out(t)


@play(TWO)
def crash_while_held(t: Glass, secret: str) -> None:
    _dealt(t, secret)
    t.draw("3C")
    t.crash()
    t.draw(secret, role="hole")
    t.ask("round.void", round_id="R1", reason="misdeal")


@play(ONE, TWO, turned=False)
def a_state_of_another_version(t: Glass, secret: str) -> None:
    """Nothing of a record that cannot be read is quoted where it was hidden."""
    _dealt(t, secret)
    journal = t.journal
    kept = journal.kept  # type: ignore[attr-defined] # the one in memory
    at = max(i for i, one in enumerate(kept) if one.kind == "input")
    cipher = t.house.keys.cipher
    clear = cipher.open(kept[at])
    strange = clear.blob.replace(b'"rank":"', b'"rank":"1')
    kept[at] = cipher.seal(type(clear)(clear.record, clear.epoch, clear.seq, clear.kind, strange))
    t.crash()


# --- what the hidden card would touch ------------------------------------------------------------


@play(ONE, TWO, secrets=("3C", "5C", "7D", "KS"))
def copy_too_many(t: Glass, secret: str) -> None:
    """One deck: some of these left the shoe already."""
    _opened(t, 1, decks=1)
    t.draw("5C", "7D", "6C")
    _hole_card(t, secret)
    _played_out(t)


@play(ONE, ONE_SSI, ONE_STATING, TWO, secrets=("3C", "KS", "TH"))
def the_next_card_is_the_same(t: Glass, secret: str) -> None:
    """It lies face up: whether anything of it is hidden must not depend on the card before."""
    _dealt(t, secret)
    _played_out(t)


@play(ONE, TWO, secrets=("8S", "KS", "2S", "TH"))
def factory_order(t: Glass, secret: str) -> None:
    """With the eight in it the run would alarm two cards later."""
    _opened(t, 1, 2)
    t.draw("3S", "4S", "5S", "6S", "7S")
    _hole_card(t, secret)
    _decide(t, "hit")
    t.draw("9S")
    _decide(t, "stand")
    _decide(t, "hit", box=2)
    t.draw("TS")
    _turn(t)


@play(DARK, secrets=("TH", "5C", "KS", "2H"))
def dark_card_that_no_count_may_know(t: Glass, secret: str) -> None:
    t.obey("shoe.load", shoe_id="S1", decks=1)
    t.draw("4C", "3C", "8C")
    t.obey("round.open", round_id="R1", boxes=[1, 2])
    t.draw("5C", "2C", "7D", "6C", "9C")
    _decide(t, "double", dark=True)
    t.draw(secret)
    _decide(t, "stand", box=2)
    t.draw("9D", "TC")
    _turn(t, "box1.hand1.card3")


@play(BURNING_NEVER, turned=False, secrets=("KS", "TH", "9H"))
def the_rest_counted(t: Glass, secret: str) -> None:
    """A card that is in nobody's count lies face down: no answer may tell which."""
    t.obey("shoe.load", shoe_id="S1", decks=1)
    out = ("6D", "3C", secret, "8C", "5D", "7C")
    t.draw(*out)
    t.obey("shoe.verify.start", cards="rest")
    rest = [label(str(card)) for card in DECK if str(card) not in out]
    t.hear("".join(f"{one:\x3c3}\r\n".replace(" ", "") for one in rest).encode())
    named = {"who": "anna", "why": "torn"}
    for card in ("KS", "TH", "2C"):
        t.ask("shoe.verify.replace", removed=card, **named)
        t.ask("shoe.verify.replace", added=card, **named)
    t.ask("shoe.verify.finish", names=["anna", "bert"])
    t.ask("shoe.close")


@play(SQUEEZE_ALONE, turned=False, shows=("card_conflict",))
def carried_card(t: Glass, secret: str) -> None:
    """The shoe gives a card to the next round, where it will lie face down; then it changes it."""
    t.hear(card_report(1, f"{secret}>player.1", "R"))
    t.hear(card_report(2, "3C>player.1", "R"))
    t.resolve("accept")


@play(SQUEEZE_ALONE, turned=False)
def carried_card_is_dealt(t: Glass, secret: str) -> None:
    t.hear(card_report(1, f"{secret}>player.1", "R"))
    t.hear(card_report(2, f"{secret}>player.1"))
    t.hear(card_report(3, "5C>banker.1"))


@play(SQUEEZE_ALONE, turned=False, shows=("card_out_of_turn",))
def another_card_than_the_carried_one(t: Glass, secret: str) -> None:
    t.hear(card_report(1, f"{secret}>player.1", "R"))
    t.hear(card_report(2, "5C>player.1"))


# --- whoever may send commands -------------------------------------------------------------------


@play(ONE, TWO, FIRST_DOWN)
def every_word_a_stranger_may_try(t: Glass, secret: str) -> None:
    _opened(t, 1)
    if t.house is FIRST_DOWN:
        t.draw("5C", "7D", "6C", secret)
        _turn_first(t)
    else:
        t.draw("5C", "7D", "6C")
        _hole_card(t, secret)
    for payload in (b"", b"[]", b"\xff", b'{"id": "x"}', b"{" * 99, secret[:0].encode()):
        t.send(payload)
    for name, fields in _WORDS:
        t.ask(name, **fields)
    call = {"id": "again", "expires": ALWAYS, "command": "table.status"}
    for more in ({}, {"round_id": "R1"}, {"command": "hole_card.peek", "round_id": "R1"}):
        t.send(json.dumps({**call, **more}).encode())
    t.ask("round.void", round_id="R1", reason="misdeal")


def _turn_first(t: Glass) -> None:
    t.ask("card.reveal", round_id="R1", slot="dealer.9")


ALWAYS: Final = "2026-11-30T12:00:00Z"
_WORDS: Final = (
    ("table.status", {}),
    ("table.resend", {"from_seq": 1}),
    ("card.reveal", {"slot": DEALER, "round_id": "R1"}),
    ("card.reveal", {"slot": DEALER}),
    ("card.reveal", {"slot": "burn.1"}),
    ("card.reveal", {"slot": "burn.1", "round_id": "R1"}),
    ("card.reveal", {"slot": "dealer.1", "round_id": "R0"}),
    ("hole_card.peek", {"round_id": "R1"}),
    ("insurance.close", {"round_id": "R1"}),
    ("shoe.close", {}),
    ("shoe.load", {"shoe_id": "S2", "decks": 8}),
    ("shoe.verify.start", {"cards": "rest"}),
    ("shoe.verify.finish", {"names": ["a", "b"]}),
    ("shoe.verify.replace", {"who": "a", "why": "b", "removed": "KS"}),
    ("maintenance.start", {"who": "a", "why": "b"}),
    ("dealer.change", {"badge": "7"}),
    ("burn", {"count": 1, "reason": "discretion"}),
    ("violation.resolve", {"violation_id": "V1", "action": "accept", "who": "a", "why": "b"}),
    ("round.open", {"round_id": "R2", "boxes": [1]}),
    ("decision", {"round_id": "R1", "box": 1, "hand": 1, "action": "split"}),
    ("decision", {"round_id": "R1", "box": 1, "hand": 2, "action": "hit"}),
    ("decision", {"round_id": "R1", "box": 1, "hand": 1, "action": "hit", "hand_cards": 9}),
    ("decision", {"round_id": "R1", "box": 1, "hand": 1, "action": "double", "dark": True}),
)
__all__ = ["ANGEL", "PLAYS", "SECRETS", "Play"]
