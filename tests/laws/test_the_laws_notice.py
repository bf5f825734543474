"""A law that cannot fail proves nothing: each one is shown a decoder that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from laws import decoder_laws as laws
from laws.streams import START, Piece, Stream

from protocols.cards import Card
from protocols.device import Decoded, Decoder, DeviceSpec
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardUnread
from protocols.rejects import RejectReason
from protocols.shoes import barcode_lines
from protocols.shoes.angel_eye_ii_ex import DEVICE
from protocols.shoes.angel_eye_ii_ex.layout import bcc, report

CARDS = (
    report("1", "D", b"\x81\xb8"),
    report("2", "D", b"\x91\x95"),
    report("3", "D", b"\x82\x9d"),
    report("4", "D", b"\x92\xc2"),
)
DEAL = Stream("deal", tuple(Piece(START.after(number), data) for number, data in enumerate(CARDS)))
ANSWER = Stream("answer", (Piece(START, b"\x02" + b"0030\x03" + bcc(b"0030\x03")),))


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
        return [self.change(one) for one in self.real.feed(at, data)]

    def tick(self, at: Instant) -> Sequence[Decoded]:
        return [self.change(one) for one in self.real.tick(at)]

    def change(self, one: Decoded) -> Decoded:
        return one


class ForgetsHalfFrames(Faithful):
    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        heard, held = super().feed(at, data), self.real.pending
        self.real = DEVICE.decoder(DEVICE.settings())
        return [*heard, Decoded(at, held, RejectReason.LENGTH)]


class HearsOneFramePerChunk(Faithful):
    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        first, *rest = super().feed(at, data) or [Decoded(at, b"", RejectReason.NOISE)]
        return [first, *(replace(one, body=RejectReason.NOISE) for one in rest)]


class StaysDeafAfterNoise(Faithful):
    deaf = False

    def change(self, one: Decoded) -> Decoded:
        self.deaf = self.deaf or one.body is RejectReason.NOISE
        return replace(one, body=RejectReason.NOISE) if self.deaf else one


class TakesTheCodeOfANakFromTheNextFrame(Faithful):
    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        if not data.startswith(b"\x15\x02"):
            return super().feed(at, data)
        refused = DEVICE.decoder(DEVICE.settings()).feed(at, b"\x15\x02\x06")[0]
        return [refused, *super().feed(at, data[2:])]


class SwallowsWhatFollowsATornFrame(Faithful):
    swallow = 0

    def change(self, one: Decoded) -> Decoded:
        if one.body is RejectReason.LENGTH:
            self.swallow = 3
        self.swallow -= 1
        return replace(one, body=RejectReason.LENGTH) if self.swallow >= 0 else one


class SwallowsWhatIsGluedToATornFrame(Faithful):
    swallow = 0

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        heard = super().feed(at, data)
        if len(heard) > 1 and heard[0].body is RejectReason.LENGTH:
            self.swallow = 2
        swallowed: list[Decoded] = []
        for one in heard:
            if self.swallow and not isinstance(one.body, RejectReason):
                self.swallow -= 1
                swallowed.append(replace(one, body=RejectReason.LENGTH))
            else:
                swallowed.append(one)
        return swallowed


class TrustsWithoutChecking(Faithful):
    def change(self, one: Decoded) -> Decoded:
        if one.body is not RejectReason.CHECKSUM:
            return one
        mended = one.raw[:-2] + bcc(one.raw[1:-2])
        return replace(DEVICE.decoder(DEVICE.settings()).feed(one.at, mended)[0], raw=one.raw)


class DropsNoise(Faithful):
    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        return [one for one in super().feed(at, data) if one.body is not RejectReason.NOISE]


class HoardsNoise(Faithful):
    hoard = b""

    @property
    def pending(self) -> bytes:
        return self.hoard + self.real.pending

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        heard = super().feed(at, data)
        self.hoard += b"".join(one.raw for one in heard if one.body is RejectReason.NOISE)
        return [one for one in heard if one.body is not RejectReason.NOISE]


class RemembersTheFrameBefore(Faithful):
    before: Decoded | None = None

    def change(self, one: Decoded) -> Decoded:
        last, self.before = self.before, one
        return one if last is None else replace(one, sequence=last.sequence)


NOISE = b"\x00\xff\x41"
CASES: list[tuple[type[Faithful], str, Callable[[DeviceSpec], object]]] = [
    (ForgetsHalfFrames, "byte by byte", lambda spec: laws.every_cut_says_the_same(spec, DEAL)),
    (
        HearsOneFramePerChunk,
        "in one chunk",
        lambda spec: laws.frames_in_one_chunk_say_the_same(spec, DEAL),
    ),
    (
        StaysDeafAfterNoise,
        "after b",
        lambda spec: laws.noise_and_silence_never_deafen(spec, DEAL, NOISE),
    ),
    (
        TakesTheCodeOfANakFromTheNextFrame,
        "invents",
        lambda spec: laws.noise_never_invents(spec, ANSWER, b"\x15"),
    ),
    (
        SwallowsWhatFollowsATornFrame,
        "then good data",
        lambda spec: laws.a_torn_frame_costs_only_itself(spec, DEAL),
    ),
    (
        SwallowsWhatIsGluedToATornFrame,
        "glued to the next frame",
        lambda spec: laws.a_torn_frame_costs_only_itself(spec, DEAL),
    ),
    (TrustsWithoutChecking, "says", lambda spec: laws.flipped_bits_say_nothing_else(spec, DEAL)),
    (
        DropsNoise,
        "unaccounted",
        lambda spec: laws.every_byte_is_accounted_for(spec, NOISE + CARDS[0]),
    ),
    (HoardsNoise, "bytes held", lambda spec: laws.the_buffer_stays_bounded(spec, NOISE * 4000)),
    (
        RemembersTheFrameBefore,
        "alone says",
        lambda spec: laws.the_frame_alone_says_the_same(spec, DEAL),
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


class GuessesWhatItCannotRead:
    """Says the ace of spades of every label that no card has."""

    def __init__(self) -> None:
        self.real: Decoder = barcode_lines.DEVICE.decoder(barcode_lines.DEVICE.settings())
        self.wake_at: Instant | None = None

    @property
    def pending(self) -> bytes:
        return self.real.pending

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        return self._guess(self.real.feed(at, data))

    def tick(self, at: Instant) -> Sequence[Decoded]:
        return self._guess(self.real.tick(at))

    def _guess(self, heard: Sequence[Decoded]) -> Sequence[Decoded]:
        self.wake_at = self.real.wake_at
        ace = CardDrawn(Card("A", "S"))
        return [
            replace(one, body=ace) if isinstance(one.body, CardUnread) else one for one in heard
        ]


LABELS = Stream("labels", (Piece(START, b"8S\r\n"), Piece(START.after(2), b"5D\r\n")))


@pytest.mark.parametrize(
    "law",
    [
        lambda spec: laws.noise_never_invents(spec, LABELS, b"N"),
        lambda spec: laws.a_torn_frame_costs_only_itself(spec, LABELS),
    ],
)
def test_that_a_doubt_is_forgiven_is_no_licence_to_guess(
    law: Callable[[DeviceSpec], object],
) -> None:
    law(barcode_lines.DEVICE)
    with pytest.raises(AssertionError, match=r"invents|glued to the next frame"):
        law(replace(barcode_lines.DEVICE, decoder=lambda _: GuessesWhatItCannotRead()))
