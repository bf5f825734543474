"""Who verifies a shoe and when, and a house that demands it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.baccarat_bench import BaccaratBench, profile
from support.notation import burned, dealt
from support.verify_bench import BOTH, CODES, finish, loaded, verifying

from daemon.table.transition import TableTransition
from protocols.commands import (
    BurnCards,
    CloseShoe,
    FinishVerify,
    LoadShoe,
    OpenRound,
    ReplaceCard,
    StartVerify,
)
from protocols.events import (
    ShoeClosed,
    ShoeVerified,
)
from protocols.readings import (
    CardUnread,
)
from protocols.refusals import Refusal

# --- two names, and when ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names", [("anna", "anna"), ("anna", "Anna "), ("", "boris"), ("anna", " ")]
)
def test_two_people_verify_a_shoe(names: tuple[str, str]) -> None:
    bench = verifying()
    bench.draw(*CODES)
    assert bench.refused(FinishVerify(names)) is Refusal.TWO_NAMES


def test_how_long_it_took_is_told_and_unknown_over_a_restart_of_the_machine() -> None:
    for boot, took in (("boot", 420.0), ("another", None)):
        bench = verifying()
        bench.draw(*CODES)
        bench.now = replace(bench.now.after(420.0), boot=boot)
        verdict = finish(bench)
        assert isinstance(verdict, ShoeVerified)
        assert verdict.took_s == took


def test_it_is_for_a_shoe_between_rounds_that_nothing_holds() -> None:
    assert BaccaratBench(decks=None).refused(StartVerify()) is Refusal.NO_SHOE
    bench = BaccaratBench()
    assert bench.refused(FinishVerify(BOTH)) is Refusal.WRONG_PHASE
    assert bench.refused(ReplaceCard("b", "why", added="AS")) is Refusal.WRONG_PHASE
    bench.deal("8S")
    assert bench.refused(StartVerify()) is Refusal.ROUND_OPEN
    held = BaccaratBench()
    held.draw("8S")
    assert held.refused(StartVerify()) is Refusal.HELD


def test_nothing_is_burned_or_due_meanwhile() -> None:
    bench = verifying(8, house="baccarat-gr")
    assert bench.refused(BurnCards(3, "misdeal")) is Refusal.VERIFYING
    turn = TableTransition(bench.setup, bench.state, bench.now)
    assert bench.setup.game.due(bench.state.game, turn.context()) is None
    bench.draw(*CODES * 8)
    finish(bench)
    assert len(burned(bench.draw("2S", "9S", "4S", "7H", "6S", "7S"))) == 6


# --- a house that demands it ----------------------------------------------------------------------


def test_where_the_house_demands_it_no_round_opens_before() -> None:
    bench = loaded(verify="required")
    assert bench.refused(OpenRound("R1")) is Refusal.SHOE_NOT_VERIFIED
    bench.obey(StartVerify())
    assert bench.refused(OpenRound("R1")) is Refusal.VERIFYING
    bench.draw(*CODES)
    finish(bench)
    assert bench.refused(OpenRound("R1")) is None


def test_it_is_void_when_the_shoe_leaves_the_table() -> None:
    bench = verifying(verify="required")
    bench.draw(*CODES)
    finish(bench)
    (closed,) = bench.obey(CloseShoe())
    assert isinstance(closed, ShoeClosed)
    assert closed.verified == ("start",)
    bench.obey(LoadShoe("S1", 1))
    assert bench.refused(OpenRound("R1")) is Refusal.PACK_RETURNED
    bench.obey(CloseShoe())
    bench.obey(LoadShoe("S2", 1))
    assert bench.refused(OpenRound("R1")) is Refusal.SHOE_NOT_VERIFIED


def test_a_shoe_that_is_closed_in_the_middle_of_it_is_not_verified() -> None:
    bench = verifying()
    bench.draw(*CODES)
    (closed,) = bench.obey(CloseShoe())
    assert isinstance(closed, ShoeClosed)
    assert (closed.verified, closed.cards_out) == ((), 0)
    assert bench.refused(FinishVerify(BOTH)) is Refusal.WRONG_PHASE


def test_a_card_burned_from_a_shoe_that_is_not_verified_waits_for_a_person() -> None:
    bench = loaded(8, "baccarat-gr", verify="required")
    bench.draw("2S")
    assert bench.codes == ["shoe_not_verified"]
    assert burned(bench.events) == []
    heard = bench.resolve("shoe_not_verified", "accept")
    assert [one[0] for one in burned(heard)] == ["burn.1"]
    assert len(burned(bench.draw("9S", "4S", "7H", "6S", "7S"))) == 5
    assert bench.refused(OpenRound("R1")) is None


def test_a_card_burned_unread_from_it_waits_as_well() -> None:
    bench = loaded(8, "baccarat-gr", verify="required")
    bench.hear(CardUnread("no read"))
    assert bench.codes == ["card_unread"]


def test_where_cards_open_rounds_the_first_of_it_waits_for_a_person() -> None:
    bench = BaccaratBench(profile(verify="required"), "device")
    bench.draw("8S>player.1")
    assert bench.codes == ["shoe_not_verified"]
    assert dealt(bench.events) == []
    heard = bench.resolve("shoe_not_verified", "accept")
    assert dealt(heard) == [("player.1", "8S", 1)]
    assert dealt(bench.draw("5C>banker.1")) == [("banker.1", "5C", 2)]


def test_a_shoe_that_nobody_announced_cannot_be_asked_for_it() -> None:
    bench = BaccaratBench(profile(verify="required"), "device", decks=None)
    assert dealt(bench.draw("8S>player.1")) == [("player.1", "8S", 1)]
