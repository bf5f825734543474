"""Every device of the catalog keeps the laws in `decoder_laws.py` and `packet_laws.py`.

Each law was proven by a decoder that breaks it; they stay in `test_the_laws_notice.py`, those for
packets in `test_the_packet_laws_notice.py`:

 1 forgets a half frame at the end of a chunk     every_cut_says_the_same
 2 hears one frame per chunk                      frames_in_one_chunk_say_the_same
 3 stays deaf after noise                         noise_and_silence_never_deafen
 4 completes noise from the frame behind it       noise_never_invents
 5 swallows the frames behind a torn one          a_torn_frame_costs_only_itself
   (one decoder for each half of the law: after silence, and glued in one chunk)
 6 does not verify the check value                flipped_bits_say_nothing_else
 7 drops noise without a word                     every_byte_is_accounted_for
 8 holds back all it cannot read                  the_buffer_stays_bounded
 9 remembers the frame before                     the_frame_alone_says_the_same
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import decoder_laws as laws
from laws import packet_laws
from laws.described import described
from laws.streams import Stream, goldens, streams

from protocols.catalog import devices
from protocols.device import DeviceSpec

CATALOG = list(devices().values())
SPECS = [*(spec.under(spec.settings()) for spec in CATALOG), *described()]
STREAMED = [spec for spec in SPECS if spec.wiring.unit == "stream"]
PACKETED = [spec for spec in SPECS if spec.wiring.unit == "packet"]
MEBIBYTE = 1 << 20
EXAMPLES = 60
SHORT = 12

each_device = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
each_streamed_device = pytest.mark.parametrize("spec", STREAMED, ids=lambda spec: spec.key)
each_packeted_device = pytest.mark.parametrize("spec", PACKETED, ids=lambda spec: spec.key)


def each_recording_of(specs: Sequence[DeviceSpec]) -> pytest.MarkDecorator:
    """Return the mark that runs a test with everything there is of these devices."""
    return pytest.mark.parametrize(
        ("spec", "stream"),
        [
            pytest.param(spec, stream, id=f"{spec.key}-{stream.name}")
            for spec in specs
            for stream in streams(spec)
        ],
    )


def short(spec: DeviceSpec) -> Stream:
    first = streams(spec)[0]
    return Stream(first.name, first.pieces[:SHORT])


def noises(spec: DeviceSpec) -> st.SearchStrategy[bytes]:
    """Random bytes, and what damage makes of real frames: pieces of them in any order."""
    frames = sorted({piece.data for stream in streams(spec) for piece in stream.pieces})
    fragments = st.builds(
        lambda frame, start, length: frame[start : start + length],
        st.sampled_from(frames),
        st.integers(0, 20),
        st.integers(1, 20),
    )
    return st.binary(max_size=300) | st.lists(st.binary(max_size=3) | fragments, max_size=12).map(
        b"".join
    )


def noise_kinds(spec: DeviceSpec) -> dict[str, bytes]:
    frame = streams(spec)[0].pieces[0].data
    seeds = {
        "nul": b"\x00",
        "line idle": b"\xff",
        "text": b"no frame of any device ",
        "first byte": frame[:1],
        "torn frame": frame[:-3],
        "headless frame": frame[1:],
        "wrong baud": b"\x00\x80\xe0\xf8\xfe",
    }
    kinds = {name: seed * (MEBIBYTE // len(seed)) for name, seed in seeds.items()}
    return kinds | {"random": random.Random(1).randbytes(MEBIBYTE)}


@pytest.mark.parametrize("spec", CATALOG, ids=lambda spec: spec.key)
def test_there_is_a_golden_scenario_with_readings(spec: DeviceSpec) -> None:
    assert any(laws.said(laws.hear(spec, stream.pieces)) for stream in goldens(spec))


@each_device
def test_the_healthy_simulator_is_heard(spec: DeviceSpec) -> None:
    (healthy,) = (stream for stream in streams(spec) if stream.name == "healthy")
    heard = [one for one in laws.hear(spec, healthy.pieces) if one.raw]  # no question of ours
    assert len(laws.said(heard)) == len(heard) > 0
    if spec.wiring.unit == "stream":
        assert len(heard) == len(healthy.pieces)


@each_recording_of(STREAMED)
def test_every_cut_says_the_same(spec: DeviceSpec, stream: Stream) -> None:
    laws.every_cut_says_the_same(spec, stream)


@each_recording_of(STREAMED)
def test_frames_in_one_chunk_say_the_same(spec: DeviceSpec, stream: Stream) -> None:
    laws.frames_in_one_chunk_say_the_same(spec, stream)


@each_recording_of(STREAMED)
def test_a_torn_frame_costs_only_itself(spec: DeviceSpec, stream: Stream) -> None:
    laws.a_torn_frame_costs_only_itself(spec, stream)


@each_recording_of(PACKETED)
def test_a_dropped_packet_says_nothing_else(spec: DeviceSpec, stream: Stream) -> None:
    packet_laws.dropped_packets_say_nothing_else(spec, stream)


@each_recording_of(PACKETED)
def test_a_packet_cut_short_says_nothing_else(spec: DeviceSpec, stream: Stream) -> None:
    packet_laws.shortened_packets_say_nothing_else(spec, stream)


@each_recording_of(PACKETED)
def test_a_delayed_packet_says_nothing_else(spec: DeviceSpec, stream: Stream) -> None:
    packet_laws.delayed_packets_say_nothing_else(spec, stream)


@each_recording_of(PACKETED)
def test_a_doubled_packet_says_the_same_again(spec: DeviceSpec, stream: Stream) -> None:
    packet_laws.doubled_packets_say_the_same_again(spec, stream)


@each_recording_of(SPECS)
def test_the_frame_alone_says_the_same(spec: DeviceSpec, stream: Stream) -> None:
    laws.the_frame_alone_says_the_same(spec, stream)


@each_device
def test_a_flipped_bit_says_nothing_else_where_a_checksum_promises_it(
    spec: DeviceSpec, capsys: pytest.CaptureFixture[str]
) -> None:
    room = laws if spec.wiring.unit == "stream" else packet_laws
    results = [room.flipped_bits_say_nothing_else(spec, stream) for stream in streams(spec)]
    changed, tried = (sum(column) for column in zip(*results, strict=True))
    with capsys.disabled():
        rate = f"{changed} of {tried} flipped bits say something else ({changed / tried:.2%})"
        print(f"\n{spec.key}: {rate}")  # noqa: T201 - a measured rate is for reading


@each_device
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_noise_and_silence_never_deafen(spec: DeviceSpec, data: st.DataObject) -> None:
    laws.noise_and_silence_never_deafen(spec, short(spec), data.draw(noises(spec)))


@each_packeted_device
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_noise_between_packets_invents_nothing(spec: DeviceSpec, data: st.DataObject) -> None:
    noise = data.draw(noises(spec).filter(bool))
    packet_laws.noise_between_packets_invents_nothing(spec, short(spec), noise)


@each_streamed_device
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_noise_never_invents(spec: DeviceSpec, data: st.DataObject) -> None:
    laws.noise_never_invents(spec, short(spec), data.draw(noises(spec)))


@each_device
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_every_byte_is_accounted_for(spec: DeviceSpec, data: st.DataObject) -> None:
    laws.every_byte_is_accounted_for(spec, data.draw(noises(spec)) + short(spec).data)


@each_device
def test_the_buffer_stays_bounded(spec: DeviceSpec) -> None:
    size = laws.CHUNK
    if spec.wiring.unit == "packet":
        size = max(len(piece.data) for stream in streams(spec) for piece in stream.pieces)
    for noise in noise_kinds(spec).values():
        laws.the_buffer_stays_bounded(spec, noise, size)
