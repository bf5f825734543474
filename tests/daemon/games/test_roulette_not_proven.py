"""What of a spin each wheel cannot prove is told, with who watches it instead (R1, R3)."""

from __future__ import annotations

import json
from typing import Final

import pytest
from support.roulette_bench import profile
from support.table_bench import PROFILES
from typer.testing import CliRunner

from daemon.cli.main import app
from daemon.games.roulette import GAME
from protocols.catalog import devices
from protocols.device import DeviceSpec

HOUSES: Final = sorted(path.stem for path in PROFILES.glob("roulette-*.toml"))
WHEELS: Final = {key: spec for key, spec in devices().items() if spec.kind == "wheel"}
RUN: Final = CliRunner()

SUPERVISOR, DEALER = "a supervisor answers", "the dealer answers"
SHORT_RIM = (
    "It proves 3 laps only of a ball that stays in the rim for about 3.9 s, where it calls no more"
    " bets at 1.43 s a lap; of a shorter one {who}."
)
LAPS = "It does not show how often the ball goes round: of 3 times {who}."
DIRECTION = "It does not show which way the ball runs; of its running against the rotor {who}."
BALL = "It does not see the ball: that it ran and came to rest is for the dealer to watch."
ORDER = (
    "It does not number its spins: what ran in a silence is for the supervisor to know, and a round"
    " that waited has lost its spin."
)
POCKET = (
    "It states no pocket that is understood: the dealer reads the wheel, and no round lands by what"
    " he reads."
)
TOLD: Final = {
    "cammegh_ss2": [SHORT_RIM],
    "napsa": [LAPS, DIRECTION, ORDER],
    "saturn": [LAPS, DIRECTION, BALL, ORDER, POCKET],
    "canopen_encoder": [LAPS, DIRECTION, BALL, ORDER, POCKET],
}
"""By wheel, from its page under docs/devices; who answers is the house's."""


def test_every_wheel_is_told_of() -> None:
    assert set(TOLD) == set(WHEELS)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("wheel", TOLD)
def test_r3_what_a_wheel_cannot_prove_is_told_with_who_watches_it(wheel: str, house: str) -> None:
    told = RUN.invoke(app, ["rules", house, "--device", wheel, "--json"])
    sentences = json.loads(told.stdout)["not_proven"]
    assert sentences == {wheel: [one.format(who=SUPERVISOR) for one in TOLD[wheel]]}


@pytest.mark.parametrize("wheel", TOLD)
def test_r1_where_the_dealer_announces_he_answers_for_laps_and_direction(wheel: str) -> None:
    sentences = [*GAME.not_proven(profile(unproven="announced"), WHEELS[wheel])]
    assert sentences == [one.format(who=DEALER) for one in TOLD[wheel]]


@pytest.mark.parametrize("spec", WHEELS.values(), ids=lambda spec: spec.key)
def test_what_is_no_matter_of_laps_is_told_also_where_none_are_asked_for(spec: DeviceSpec) -> None:
    others = [one for one in TOLD[spec.key] if "{who}" not in one]
    assert [*GAME.not_proven(profile(min_revolutions=0.0), spec)] == others
