"""How long to wait before the next try: a policy as a value, no sleeping inside."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits of `first_s`, growing by `factor`, never more than `most_s`; for ever."""

    first_s: float
    factor: float
    most_s: float

    def wait_s(self, failures: int) -> float:
        """Return the wait after this many failures in a row (1 for the first)."""
        return min(self.most_s, self.first_s * self.factor ** min(failures - 1, 64))
