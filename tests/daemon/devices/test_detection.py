"""What a line looks like: every device's own scenarios, damage, silence, and a look-alike."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.recordings import BOTH, Source
from support.wheel_recordings import NUMBERS, wheel_log

from daemon.devices.detection import Guess, best, frames_of, judge, other_steps, own_steps, verdict
from drivers.capture import read_capture
from drivers.link import Chunk
from protocols.catalog import devices
from protocols.instant import Instant
from protocols.wiring import SerialWiring

FOLDER = Path(__file__).parents[2] / "captures"
OWN = own_steps(devices())
TRIED = sorted({key for step in OWN for key in step.devices})
SURE = {
    "angel_eye_ii_ex": "natural_then_six_cards",
    "barcode_lines": "six_cards",
    "beetek": "six_cards",
    "cammegh_ss2": "three_spins",
    "feig_obid": "two_cards_pass",
    "napsa": "three_spins",
    "pitwire_shaker": "three_throws",
    "saturn": "error_comes_and_goes",
    "zebra_ssi": "round_then_cut_card",
}


def guesses(path: Path) -> list[Guess]:
    moments = read_capture(path).lines
    chunks = [
        Chunk(Instant("file", round(one.seconds * 1e9)), one.data)
        for one in moments
        if one.direction == "device" and isinstance(one.data, bytes)
    ]
    return [
        judge(devices()[key], step.wiring, frames_of(devices()[key], chunks))
        for step in OWN
        for key in step.devices
    ]


def test_every_serial_device_is_tried_but_those_that_a_file_describes() -> None:
    assert sorted(SURE) == TRIED


@pytest.mark.parametrize("key", SURE)
def test_a_healthy_device_is_recognised_among_all_others(key: str) -> None:
    found = verdict(best(guesses(FOLDER / key / f"{SURE[key]}.capture")))
    assert found is not None
    guess, confidence = found
    assert (guess.device, guess.wiring) == (key, devices()[key].wiring)
    assert confidence in ("sure", "likely")


@BOTH
@pytest.mark.parametrize("number", NUMBERS)
def test_wheels_are_recognised_by_their_logs(source: Source, number: int) -> None:
    found = verdict(best(guesses(wheel_log(source, number))))
    assert found is not None
    assert found[0].device == "cammegh_ss2"


def test_a_port_of_seven_bits_makes_nobody_sure() -> None:
    found = verdict(best(guesses(FOLDER / "angel_eye_ii_ex" / "seven_bit_port.capture")))
    assert found is None or found[1] == "possible"


def test_b32_silence_and_noise_look_like_nothing() -> None:
    noise = random.Random(1).randbytes(100_000)
    start = Instant("file", 0)
    for chunks in ([], [Chunk(start, b"\x00\xff" * 200)], [Chunk(start, noise)]):
        tried = [
            judge(devices()[key], SerialWiring(), frames_of(devices()[key], chunks))
            for key in TRIED
        ]
        assert verdict(best(tried)) is None


def test_one_frame_that_fits_by_chance_is_no_guess() -> None:
    wiring = SerialWiring()
    assert verdict(best([Guess("a", wiring, 1, 900, 0.01, checked=True)])) is None
    assert verdict(best([Guess("a", wiring, 1, 2, 0.3, checked=True)])) is not None


def test_labels_that_no_card_has_are_no_sign_of_a_card_scanner() -> None:
    wheel = FOLDER / "cammegh_ss2" / "three_spins.capture"
    scanner = next(one for one in guesses(wheel) if one.device == "barcode_lines")
    assert scanner.readings == 0


def test_two_devices_that_are_both_sure_leave_it_to_a_person() -> None:
    one = Guess("a", SerialWiring(), 9, 0, 1.0, checked=True)
    two = Guess("b", SerialWiring(), 9, 0, 0.95, checked=True)
    assert verdict(best([two, one])) == (one, "likely")
    again = Guess("a", SerialWiring(4800), 9, 0, 0.95, checked=True)
    assert verdict(best([again, one])) == (one, "sure"), "one device at two speeds is no rival"


def test_the_second_look_is_at_wirings_that_are_not_the_devices_own() -> None:
    for step in other_steps(devices()):
        assert step.devices
        for key in step.devices:
            assert devices()[key].wiring != step.wiring
