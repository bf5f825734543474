"""Dragon Tiger and Football Studio at the end of an Angel Eye's line: bytes in, events out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.shoe_line import ALWAYS, card_data, code_of, kinds
from support.two_card_bench import GAMES, TwoCards

from daemon.cli.event_format import event_words
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from drivers.capture import read_capture
from drivers.capture_model import CaptureLine
from protocols.shoes.angel_eye_ii_ex import DEVICE, AngelEyeSettings
from protocols.shoes.angel_eye_ii_ex.layout import report

SCENARIO = (
    Path(__file__).parents[2] / "captures" / "angel_eye_ii_ex" / "natural_then_six_cards.capture"
)
ABORTED = report("3", "G", b"\xf0")

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.key)


class Line:
    """One table, one Angel Eye."""

    def __init__(self, game: TwoCards, control: str) -> None:
        self.blobs: list[bytes] = []
        config = one_table(
            game.spec.key, game.spec.default_profile, DEVICE.key, round_control=control
        )
        setup = setup_of(config)
        self.replay = OfflineReplay(setup, DEVICE, AngelEyeSettings(), self.blobs.append)
        self.seconds = 0.0

    def hear(self, *frames: bytes) -> None:
        for frame in frames:
            self.seconds += 1.0
            self.replay.play(CaptureLine(self.seconds, "device", frame))

    def obey(self, command: str, **fields: Any) -> None:
        call = {"id": f"{command}{self.seconds}", "expires": ALWAYS, "command": command, **fields}
        self.replay.play(CaptureLine(self.seconds, "command", call))
        assert self.replay.tally.refused == []

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(blob) for blob in self.blobs]

    @property
    def outcomes(self) -> list[dict[str, Any]]:
        ends = [one for one in self.events if one["type"] == "pitwire.round.completed.v1"]
        return [one["data"]["outcome"] for one in ends]

    @property
    def codes(self) -> list[str]:
        raised = [one for one in self.events if one["type"] == "pitwire.violation.raised.v1"]
        return [one["data"]["code"] for one in raised]


def card(number: str, face: str, place: str) -> bytes:
    return report(number, "D", card_data(code_of(face), place))


def test_the_first_two_cards_of_a_golden_scenario_are_a_round(game: TwoCards) -> None:
    line = Line(game, "device")
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
    line = Line(game, "device")
    line.replay.run(read_capture(SCENARIO))
    assert len(line.outcomes) == 1
    assert line.codes == ["card_not_due"]


def test_a_shoe_that_is_reset_after_each_round_deals_round_after_round(game: TwoCards) -> None:
    line = Line(game, "server")
    line.obey("shoe.load", shoe_id="S1")
    line.obey("round.open", round_id="R1")
    line.obey("bets.close", round_id="R1")
    line.hear(card("1", "KH", "p1"), card("2", "AS", "b1"), ABORTED)
    line.obey("round.open", round_id="R2")
    line.obey("bets.close", round_id="R2")
    line.hear(card("4", "7C", "p1"), card("5", "7C", "b1"))
    assert line.codes == []
    king_over_ace = {"dragon_tiger": "dragon", "football_studio": "away"}
    assert [one["winner"] for one in line.outcomes] == [king_over_ace[game.spec.key], game.equal]
    if game.spec.key == "dragon_tiger":
        assert [one["suited_tie"] for one in line.outcomes] == [False, True]


def test_a_second_card_for_the_first_hand_is_held_in_mid_round(game: TwoCards) -> None:
    line = Line(game, "device")
    line.hear(card("1", "KH", "p1"), card("2", "AS", "p2"))
    assert line.codes == ["card_out_of_turn"]
    assert line.outcomes == []


def test_an_outcome_reads_as_a_line_for_people(game: TwoCards) -> None:
    line = Line(game, "device")
    line.hear(card("1", "8S", "p1"), card("2", "5C", "b1"))
    words = event_words(line.events[-1])
    assert words.startswith(f"winner={game.first} ")
    assert f"{game.first}=8S" in words
    assert f"{game.second}=5C" in words
