"""The product's shoes against the oracle, shoe after shoe: no difference."""

import pytest
from oracle.shoe import SHOES
from oracle.shoe_differential import ShoeRun
from support import baccarat_bench, blackjack_bench

ROUNDS_OF_SHOES = 40


@pytest.mark.parametrize("key", SHOES)
def test_a_profile_states_what_the_book_states(key: str) -> None:
    house = SHOES[key]
    bench = blackjack_bench if house.blackjack else baccarat_bench
    stated = bench.profile(key)
    assert stated.decks == house.decks
    placed = None if house.cut_is_minimum else house.cut_from_back
    assert stated.cut_card_from_back == placed
    assert stated.cut_card_min_from_back == (house.cut_from_back if placed is None else None)
    assert stated.cut_card_tolerance == house.cut_tolerance
    assert stated.burn_after_shuffle == house.burn_after_shuffle
    assert stated.burn_after_misdeal == house.burn_after_misdeal
    assert stated.burn_after_dealer_change == house.burn_after_dealer_change
    assert stated.burn_at_discretion == house.burn_at_discretion


@pytest.mark.slow
@pytest.mark.parametrize("key", SHOES)
def test_the_product_plays_whole_shoes_as_the_oracle_does(key: str) -> None:
    run = ShoeRun(key, seed=1)
    for _ in range(ROUNDS_OF_SHOES):
        run.play_shoe()
    assert run.seen.rounds >= 400
    assert run.seen.refused_rounds >= 4
    assert run.seen.cut_cards > run.seen.misplaced
