"""Baccarat: rounds, who opens them, what they say, the shoe's own verdict."""

from __future__ import annotations

import json
import tomllib
from typing import Literal

import pytest
from pydantic import TypeAdapter
from support.baccarat_bench import NATURAL, SIX_CARDS, BaccaratBench, profile
from support.notation import dealt
from support.table_bench import PROFILES, found, kinds, written_rules

from daemon.gamekit.spec import DueCard, Round
from daemon.games.baccarat import GAME
from daemon.games.baccarat.outcome import BaccaratOutcome
from daemon.games.baccarat.state import BaccaratProfile, BaccaratState
from daemon.table.transition import TableTransition
from protocols.canonical import canonical
from protocols.commands import CloseBets, CloseShoe, LoadShoe, OpenRound
from protocols.events import (
    DealtCard,
    ResultAnnounced,
    RoundBetsClosed,
    RoundVoidRequired,
    ShoeLoaded,
    ViolationRaised,
)
from protocols.readings import CutCardSeen, ShoeResult, ShoeStandby, ShoeStarted, WheelNumber
from protocols.refusals import Refusal

# --- a round --------------------------------------------------------------------------------


def test_a_natural_ends_the_round_after_four_cards() -> None:
    bench = BaccaratBench()
    bench.deal(*NATURAL)
    assert dealt(bench.events) == [
        ("player.1", "8S", 1),
        ("banker.1", "5C", 2),
        ("player.2", "KD", 3),
        ("banker.2", "2H", 4),
    ]
    assert bench.outcomes == [
        BaccaratOutcome(
            winner="player",
            player_total=8,
            banker_total=7,
            natural=True,
            player_pair=False,
            banker_pair=False,
            cards=(
                DealtCard("player.1", "8", "S"),
                DealtCard("banker.1", "5", "C"),
                DealtCard("player.2", "K", "D"),
                DealtCard("banker.2", "2", "H"),
            ),
        )
    ]
    assert bench.state.round is None


def test_a_round_can_take_six_cards_and_the_player_draws_first() -> None:
    bench = BaccaratBench()
    bench.deal(*SIX_CARDS)
    assert [slot for slot, _, _ in dealt(bench.events)][4:] == ["player.3", "banker.3"]
    (outcome,) = bench.outcomes
    assert (outcome.winner, outcome.player_total, outcome.banker_total) == ("banker", 1, 9)
    assert not outcome.natural


def test_the_banker_draws_on_five_when_the_player_stands() -> None:
    bench = BaccaratBench()
    bench.deal("6S", "5C", "KD", "TH", "4H")
    assert dealt(bench.events)[-1] == ("banker.3", "4H", 5)
    assert bench.outcomes[0].banker_total == 9


def test_two_equal_cards_in_a_row_are_two_cards() -> None:
    bench = BaccaratBench()
    bench.deal("KD", "KD", "5C", "JS")
    assert [code for _, code, _ in dealt(bench.events)] == ["KD", "KD", "5C", "JS"]
    assert bench.codes == []


@pytest.mark.parametrize(
    ("cards", "pairs"),
    [
        (("4S", "9D", "4D", "9D"), (True, True)),  # a pair is of rank; suit is irrelevant
        (("TS", "KD", "KS", "9D"), (False, False)),  # equal in value is not equal in rank
    ],
)
def test_a_pair_is_two_first_cards_of_one_rank(
    cards: tuple[str, ...], pairs: tuple[bool, bool]
) -> None:
    bench = BaccaratBench(profile("baccarat-gr", burn_after_shuffle=0))
    bench.deal(*cards)
    (outcome,) = bench.outcomes
    assert (outcome.player_pair, outcome.banker_pair) == pairs


def test_a_house_without_pair_bets_reports_no_pairs() -> None:
    bench = BaccaratBench(profile("baccarat-lv"))
    bench.deal("4S", "9D", "4D", "9D")
    assert not bench.outcomes[0].player_pair
    assert not bench.outcomes[0].banker_pair


def test_the_slot_that_is_due_is_known_while_cards_are_dealt() -> None:
    bench = BaccaratBench()

    def due() -> object:
        return GAME.due(
            bench.state.game, TableTransition(bench.setup, bench.state, bench.now).context()
        )

    assert due() is None
    bench.open()
    assert due() is None
    bench.obey(CloseBets("R1"))
    seen = [due()]
    for one in SIX_CARDS:
        bench.draw(one)
        seen.append(due())
    slots = ("player.1", "banker.1", "player.2", "banker.2", "player.3", "banker.3")
    assert seen == [*(DueCard(slot) for slot in slots), None]


# --- who opens it ---------------------------------------------------------------------------


def test_the_first_card_closes_the_bets_where_the_house_says_so() -> None:
    bench = BaccaratBench(profile(bets_end="first_card"))
    bench.open()
    heard = bench.draw("8S")
    assert kinds(heard) == ["round.bets_closed", "card.dealt"]
    assert found(heard, RoundBetsClosed)[0].by == "first_card"


def test_player_1_opens_the_round_where_the_shoe_does() -> None:
    bench = BaccaratBench(control="device")
    heard = bench.draw("8S>player.1")
    assert kinds(heard) == ["round.opened", "round.bets_closed", "card.dealt"]
    assert found(heard, RoundBetsClosed)[0].by == "first_card"
    bench.draw("5C>banker.1", "KD>player.2", "2H>banker.2", "9D>player.1")
    assert [one.winner for one in bench.outcomes] == ["player"]
    assert bench.state.round == Round("T-1-2", "dealing")


def test_a_shoe_without_slots_opens_the_next_round_with_the_next_card() -> None:
    bench = BaccaratBench(control="device")
    bench.draw(*NATURAL, *SIX_CARDS)
    assert [one.winner for one in bench.outcomes] == ["player", "banker"]
    assert bench.codes == []


def test_a_shoe_that_nobody_loaded_is_known_by_its_first_card() -> None:
    bench = BaccaratBench(control="device", decks=None)
    heard = bench.draw("8S>player.1")
    assert heard[0] == ShoeLoaded("unknown", 8, "device")
    assert dealt(heard) == [("player.1", "8S", 1)]


@pytest.mark.parametrize("reading", [ShoeStarted(), ShoeStandby()])
def test_neither_start_nor_standby_opens_a_round(reading: ShoeStarted | ShoeStandby) -> None:
    bench = BaccaratBench(control="device")
    assert bench.hear(reading) == []
    assert bench.state.round is None


def test_no_round_opens_without_a_shoe() -> None:
    assert BaccaratBench(decks=None).refused(OpenRound("R1")) is Refusal.NO_SHOE


def test_a_second_shoe_needs_the_first_to_be_closed() -> None:
    bench = BaccaratBench()
    assert bench.refused(LoadShoe("S2", 8)) is Refusal.SHOE_LOADED
    assert kinds(bench.obey(CloseShoe())) == ["shoe.closed"]
    assert bench.refused(CloseShoe()) is Refusal.NO_SHOE
    bench.obey(LoadShoe("S2", 8))
    assert bench.shoe.shoe_id == "S2"


def test_decks_come_from_the_profile_and_else_from_the_command() -> None:
    bench = BaccaratBench(decks=None)
    bench.obey(LoadShoe("S1"))
    assert bench.shoe.decks == 8
    unstated = BaccaratBench(profile(decks=None), decks=None)
    assert unstated.refused(LoadShoe("S1")) is Refusal.DECKS_NOT_STATED
    unstated.obey(LoadShoe("S1", 6))
    assert unstated.shoe.decks == 6


@pytest.mark.parametrize("decks", [0, -1])
def test_a_shoe_of_no_decks_is_refused(decks: int) -> None:
    assert BaccaratBench(decks=None).refused(LoadShoe("S1", decks)) is Refusal.MALFORMED


# --- the last round -------------------------------------------------------------------------


def test_the_round_in_which_the_cut_card_comes_is_the_last() -> None:
    bench = BaccaratBench()
    bench.deal("8S", "5C")
    bench.hear(CutCardSeen())
    bench.draw("KD", "2H")
    assert len(bench.outcomes) == 1
    assert bench.refused(OpenRound("R2")) is Refusal.LAST_ROUND_PLAYED


def test_a_cut_card_before_the_deal_leaves_one_last_round() -> None:
    bench = BaccaratBench()
    bench.hear(CutCardSeen())
    bench.deal(*NATURAL)
    assert len(bench.outcomes) == 1
    assert bench.refused(OpenRound("R2")) is Refusal.LAST_ROUND_PLAYED


def test_a_voided_round_with_the_cut_card_in_it_was_the_last() -> None:
    bench = BaccaratBench()
    bench.deal("8S", "5C")
    bench.hear(CutCardSeen())
    bench.void()
    assert bench.refused(OpenRound("R2")) is Refusal.LAST_ROUND_PLAYED


def test_a_round_voided_before_its_first_card_was_not_the_last() -> None:
    bench = BaccaratBench()
    bench.hear(CutCardSeen())
    bench.open()
    bench.void()
    assert bench.refused(OpenRound("R2")) is None


def test_a_card_voided_between_rounds_does_not_cost_the_last_round() -> None:
    bench = BaccaratBench()
    bench.deal(*NATURAL)
    bench.hear(CutCardSeen())
    bench.draw("9C")
    bench.resolve("card_not_due", "void")
    assert bench.refused(OpenRound("R2")) is None


def test_where_the_house_shuffles_at_once_no_round_follows_the_cut_card() -> None:
    bench = BaccaratBench(profile(cut_card_first_out="shuffle_now"))
    bench.hear(CutCardSeen())
    assert bench.refused(OpenRound("R1")) is Refusal.LAST_ROUND_PLAYED


def test_where_the_house_shuffles_at_once_a_round_not_yet_dealt_has_to_be_voided() -> None:
    bench = BaccaratBench(profile(cut_card_first_out="shuffle_now"))
    bench.deal()
    heard = bench.hear(CutCardSeen())
    assert [one.round_id for one in found(heard, RoundVoidRequired)] == ["R1"]
    bench.draw("8S")
    assert bench.codes[-1] == "card_after_cut_card"


def test_a_round_already_dealt_is_finished_where_the_house_shuffles_at_once() -> None:
    bench = BaccaratBench(profile(cut_card_first_out="shuffle_now"))
    bench.deal("8S")
    assert found(bench.hear(CutCardSeen()), RoundVoidRequired) == []
    bench.draw(*NATURAL[1:])
    assert len(bench.outcomes) == 1


def test_a_second_cut_card_changes_nothing() -> None:
    bench = BaccaratBench()
    bench.hear(CutCardSeen())
    assert bench.hear(CutCardSeen()) == []


def test_where_the_device_rules_a_start_after_the_cut_card_is_a_new_shoe_once() -> None:
    bench = BaccaratBench(control="device")
    bench.hear(CutCardSeen())
    assert kinds(bench.hear(ShoeStarted())) == ["shoe.closed"]
    assert bench.hear(ShoeStarted()) == []
    assert kinds(bench.draw("8S>player.1"))[:2] == ["shoe.loaded", "round.opened"]


# --- the shoe's own verdict -----------------------------------------------------------------


def said(winner: Literal["player", "banker", "tie", "aborted"], *pairs: str) -> ShoeResult:
    return ShoeResult(winner, "player" in pairs, "banker" in pairs)


def test_a_verdict_that_agrees_is_announced() -> None:
    bench = BaccaratBench()
    bench.deal(*NATURAL)
    assert bench.hear(said("player")) == [
        ResultAnnounced("shoe", "player", player_pair=False, banker_pair=False, agrees=True)
    ]


@pytest.mark.parametrize("verdict", [said("banker"), said("player", "banker"), said("tie")])
def test_a_verdict_that_differs_is_a_conflict(verdict: ShoeResult) -> None:
    bench = BaccaratBench()
    bench.deal(*NATURAL)
    heard = bench.hear(verdict)
    assert [one.agrees for one in found(heard, ResultAnnounced)] == [False]
    assert bench.codes == ["result_conflict"]
    assert bench.state.held
    assert len(bench.outcomes) == 1


def test_a_verdict_may_come_after_the_next_round_has_opened() -> None:
    bench = BaccaratBench()
    bench.deal(*NATURAL)
    bench.open("R2")
    heard = bench.hear(said("player"))
    assert [one.agrees for one in found(heard, ResultAnnounced)] == [True]
    assert bench.codes == []


def test_a_verdict_while_a_card_is_due_is_a_conflict() -> None:
    bench = BaccaratBench()
    bench.deal("2S", "3C", "3D", "2H")
    bench.hear(said("tie"))
    assert bench.codes == ["result_conflict"]
    assert bench.outcomes == []


def test_a_verdict_that_no_round_waits_for_is_late_and_holds_nothing() -> None:
    bench = BaccaratBench()
    bench.hear(said("player"))
    assert bench.codes == ["late_result"]
    assert not bench.state.held


def test_a_verdict_before_the_first_round_has_closed_its_bets_is_late() -> None:
    bench = BaccaratBench()
    bench.open()
    bench.hear(said("player"))
    assert bench.codes == ["late_result"]
    assert [one.round_id for one in found(bench.events, ViolationRaised)] == [None]


def test_fault_22_a_round_aborted_at_the_shoe_has_to_be_voided() -> None:
    bench = BaccaratBench()
    bench.deal("8S")
    heard = bench.hear(said("aborted"))
    assert [one.round_id for one in found(heard, RoundVoidRequired)] == ["R1"]
    assert [one.code for one in found(heard, ViolationRaised)] == ["shoe_error"]
    assert bench.outcomes == []


# --- the rest -------------------------------------------------------------------------------


def test_a_wheel_says_nothing_to_a_card_table() -> None:
    bench = BaccaratBench()
    before = bench.state.game
    assert bench.hear(WheelNumber("17")) == []
    assert bench.state.game == before


def test_the_state_comes_back_from_json_as_it_was() -> None:
    bench = BaccaratBench()
    bench.deal(*NATURAL)
    bench.hear(CutCardSeen())
    bench.obey(CloseShoe())
    bench.obey(LoadShoe("S2", 8))
    bench.deal("2S", "3C", "3D", round_id="R2")
    codec = TypeAdapter(BaccaratState)
    again = codec.validate_python(json.loads(canonical(codec.dump_python(bench.game))))
    assert again == bench.game


@pytest.mark.parametrize("key", ["baccarat-dk", "baccarat-lv", "baccarat-gr"])
def test_a_house_file_states_every_rule_and_nothing_else(key: str) -> None:
    written = tomllib.loads((PROFILES / f"{key}.toml").read_text())
    assert set(written) == {"game", "title", "source", "rules", "clauses"}
    assert written["game"] == "baccarat"
    assert set(written["rules"]) == set(BaccaratProfile.__dataclass_fields__) - {
        "cut_card_min_from_back"
    }
    stated = json.dumps(written["rules"])
    rules = TypeAdapter(BaccaratProfile).validate_json(stated, strict=True)
    assert rules == written_rules(GAME, key)


def test_the_houses_differ_as_their_books_say() -> None:
    dk, lv, gr = (profile(f"baccarat-{one}") for one in ("dk", "lv", "gr"))
    assert dk == lv
    assert (dk.decks, dk.cut_card_from_back, dk.cut_card_tolerance) == (8, 7, 0)
    assert (dk.burn_after_shuffle, dk.burn_after_misdeal, dk.burn_after_dealer_change) == (0, 0, 0)
    assert (dk.burn_at_discretion, dk.pairs_reported) == (False, False)
    assert (gr.decks, gr.cut_card_from_back) == (8, 52)
    assert gr.cut_card_tolerance > 0
    assert (gr.burn_after_shuffle, gr.burn_after_misdeal, gr.burn_after_dealer_change) == (6, 3, 1)
    assert (gr.burn_at_discretion, gr.pairs_reported) == (True, True)
