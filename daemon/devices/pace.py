"""How much of what a device says is understood, by its own pace. Pure.

A wheel says two lines a second, a shoe one frame for each card. So the last frames are looked at,
and not the last seconds: of a shoe about as many as two rounds have cards. A device whose frames
are mostly not understood is garbled; the next reading ends that, and the count begins anew.
"""

from __future__ import annotations

from collections import deque
from typing import Final

FEW_CARDS: Final = 10
"""How many frames are looked back on, of a device that speaks when a card passes: two rounds'."""
MANY_LINES: Final = 20
"""How many, of a device that is never silent: ten seconds of a wheel."""


class Pace:
    """Which of a device's last frames were understood, and whether it is garbled.

    size  how many of its last frames are looked at
    """

    def __init__(self, size: int) -> None:
        self._last: deque[bool] = deque(maxlen=size)
        self._garbled = False
        self._few = size // 2

    @property
    def seen(self) -> int:
        """Return how many frames are looked at."""
        return len(self._last)

    @property
    def rejected(self) -> int:
        """Return how many of them were not understood."""
        return self._last.count(False)

    def count(self, *, understood: bool) -> bool:
        """Count a frame; return whether the device has become garbled by it."""
        if self._garbled and understood:
            self.forget()
        self._last.append(understood)
        return self.rejected > self._few and self.make_garbled()

    def make_garbled(self) -> bool:
        """Call the device garbled; return whether that is news."""
        news, self._garbled = not self._garbled, True
        return news

    def forget(self) -> None:
        """Begin anew: another link, perhaps another device."""
        self._last.clear()
        self._garbled = False
