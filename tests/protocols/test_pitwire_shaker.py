"""The dice shaker of our own making: its lines, what damage makes of them, its simulator."""

from __future__ import annotations

from itertools import product

import pytest

from protocols.cards import Card
from protocols.checks import crc16_mcrf4xx
from protocols.device import Decoded
from protocols.dice.pitwire_shaker import DEVICE, PitwireShakerSettings
from protocols.dice.pitwire_shaker.layout import DIGITS, line
from protocols.faces import FACES
from protocols.instant import Instant
from protocols.readings import DeviceIdentity, DiceRead, DiceShaken, DiceUnread, Reading
from protocols.rejects import RejectReason
from protocols.simulator import Cue, DrawCard, Fault, PowerOn, SpinBall, ThrowDice

AT = Instant("boot", 0)
SAID_442 = b"$1L442*4802\n"
"""Its check value is of `1L442`, worked out bit by bit from the definition."""


def decode(*chunks: bytes) -> list[Decoded]:
    decoder = DEVICE.decoder(PitwireShakerSettings())
    decoded = [one for chunk in chunks for one in decoder.feed(AT, chunk)]
    assert b"".join(one.raw for one in decoded) + decoder.pending == b"".join(chunks)
    assert len(decoder.pending) <= DEVICE.framing.pending_max
    return decoded


def bodies(*chunks: bytes) -> list[Reading | RejectReason]:
    return [one.body for one in decode(*chunks)]


def crc_by_definition(data: bytes) -> int:
    """Return the CRC of x16 + x12 + x5 + 1, reflected, from FFFF: one bit at a time."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return crc


# --- lines ----------------------------------------------------------------------------------


def test_a_line_as_it_stands_on_the_wire() -> None:
    assert b"%04X" % crc_by_definition(b"1L442") == SAID_442[7:11]
    assert line("1", "L", "442") == SAID_442
    (one,) = decode(SAID_442)
    assert (one.body, one.sequence) == (DiceRead((4, 4, 2), checked=True), "1")


def test_every_throw_is_read_as_it_lies() -> None:
    for faces in product(FACES.values(), repeat=3):
        text = "".join(map(str, faces))
        assert bodies(line("7", "L", text)) == [DiceRead(faces, checked=True)]


def test_a_die_that_was_not_recognised_is_none() -> None:
    assert bodies(line("7", "L", "-62")) == [DiceUnread((None, 6, 2))]
    assert bodies(line("7", "L", "---")) == [DiceUnread((None, None, None))]


def test_the_identity_is_not_counted() -> None:
    decoded = decode(line("3", "I", "shaker 1"), line("3", "S"))
    assert [(one.body, one.sequence) for one in decoded] == [
        (DeviceIdentity("shaker 1"), None),
        (DiceShaken(), "3"),
    ]


def test_thirty_six_numbers_follow_each_other_round() -> None:
    assert DEVICE.sequence is not None
    assert DEVICE.sequence.digits == "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert DEVICE.sequence.wraps_to == {"0"}
    assert [one.sequence for one in decode(*(line(digit, "S") for digit in DIGITS))] == list(DIGITS)


@pytest.mark.parametrize("text", ["", "44", "4422", "740", "7--", "4 2", "44x"])
def test_what_is_no_three_dice_is_never_a_throw(text: str) -> None:
    assert bodies(line("1", "L", text)) == [RejectReason.VALUE]


def test_what_nobody_has_defined_is_shown_raw() -> None:
    assert bodies(line("1", "Q", "7")) == [RejectReason.UNSUPPORTED]
    assert bodies(line("1", "S", "7")) == [RejectReason.VALUE]


# --- damage ---------------------------------------------------------------------------------


def test_no_single_flipped_bit_says_anything_else() -> None:
    for bit in range(8 * len(SAID_442)):
        hurt = bytearray(SAID_442)
        hurt[bit // 8] ^= 1 << bit % 8
        assert all(isinstance(one, RejectReason) for one in bodies(bytes(hurt))), hurt


def test_no_change_of_the_dice_alone_passes_the_check() -> None:
    for faces in product("123456", repeat=3):
        text = "".join(faces).encode()
        if text != b"442":
            assert bodies(b"$1L" + text + b"*4802\n") == [RejectReason.CHECKSUM]


def test_a_check_value_in_small_letters_is_none_of_ours() -> None:
    assert bodies(b"$1L443*598B\n") == [DiceRead((4, 4, 3), checked=True)]
    assert bodies(b"$1L443*598b\n") == [RejectReason.MALFORMED]


def test_a_torn_line_costs_only_itself() -> None:
    for cut in range(1, len(SAID_442)):
        assert bodies(SAID_442[:cut] + line("2", "S")) == [RejectReason.LENGTH, DiceShaken()]


def test_a_line_without_its_head_is_noise() -> None:
    assert bodies(b"L442*4802\n", SAID_442)[-1] == DiceRead((4, 4, 2), checked=True)
    assert bodies(b"L442*4802\n") == [RejectReason.NOISE]


def test_an_endless_line_is_given_up() -> None:
    assert bodies(b"$" + b"x" * 5000, SAID_442) == [
        RejectReason.LENGTH,
        DiceRead((4, 4, 2), checked=True),
    ]


def test_the_check_is_over_all_between_the_marks() -> None:
    body = b"AL135"
    assert bodies(b"$" + body + b"*%04X\n" % crc16_mcrf4xx(body)) == [
        DiceRead((1, 3, 5), checked=True)
    ]


# --- the simulator --------------------------------------------------------------------------


def said(*cues: Cue, seconds: float = 10) -> list[bytes]:
    shaker = DEVICE.simulator(PitwireShakerSettings())
    for one in cues:
        shaker.cue(AT, one)
    frames: list[bytes] = []
    while shaker.wake_at is not None and AT.after(seconds).reached(shaker.wake_at):
        frames += shaker.speak(shaker.wake_at)
    return frames


def heard(*cues: Cue) -> list[tuple[Reading | RejectReason, str | None]]:
    return [(one.body, one.sequence) for one in decode(*said(*cues))]


def test_every_line_is_sent_twice_alike() -> None:
    frames = said(ThrowDice((4, 4, 2)))
    assert frames == [line("0", "S"), line("0", "S"), SAID_442, SAID_442]


def test_a_throw_lands_three_seconds_after_it_is_shaken() -> None:
    shaker = DEVICE.simulator(PitwireShakerSettings())
    shaker.cue(AT, ThrowDice((4, 4, 2)))
    assert shaker.speak(AT) == [line("0", "S")]
    assert shaker.speak(AT.after(2.9)) == [line("0", "S")]
    assert shaker.wake_at == AT.after(3)
    assert shaker.speak(AT.after(3)) == [SAID_442]
    assert shaker.wake_at == AT.after(3.1)


THROW = ThrowDice((4, 4, 2))
LANDED = DiceRead((4, 4, 2), checked=True)


@pytest.mark.parametrize(
    ("fault", "readings"),
    [
        ("die_unread", [("0", DiceShaken()), ("1", DiceUnread((None, 4, 2)))]),
        ("second_look", [("0", DiceShaken()), ("1", LANDED), ("2", LANDED)]),
        (
            "second_thought",
            [("0", DiceShaken()), ("1", LANDED), ("2", DiceRead((5, 4, 2), checked=True))],
        ),
        ("unseen_throw", [("0", LANDED)]),
        ("no_result", [("0", DiceShaken())]),
        ("line_lost", [("1", LANDED)]),
    ],
)
def test_a_fault_says_what_its_name_says(fault: str, readings: list[tuple[str, Reading]]) -> None:
    twice = [(body, number) for number, body in readings for _ in range(2)]
    assert heard(Fault(fault), THROW) == twice


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("bit_flip", RejectReason.CHECKSUM),
        ("torn", RejectReason.LENGTH),
        ("noise", RejectReason.NOISE),
    ],
)
def test_a_hurt_first_copy_costs_nothing(fault: str, reason: RejectReason) -> None:
    found = heard(Fault(fault), THROW)
    assert found[0] == (reason, None)
    assert (DiceShaken(), "0") in found
    assert found[-2:] == [(LANDED, "1")] * 2


def test_a_loss_of_mains_keeps_the_number_and_forgets_the_throw() -> None:
    shaker = DEVICE.simulator(PitwireShakerSettings())
    shaker.cue(AT, THROW)
    shaker.speak(AT.after(1))
    shaker.cue(AT.after(2), Fault("mains_cycle"))
    frames = shaker.speak(AT.after(2)) + shaker.speak(AT.after(9))
    decoded = decode(*frames)
    assert {type(one.body) for one in decoded} == {DeviceIdentity}
    shaker.cue(AT.after(10), THROW)
    assert decode(*shaker.speak(AT.after(10)))[0].sequence == "1"


@pytest.mark.parametrize("cue", [SpinBall("17"), DrawCard(Card("K", "S")), Fault("no such fault")])
def test_the_simulator_refuses_what_a_shaker_cannot_do(cue: Cue) -> None:
    shaker = DEVICE.simulator(PitwireShakerSettings())
    with pytest.raises(ValueError, match=r"shaker|fault"):
        shaker.cue(AT, cue)
    assert shaker.wake_at is None


def test_switched_on_it_says_who_it_is() -> None:
    (first, second) = decode(*said(PowerOn()))
    assert first.body == second.body == DeviceIdentity("simulated shaker 1")
