"""The shell of every decoder that holds an unfinished frame back until its rest comes.

Theory of operation. A device's decoder fills one method, `_scan`: it cuts the bytes that are there
into frames and what is none, and leaves the unfinished end in `pending`. The shell does the rest:

* Bytes that come go to the scan, behind what is pending.
* *Quiet* of `gap_s` ends what is unfinished: no device pauses so long within a frame. Its bytes are
  scanned once more with `ended`, dated at the last byte that was heard. That happens at the next
  `tick`, or before the next bytes if these come first: the daemon may be late, and the same bytes
  must say the same. The time between two boots is unknown: it counts as quiet.
* A decoder without a gap waits for ever: its frames begin with a mark that ends what was before.
* `_spoiled`: nothing is pending, and what comes next is spoiled all the same by what came before.
  The scan sets and clears it; quiet clears it.

What holds for every scan, and is tried by `tests/laws`: every byte fed is in a `raw` or pending,
once; the same bytes say the same however they were cut; what is pending is bounded.
"""

from __future__ import annotations

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.rejects import RejectReason


class FrameDecoder:
    """See `protocols.device.Decoder`, and above."""

    gap_s: float | None = None
    """Quiet that ends half a frame; None where only bytes can end one."""
    wake_at: Instant | None = None
    pending: bytes = b""
    _spoiled: bool = False
    _heard_at: Instant | None = None
    _quiet_at: Instant | None = None
    """When quiet will have ended what is unfinished now."""

    def feed(self, at: Instant, data: bytes) -> list[Decoded]:
        """Take bytes that arrived at `at` and return what they complete."""
        if not data:
            return []
        decoded: list[Decoded] = []
        if self._quiet_at is not None:
            self._end_by_quiet(at, decoded)
        self._scan(at, data, decoded, ended=False)
        self._heard_at = at
        unfinished = (self.pending or self._spoiled) and self.gap_s is not None
        self.wake_at = self._quiet_at = at.after(self.gap_s or 0.0) if unfinished else None
        return decoded

    def tick(self, at: Instant) -> list[Decoded]:
        """Give up what quiet has ended."""
        decoded: list[Decoded] = []
        self._end_by_quiet(at, decoded)
        return decoded

    def _scan(self, at: Instant, data: bytes, decoded: list[Decoded], *, ended: bool) -> None:
        """Add what the pending bytes and `data` say to `decoded`; leave what is unfinished pending.

        ended  quiet has ended it: nothing stays pending, and there is no new data
        """
        raise NotImplementedError

    def _end_by_quiet(self, at: Instant, decoded: list[Decoded]) -> None:
        last, quiet = self._heard_at, self._quiet_at
        if last is not None and quiet is not None and at.not_before(quiet):
            self._scan(last, b"", decoded, ended=True)
            self._spoiled = False
            self._quiet_at = self.wake_at = None


def add_noise(at: Instant, noise: list[bytes], decoded: list[Decoded]) -> None:
    """Add stretches of noise that lie side by side as one, and forget them."""
    if noise:
        decoded.append(Decoded(at, b"".join(noise), RejectReason.NOISE))
        noise.clear()
