"""Seven cards in the order of a new deck come from a shoe that nobody shuffled."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod

import pytest
from support.baccarat_bench import BaccaratBench, profile
from support.notation import burned, dealt
from support.table_bench import found, kinds

from daemon.gamekit.shoe import ALARMS_AT, FactoryOrderRun
from protocols.cards import DECK, Card
from protocols.commands import ChangeDealer, CloseShoe, FinishVerify, LoadShoe, StartVerify
from protocols.events import ViolationRaised
from protocols.readings import CardUnread


def run_of(*codes: str) -> FactoryOrderRun:
    run = FactoryOrderRun()
    for code in codes:
        run = run.then(None if code == "?" else next(one for one in DECK if str(one) == code))
    return run


# --- what a run is --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "successors"),
    [
        ("AS 2S 3S", 2),
        ("KH QH JH TH", 3),
        ("AS 2S 3S 2S", 1),  # it turned round: a run of one, downwards
        ("AS 2S 2S", 0),  # the same card of another deck
        ("AS 2H 3S", 0),
        ("AS 3S", 0),
        ("QS KS AS 2S", 1),  # after the king a new suit begins: the ace is no successor
        ("AS 2S ? 3S 4S", 1),  # a hidden card ends it
        ("9S TS JS", 2),
    ],
)
def test_a_run_is_of_one_suit_and_one_direction(cards: str, successors: int) -> None:
    assert run_of(*cards.split()).successors == successors


def alarms(cards: list[Card], at: int = ALARMS_AT) -> int:
    run, count = FactoryOrderRun(), 0
    for one in cards:
        run = run.then(one)
        count += run.successors == at
    return count


@pytest.mark.parametrize("deck", [DECK, DECK[::-1]])
def test_unshuffled_decks_alarm_once_a_suit_wherever_they_are_cut(deck: tuple[Card, ...]) -> None:
    for cut in range(52):
        cards = [*deck[cut:], *deck[:cut]] * 8
        first = next(number for number in range(416) if alarms(cards[: number + 1]))
        assert first + 1 <= 13  # the worst cut leaves six cards of its suit
        assert 31 <= alarms(cards) <= 32


def expected(decks: int, successors: int) -> Fraction:
    """Return how many windows of so many successors a shuffled shoe has for each card dealt.

    4 suits, 13 - n first cards, 2 directions; each card after the other is one of `decks` left.
    """
    left = 52 * decks
    window = prod(
        (Fraction(decks, left - place) for place in range(successors + 1)), start=Fraction(1)
    )
    return 4 * (13 - successors) * 2 * window


def test_eight_shuffled_decks_alarm_once_in_fifty_years_on_a_hundred_tables() -> None:
    cards_a_year = 100 * 365 * 9600
    assert float(expected(8, 6)) == pytest.approx(5.7306e-11, rel=1e-4)
    assert [round(float(expected(n, 6)) * cards_a_year, 4) for n in (8, 6, 4, 2, 1)] == [
        0.0201,
        0.0204,
        0.0211,
        0.0235,
        0.0291,
    ]


def test_shuffled_shoes_make_short_runs_as_often_as_computed() -> None:
    """What the formula says of six is measured at two, which is met often enough."""
    lot, shoes, cards = random.Random(1), 1500, list(DECK * 8)
    met = 0
    for _ in range(shoes):
        lot.shuffle(cards)
        met += alarms(cards, 2)
    once = float(expected(8, 2)) * 414 * shoes  # windows of three cards in a shoe
    longer = float(expected(8, 3)) * 413 * shoes  # whose second window is no first one
    assert met == pytest.approx(once - longer, abs=5 * once**0.5)
    assert once > 300


# --- at the table ---------------------------------------------------------------------------------

BANKER_NATURAL = ("2S", "3S", "4S", "5S")
"""Player 6, banker 8: over after four cards."""


def test_seven_cards_in_order_hold_the_round_of_the_seventh() -> None:
    bench = BaccaratBench()
    bench.deal(*BANKER_NATURAL)
    heard = bench.deal("6S", "7S", "8S", round_id="R2")
    (alarm,) = found(heard, ViolationRaised)
    assert (alarm.code, alarm.round_id, alarm.read) == ("factory_order", "R2", "8S")
    assert alarm.detail == "7 cards up to 8S came in factory order"
    assert [one[1] for one in dealt(heard)] == ["6S", "7S", "8S"]
    assert bench.draw("9C") == []  # it waits
    assert len(bench.outcomes) == 1


def over_with_the_seventh() -> BaccaratBench:
    """Return a table held by an alarm at the last card of a round: player 8, banker 6."""
    bench = BaccaratBench()
    bench.deal("9C", "KS", "QS", "JS")  # player 9, banker 0
    heard = bench.deal("TS", "9S", "8S", "7S", round_id="R2")
    assert kinds(heard)[-2:] == ["violation.raised", "round.held"]
    assert len(bench.outcomes) == 1
    return bench


def test_a_person_may_let_the_round_count_and_its_outcome_leaves_then() -> None:
    bench = over_with_the_seventh()
    heard = bench.resolve("factory_order", "accept")
    assert kinds(heard)[-1] == "round.completed"
    assert [(one.winner, one.player_total) for one in bench.outcomes][1:] == [("player", 8)]
    bench.deal("6S", round_id="R3")
    assert bench.codes == ["factory_order"]  # once a run


def test_or_void_it_and_close_the_shoe() -> None:
    bench = over_with_the_seventh()
    assert kinds(bench.resolve("factory_order", "void"))[-1] == "round.voided"
    assert len(bench.outcomes) == 1
    assert bench.refused(CloseShoe()) is None


def test_burned_cards_that_are_shown_count_and_hidden_ones_end_the_run() -> None:
    seven = ("2S", "3S", "4S", "5S", "6S", "7S", "8S")
    shown = BaccaratBench(profile("baccarat-gr", burned_faces="shown", burn_after_shuffle=7))
    shown.draw(*seven)
    assert shown.codes == ["factory_order"]
    assert len(burned(shown.events)) == 7
    hidden = BaccaratBench(profile("baccarat-gr", burn_after_shuffle=7))
    hidden.draw(*seven)
    assert (hidden.codes, hidden.game.run) == ([], FactoryOrderRun())


def test_no_alarm_tells_a_hidden_card() -> None:
    """Were the burned six known, eight cards would lie in order."""
    told = []
    for burn in ("6S", "KD"):
        bench = BaccaratBench(profile(burn_after_dealer_change=1))
        bench.deal(*BANKER_NATURAL)
        bench.obey(ChangeDealer("D2"))
        bench.draw(burn)
        bench.deal("7S", "8S", "9S", round_id="R2")
        assert bench.codes == []
        told.append([one for one in bench.events if one.kind != "card.burned"])
    assert told[0] == told[1]


def test_an_unread_card_that_a_person_names_goes_on_with_the_run() -> None:
    bench = BaccaratBench()
    bench.deal(*BANKER_NATURAL[:3])
    bench.hear(CardUnread("no read"))
    bench.resolve("card_unread", "correct", "5S")
    assert bench.game.run.successors == 3


def test_another_shoe_begins_another_run() -> None:
    bench = BaccaratBench()
    bench.deal(*BANKER_NATURAL)
    assert bench.game.run.successors == 3
    bench.obey(CloseShoe())
    bench.obey(LoadShoe("S2", 8))
    assert bench.game.run == FactoryOrderRun()


def test_a_shoe_that_is_verified_in_factory_order_is_no_alarm() -> None:
    bench = BaccaratBench(profile(decks=1), decks=None)
    bench.obey(LoadShoe("S1", 1))
    bench.obey(StartVerify())
    bench.draw(*map(str, DECK))
    bench.obey(FinishVerify(("anna", "boris")))
    assert (bench.codes, bench.game.run) == ([], FactoryOrderRun())
