"""Sic Bo at the end of a shaker's line: golden bytes in, events out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.shoe_line import ALWAYS, kinds

from daemon.cli.event_format import card_or, event_words
from daemon.demo.simulated_dealer import Dealer
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from drivers.capture import read_capture
from drivers.capture_model import CaptureLine
from protocols.dice.pitwire_shaker import DEVICE, PitwireShakerSettings
from protocols.dice.pitwire_shaker.layout import line
from protocols.simulator import ThrowDice

SCENARIOS = Path(__file__).parents[2] / "captures" / "pitwire_shaker"
ROUND = ["round.opened", "round.bets_closed", "dice.landed", "round.completed"]


class Line:
    """One table, one shaker."""

    def __init__(self, control: str) -> None:
        self.blobs: list[bytes] = []
        setup = setup_of(one_table("sic_bo", "sic-bo", DEVICE.key, round_control=control))
        self.replay = OfflineReplay(setup, DEVICE, PitwireShakerSettings(), self.blobs.append)
        self.seconds = 0.0

    def hear(self, *frames: bytes) -> None:
        for frame in frames:
            self.seconds += 1.0
            self.replay.play(CaptureLine(self.seconds, "device", frame))

    def obey(self, command: str, **fields: Any) -> None:
        call = {"id": f"{command}{self.seconds}", "expires": ALWAYS, "command": command, **fields}
        self.replay.play(CaptureLine(self.seconds, "command", call))

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


def replayed(name: str) -> Line:
    table = Line("device")
    table.replay.run(read_capture(SCENARIOS / f"{name}.capture"))
    return table


def test_three_throws_are_three_rounds() -> None:
    table = replayed("three_throws")
    assert kinds(table.events)[2:] == ["device.identified", *ROUND, *ROUND, *ROUND]
    assert table.outcomes == [
        {"game": "sic_bo", "faces": [4, 4, 2], "total": 10, "size": "small", "triple": False},
        {"game": "sic_bo", "faces": [6, 1, 4], "total": 11, "size": "big", "triple": False},
        {"game": "sic_bo", "faces": [5, 5, 5], "total": 15, "size": None, "triple": True},
    ]


@pytest.mark.parametrize(
    ("scenario", "codes", "results"),
    [
        ("damaged_lines", [], [[1, 2, 3], [4, 5, 6], [1, 1, 6]]),
        ("die_unread", ["dice_unread"], []),
        ("second_thoughts", ["result_conflict"], [[2, 2, 5], [6, 3, 1]]),
        # The shaking of the first throw is lost: it is nobody's. The mains fail over the second.
        ("lines_lost", [], [[1, 4, 4]]),
    ],
)
def test_a_scenario_ends_as_the_rules_say(
    scenario: str, codes: list[str], results: list[list[int]]
) -> None:
    table = replayed(scenario)
    assert table.codes == codes
    assert [one["faces"] for one in table.outcomes] == results


def test_a_supervisor_gives_the_faces_as_three_numbers() -> None:
    table = Line("server")
    table.obey("round.open", round_id="R1")
    table.obey("bets.close", round_id="R1")
    table.hear(line("0", "S"), line("1", "L", "4-2"))
    table.obey(
        "violation.resolve",
        violation_id="V1",
        action="correct",
        dice=[4, 7, 2],
        who="anna",
        why="no such face",
    )
    assert len(table.replay.tally.refused) == 1
    assert table.outcomes == []
    table.obey(
        "violation.resolve",
        violation_id="V1",
        action="correct",
        dice=[4, 5, 2],
        who="anna",
        second_who="bert",
        why="seen on the felt",
    )
    assert [(one["faces"], one["total"]) for one in table.outcomes] == [([4, 5, 2], 11)]
    entered = next(one for one in table.events if one["type"].endswith("entered_manually.v1"))
    assert entered["data"]["value"] == "4 5 2"


def test_a_throw_reads_as_a_line_for_people() -> None:
    table = replayed("three_throws")
    landed = next(one for one in table.events if one["type"] == "pitwire.dice.landed.v1")
    assert event_words(landed) == "faces=4,4,2"
    assert event_words(table.events[-1]) == "faces=5,5,5 game=sic_bo total=15 triple=True"


def test_a_reading_of_dice_reads_as_words_for_people() -> None:
    assert card_or([4, 4, 2]) == "4,4,2"
    assert card_or([None, 6, 2]) == "?,6,2"


def test_the_dealer_throws_the_dice_when_they_are_due() -> None:
    setup = setup_of(one_table("sic_bo", "sic-bo", DEVICE.key, round_control="server"))
    dealer = Dealer(setup, seed=1)
    thrown = []
    for number in range(200):
        assert dealer.open_round(f"R{number}") is None
        gesture = dealer.close_bets(f"R{number}")
        assert gesture is not None
        assert isinstance(gesture.cue, ThrowDice)
        thrown += gesture.cue.faces
        assert dealer.next() is None
    assert set(thrown) == {1, 2, 3, 4, 5, 6}
