"""The device feed: however a stream is cut, the table is told the same and nothing hidden shows.

Tried with faults seeded; each was noticed by the law beside it:

 concealment asked of a whole chunk at once          however_it_is_cut…
 a chunk shown when its first frame may be           no_byte_of_a_hidden_frame…
 a redactor that forgets what was pending            no_byte_of_a_hidden_frame…
 the white space after a stale line spoils the next  however_much_of_it_is_stale…
 a silence that ends with bytes that say nothing     a_silence_is_told_once…
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st
from support.hidden_bench import greek, said_of
from support.shoe_line import card_report

from daemon.devices.feed import REOPEN_AFTER_SILENCES, DeviceFeed, Heard
from daemon.devices.pace import FEW_CARDS, MANY_LINES
from daemon.table.apply import apply, start
from daemon.table.inputs import (
    Commanded,
    DeviceGarbled,
    DeviceSaid,
    DeviceSilent,
    FrameDamaged,
    HiddenSaid,
    Input,
    InputBody,
    LinkUp,
)
from daemon.table.state import TableSetup, TableState
from drivers.link import Chunk
from protocols.catalog import devices
from protocols.commands import LoadShoe
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.shoes.angel_eye_ii_ex import DEVICE

AT = Instant("bench", 10**9)
WHEEL = devices()["napsa"]
SILENCE_S = WHEEL.silence_s or 0.0
LINE, BENT = b"NS0542010\r\n", b"NS05?2010\r\n"
BURNS = ("KS>burn", "9C>burn", "TD>burn", "2H>burn", "AS>burn", "7D>burn")


HAND = ("8S>player.1", "5D>banker.1", "3C>player.2", "KH>banker.2")
LATER = ("9H>burn", "5S>player.3")
"""What the shoe itself calls a burn is hidden as well."""
SETUP = greek()
"""Six cards are burned after a shuffle, and none of them is shown."""

FRAMES = [card_report(number, text) for number, text in enumerate((*BURNS, *HAND, *LATER), 1)]


def among(noise: Sequence[bytes]) -> bytes:
    """Return six burned cards, whose faces are hidden, then cards of a hand, among noise."""
    return b"".join(part for pair in zip(FRAMES, noise, strict=True) for part in pair)


@dataclass
class Listener:
    """A table that hides its burned cards, what it is told of one shoe, and what may be shown."""

    setup: TableSetup = SETUP
    state: TableState = field(default_factory=lambda: start(SETUP))
    told: list[tuple[Instant, InputBody]] = field(default_factory=list)
    secret: list[bool] = field(default_factory=list)
    shown: list[tuple[bytes, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._put(LinkUp("primary", DEVICE.key, "bench"))
        self._put(Commanded(LoadShoe("S1", 8), "c1"))
        self.feed = DeviceFeed(DEVICE, DEVICE.settings(), "primary", self)
        list(self.feed.open(AT))

    def _put(self, body: InputBody, at: Instant = AT) -> None:
        self.state = apply(self.setup, self.state, Input(at, body)).state

    def hear(self, pieces: Sequence[bytes], watched: Iterable[bool]) -> None:
        for piece, looked_at in zip(pieces, watched, strict=False):
            for heard in self.feed.take(Chunk(AT, piece), watched=looked_at):
                self._apply(heard)

    def _apply(self, heard: Heard) -> None:
        for body in heard.inputs:
            self._put(body, heard.at)
            self.told.append((heard.at, body.said.value if isinstance(body, HiddenSaid) else body))
        assert heard.frame is not None
        self.secret += [heard.hidden] * len(heard.frame.raw)
        self.shown += [(chunk.data, hidden) for chunk, hidden in heard.chunks]


def cut(stream: bytes, places: set[int]) -> list[bytes]:
    edges = [0, *sorted(place for place in places if place < len(stream)), len(stream)]
    return [stream[start:stop] for start, stop in itertools.pairwise(edges)]


noises = st.lists(
    st.sampled_from((b"", b"", b"\xff", b"\x05\xff\xfe\xfd")), min_size=12, max_size=12
)
cuts = st.sets(st.integers(1, 180))
ALWAYS = [True] * 181


@given(noises, cuts)
def test_however_it_is_cut_the_table_is_told_the_same(
    noise: Sequence[bytes], places: set[int]
) -> None:
    stream = among(noise)
    whole, pieces = Listener(), Listener()
    whole.hear([stream], ALWAYS)
    pieces.hear(cut(stream, places), ALWAYS)
    assert pieces.told == whole.told
    assert pieces.secret == whole.secret
    assert repr(pieces.state) == repr(whole.state)
    assert any(whole.secret)
    assert not all(whole.secret)


@given(noises, cuts, st.lists(st.booleans(), min_size=181, max_size=181))
def test_no_byte_of_a_hidden_frame_is_in_a_chunk_that_may_be_shown(
    noise: Sequence[bytes], places: set[int], watched: list[bool]
) -> None:
    """Whoever looks on, from whichever chunk on, and however often they leave."""
    pieces = cut(among(noise), places)
    listener = Listener()
    listener.hear(pieces, watched)
    ends = list(itertools.accumulate(len(piece) for piece in pieces))
    place_of = {
        (piece, end): any(listener.secret[end - len(piece) : end])
        for piece, end in zip(pieces, ends, strict=True)
    }
    at = 0
    for piece, hidden in listener.shown:
        while at < len(pieces) and pieces[at] != piece:
            at += 1
        assert at < len(pieces), "each once, in order"
        assert hidden == place_of[piece, ends[at]]
        at += 1


@given(st.integers(0, len(LINE) * 2))
def test_however_much_of_it_is_stale_a_line_counts_only_if_all_of_it_is_live(size: int) -> None:
    """White space that the stale line left over is no part of the next one."""
    feed = DeviceFeed(WHEEL, WHEEL.settings())
    stream = LINE * 2
    items = [*feed.open(AT), *feed.take(Chunk(AT, stream[:size], stale=True))]
    items += feed.take(Chunk(AT, stream[size:]))
    live = 2 if size == 0 else 1 if size <= len(LINE) else 0
    assert len([heard for heard in items if heard.inputs]) == live
    assert not [heard for heard in items if heard.stale and heard.inputs]
    shown = b"".join(heard.frame.raw for heard in items if heard.frame)
    assert shown + feed.pending == stream


def test_a_silence_is_told_once_at_its_time_and_ended_by_a_reading_alone() -> None:
    feed = DeviceFeed(WHEEL, WHEEL.settings())
    list(feed.open(AT))
    assert feed.wake_at == AT.after(SILENCE_S)
    (bent,) = feed.take(Chunk(AT.after(0.5), BENT))
    assert bent.reject is not None
    due = AT.after(SILENCE_S)
    (silent,) = feed.tick(due)
    assert silent.inputs == (DeviceSilent("primary", WHEEL.key, round(SILENCE_S, 1)),)
    (bent,) = feed.take(Chunk(due.after(0.5), BENT))
    assert list(feed.tick(due.after(SILENCE_S))) == [], "once"
    (heard,) = feed.take(Chunk(due.after(SILENCE_S + 0.1), LINE))
    assert isinstance(heard.inputs[0], DeviceSaid)
    assert [one.inputs for one in feed.tick(heard.at.after(SILENCE_S))] == [silent.inputs]


def test_a_silence_is_told_before_what_ends_it() -> None:
    feed = DeviceFeed(WHEEL, WHEEL.settings())
    list(feed.open(AT))
    silent, heard = feed.take(Chunk(AT.after(7.0), LINE))
    assert silent.inputs == (DeviceSilent("primary", WHEEL.key, 7.0),)
    assert isinstance(heard.inputs[0], DeviceSaid)


def test_a_link_is_wedged_after_five_silences_and_told_silent_once_over_its_reopening() -> None:
    feed = DeviceFeed(WHEEL, WHEEL.settings())
    list(feed.open(AT))
    assert len(list(feed.tick(AT.after(SILENCE_S)))) == 1
    last = AT.after(SILENCE_S * REOPEN_AFTER_SILENCES)
    assert not feed.is_wedged(Instant(last.boot, last.ns - 1))
    assert feed.is_wedged(last)
    list(feed.open(last))
    assert not feed.is_wedged(last)
    assert list(feed.tick(last.after(SILENCE_S))) == []
    feed.lost()
    assert feed.wake_at is None, "nobody listens"
    list(feed.open(last.after(60.0)))
    assert len(list(feed.tick(last.after(60.0 + SILENCE_S)))) == 1


def test_a_line_that_is_mostly_damage_is_told_once_until_a_reading() -> None:
    feed = DeviceFeed(WHEEL, WHEEL.settings())
    list(feed.open(AT))
    told = [
        body
        for _ in range(2)
        for data in (BENT * (MANY_LINES + 5), LINE)
        for heard in feed.take(Chunk(AT, data))
        for body in heard.inputs
        if not isinstance(body, FrameDamaged)
    ]
    assert [type(body) for body in told] == [DeviceGarbled, DeviceSaid] * 2


def test_t1_a_device_is_garbled_when_less_than_half_of_its_last_frames_is_understood() -> None:
    feed = DeviceFeed(WHEEL, WHEEL.settings())
    list(feed.open(AT))
    half = [feed.take(Chunk(AT, data)) for _ in range(MANY_LINES) for data in (BENT, LINE)]
    told = [body for items in half for heard in items for body in heard.inputs]
    assert [type(body) for body in told] == [FrameDamaged, DeviceSaid] * MANY_LINES
    (heard,) = feed.take(Chunk(AT, BENT))
    assert [type(body) for body in heard.inputs] == [FrameDamaged]
    *_, heard = feed.take(Chunk(AT, BENT))
    assert [type(body) for body in heard.inputs] == [FrameDamaged, DeviceGarbled]
    garbled = heard.inputs[-1]
    assert isinstance(garbled, DeviceGarbled)
    assert "11 of the last 20 frames were not understood" in garbled.detail
    assert (feed.understood, feed.rejected) == (MANY_LINES, MANY_LINES + 2)


def test_f15_a_wheel_on_a_shoes_port_is_garbled_within_two_rounds() -> None:
    """T1: each of a wheel's lines is a card that was not read."""
    scanner = devices()["barcode_lines"]
    feed = DeviceFeed(scanner, scanner.settings())
    list(feed.open(AT))
    told = [
        type(body)
        for place in range(FEW_CARDS)
        for heard in feed.take(Chunk(AT.after(place), b"*X;5;040;033;0;000;1\r\n"))
        for body in heard.inputs
        if not isinstance(body, DeviceSaid)
    ]
    assert told.count(DeviceGarbled) == 1


def test_f15_bytes_that_arrive_are_garble_and_no_silence_until_they_end() -> None:
    feed = DeviceFeed(WHEEL, WHEEL.settings())
    list(feed.open(AT))
    told = []
    for place in range(1, 10):
        at = AT.after(place * SILENCE_S / 3)
        told += [body for heard in feed.take(Chunk(at, b"\xff")) for body in heard.inputs]
        told += [body for heard in feed.tick(at) for body in heard.inputs]
    assert [type(body) for body in told] == [DeviceGarbled]
    silent = [body for heard in feed.tick(at.after(SILENCE_S)) for body in heard.inputs]
    assert [type(body) for body in silent] == [DeviceSilent]


def test_f2_what_a_link_lost_is_told_of_a_shoe_before_what_came_after() -> None:
    scanner = devices()["barcode_lines"]
    feed = DeviceFeed(scanner, scanner.settings())
    list(feed.open(AT))
    told = [
        body
        for chunk in (Chunk(AT, b"", lost="a report"), Chunk(AT, b"5H\r\n", lost="overrun"))
        for heard in feed.take(chunk)
        for body in heard.inputs
    ]
    lost = [FrameDamaged("primary", "barcode_lines", what) for what in ("a report", "overrun")]
    assert told[:2] == lost
    assert [type(body) for body in told[2:]] == [DeviceSaid]


def test_damage_is_told_of_a_device_that_sends_again_what_was_damaged() -> None:
    scanner = devices()["zebra_ssi"]
    feed = DeviceFeed(scanner, scanner.settings())
    list(feed.open(AT))
    items = list(feed.take(Chunk(AT, b"\x05\xf3\x00\x04\xff\xff\xff")))
    items += feed.tick(feed.wake_at or AT)
    rejects = [heard for heard in items if heard.reject not in (None, RejectReason.SILENCE)]
    assert rejects
    assert all(heard.inputs == (FrameDamaged("primary", "zebra_ssi"),) for heard in rejects)


def test_a_device_that_speaks_only_when_asked_is_asked_when_its_link_is_open() -> None:
    reader = devices()["feig_obid"]
    feed = DeviceFeed(reader, reader.settings())
    (question,) = feed.open(AT)
    assert question.reply
    assert question.inputs == ()
    assert question.frame is not None
    assert question.frame.raw == b""


def test_without_a_table_nothing_is_hidden() -> None:
    feed = DeviceFeed(DEVICE, DEVICE.settings())
    list(feed.open(AT))
    (heard,) = feed.take(Chunk(AT, card_report(1, "KS>burn")))
    assert not heard.hidden
    assert heard.frame is not None
    assert heard.inputs == (said_of(heard.frame, DEVICE.key),)
