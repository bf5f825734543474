"""The laws of every decoder, as checks: each raises AssertionError when it is broken.

A law sees a device only through `DeviceSpec`: its decoder, and what its framing promises. What
holds for packets in the place of a stream is in `packet_laws.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

from laws.streams import START, WAKES_MAX, Piece, Stream

from protocols.device import Decoded, Decoder, DeviceSpec
from protocols.instant import Instant
from protocols.readings import CardUnread, CommandReply, Reading
from protocols.rejects import RejectReason

CUTS_MAX = 160
TEARS_MAX = 60
FLIPS_MAX = 600
CHUNK = 4096

T = TypeVar("T")
Said: TypeAlias = tuple[Reading, str | None]


def hear(spec: DeviceSpec, pieces: Iterable[Piece]) -> list[Decoded]:
    """Decode as the daemon would: ticks when asked for, silence at the end, every byte counted."""
    decoder, decoded, fed = spec.decoder(spec.settings()), list[Decoded](), bytearray()
    at = START
    for piece in pieces:
        at = piece.at
        decoded += _wake(decoder, at)
        decoded += decoder.feed(at, piece.data)
        fed += piece.data
    decoded += _rest(spec, decoder, at)
    assert b"".join(one.raw for one in decoded) + decoder.pending == fed, "bytes unaccounted for"
    return decoded


def _wake(decoder: Decoder, until: Instant) -> list[Decoded]:
    decoded: list[Decoded] = []
    for _ in range(WAKES_MAX):
        wake = decoder.wake_at
        if wake is None or not until.reached(wake):
            return decoded
        decoded += decoder.tick(wake)
    raise AssertionError("tick does not move wake_at")


def _rest(spec: DeviceSpec, decoder: Decoder, at: Instant) -> list[Decoded]:
    until = at.after(spec.framing.silence_s)
    return [*_wake(decoder, until), *decoder.tick(until)]


def said(decoded: Iterable[Decoded]) -> list[Said]:
    """Return the readings, each with its frame number."""
    return [(one.body, one.sequence) for one in decoded if not isinstance(one.body, RejectReason)]


def every_cut_says_the_same(spec: DeviceSpec, stream: Stream) -> None:
    def moments(pieces: Iterable[Piece]) -> list[tuple[Said, Instant]]:
        decoded = hear(spec, pieces)
        spoken = [one for one in decoded if not isinstance(one.body, RejectReason)]
        return list(zip(said(spoken), (one.at for one in spoken), strict=True))

    whole = moments(stream.pieces)
    singly = [Piece(piece.at, bytes([byte])) for piece in stream.pieces for byte in piece.data]
    assert moments(singly) == whole, "byte by byte"
    cuts = [
        (number, cut)
        for number, piece in enumerate(stream.pieces)
        for cut in range(1, len(piece.data))
    ]
    for number, cut in some(cuts, CUTS_MAX):
        piece = stream.pieces[number]
        halves = [Piece(piece.at, piece.data[:cut]), Piece(piece.at, piece.data[cut:])]
        pieces = [*stream.pieces[:number], *halves, *stream.pieces[number + 1 :]]
        assert moments(pieces) == whole, f"piece {number} cut at {cut}"


def frames_in_one_chunk_say_the_same(spec: DeviceSpec, stream: Stream) -> None:
    whole = said(hear(spec, stream.pieces))
    for number in some(range(len(stream.pieces) - 1), CUTS_MAX):
        first, second = stream.pieces[number : number + 2]
        if _unmarked(spec) and _unfinished(spec, first):
            continue  # quiet alone ended it
        glued = Piece(second.at, first.data + second.data)
        pieces = [*stream.pieces[:number], glued, *stream.pieces[number + 2 :]]
        assert said(hear(spec, pieces)) == whole, f"pieces {number} and {number + 1} in one chunk"


def noise_and_silence_never_deafen(spec: DeviceSpec, stream: Stream, noise: bytes) -> None:
    whole, before = said(hear(spec, stream.pieces)), _before(spec, stream)
    decoder = spec.decoder(spec.settings())
    heard = [*decoder.feed(before, noise), *_rest(spec, decoder, before)]
    explained = said(heard)
    for piece in stream.pieces:
        heard += _wake(decoder, piece.at)
        heard += decoder.feed(piece.at, piece.data)
    heard += _rest(spec, decoder, stream.pieces[-1].at)
    after = said(heard)[len(explained) :]
    # Where silence ends nothing, the first frame may be lost with what it is glued to.
    losable = not spec.framing.self_starting and spec.framing.silence_s == 0
    assert after == whole or (losable and after == whole[1:]), f"after {noise!r}: {after}"


def noise_never_invents(spec: DeviceSpec, stream: Stream, noise: bytes) -> None:
    """Noise glued to good data says at most what each says alone."""
    first, *rest = stream.pieces
    alone = said(hear(spec, [Piece(first.at, noise)]))
    good = said(hear(spec, stream.pieces))
    glued = said(hear(spec, [Piece(first.at, noise + first.data), *rest]))
    assert _within(_claims(spec, glued), [*alone, *good]), f"{noise!r} invents: {glued}"


def a_torn_frame_costs_only_itself(spec: DeviceSpec, stream: Stream) -> None:
    frames = _one_frame_pieces(spec, stream)
    whole = _claims(spec, said(hear(spec, frames)))
    assert len(whole) == len(frames)
    tears = [(number, cut) for number, one in enumerate(frames) for cut in range(1, len(one.data))]
    for number, cut in some(tears, TEARS_MAX):
        torn = frames[number].data[:cut]
        _torn_then_silence(spec, stream, torn, [whole[number]])
        pieces = [*frames[:number], Piece(frames[number].at, torn), *frames[number + 1 :]]
        if number + 1 < len(pieces):
            follower = pieces.pop(number + 1)
            pieces[number] = Piece(follower.at, torn + follower.data)
        allowed = [whole, _without(whole, number)]
        if not spec.framing.self_starting:
            allowed += [_without(whole, number + 1), _without(whole, number, number + 1)]
        heard = _claims(spec, said(hear(spec, pieces)))
        assert heard in allowed, f"{torn!r} glued to the next frame: {heard}"


def _one_frame_pieces(spec: DeviceSpec, stream: Stream) -> list[Piece]:
    """Return the pieces that are one frame each, as it was written to the wire."""
    decoder = spec.decoder(spec.settings())
    found = []
    for piece in stream.pieces:
        _wake(decoder, piece.at)
        decoded = decoder.feed(piece.at, piece.data)
        if len(decoded) == 1 and _claims(spec, said(decoded)):
            found.append(piece)
    return found


def _torn_then_silence(
    spec: DeviceSpec, stream: Stream, torn: bytes, itself: Sequence[Said]
) -> None:
    whole = said(hear(spec, stream.pieces))
    heard = said(hear(spec, [Piece(_before(spec, stream), torn), *stream.pieces]))
    allowed = [whole, [*itself, *whole]]
    if not spec.framing.self_starting and spec.framing.silence_s == 0:
        allowed.append(whole[1:])
    assert heard in allowed, f"{torn!r}, silence, then good data: {heard}"


def flipped_bits_say_nothing_else(spec: DeviceSpec, stream: Stream) -> tuple[int, int]:
    """Return how many flips made another reading, of how many tried.

    Raises where a checksum promises none. Answers to commands are left out: an ACK is a single
    byte that nothing protects in any protocol.
    """
    changed = tried = 0
    places = [
        (number, bit)
        for number, piece in enumerate(stream.pieces)
        for bit in range(8 * len(piece.data))
    ]
    for number, bit in some(places, FLIPS_MAX):
        near = stream.pieces[max(0, number - 1) : number + 2]
        piece = stream.pieces[number]
        itself = said(hear(spec, [piece]))
        # A piece that says nothing is hurt already, and a flip may mend it.
        if all(isinstance(body, CommandReply) for body, _ in itself):
            continue
        hurt = bytearray(piece.data)
        hurt[bit // 8] ^= 1 << bit % 8
        pieces = [Piece(one.at, bytes(hurt)) if one is piece else one for one in near]
        heard = said(hear(spec, pieces))
        tried += 1
        if spec.framing.checksum == "none":  # there, a card that nobody knows is what is hoped for
            heard = [one for one in heard if not isinstance(one[0], CardUnread)]
        if not _within(heard, said(hear(spec, near))):
            changed += 1
            assert spec.framing.checksum == "none", f"{bytes(hurt)!r} says {heard}"
    return changed, tried


def the_frame_alone_says_the_same(spec: DeviceSpec, stream: Stream) -> None:
    for one in hear(spec, stream.pieces):
        if not isinstance(one.body, RejectReason):
            alone = said(hear(spec, [Piece(one.at, one.raw)]))
            assert alone == said([one]), f"{one.raw!r} alone says {alone}"


def every_byte_is_accounted_for(spec: DeviceSpec, data: bytes) -> None:
    hear(spec, [Piece(START, data)])
    hear(spec, [Piece(START, bytes([byte])) for byte in data])


def the_buffer_stays_bounded(spec: DeviceSpec, noise: bytes, size: int = CHUNK) -> None:
    """Feed noise, `size` bytes at a time; nothing is lost and nothing piles up."""
    decoder, given, taken = spec.decoder(spec.settings()), 0, 0
    for start in range(0, len(noise), size):
        chunk = noise[start : start + size]
        given += len(chunk)
        taken += sum(len(one.raw) for one in decoder.feed(START, chunk))
        held = len(decoder.pending)
        assert held <= spec.framing.pending_max, f"{held} bytes held of {noise[:16]!r}…"
        assert taken + held == given, "bytes unaccounted for"


def _before(spec: DeviceSpec, stream: Stream) -> Instant:
    return stream.pieces[0].at.after(-spec.framing.silence_s)


def some(every: Sequence[T], most: int) -> Sequence[T]:
    """Return at most about so many of them, evenly spread."""
    # A stride prime to the frame lengths meets every place of a frame sooner or later.
    stride = -(-len(every) // most) if every else 1
    return every[:: stride | 1]


def _without(whole: Sequence[Said], *left_out: int) -> list[Said]:
    return [one for number, one in enumerate(whole) if number not in left_out]


def _claims(spec: DeviceSpec, heard: Iterable[Said]) -> list[Said]:
    """Return the readings that claim something.

    Where neither a check value nor a start mark tells a spoiled frame from a whole one, it may be
    told as a card that nobody knows: a doubt is no invention, and it holds.
    """
    doubts = _unmarked(spec)
    return [one for one in heard if not (doubts and isinstance(one[0], CardUnread))]


def _unmarked(spec: DeviceSpec) -> bool:
    return spec.framing.checksum == "none" and not spec.framing.self_starting


def _unfinished(spec: DeviceSpec, piece: Piece) -> bool:
    decoder = spec.decoder(spec.settings())
    decoder.feed(piece.at, piece.data)
    return bool(decoder.pending) or decoder.wake_at is not None


def _within(heard: Iterable[Said], whole: Iterable[Said]) -> bool:
    rest = iter(whole)
    return all(one in rest for one in heard)
