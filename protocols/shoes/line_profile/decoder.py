"""A described device: its frames, and the question for more where it has to be asked."""

from __future__ import annotations

from protocols.bytetext import read_bytes
from protocols.device import Decoder
from protocols.lineframes import LineFrames
from protocols.polling import Polling
from protocols.rejects import RejectReason
from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.meanings import Meanings
from protocols.shoes.line_profile.profile import LineProfile


def decoder_of(profile: LineProfile) -> Decoder:
    """Return a decoder of the profile's device."""
    wrong = RejectReason.MALFORMED if profile.check is None else RejectReason.CHECKSUM
    frames = LineFrames(
        FrameFormat(profile).delimiting(),
        Meanings(profile).read,
        wrong,
        read_bytes(profile.host.nak) or None,
    )
    poll = read_bytes(profile.host.poll)
    if not poll:
        return frames
    return Polling(frames, poll, profile.host.poll_s, RejectReason.ASKED)
