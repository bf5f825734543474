"""A setting that cannot be, said so that a technician can put it right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SettingError(ValueError):
    """What is wrong, what would be right, and at which key of the settings that refuse it."""

    def __init__(self, what: str, expected: str, *path: str | int) -> None:
        super().__init__(f"{what}; {expected}")
        self.what = what
        self.expected = expected
        self.path = path


def meant(name: str, names: Iterable[str]) -> str:
    """Return the names as an expectation, the one most like `name` first."""
    listed = sorted(names)
    close = difflib.get_close_matches(name, listed, n=1)
    guess = f'did you mean "{close[0]}"? ' if close else ""
    return f"{guess}expected one of: {', '.join(listed)}"
