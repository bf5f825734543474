"""A described device: its frames, and the question for more where it has to be asked."""

from __future__ import annotations

from protocols.bytetext import read_bytes
from protocols.device import Decoded, Decoder
from protocols.instant import Instant, earliest
from protocols.lineframes import LineFrames
from protocols.rejects import RejectReason
from protocols.shoes.line_profile.layout import Wire
from protocols.shoes.line_profile.meanings import Meanings
from protocols.shoes.line_profile.profile import LineProfile


def decoder_of(profile: LineProfile) -> Decoder:
    """Return a decoder of the profile's device."""
    wrong = RejectReason.MALFORMED if profile.check is None else RejectReason.CHECKSUM
    frames = LineFrames(
        Wire(profile).delimiting(),
        Meanings(profile).read,
        wrong,
        read_bytes(profile.host.nak) or None,
    )
    poll = read_bytes(profile.host.poll)
    return Polling(frames, poll, profile.host.poll_s) if poll else frames


class Polling:
    """See `protocols.device.Decoder`. Asks every `poll_s`, whether or not it was answered."""

    def __init__(self, frames: LineFrames, poll: bytes, poll_s: float) -> None:
        self.wake_at: Instant | None = None
        self._frames = frames
        self._poll = poll
        self._poll_s = poll_s
        self._ask_at: Instant | None = None
        self._answered = True  # nothing is due to a question that was not asked

    @property
    def pending(self) -> bytes:
        """Return the unfinished frame."""
        return self._frames.pending

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Take bytes."""
        found = self._frames.feed(at, data)
        self._answered = self._answered or any(
            not isinstance(one.body, RejectReason) for one in found
        )
        self.wake_at = earliest(self._frames.wake_at, self._ask_at)
        return found

    def tick(self, at: Instant) -> list[Decoded]:
        """Give up what quiet has ended, and ask when it is time to."""
        found = self._frames.tick(at)
        due = self._ask_at
        if due is None or due.boot != at.boot or at.reached(due):
            reason = RejectReason.ASKED if self._answered else RejectReason.SILENCE
            found.append(Decoded(at, b"", reason, reply=self._poll))
            self._answered = False
            self._ask_at = at.after(self._poll_s)
        self.wake_at = earliest(self._frames.wake_at, self._ask_at)
        return found
