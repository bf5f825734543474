"""The laws of decoders that are fed packets: USB reports, CAN frames.

A packet is never cut or glued, so no cut is tried. It may be dropped, doubled, cut short or
delayed, and none of these makes another reading: a card that can no longer be named is at most
unread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from laws.decoder_laws import FLIPS_MAX, Said, hear, said, some
from laws.streams import Piece, Stream

from protocols.device import Decoded, DeviceSpec
from protocols.readings import CardUnread, CommandReply

HURTS_MAX = 160
DELAYS_MAX = 40

Damage = Callable[[Sequence[Piece], int], Iterable[Sequence[Piece]]]
"""Makes streams of one in which the packet of this number is hurt."""


def dropped_packets_say_nothing_else(spec: DeviceSpec, stream: Stream) -> None:
    _hurt(spec, stream, lambda pieces, number: [[*pieces[:number], *pieces[number + 1 :]]])


def shortened_packets_say_nothing_else(spec: DeviceSpec, stream: Stream) -> None:
    def shorten(pieces: Sequence[Piece], number: int) -> Iterator[Sequence[Piece]]:
        whole = pieces[number]
        lengths = {1, len(whole.data) // 2, len(whole.data) - 1} - {0, len(whole.data)}
        for length in lengths:
            short = Piece(whole.at, whole.data[:length])
            yield [*pieces[:number], short, *pieces[number + 1 :]]

    _hurt(spec, stream, shorten)


def delayed_packets_say_nothing_else(spec: DeviceSpec, stream: Stream) -> None:
    """A packet comes late, and everything behind it: by a little, by the silence, by much more."""

    def delay(pieces: Sequence[Piece], number: int) -> Iterator[Sequence[Piece]]:
        for seconds in (0.001, spec.framing.silence_s, 10 * spec.framing.silence_s + 1.0):
            late = [Piece(one.at.after(seconds), one.data) for one in pieces[number:]]
            yield [*pieces[:number], *late]

    _hurt(spec, stream, delay, DELAYS_MAX)


def doubled_packets_say_the_same_again(spec: DeviceSpec, stream: Stream) -> None:
    """A packet comes twice: what it says may be said twice, whether it counts is the tracker's."""
    whole = said(hear(spec, stream.pieces))
    for number in some(range(len(stream.pieces)), HURTS_MAX):
        twice = [*stream.pieces[: number + 1], *stream.pieces[number:]]
        heard = said(hear(spec, twice))
        assert once(heard) == once(whole), f"packet {number} doubled: {heard}"


def noise_between_packets_invents_nothing(spec: DeviceSpec, stream: Stream, noise: bytes) -> None:
    alone = said(hear(spec, [Piece(stream.pieces[0].at, noise)]))
    good = said(hear(spec, stream.pieces))
    for number, piece in enumerate(stream.pieces):
        pieces = [*stream.pieces[:number], Piece(piece.at, noise), *stream.pieces[number:]]
        before = sum(1 for _ in said(hear(spec, stream.pieces[:number])))
        heard = said(hear(spec, pieces))
        allowed = [*good[:before], *alone, *good[before:]]
        assert _nothing_else(heard, allowed), f"{noise!r} before packet {number} invents: {heard}"


def flipped_bits_say_nothing_else(spec: DeviceSpec, stream: Stream) -> tuple[int, int]:
    """Return how many flips made another reading, of how many tried in packets that say something.

    Raises where a checksum promises none. The wire's own checksum is not counted: it has been
    taken off before a decoder sees the packet.
    """
    changed = tried = 0
    scans = list(_scans(spec, stream))
    places = [
        (number, place, bit)
        for number, scan in enumerate(scans)
        for place, piece in enumerate(scan)
        for bit in range(8 * len(piece.data))
    ]
    for number, place, bit in some(places, FLIPS_MAX):
        scan = scans[number]
        itself = said(hear(spec, scan))
        if all(isinstance(body, CommandReply) for body, _ in itself):
            continue
        hurt = bytearray(scan[place].data)
        hurt[bit // 8] ^= 1 << bit % 8
        pieces = [*scan[:place], Piece(scan[place].at, bytes(hurt)), *scan[place + 1 :]]
        tried += 1
        if (heard := said(hear(spec, pieces))) and not _nothing_else(heard, itself):
            changed += 1
            assert spec.framing.checksum == "none", f"{bytes(hurt)!r} says {heard}"
    return changed, tried


def once(readings: Iterable[Said]) -> list[Said]:
    """Return the readings without those that are equal to the one before them."""
    kept: list[Said] = []
    for one in readings:
        if not kept or kept[-1] != one:
            kept.append(one)
    return kept


def _hurt(spec: DeviceSpec, stream: Stream, damage: Damage, most: int = HURTS_MAX) -> None:
    decoded = hear(spec, stream.pieces)
    whole, unread = said(decoded), _unread(stream, decoded)
    for number in some(range(len(stream.pieces)), most):
        if number in unread:
            continue  # hurt already: to lose what hurts it may mend it
        for pieces in damage(stream.pieces, number):
            heard = said(hear(spec, pieces))
            assert _nothing_else(heard, whole), f"packet {number} hurt: {heard}"


def _nothing_else(heard: Iterable[Said], whole: Iterable[Said]) -> bool:
    """Return whether what was heard is the whole or less, in order, cards left unread apart."""
    rest = iter(whole)
    return all(one in rest for one in heard if not isinstance(one[0], CardUnread))


def _unread(stream: Stream, decoded: Iterable[Decoded]) -> set[int]:
    """Return the numbers of the packets that are part of a card left unread."""
    places, place = set[int](), 0
    for one in decoded:
        if isinstance(one.body, CardUnread):
            places |= set(range(place, place + len(one.raw)))
        place += len(one.raw)
    starts = accumulate((len(piece.data) for piece in stream.pieces), initial=0)
    return {number for number, start in enumerate(starts) if start in places}


def _scans(spec: DeviceSpec, stream: Stream) -> Iterator[list[Piece]]:
    """Yield the packets that together are one frame, as many as it takes to say something."""
    decoder, scan = spec.decoder(spec.settings()), list[Piece]()
    for piece in stream.pieces:
        scan.append(piece)
        if decoder.feed(piece.at, piece.data):
            yield scan
            scan = []
