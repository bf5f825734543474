"""The bets decide which boxes of a blackjack table are in play (finding R11)."""

from __future__ import annotations

import pytest
from support.baccarat_bench import BaccaratBench
from support.blackjack_bench import HOUSES, BlackjackBench, profile
from support.roulette_bench import RouletteBench
from support.table_bench import ROUND, found

from protocols.commands import CloseBets, OpenRound
from protocols.events import CardDealt, RoundBetsClosed, ViolationRaised
from protocols.readings import CutCardSeen
from protocols.refusals import Refusal


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("opened", [(), (1, 2), (3, 5), (1, 2, 3, 4, 5, 6, 7)], ids=str)
def test_r11_the_boxes_with_a_bet_are_in_play_whatever_the_round_opened_with(
    house: str, opened: tuple[int, ...]
) -> None:
    """DK blackjack 3.4, LV blackjack 3.4, GR blackjack 3.4, RU blackjack dealing."""
    bench = BlackjackBench(house)
    bench.ask(OpenRound(ROUND, opened))
    (closed,) = bench.ask(CloseBets(ROUND, (5, 3)))
    assert closed == RoundBetsClosed(ROUND, "command", boxes=(3, 5))
    bench.draw("TS", "9S", "7C")
    slots = [one.slot for one in found(bench.events, CardDealt)]
    assert slots == ["box3.hand1.card1", "box5.hand1.card1", "dealer.1"]


@pytest.mark.parametrize("house", HOUSES)
def test_r11_those_of_the_opening_are_in_play_where_the_close_names_none(house: str) -> None:
    bench = BlackjackBench(house)
    bench.ask(OpenRound(ROUND, (6, 2)))
    assert bench.ask(CloseBets(ROUND)) == [RoundBetsClosed(ROUND, "command", boxes=(2, 6))]


@pytest.mark.parametrize("house", HOUSES)
def test_r11_without_a_bet_the_bets_do_not_close(house: str) -> None:
    bench = BlackjackBench(house)
    bench.ask(OpenRound(ROUND))
    assert bench.ask(CloseBets(ROUND)) == []
    assert bench.refusal == Refusal.BOXES_NOT_STATED
    bench.ask(CloseBets(ROUND, (1,)))
    assert bench.refusal is None


def test_r11_the_first_card_closes_the_bets_and_says_which_boxes_are_in_play() -> None:
    """RU blackjack dealing: there is no call."""
    bench = BlackjackBench("blackjack-ru")
    bench.ask(OpenRound(ROUND, (2, 1)))
    closed, _ = bench.draw("TS")
    assert closed == RoundBetsClosed(ROUND, "first_card", boxes=(1, 2))


def test_r11_a_first_card_goes_nowhere_where_no_box_has_a_bet() -> None:
    """RU blackjack general: at least one box plays. The bets stay open, the card is burned."""
    bench = BlackjackBench("blackjack-ru")
    bench.ask(OpenRound(ROUND))
    bench.draw("TS")
    assert bench.codes == ["card_not_due"]
    assert not found(bench.events, RoundBetsClosed)
    bench.resolve("card_not_due", "burn")
    bench.ask(CloseBets(ROUND, (4,)))
    bench.draw("9S")
    assert [one.slot for one in found(bench.events, CardDealt)] == ["box4.hand1.card1"]


def test_r11_an_early_card_is_dealt_to_nobody_before_a_bet_is_known() -> None:
    """GR leaves it to the pit boss to let it count: not where no box could have it."""
    bench = BlackjackBench("blackjack-gr")
    bench.ask(OpenRound(ROUND))
    bench.draw("TS")
    accepted = bench.decision("card_before_no_more_bets", "accept", {})
    assert bench.refused(accepted) == Refusal.ACTION_NOT_ALLOWED
    assert not found(bench.events, RoundBetsClosed)


def test_r11_a_card_read_before_the_bets_are_known_may_be_the_one_that_lies_face_down() -> None:
    """One reader, the dealer's first card down: the box's card may have been missed."""
    rules = profile("blackjack-gr", dealer_first_card="down_then_revealed")
    bench = BlackjackBench(rules)
    bench.ask(OpenRound(ROUND))
    bench.draw("7C")
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.read) == ("card_before_no_more_bets", None)
    assert "7C" not in repr(bench.events)


def test_r11_the_shoe_has_to_be_enough_for_the_boxes_that_bets_decide() -> None:
    rules = profile("blackjack-ru", decks=None, cut_card_min_from_back=150)
    bench = BlackjackBench(rules, decks=4)
    bench.fill(108)
    bench.hear(CutCardSeen())
    bench.ask(OpenRound(ROUND, (1,)))
    assert bench.refusal is None
    bench.ask(CloseBets(ROUND, (1, 2, 3, 4, 5, 6, 7)))
    assert bench.refusal == Refusal.TOO_FEW_CARDS
    bench.ask(CloseBets(ROUND, (2,)))
    assert bench.refusal is None


def test_r11_a_game_without_boxes_refuses_them_at_either_word() -> None:
    for bench in (BaccaratBench(), RouletteBench(control="server")):
        assert bench.refused(OpenRound("R1", (1,))) == Refusal.NOT_THIS_GAME
        bench.open("R1")
        assert bench.refused(CloseBets("R1", (1,))) == Refusal.NOT_THIS_GAME
        (closed,) = found(bench.close("R1"), RoundBetsClosed)
        assert closed.boxes is None
