"""No round that one damage lets through differs from what was dealt; a clean line holds none."""

from __future__ import annotations

import random

import pytest
from support.damaged_shoe import ON_A_BUS, ON_A_LINE, DamagedShoe

from protocols.catalog import devices
from protocols.wiring import SerialWiring

ROUNDS = 60
SHOES = ("angel_eye_ii_ex", "barcode_lines", "beetek", "dbc_profile", "hid_keyboard", "hid_pos",
         "line_profile", "zebra_ssi")  # fmt: skip
"""Not `canopen_io_shoe`, which knows no faces, nor `feig_obid`: tags (`test_damage_of_tags`)."""


@pytest.mark.parametrize("device", SHOES)
def test_a_damaged_round_is_true_or_held_and_a_clean_one_is_never_held(device: str) -> None:
    chance = random.Random(device)
    serial = isinstance(devices()[device].wiring, SerialWiring)
    held = misread = 0
    for number in range(ROUNDS):
        clean = DamagedShoe(device, chance, None).play() if number % 6 == 0 else None
        if clean is not None:
            assert (clean.completed, clean.held) == (clean.truth, ())
        played = DamagedShoe(
            device, chance, chance.choice(ON_A_LINE if serial else ON_A_BUS)
        ).play()
        held += bool(played.held)
        misread += played.misread
        if played.completed is not None and not played.held and not played.misread:
            assert played.completed == played.truth
    assert held, "some damage was no card, none was healed"
    assert misread < ROUNDS / 4
