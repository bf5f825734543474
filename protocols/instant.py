"""A point in time on the machine's boot clock: the only time that decoders and rules ever see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instant:
    """Nanoseconds of CLOCK_BOOTTIME within one boot of the machine.

    Two instants of different boots cannot be compared: the time between them is unknown.
    """

    boot: str
    ns: int

    def after(self, seconds: float) -> Instant:
        """Return the instant `seconds` later, in the same boot."""
        return Instant(self.boot, self.ns + round(seconds * 1_000_000_000))

    def since(self, earlier: Instant) -> float | None:
        """Return the seconds from `earlier` to this instant, or None across a reboot."""
        if self.boot != earlier.boot:
            return None
        return (self.ns - earlier.ns) / 1_000_000_000

    def reached(self, deadline: Instant) -> bool:
        """Return whether `deadline` has passed; across a reboot that is unknown, hence False."""
        return self.boot == deadline.boot and self.ns >= deadline.ns

    def not_before(self, deadline: Instant) -> bool:
        """Return whether `deadline` has passed; across a reboot it counts as passed."""
        return self.boot != deadline.boot or self.ns >= deadline.ns


def earliest(*instants: Instant | None) -> Instant | None:
    """Return the earliest of the given instants of one boot, ignoring None."""
    return min(
        (instant for instant in instants if instant is not None),
        key=lambda instant: instant.ns,
        default=None,
    )
