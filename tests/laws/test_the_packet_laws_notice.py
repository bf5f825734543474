"""The laws of packets are shown decoders that break them, as in `test_the_laws_notice.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from laws import packet_laws as laws
from laws.streams import START, Piece, Stream

from protocols.device import Decoded, Decoder, DeviceSpec
from protocols.instant import Instant
from protocols.rejects import RejectReason
from protocols.shoes.hid_pos import DEVICE
from protocols.shoes.hid_pos.layout import PACKET_SIZE, aim_packet

CARDS = tuple(aim_packet(b"]C0", label) for label in (b"KD", b"8S", b"TH"))
DEAL = Stream("deal", tuple(Piece(START.after(number), data) for number, data in enumerate(CARDS)))
NOISE = b"\x81\x02" + b"\x5d" * 30


class Faithful:
    """Passes everything on; a faulty decoder changes one thing."""

    def __init__(self) -> None:
        self.real: Decoder = DEVICE.decoder(DEVICE.settings())

    @property
    def wake_at(self) -> Instant | None:
        return self.real.wake_at

    @wake_at.setter
    def wake_at(self, value: Instant | None) -> None:
        self.real.wake_at = value

    @property
    def pending(self) -> bytes:
        return self.real.pending

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        return self.real.feed(at, data)

    def tick(self, at: Instant) -> Sequence[Decoded]:
        return self.real.tick(at)


class FillsAGap(Faithful):
    """Makes up for a packet that seems to be missing."""

    due: Instant | None = None

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        missing = self.due is not None and self.due.ns < at.ns
        self.due = at.after(1)
        made_up = [replace(one, raw=b"") for one in self.real.feed(at, CARDS[0])] if missing else []
        return [*made_up, *self.real.feed(at, data)]


class ReadsHalfAPacket(Faithful):
    """Fills up what is missing with what the packet before it had there."""

    before = bytes(PACKET_SIZE)

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        whole = data + self.before[len(data) :]
        self.before = whole
        return [replace(one, raw=data) for one in self.real.feed(at, whole)]


class CountsTheSecondCopy(Faithful):
    """Takes a report that comes again for the next label in the box."""

    before = b""

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        again, self.before = data == self.before, data
        other = CARDS[2] if again else data
        return [replace(one, raw=data) for one in self.real.feed(at, other)]


class MakesLatenessAFact(Faithful):
    """Says another card when a packet comes off the beat."""

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        late = at.ns % 1_000_000_000 != 0
        return [replace(one, raw=data) for one in self.real.feed(at, CARDS[0] if late else data)]


class MendsNoiseFromTheNextPacket(Faithful):
    held = b""

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        if len(data) != PACKET_SIZE:
            self.held = data
            return [Decoded(at, data, RejectReason.LENGTH)]
        other = CARDS[2] if self.held else data
        return [replace(one, raw=data) for one in self.real.feed(at, other)]


CASES: list[tuple[type[Faithful], str, Callable[[DeviceSpec], object]]] = [
    (
        FillsAGap,
        "hurt",
        lambda spec: laws.dropped_packets_say_nothing_else(spec, DEAL),
    ),
    (
        ReadsHalfAPacket,
        "hurt",
        lambda spec: laws.shortened_packets_say_nothing_else(spec, DEAL),
    ),
    (
        CountsTheSecondCopy,
        "doubled",
        lambda spec: laws.doubled_packets_say_the_same_again(spec, DEAL),
    ),
    (
        MakesLatenessAFact,
        "hurt",
        lambda spec: laws.delayed_packets_say_nothing_else(spec, DEAL),
    ),
    (
        MendsNoiseFromTheNextPacket,
        "invents",
        lambda spec: laws.noise_between_packets_invents_nothing(spec, DEAL, NOISE),
    ),
]
each_case = pytest.mark.parametrize(
    ("faulty", "complaint", "law"), CASES, ids=[faulty.__name__ for faulty, _, _ in CASES]
)


@pytest.mark.parametrize("law", [law for _, _, law in CASES])
def test_a_law_is_content_with_a_faithful_decoder(law: Callable[[DeviceSpec], object]) -> None:
    law(replace(DEVICE, decoder=lambda _: Faithful()))


@each_case
def test_a_law_notices_the_decoder_that_breaks_it(
    faulty: type[Faithful], complaint: str, law: Callable[[DeviceSpec], object]
) -> None:
    with pytest.raises(AssertionError, match=complaint):
        law(replace(DEVICE, decoder=lambda _: faulty()))


def test_a_flipped_bit_is_noticed_where_a_checksum_is_promised() -> None:
    assert laws.flipped_bits_say_nothing_else(DEVICE, DEAL)[0] > 0
    promised = replace(DEVICE, framing=replace(DEVICE.framing, checksum="xor"))
    with pytest.raises(AssertionError, match="says"):
        laws.flipped_bits_say_nothing_else(promised, DEAL)
