"""DBC files, read by cantools into our own table: its values against cantools' own decoding.

Tried with faults seeded in the reader, each noticed: Motorola bits counted from the lowest, no
sign, a range without its offset, limits rounded as floats, a float or a multiplexed signal taken.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import cantools
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.recordings import Source, recording

from config.dbc import DbcError, read_dbc
from protocols.can_signals import CanMessage, CanSignal
from protocols.shoes.dbc_profile.layout import EXAMPLE

ROOT = Path(__file__).parents[2]

BITS = st.integers(1, 64)
FACTORS = st.sampled_from(["1", "2", "-1", "0.1", "0.5", "1e-3", "-2.5"])
OFFSETS = st.sampled_from(["0", "-40", "100", "0.25"])


def one_signal(line: str, length: int = 8, identifier: int = 645) -> str:
    return f'VERSION ""\nBU_: A\nBO_ {identifier} CARD: {length} A\n SG_ {line} "" A\n'


def messages(text: str) -> Mapping[str, CanMessage]:
    return {message.name: message for message in read_dbc(text.encode())}


def signals(text: str) -> Mapping[str, CanSignal]:
    return {signal.name: signal for signal in messages(text)["CARD"].signals}


def signal_of(line: str, length: int = 8) -> CanSignal:
    return signals(one_signal(line, length))["X"]


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


def test_our_example_is_what_stands_where_no_file_is_named() -> None:
    assert read_dbc((ROOT / "config/examples/shoe.dbc").read_bytes()) == EXAMPLE


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
    known = messages(recording(source, "shoe", "*.dbc").read_text())
    found = {signal.name: signal for signal in known[message].signals}
    assert {name: one.read(bytes.fromhex(data)) for name, one in found.items()} == values
    assert found[suit[0]].text(values[suit[0]]) == suit[1]
    position = known[wheel[0]]
    assert position.identifier == 0x191
    (angle,) = (signal for signal in position.signals if signal.name == wheel[1])
    assert angle.read(bytes.fromhex("A4010000")) == 420


def test_a_comment_or_a_unit_may_hold_anything() -> None:
    text = one_signal("X : 0|8@1+ (1,0) [0|0]") + (
        'CM_ SG_ 645 X "BO_ 1 FALSE: 8 A\n SG_ FALSE : 0|8@1+ (1,0) [0|0] \\"\n;";\n'
        'VAL_ 645 X 0 "no; \\"card\\"" 1 "one" ;\nBO_TX_BU_ 645 : A,B;\n'
    )
    assert list(messages(text)) == ["CARD"]
    assert signals(text)["X"].texts == ((0, 'no; "card"'), (1, "one"))


def test_an_identifier_of_29_bits_has_bit_31_as_in_a_packet() -> None:
    text = one_signal("X : 0|8@1+ (1,0) [0|0]", identifier=0x98FF50E5)
    assert messages(text)["CARD"].identifier == 0x98FF50E5


def test_texts_belong_to_the_message_that_they_name() -> None:
    text = one_signal("X : 0|8@1+ (1,0) [0|0]")
    text += ' SG_ Y : 8|8@1+ (1,0) [0|0] "" A\nBO_ 646 OTHER: 1 A\n'
    text += ' SG_ X : 0|8@1+ (1,0) [0|0] "" A\nVAL_ 646 X 0 "other" ;\n'
    assert signals(text)["X"].texts == ()
    assert messages(text)["OTHER"].signals[0].texts == ((0, "other"),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_file_is_read_as_it_was_written(encoding: str) -> None:
    text = (
        one_signal("X : 0|8@1+ (1,0) [0|0]")
        + 'VAL_ 645 X 1 "K\N{LATIN SMALL LETTER O WITH DIAERESIS}nig" ;\n'
    )
    (message,) = read_dbc(text.encode(encoding))
    assert message.signals[0].text(1) == "K\N{LATIN SMALL LETTER O WITH DIAERESIS}nig"


MULTIPLEXED = 'Y M : 8|8@1+ (1,0) [0|0] "" A\n SG_ X m1 : 0|8@1+ (1,0) [0|0]'


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (one_signal(MULTIPLEXED), "is multiplexed"),
        (one_signal("X M : 0|8@1+ (1,0) [0|0]"), "is multiplexed"),
        (one_signal("X : 0|8@1+ (1,0) [0|0]", 64), "is in a message of 64 bytes"),
        (
            one_signal("X : 0|32@1+ (1,0) [0|0]") + "SIG_VALTYPE_ 645 X : 1;\n",
            "is a floating-point number",
        ),
        (one_signal("X : 60|8@1+ (1,0) [0|0]"), "does not fit its message"),
        (one_signal("X : 3|8@0+ (1,0) [0|0]", 1), "does not fit its message"),
        (one_signal("X : 0|8@1+ (0,0) [0|1]"), "has no usable scale"),
        (one_signal("X : 0|8@1+ (1,0) [0|1e999]"), "has no usable scale"),
    ],
)
def test_what_is_not_understood_says_so_where_it_is_asked_for(text: str, refused: str) -> None:
    assert signals(text)["X"].refused == refused


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (one_signal("X : 0|8@1+ (1.2.3,0) [0|0]"), 4, "this is no DBC: unexpected at column 21"),
        (one_signal("X 0|8"), 4, "this is no DBC: unexpected at column 8"),
        (' SG_ X : 0|8@1+ (1,0) [0|0] "" A\n', 1, "unexpected at column 2"),
        ("BO_ CARD: 8 A\n", 1, "unexpected at column 5"),
        ("no database", 1, "unexpected at column 1"),
        ("", 1, "unexpected at column 1"),
        (one_signal("X : 0|0@1+ (1,0) [0|0]"), None, "X length 0 is not greater than 0"),
        (
            one_signal("X : 0|8@1+ (1,0) [0|0]") + 'VAL_ 646 X 0 "other" ;\n',
            None,
            "unused VAL_ entries in DBC: VAL_ 646 X",
        ),
    ],
)
def test_a_file_that_cannot_be_is_told_with_its_line(
    text: str, line: int | None, what: str
) -> None:
    with pytest.raises(DbcError) as caught:
        read_dbc(text.encode())
    assert what in caught.value.what
    assert caught.value.line == line


def test_whatever_the_library_raises_stops_at_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("X")

    monkeypatch.setattr(cantools.database, "load_string", broken)
    with pytest.raises(DbcError, match="no DBC that cantools can read: 'X'"):
        read_dbc(b"")


def test_without_cantools_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cantools.database", None)
    with pytest.raises(DbcError, match="not installed") as caught:
        read_dbc(b"")
    assert "`dbc`" in caught.value.expected


def test_the_library_is_loaded_only_where_a_dbc_is_named() -> None:
    script = (
        "import sys\n"
        "import config.load, daemon.cli.check\n"
        "from daemon.service.assembly import one_table\n"
        "one_table('baccarat', 'baccarat-lv', 'dbc_profile')\n"
        "print(sorted({'cantools', 'textparser'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], check=True, capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout == "[]\n"
