"""The shoe to the end, as the houses' books have it: findings R5, R6, R7 and R12."""

import pytest
from support.baccarat_bench import BaccaratBench
from support.baccarat_bench import profile as baccarat
from support.blackjack_bench import BlackjackBench
from support.table_bench import found

from protocols.commands import BurnCards, LoadShoe, OpenRound
from protocols.events import CardBurned, CardDealt
from protocols.readings import CutCardSeen
from protocols.refusals import Refusal

EVERY_BOX = (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("left", "refusal"),
    [
        (208, None),
        (188, None),  # four decks, and twenty cards that the eye may be off
        (187, Refusal.CUT_CARD_MISSING),
        (150, Refusal.CUT_CARD_MISSING),
        (52, Refusal.CUT_CARD_MISSING),
        (5, Refusal.CUT_CARD_MISSING),
    ],
)
def test_r5_no_round_opens_when_the_cut_card_of_dk_blackjack_is_overdue(
    left: int, refusal: Refusal | None
) -> None:
    """DK blackjack 3.3: it lies four decks from the back."""
    bench = BlackjackBench("blackjack-dk", decks=8)
    bench.fill(416 - left)
    bench.ask(OpenRound("R1", EVERY_BOX))
    assert bench.refusal == refusal


@pytest.mark.parametrize(
    ("left", "refusal"),
    [(7, None), (6, Refusal.CUT_CARD_MISSING), (3, Refusal.CUT_CARD_MISSING)],
)
def test_r5_no_round_opens_when_the_cut_card_of_dk_baccarat_is_overdue(
    left: int, refusal: Refusal | None
) -> None:
    """DK baccarat 3.3.4: exactly seven cards from the back."""
    bench = BaccaratBench()
    bench.fill(416 - left)
    bench.ask(OpenRound("R1"))
    assert bench.refusal == refusal


@pytest.mark.parametrize(
    ("left", "misplaced"),
    [(42, True), (45, True), (51, True), (52, False), (80, False), (100, False)],
)
def test_r6_the_russian_cut_is_a_least_number(left: int, *, misplaced: bool) -> None:
    """RU blackjack general: not less than one deck."""
    bench = BlackjackBench("blackjack-ru")
    bench.fill(312 - left)
    bench.hear(CutCardSeen())
    assert ("cut_card_misplaced" in bench.codes) == misplaced


@pytest.mark.parametrize(
    ("house", "stated", "given"),
    [("baccarat-dk", 8, 1), ("baccarat-gr", 8, 7), ("blackjack-ru", 6, 1), ("blackjack-ru", 6, 8)],
)
def test_r7_a_shoe_has_as_many_decks_as_the_house_states(
    house: str, stated: int, given: int
) -> None:
    if house.startswith("baccarat"):
        bench: BaccaratBench | BlackjackBench = BaccaratBench(baccarat(house), decks=None)
    else:
        bench = BlackjackBench(house, decks=None)
    assert bench.refused(LoadShoe("S1", given)) is Refusal.DECKS_DIFFER
    bench.obey(LoadShoe("S1", stated))


def test_r12_the_greek_house_burns_three_for_a_misdeal_in_the_round() -> None:
    """GR baccarat 3.4, 3.5: three cards, when the pit boss calls the deal a misdeal."""
    bench = BaccaratBench(baccarat("baccarat-gr"))
    bench.draw("2S", "3S", "4S", "5S", "6S", "7S")
    bench.open("R1")
    bench.close("R1")
    bench.draw("8S")
    assert bench.refused(BurnCards(1, "misdeal")) is Refusal.BURN_NOT_ALLOWED
    bench.obey(BurnCards(3, "misdeal"))
    heard = bench.draw("2H", "3H", "4H")
    assert [one.reason for one in found(heard, CardBurned)] == ["misdeal"] * 3
    bench.draw("5C")
    assert [one.slot for one in found(bench.events, CardDealt)] == ["player.1", "banker.1"]
    assert bench.codes == []


def test_r12_a_misdeal_burn_is_not_what_another_house_asks_for() -> None:
    """DK baccarat is silent, so none is burned."""
    assert BaccaratBench().refused(BurnCards(3, "misdeal")) is Refusal.BURN_NOT_ALLOWED
