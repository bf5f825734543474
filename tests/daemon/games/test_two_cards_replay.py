"""Dragon Tiger and Football Studio at the end of an Angel Eye's line: bytes in, events out."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.shoe_line import Line, card_report, kinds
from support.two_card_bench import GAMES, TwoCards

from daemon.cli.event_format import event_words
from drivers.capture import read_capture
from protocols.shoes.angel_eye_ii_ex.layout import report

SCENARIO = (
    Path(__file__).parents[2] / "captures" / "angel_eye_ii_ex" / "natural_then_six_cards.capture"
)
ABORTED = report("3", "G", b"\xf0")

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.key)


def line_of(game: TwoCards, control: str) -> Line:
    """Return one table of the game and one Angel Eye, without a shoe yet."""
    return Line(game.spec.default_profile, control, game=game.spec.key, shoe=False)


def test_the_first_two_cards_of_a_golden_scenario_are_a_round(game: TwoCards) -> None:
    line = line_of(game, "device")
    for moment in read_capture(SCENARIO).lines[:4]:  # start, standby, player 1, banker 1
        line.replay.play(moment)
    assert kinds(line.events)[2:] == [
        "shoe.loaded",
        "round.opened",
        "round.bets_closed",
        "card.dealt",
        "card.dealt",
        "round.completed",
    ]
    (outcome,) = line.outcomes
    assert (outcome["game"], outcome["winner"]) == (game.spec.key, game.first)
    assert outcome[game.first] == {"slot": game.slots[0], "rank": "8", "suit": "S"}
    assert outcome[game.second] == {"slot": game.slots[1], "rank": "5", "suit": "C"}


def test_a_shoe_that_deals_on_as_in_baccarat_is_held_at_the_third_card(game: TwoCards) -> None:
    line = line_of(game, "device")
    line.replay.run(read_capture(SCENARIO))
    assert len(line.outcomes) == 1
    assert line.codes == ["card_not_due"]


def test_a_shoe_that_is_reset_after_each_round_deals_round_after_round(game: TwoCards) -> None:
    line = line_of(game, "server")
    line.obey("shoe.load", shoe_id="S1")
    line.obey("round.open", round_id="R1")
    line.obey("bets.close", round_id="R1")
    line.hear(card_report(1, "KH>player.1"), card_report(2, "AS>banker.1"), ABORTED)
    line.obey("round.open", round_id="R2")
    line.obey("bets.close", round_id="R2")
    line.hear(card_report(4, "7C>player.1"), card_report(5, "7C>banker.1"))
    assert line.codes == []
    king_over_ace = {"dragon_tiger": "dragon", "football_studio": "away"}
    assert [one["winner"] for one in line.outcomes] == [king_over_ace[game.spec.key], game.equal]
    if game.spec.key == "dragon_tiger":
        assert [one["suited_tie"] for one in line.outcomes] == [False, True]


def test_a_second_card_for_the_first_hand_is_held_in_mid_round(game: TwoCards) -> None:
    line = line_of(game, "device")
    line.hear(card_report(1, "KH>player.1"), card_report(2, "AS>player.2"))
    assert line.codes == ["card_out_of_turn"]
    assert line.outcomes == []


def test_an_outcome_reads_as_a_line_for_people(game: TwoCards) -> None:
    line = line_of(game, "device")
    line.hear(card_report(1, "8S>player.1"), card_report(2, "5C>banker.1"))
    words = event_words(line.events[-1])
    assert words.startswith(f"winner={game.first} ")
    assert f"{game.first}=8S" in words
    assert f"{game.second}=5C" in words
