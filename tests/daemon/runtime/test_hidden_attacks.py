"""Ways to learn a face-down card early, or to get a wrong one published: each is closed.

By whoever sends commands, lets a supervisor decide wrongly, or disturbs a reader.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.blackjack_bench import BlackjackBench, profile
from support.notation import drawn
from support.secrecy_bench import APART_S, Glass
from support.secrecy_houses import ONE_SSI, ONE_STATING, SQUEEZE_ALONE, TWO
from support.shoe_line import card_report
from support.table_bench import ROUND, found

from protocols.commands import OpenRound, ReplaceCard, RevealCard, StartVerify
from protocols.events import (
    CardBurned,
    CardDealt,
    CardRevealed,
    CardSealed,
    CardUnreadSeen,
    ViolationRaised,
)
from protocols.readings import CardUnread
from protocols.refusals import Refusal

HOLE = ("primary", "hole")


def faces(bench: BlackjackBench) -> list[str]:
    """Return every card that is told."""
    told = (CardDealt, CardRevealed, CardBurned)
    return [f"{one.rank}{one.suit}" for one in bench.events if isinstance(one, told) and one.rank]


def raised(bench: BlackjackBench) -> ViolationRaised:
    return found(bench.events, ViolationRaised)[-1]


def missed_up_card(**rules: Any) -> BlackjackBench:
    """The box's second card was missed, and the hole card lies on its reader."""
    bench = BlackjackBench(profile("blackjack-lv", **rules), roles=HOLE)
    bench.bet(1)
    bench.draw("TS", "7C")
    bench.draw("KH", role="hole")
    return bench


def test_a_hole_card_on_its_reader_is_not_accepted_as_the_boxs() -> None:
    bench = missed_up_card()
    assert (raised(bench).code, raised(bench).read) == ("card_out_of_turn", None)
    assert raised(bench).resolutions == ("void", "burn", "correct")
    bench.ask(bench.decision("card_out_of_turn", "accept"))
    assert bench.refusal == Refusal.ACTION_NOT_ALLOWED
    bench.resolve("card_out_of_turn", "correct", "6D")  # who sees the felt says what was missed
    bench.draw("KH", role="hole")
    assert found(bench.events, CardSealed)[0].slot == "dealer.2"
    assert faces(bench) == ["TS", "7C", "6D"]


@pytest.mark.parametrize("burned_faces", ["shown", "on_request"])
def test_a_hidden_card_that_is_burned_is_not_shown_while_the_round_is_open(
    burned_faces: str,
) -> None:
    bench = missed_up_card(burned_faces=burned_faces)
    bench.resolve("card_out_of_turn", "burn")
    assert found(bench.events, CardBurned)[0].rank is None
    bench.ask(RevealCard("burn.1"))
    assert bench.refusal == Refusal.WRONG_PHASE
    assert faces(bench) == ["TS", "7C"]
    bench.void()
    bench.ask(RevealCard("burn.1"))
    assert faces(bench) == ["TS", "7C", "KH"]


def test_a_shoe_that_gives_a_card_to_the_dealer_gives_it_to_no_box() -> None:
    bench = BlackjackBench("blackjack-lv")
    bench.bet(1)
    bench.draw("TS>box1", "7C>dealer", "KH>dealer")
    assert raised(bench).code == "card_out_of_turn"
    assert "accept" not in raised(bench).resolutions
    bench.ask(bench.decision("card_out_of_turn", "accept"))
    assert bench.refusal == Refusal.ACTION_NOT_ALLOWED
    assert faces(bench) == ["TS", "7C"]


def test_an_accepted_card_waits_for_the_next_one_as_any_other() -> None:
    """Else a missed card before it would have told the dealer's, which lies face down."""
    bench = BlackjackBench(profile("blackjack-lv", dealer_first_card="down_then_revealed"))
    bench.ask(OpenRound(ROUND, (1,)))
    bench.draw("TS")
    bench.resolve("card_before_no_more_bets", "accept")
    assert faces(bench) == []
    bench.draw("7C")
    assert faces(bench) == ["TS"]
    (sealed,) = found(bench.events, CardSealed)
    assert sealed.slot == "dealer.1"


def test_something_unread_tells_no_card_that_may_be_the_hole_card() -> None:
    """The box's second card was missed, and the hole card waits in its place."""
    bench = BlackjackBench("blackjack-lv")
    bench.bet(1)
    bench.draw("TS", "7C", "KH")
    bench.hear(CardUnread("no card has the code 'CIGARETTES'"))
    assert (raised(bench).code, raised(bench).slot) == ("hole_card_unscanned", "dealer.2")
    bench.resolve("hole_card_unscanned", "accept")
    bench.draw("KH")  # scanned again, as a person does who is told that it was not
    assert raised(bench).code == "sealed_violation"
    bench.void()
    assert faces(bench) == ["TS", "7C"]


def test_a_hole_card_that_was_not_read_is_scanned_again_and_tells_the_card_before_it() -> None:
    bench = BlackjackBench("blackjack-lv")
    bench.bet(1)
    bench.draw("TS", "7C", "6D")
    bench.hear(CardUnread("no decode"))
    bench.resolve("hole_card_unscanned", "accept")
    bench.draw("KH")
    assert faces(bench) == ["TS", "7C", "6D"]
    (sealed,) = found(bench.events, CardSealed)
    assert (sealed.slot, sealed.shoe_position) == ("dealer.2", 4)


def test_what_an_unread_hidden_card_is_labelled_is_not_quoted() -> None:
    bench = BlackjackBench("blackjack-lv", roles=HOLE)
    bench.bet(1)
    bench.draw("TS", "7C", "6D")
    bench.hear(CardUnread("no card has the code 'ZKS'"), "hole")
    (unread,) = found(bench.events, CardUnreadSeen)
    assert unread.reason == "its reader did not identify it"
    assert "ZKS" not in repr(bench.events)


def test_a_card_that_lies_face_up_is_quoted_as_ever() -> None:
    bench = BlackjackBench("blackjack-lv", roles=HOLE)
    bench.bet(1)
    bench.hear(CardUnread("no card has the code 'ZKS'"))
    assert found(bench.events, CardUnreadSeen)[0].reason == "no card has the code 'ZKS'"


@pytest.mark.parametrize("again", ["KH", "2C"])
def test_a_face_down_slot_that_is_stated_again_is_held_whatever_it_states(again: str) -> None:
    bench = BlackjackBench("blackjack-lv")
    bench.bet(1)
    bench.draw("TS>box1", "7C>dealer", "6D>box1", "KH>dealer")
    bench.hear(drawn(f"{again}>dealer.2"))
    assert raised(bench).code == "sealed_violation"
    assert "once more" in raised(bench).detail


def test_no_replacement_tells_what_the_rest_of_a_shoe_lacks() -> None:
    bench = BlackjackBench(profile("blackjack-gr", cut_card_from_back=26), decks=1)
    bench.ask(StartVerify("rest"))
    bench.draw("KH")
    for card in ("KH", "2C"):
        bench.ask(ReplaceCard("anna", "torn", removed=card))
        assert bench.refusal == Refusal.RULES_FORBID, "counted or not, the answer is the same"


# --- at the reader's line ---------------------------------------------------------------------


def test_bytes_that_lay_in_the_port_are_told_by_the_kilobyte() -> None:
    with Glass(TWO) as table:
        table.pull("hole")
        table.plug("hole", stale=b"10H\r\n")
        up = [one for one in table.blobs if "device.connected" in one][-1]
        assert '"stale_bytes":1024' in up


def test_an_older_frame_of_the_hole_card_shows_nowhere() -> None:
    with Glass(ONE_STATING) as table:
        table.obey("shoe.load", shoe_id="S1", decks=8)
        table.obey("round.open", round_id="R1", boxes=[1])
        table.obey("bets.close", round_id="R1")
        table.draw("5C>box1.1", "7D>dealer.1", "6C>box1.2", "KH>dealer.2")
        hidden = table.last["primary"]
        table.obey("decision", round_id="R1", box=1, hand=1, action="hit")
        table.draw("3C>box1.3")
        table.obey("decision", round_id="R1", box=1, hand=1, action="hit")
        table.hear(hidden)
        assert table.codes == ["reading_gap"]
        shown = repr(table.steps)
        assert hidden.hex() not in shown
        assert '"rank":"K"' not in shown


def test_a_card_equal_to_the_hidden_one_before_it_is_shown_as_any_other() -> None:
    with Glass(ONE_SSI) as table:
        table.obey("shoe.load", shoe_id="S1", decks=8)
        table.obey("round.open", round_id="R1", boxes=[1])
        table.obey("bets.close", round_id="R1")
        table.draw("5C", "7D", "6C", "3C")
        table.obey("decision", round_id="R1", box=1, hand=1, action="hit")
        table.draw("3C")
        assert table._clock.at.ns == 5 * APART_S * 1e9
        assert '"concealed":true' not in "".join(table.steps[-1].shown["frames"])
        dealt = [one for one in table.blobs if "card.dealt" in one][-1]
        assert '"slot":"box1.hand1.card3"' in dealt


def test_a_card_that_is_carried_over_face_down_is_not_named() -> None:
    with Glass(SQUEEZE_ALONE) as table:
        table.hear(card_report(1, "KH>player.1", "R"))
        table.hear(card_report(2, "3C>player.1", "R"))
        assert table.codes == ["card_conflict"]
        assert not [one for one in table.blobs if "KH" in one or "3C" in one]
        copies = table.inbox.state.game.shoe
        assert copies is None or copies.copies == {}
