"""What a house must do with a spin, worked out by hand from the clauses on roulette."""

from dataclasses import replace

import pytest
from oracle.roulette import WHEEL_HOUSES, Act, Judgement, Leg, Spin, WheelHouse, judge, right_acts

DK, LV = WHEEL_HOUSES["roulette-dk"], WHEEL_HOUSES["roulette-lv"]
RESPIN = WheelHouse(min_laps=3, malfunction="hold", invalid_spin="respin")
FOUR_LAPS = replace(RESPIN, min_laps=4)
UNCOUNTED = replace(DK, min_laps=0)


def against(laps: float) -> Leg:
    return Leg(laps, "clockwise", "counter_clockwise")


def along(laps: float) -> Leg:
    return Leg(laps, "clockwise", "clockwise")


SOUND = Spin(legs=(against(12.4),), pocket="17", at_rest=21.0, bets_closed=14.0)

JUDGEMENTS: dict[str, tuple[WheelHouse, Spin, Judgement]] = {
    "DK 3.1.1, 3.1.2: against the rotor, more than three times round, at rest in a pocket": (
        DK,
        SOUND,
        Judgement(valid=True, act="land", reason="sound"),
    ),
    "DK 3.1.1: three times are enough": (
        DK,
        replace(SOUND, legs=(against(3),)),
        Judgement(valid=True, act="land", reason="sound"),
    ),
    "DK 3.1.1: 2.9 times are not": (
        DK,
        replace(SOUND, legs=(against(2.9),)),
        Judgement(valid=False, act="void", reason="too_few_laps"),
    ),
    "LV 3.1.1: round the track, so 1.3 times are too few however long the ball bounces": (
        LV,
        replace(SOUND, legs=(against(1.3),), at_rest=30.0),
        Judgement(valid=False, act="void", reason="too_few_laps"),
    ),
    "a house with respins spins again": (
        RESPIN,
        replace(SOUND, legs=(against(2.9),)),
        Judgement(valid=False, act="respin", reason="too_few_laps"),
    ),
    "another house asks four": (
        FOUR_LAPS,
        replace(SOUND, legs=(against(3.5),)),
        Judgement(valid=False, act="respin", reason="too_few_laps"),
    ),
    "a house that counts no laps still asks the direction": (
        UNCOUNTED,
        replace(SOUND, legs=(along(9.0),)),
        Judgement(valid=False, act="void", reason="with_the_rotor"),
    ),
    "DK 3.1.1: the same way as the rotor": (
        DK,
        replace(SOUND, legs=(along(12.4),)),
        Judgement(valid=False, act="void", reason="with_the_rotor"),
    ),
    "DK 3.1.1: the rotor is reversed under the ball": (
        DK,
        replace(SOUND, legs=(against(8.0), along(4.0))),
        Judgement(valid=False, act="void", reason="with_the_rotor"),
    ),
    "LV 3.1.1: with the rotor at first, then against it": (
        LV,
        replace(SOUND, legs=(along(0.2), against(9.0))),
        Judgement(valid=False, act="void", reason="with_the_rotor"),
    ),
    "DK 3.1.1: a rotor that stands has no opposite direction": (
        DK,
        replace(SOUND, legs=(against(4.0), Leg(2.0, "clockwise", None))),
        Judgement(valid=False, act="void", reason="with_the_rotor"),
    ),
    "DK 3.1.1: counter-clockwise is as good as clockwise": (
        DK,
        replace(SOUND, legs=(Leg(7.0, "counter_clockwise", "clockwise"),)),
        Judgement(valid=True, act="land", reason="sound"),
    ),
    "DK 3.1.2: a ball that comes to rest in no pocket has no number": (
        DK,
        replace(SOUND, pocket=None, at_rest=None),
        Judgement(valid=False, act="void", reason="no_pocket"),
    ),
    "a ball laid into a pocket by hand ran no lap": (
        DK,
        replace(SOUND, legs=()),
        Judgement(valid=False, act="void", reason="too_few_laps"),
    ),
    "DK 2.1.1: bets run until the call, and the ball is at rest before it": (
        DK,
        replace(SOUND, bets_closed=22.0),
        Judgement(valid=True, act="hold", reason="bets_open"),
    ),
    "LV 2.1.1: there was no call at all": (
        LV,
        replace(SOUND, bets_closed=None),
        Judgement(valid=True, act="hold", reason="bets_open"),
    ),
    "DK 2.1.1: the call at the moment the ball lies comes too late": (
        DK,
        replace(SOUND, bets_closed=21.0),
        Judgement(valid=True, act="hold", reason="bets_open"),
    ),
    "an invalid spin is none, whether bets ran or not": (
        RESPIN,
        replace(SOUND, legs=(against(2.0),), bets_closed=None),
        Judgement(valid=False, act="respin", reason="too_few_laps"),
    ),
    "DK 2.1.6: a failure voids a spin that is sound otherwise": (
        DK,
        replace(SOUND, malfunction=True),
        Judgement(valid=True, act="void", reason="malfunction"),
    ),
    "LV 2.1.6: it voids an invalid one too": (
        LV,
        replace(SOUND, legs=(along(1.0),), malfunction=True),
        Judgement(valid=False, act="void", reason="malfunction"),
    ),
    "a house that leaves a failure to the supervisor holds, even where it would spin again": (
        RESPIN,
        replace(SOUND, legs=(against(1.0),), malfunction=True),
        Judgement(valid=False, act="hold", reason="malfunction"),
    ),
    "DK 3.1.1: of a ball that nobody saw nobody can say that it ran three times round": (
        DK,
        replace(SOUND, seen=False),
        Judgement(valid=True, act="hold", reason="not_seen"),
    ),
    "nor that it did not": (
        RESPIN,
        replace(SOUND, legs=(against(1.0),), seen=False),
        Judgement(valid=False, act="hold", reason="not_seen"),
    ),
    "DK 2.1.6: a failure is a failure, seen or not": (
        DK,
        replace(SOUND, seen=False, malfunction=True),
        Judgement(valid=True, act="void", reason="malfunction"),
    ),
}


@pytest.mark.parametrize("name", JUDGEMENTS)
def test_what_the_house_must_do(name: str) -> None:
    house, spin, judgement = JUDGEMENTS[name]
    assert judge(house, spin) == judgement


@pytest.mark.parametrize("name", JUDGEMENTS)
def test_to_hold_is_always_right_and_to_land_only_a_sound_spin(name: str) -> None:
    house, spin, judgement = JUDGEMENTS[name]
    acts: frozenset[Act] = right_acts(house, spin)
    assert "hold" in acts
    assert ("land" in acts) == (judgement.reason == "sound")
    assert acts <= {judgement.act, "hold"}


def test_laps_add_up_over_all_legs() -> None:
    spin = replace(SOUND, legs=(against(0.1),) * 30)
    assert spin.laps == 3.0
    assert judge(DK, spin).act == "land"


def test_a_spin_is_what_can_happen() -> None:
    with pytest.raises(ValueError, match="laps"):
        against(-0.5)
    with pytest.raises(ValueError, match="at rest"):
        replace(SOUND, pocket=None)
