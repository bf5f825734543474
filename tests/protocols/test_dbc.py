"""DBC files read by our own code, against cantools as an independent oracle.

Tried with faults seeded in the reader, each noticed: Motorola bits counted from the lowest, no
sign, a range without its offset, texts of the wrong message, a comment read as a signal.
"""

from __future__ import annotations

from fractions import Fraction

import cantools
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.recordings import Source, recording

from protocols.dbc import Signal, read_dbc
from protocols.shoes.dbc_profile.layout import EXAMPLE

BITS = st.integers(1, 64)
FACTORS = st.sampled_from(["1", "2", "-1", "0.1", "0.5", "1e-3", "-2.5"])
OFFSETS = st.sampled_from(["0", "-40", "100", "0.25"])


def one_signal(line: str, length: int = 8, identifier: int = 645) -> str:
    return f'VERSION ""\nBU_: A\nBO_ {identifier} CARD: {length} A\n SG_ {line} "" A\n'


def signal_of(line: str, length: int = 8) -> Signal:
    return read_dbc(one_signal(line, length))["CARD"].signals["X"]


def oracle(text: str, data: bytes) -> int:
    database = cantools.database.load_string(text, "dbc", strict=False)
    values = database.get_message_by_name("CARD").decode(data, decode_choices=False, scaling=False)
    assert isinstance(values, dict)
    return int(values["X"])  # type: ignore[arg-type]


@given(
    start=st.integers(0, 63),
    bits=BITS,
    order=st.sampled_from("01"),
    sign=st.sampled_from("+-"),
    data=st.binary(min_size=8, max_size=8),
)
def test_a_signal_anywhere_reads_as_the_oracle_reads_it(
    start: int, bits: int, order: str, sign: str, data: bytes
) -> None:
    first = start if order == "1" else start // 8 * 8 + 7 - start % 8
    assume(first + bits <= 64)
    line = f"X : {start}|{bits}@{order}{sign} (1,0) [0|0]"
    value = signal_of(line).read(data)
    assert value == oracle(one_signal(line), data)
    assert value is not None
    alone = signal_of(line).write(value, 8)
    assert signal_of(line).read(alone) == value


@given(
    factor=FACTORS,
    offset=OFFSETS,
    ends=st.tuples(st.integers(-300, 300), st.integers(-300, 300)).filter(any).map(sorted),
    sign=st.sampled_from("+-"),
    raw=st.integers(0, 255),
)
def test_a_number_counts_where_what_it_means_lies_within_the_limits(
    factor: str, offset: str, ends: list[int], sign: str, raw: int
) -> None:
    low, high = ends
    value = signal_of(f"X : 0|8@1{sign} ({factor},{offset}) [{low}|{high}]").read(
        bytes([raw, 0, 0, 0, 0, 0, 0, 0])
    )
    number = raw - 256 if sign == "-" and raw > 127 else raw
    meant = number * Fraction(factor) + Fraction(offset)
    assert value == (number if low <= meant <= high else None)


def test_our_example_is_read_as_the_oracle_reads_it() -> None:
    database = cantools.database.load_string(EXAMPLE, "dbc")
    for message in database.messages:
        ours = read_dbc(EXAMPLE)[message.name]
        assert (ours.identifier, ours.length) == (message.frame_id, message.length)
        assert list(ours.signals) == [one.name for one in message.signals] or set(ours.signals) == {
            one.name for one in message.signals
        }
        for theirs in message.signals:
            texts = {int(value): str(text) for value, text in (theirs.choices or {}).items()}
            assert dict(ours.signals[theirs.name].texts) == texts


@pytest.mark.parametrize(
    ("source", "message", "data", "values", "suit", "wheel"),
    [
        (
            "simulated",
            "PINE_CARD",
            "0521080710000000",
            {"Number": 5, "What": 1, "Colour": 4, "Face": 8, "Pack": 7, "Milliseconds": 16},
            ("Colour", "spades"),
            ("ROTOR", "Place"),
        ),
        (
            "real",
            "SHOE_CARD",
            "0538000100100000",
            {
                "ShoeSeq": 5,
                "CardRank": 8,
                "CardSuit": 3,
                "CardEvent": 0,
                "CardTarget": 0,
                "DeckId": 1,
                "TimeMs": 16,
            },
            ("CardSuit", "spade"),
            ("WHEEL_POS", "Position"),
        ),
    ],
)
def test_an_example_says_what_its_note_says(
    source: Source,
    message: str,
    data: str,
    values: dict[str, int],
    suit: tuple[str, str],
    wheel: tuple[str, str],
) -> None:
    messages = read_dbc(recording(source, "shoe", "*.dbc").read_text())
    signals = messages[message].signals
    assert {name: one.read(bytes.fromhex(data)) for name, one in signals.items()} == values
    assert signals[suit[0]].texts[values[suit[0]]] == suit[1]
    position = messages[wheel[0]]
    assert position.identifier == 0x191
    assert position.signals[wheel[1]].read(bytes.fromhex("A4010000")) == 420


def test_a_comment_or_a_unit_may_hold_anything() -> None:
    text = one_signal("X : 0|8@1+ (1,0) [0|0]") + (
        'CM_ SG_ 645 X "BO_ 1 FALSE: 8 A\n SG_ FALSE : 0|8@1+ (1,0) [0|0] \\"\n;";\n'
        'VAL_ 645 X 0 "no; \\"card\\"" 1 "one" ;\nBO_TX_BU_ 645 : A,B;\n'
    )
    messages = read_dbc(text)
    assert list(messages) == ["CARD"]
    assert messages["CARD"].signals["X"].texts == {0: 'no; \\"card\\"', 1: "one"}


def test_an_identifier_of_29_bits_has_bit_31_as_in_a_packet() -> None:
    text = one_signal("X : 0|8@1+ (1,0) [0|0]", identifier=0x98FF50E5)
    assert read_dbc(text)["CARD"].identifier == 0x98FF50E5


def test_texts_belong_to_the_message_that_they_name() -> None:
    text = one_signal("X : 0|8@1+ (1,0) [0|0]") + 'VAL_ 646 X 0 "other" ;\nVAL_ Env 1 "x" ;\n'
    assert read_dbc(text)["CARD"].signals["X"].texts == {}


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (one_signal("X m1 : 0|8@1+ (1,0) [0|0]"), "is multiplexed"),
        (one_signal("X M : 0|8@1+ (1,0) [0|0]"), "is multiplexed"),
        (one_signal("X : 0|8@1+ (1,0) [0|0]", 64), "is in a message of 64 bytes"),
        (
            one_signal("X : 0|32@1+ (1,0) [0|0]") + "SIG_VALTYPE_ 645 X : 1;\n",
            "is a floating-point number",
        ),
    ],
)
def test_what_is_not_understood_says_so(text: str, refused: str) -> None:
    assert read_dbc(text)["CARD"].signals["X"].refused == refused


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("X : 60|8@1+ (1,0) [0|0]", "line 4 of the DBC: X does not fit its message"),
        ("X : 3|8@0+ (1,0) [0|0]", "does not fit"),
        ("X : 0|0@1+ (1,0) [0|0]", "does not fit"),
        ("X : 0|8@1+ (0,0) [0|1]", "no usable scale"),
        ("X : 0|8@1+ (1.2.3,0) [0|0]", "no usable scale"),
        ("X : 0|8@2+ (1,0) [0|0]", "line 4 of the DBC is no signal"),
        ("X 0|8", "is no signal"),
    ],
)
def test_a_line_that_cannot_be_is_named(line: str, what: str) -> None:
    length = 1 if "@0" in line else 8
    with pytest.raises(ValueError, match=what):
        read_dbc(one_signal(line, length))


def test_a_signal_before_any_message_is_nobodys() -> None:
    with pytest.raises(ValueError, match="line 1 of the DBC is no signal"):
        read_dbc(' SG_ X : 0|8@1+ (1,0) [0|0] "" A\n')
    with pytest.raises(ValueError, match="line 1 of the DBC is no message"):
        read_dbc("BO_ CARD: 8 A\n")
