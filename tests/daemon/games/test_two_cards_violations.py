"""Dragon Tiger and Football Studio: each violation, and what a supervisor makes of it."""

from __future__ import annotations

import pytest
from support.notation import burned, dealt
from support.table_bench import found, kinds
from support.two_card_bench import GAMES, TwoCardBench, TwoCards

from protocols.cards import DECK, Card
from protocols.events import CardDuplicateSuppressed, CardUnreadSeen, ViolationRaised
from protocols.readings import (
    CardReassigned,
    CardUnread,
    CutCardSeen,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeStarted,
)

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.key)

# --- a third card -------------------------------------------------------------------------------


def test_a_third_card_is_not_due(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S", "5C")
    (violation,) = found(bench.draw("9D"), ViolationRaised)
    assert (violation.code, violation.read) == ("card_not_due", "9D")
    assert bench.state.held
    assert len(bench.winners) == 1


def test_a_third_card_is_burned_and_counted(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S", "5C")
    bench.draw("9D")
    assert [one[1:] for one in burned(bench.resolve("card_not_due", "burn"))] == [
        (None, "violation", 3)
    ]
    bench.deal("2H", "3H", round_id="R2")
    assert dealt(bench.events)[2:] == [(game.slots[0], "2H", 4), (game.slots[1], "3H", 5)]
    assert bench.winners == [game.first, game.second]


@pytest.mark.parametrize("place", ["player.2", "banker.1", "banker.2"])
def test_a_third_card_for_a_hand_opens_no_round_where_the_shoe_does(
    game: TwoCards, place: str
) -> None:
    bench = TwoCardBench(game, "device")
    bench.draw("8S>player.1", "5C>banker.1")
    bench.draw(f"9D>{place}")
    assert bench.codes == ["card_not_due"]
    assert bench.state.round is None


# --- the wrong place ----------------------------------------------------------------------------


def test_a_card_for_the_second_hand_cannot_be_the_first(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    (violation,) = found(bench.deal("8S>banker.1"), ViolationRaised)
    assert (violation.code, violation.slot) == ("card_out_of_turn", game.slots[1])
    assert violation.expected == game.slots[0]
    assert dealt(bench.events) == []


@pytest.mark.parametrize("place", ["player.2", "player.3"])
def test_a_second_card_for_the_first_hand_is_out_of_turn(game: TwoCards, place: str) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S>player.1", f"5C>{place}")
    assert bench.codes == ["card_out_of_turn"]
    bench.resolve("card_out_of_turn", "accept")
    assert dealt(bench.events)[1:] == [(game.slots[1], "5C", 2)]
    assert bench.winners == [game.first]


def test_a_card_for_the_second_place_of_the_second_hand_is_out_of_turn(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S>player.1", "5C>banker.2")
    assert bench.codes == ["card_out_of_turn"]


def test_one_place_stated_twice_with_one_card_is_one_card(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S>player.1", "8S>player.1", "5C>banker.1")
    assert [one.reason for one in found(bench.events, CardDuplicateSuppressed)] == [
        f"{game.slots[0]} was stated again"
    ]
    assert bench.codes == []
    assert bench.shoe.out == 2


def test_one_place_stated_twice_with_two_cards_is_a_conflict(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S>player.1", "9S>player.1")
    (violation,) = found(bench.events, ViolationRaised)
    assert (violation.code, violation.slot) == ("card_conflict", game.slots[0])


# --- the wrong time -----------------------------------------------------------------------------


def test_a_card_before_no_more_bets_holds_and_may_be_accepted_as_the_first(
    game: TwoCards,
) -> None:
    bench = TwoCardBench(game)
    bench.open()
    (violation,) = found(bench.draw("8S"), ViolationRaised)
    assert (violation.code, violation.slot) == ("card_before_no_more_bets", game.slots[0])
    heard = bench.resolve("card_before_no_more_bets", "accept")
    assert kinds(heard)[2:] == ["round.bets_closed", "card.dealt"]
    bench.draw("5C")
    assert bench.winners == [game.first]


def test_a_card_after_the_cut_card_is_held_where_the_house_shuffles_at_once(
    game: TwoCards,
) -> None:
    bench = TwoCardBench(game, cut_card_first_out="shuffle_now", cut_card_tolerance=416)
    bench.deal()
    bench.hear(CutCardSeen())
    bench.draw("8S")
    assert bench.codes == ["card_after_cut_card"]


def test_a_card_of_a_later_round_than_the_last_is_held(game: TwoCards) -> None:
    bench = TwoCardBench(game, "device", cut_card_tolerance=416)
    bench.draw("8S")
    bench.hear(CutCardSeen())
    bench.draw("5C", "2H")
    assert bench.codes == ["card_after_cut_card"]
    assert len(bench.winners) == 1


def test_an_accepted_card_after_the_cut_card_opens_a_round_where_the_shoe_does(
    game: TwoCards,
) -> None:
    bench = TwoCardBench(game, "device", cut_card_tolerance=416)
    bench.draw("8S>player.1")
    bench.hear(CutCardSeen())
    bench.draw("5C>banker.1", "2H>player.1")
    heard = bench.resolve("card_after_cut_card", "accept")
    assert dealt(heard) == [(game.slots[0], "2H", 3)]


def test_a_first_card_before_the_burns_are_done_may_be_accepted_where_the_shoe_rules(
    game: TwoCards,
) -> None:
    bench = TwoCardBench(game, "device", burn_after_shuffle=1)
    bench.draw("8S>player.1")
    assert bench.codes == ["wrong_burn_count"]
    assert dealt(bench.resolve("wrong_burn_count", "accept")) == [(game.slots[0], "8S", 1)]


def test_a_burn_that_is_not_due_is_wrong_and_one_in_a_round_is_out_of_turn(
    game: TwoCards,
) -> None:
    between = TwoCardBench(game)
    between.draw("9D>burn.1")
    assert between.codes == ["wrong_burn_count"]
    within = TwoCardBench(game)
    within.deal("8S", "9D>burn.1")
    assert within.codes == ["card_out_of_turn"]


# --- cards that cannot be, and cards that nobody read -----------------------------------------


def test_a_ninth_copy_is_impossible_in_eight_decks(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    for number in range(4):
        bench.deal("KD", "KD", round_id=f"R{number}")
    bench.deal("KD", round_id="R9")
    (violation,) = found(bench.events, ViolationRaised)
    assert (violation.code, violation.slot) == ("impossible_card", game.slots[0])
    bench.resolve("impossible_card", "correct", "QD")
    bench.draw("2H")
    assert bench.winners == [*[game.equal] * 4, game.first]


def test_every_card_of_a_shoe_can_be_dealt_and_then_none(game: TwoCards) -> None:
    bench = TwoCardBench(game, "device", cut_card_from_back=0, cut_card_tolerance=0)
    for one in sorted(DECK * 8, key=lambda card: card.rank):  # no suit in order
        bench.draw(str(one))
    assert len(bench.winners) == 208
    assert bench.codes == []
    bench.draw("2H")
    assert bench.codes == ["impossible_card"]


def test_an_unread_card_is_named_by_a_person(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    heard = bench.deal("8S")
    heard = bench.hear(CardUnread("no code"))
    assert [one.slot for one in found(heard, CardUnreadSeen)] == [game.slots[1]]
    assert bench.codes == ["card_unread"]
    heard = bench.resolve("card_unread", "correct", "5C")
    assert dealt(heard) == [(game.slots[1], "5C", 2)]
    assert bench.winners == [game.first]


def test_cards_read_while_held_are_dealt_when_the_round_goes_on(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.open()
    bench.draw("8S", "5C")
    assert dealt(bench.events) == []
    bench.resolve("card_before_no_more_bets", "accept")
    assert bench.winners == [game.first]


def test_a_voided_round_leaves_its_cards_out_of_the_shoe(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S")
    bench.void()
    assert (bench.shoe.out, bench.game.order) == (1, ())
    bench.deal("2H", "3H", round_id="R2")
    assert bench.winners == [game.second]


# --- what the shoe says of itself ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "codes"),
    [
        (1, ["card_unread"]),
        (2, ["card_not_due"]),
        (3, ["shoe_error"]),
        (4, ["card_reversed"]),
        (7, ["shoe_error"]),
    ],
)
def test_an_error_of_the_shoe_holds_the_round(
    game: TwoCards, number: int, codes: list[str]
) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S")
    heard = bench.hear(ShoeErrorRaised(number, "an error", blocking=True))
    assert kinds(heard)[0] == "device.faulted"
    assert bench.codes == codes
    assert bench.state.held
    assert kinds(bench.hear(ShoeErrorCleared(number, "an error"))) == ["device.recovered"]


def test_an_overdrawn_card_is_the_first_of_the_next_round(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S", "5C")
    bench.hear(ShoeErrorRaised(2, "overdraw", blocking=True))
    bench.resolve("card_not_due", "burn")
    bench.hear(CardReassigned(Card("9", "D"), "player", 1))
    bench.deal("9D>player.1", "2H>banker.1", round_id="R2")
    assert bench.winners == [game.first, game.first]
    assert bench.shoe.out == 4


def test_a_shoe_that_starts_anew_in_mid_round_was_changed(game: TwoCards) -> None:
    bench = TwoCardBench(game, cut_card_tolerance=416)
    bench.deal("8S")
    bench.hear(CutCardSeen(), ShoeStarted())
    assert bench.codes == ["shoe_changed_in_round"]
