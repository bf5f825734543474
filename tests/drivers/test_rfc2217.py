"""RFC 2217 without a network: any cut of what a server sends says the same, and nothing raises."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.tcp.rfc2217 import ComPort, escaped
from protocols.wiring import SerialWiring

IAC, SB, SE = b"\xff", b"\xff\xfa\x2c", b"\xff\xf0"
AGREED = b"\xff\xfd\x2c\xff\xfd\x00\xff\xfb\x00\xff\xfb\x03\xff\xfd\x03"
SET = b"".join(
    SB + answer + SE
    for answer in (b"\x65\x00\x00\x25\x80", b"\x66\x08", b"\x67\x01", b"\x68\x01", b"\x69\x01")
)
EXAMPLES = 300


def started() -> ComPort:
    com = ComPort(9600, SerialWiring())
    com.start()
    return com


def test_it_offers_its_option_and_asks_for_bytes_as_they_are() -> None:
    com = ComPort(9600, SerialWiring())
    assert com.start() == b"\xff\xfb\x2c\xff\xfb\x00\xff\xfd\x00\xff\xfb\x03\xff\xfd\x03"
    assert not com.ready


def test_it_sets_the_port_once_the_option_is_agreed() -> None:
    com = started()
    asked = com.receive(AGREED)[1]
    assert asked == b"".join(
        SB + request + SE
        for request in (
            b"\x01\x00\x00\x25\x80",  # 9600
            b"\x02\x08",
            b"\x03\x01",  # no parity
            b"\x04\x01",
            b"\x05\x01",  # no flow control: the device has three wires
            b"\x0a\x1e",  # tell overruns, parity and framing errors, breaks
            b"\x0b\x00",  # and nothing of modem lines
        )
    )
    assert com.receive(AGREED)[1] == b""
    assert not com.ready
    com.receive(SET[:-1])
    assert not com.ready
    com.receive(SET[-1:])
    assert com.ready


def test_a_speed_with_ff_in_it_is_doubled() -> None:
    com = ComPort(0xFF, SerialWiring())
    com.start()
    assert SB + b"\x01\x00\x00\x00\xff\xff" + SE in com.receive(b"\xff\xfd\x2c")[1]


def test_a_speed_may_be_as_near_as_a_tty_comes() -> None:
    com = started()
    com.receive(AGREED + SET.replace(b"\x25\x80", b"\x25\x6e"))
    assert (com.ready, com.refused) == (True, None)


def test_what_it_did_not_ask_for_is_declined_once_each_time() -> None:
    com = started()
    assert com.receive(b"\xff\xfb\x01") == (b"", b"\xff\xfe\x01")
    assert com.receive(b"\xff\xfd\x18") == (b"", b"\xff\xfc\x18")
    assert com.receive(b"\xff\xfb\x2c\xff\xfb\x2c") == (b"", b"\xff\xfd\x2c")


def test_two_of_a_kind_do_not_answer_each_other_for_ever() -> None:
    one, other = ComPort(9600, SerialWiring()), ComPort(9600, SerialWiring())
    heard = {one: other.start(), other: one.start()}
    for _ in range(4):
        heard = {one: other.receive(heard[other])[1], other: one.receive(heard[one])[1]}
    assert set(heard.values()) == {b""}


STREAM = b"1\xff\xff2" + AGREED + b"3" + SET + b"4\x00\xff\xff" + SB + b"\x6a\x04" + SE + b"5"


@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=8))
@settings(max_examples=EXAMPLES, deadline=None)
def test_every_cut_says_the_same(cuts: list[int]) -> None:
    com, places = started(), [0, *sorted(cuts), len(STREAM)]
    said = [com.receive(STREAM[a:b]) for a, b in pairwise(places)]
    assert b"".join(one for one, _ in said) == b"1\xff234\x00\xff\x005"
    assert b"".join(answer for _, answer in said) == started().receive(STREAM)[1]
    assert com.ready


@given(data=st.binary(max_size=400))
@settings(max_examples=EXAMPLES, deadline=None)
def test_no_bytes_raise_and_few_are_kept(data: bytes) -> None:
    com = started()
    said, _ = com.receive(SB + data + bytes(1000))
    assert len(said) <= len(data) + 1000
    assert com._option is None or len(com._option) <= 256


@given(data=st.binary(max_size=100))
@settings(max_examples=EXAMPLES, deadline=None)
def test_what_is_escaped_comes_back(data: bytes) -> None:
    assert started().receive(escaped(data)) == (data, b"")
