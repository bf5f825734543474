"""A device that is asked by the clock: its frames, and the next question.

A question goes out every `every_s`, whether or not the last one was answered; it stands in the
`reply` of a `Decoded` without bytes. That is ASKED where something was understood since the last
question, and SILENCE where nothing was: how long a silence may last is the daemon's to judge.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocols.device import Decoded, Decoder
from protocols.instant import Instant, earliest
from protocols.rejects import RejectReason


class Polling:
    """See `protocols.device.Decoder`; `frames` reads what comes.

    first  how the first question is told: nothing can be due to one that was not asked, but a
           device that never answers must not look well for a while
    """

    def __init__(
        self, frames: Decoder, question: bytes, every_s: float, first: RejectReason
    ) -> None:
        self.wake_at: Instant | None = None
        self._frames = frames
        self._question = question
        self._every_s = every_s
        self._ask_at: Instant | None = None
        self._answered = first is RejectReason.ASKED

    @property
    def pending(self) -> bytes:
        """Return the unfinished frame."""
        return self._frames.pending

    def feed(self, at: Instant, data: bytes) -> Sequence[Decoded]:
        """Take bytes."""
        decoded = self._frames.feed(at, data)
        for frame in decoded if not self._answered else ():
            if not isinstance(frame.body, RejectReason):
                self._answered = True
                break
        self._set_wake()
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """Give up what quiet has ended, and ask when it is time to."""
        decoded = list(self._frames.tick(at))
        due = self._ask_at
        if due is None or at.not_before(due):
            reason = RejectReason.ASKED if self._answered else RejectReason.SILENCE
            decoded.append(Decoded(at, b"", reason, reply=self._question))
            self._answered = False
            self._ask_at = at.after(self._every_s)
        self._set_wake()
        return decoded

    def _set_wake(self) -> None:
        quiet = self._frames.wake_at
        self.wake_at = self._ask_at if quiet is None else earliest(quiet, self._ask_at)
