"""Events that go out once more, under ids of their own: the bus would drop them otherwise."""

from __future__ import annotations

import secrets
from typing import Final

from daemon.delivery.comparison import RESEND, Place, is_before
from daemon.delivery.epochs import Epochs

_AGAIN: Final = ":again:"


class Repeats:
    """What goes out again, up to which event.

    lost_to  the last event of those that the bus has lost, None while none is sent for that reason
    """

    def __init__(self, epochs: Epochs) -> None:
        self.lost_to: Place | None = None
        self._epochs = epochs
        self._until: Place | None = None
        self._then: Place | None = None
        self._suffix = ""
        # Not from 0: the ids of repeats must differ from those before a restart.
        self._number = secrets.randbits(32)

    @property
    def asked_for(self) -> bool:
        """Return whether events go out again because somebody asked for them."""
        return self._then is not None

    def resend(self, until: Place, then: Place) -> None:
        """Let what was asked for go out again, up to this event; `then` publishing goes on there.

        What is being repeated already is not left out.
        """
        if self._until is not None and self._then is not None:
            then = self._then
            until = self._until if is_before(until, self._until, self._epochs) else until
        self._until, self._then, self._suffix = until, then, self._next(RESEND)

    def send_lost(self, until: Place) -> None:
        """Let what the bus lost go out again, up to this event."""
        self._until, self._then, self.lost_to = until, None, until
        self._suffix = self.another()

    def renew(self, until: Place) -> None:
        """Let what the bus took too early go out again, up to this event at least."""
        if self._until is None or is_before(self._until, until, self._epochs):
            self._until = until
        self._suffix = self._next(RESEND if self.asked_for else _AGAIN)

    def behind(self, place: Place) -> Place:
        """Return the position behind an event that was acknowledged."""
        if self._until is None or is_before(place, self._until, self._epochs):
            return place
        then = self._then
        self._until = self._then = self.lost_to = None
        return place if then is None or is_before(then, place, self._epochs) else then

    def another(self) -> str:
        """Return a new ending for an id."""
        return self._next(_AGAIN)

    def room(self, place: Place, most: int) -> int:
        """Return how many events go out behind this one in one go, at most `most`."""
        if self._until is None or self._until[0] != place[0] or self._until[1] <= place[1]:
            return most
        return min(most, self._until[1] - place[1])

    def ends_with(self, place: Place) -> bool:
        """Return whether this is the last event that goes out again."""
        return place == self._until

    def ending(self, place: Place) -> str:
        """Return the ending of this event's id, "" where it goes out for the first time."""
        if self._until is None or is_before(self._until, place, self._epochs):
            return ""
        return self._suffix

    def _next(self, word: str) -> str:
        self._number += 1
        return f"{word}{self._number}"
