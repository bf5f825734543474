"""What is wrong with the operator's file: every problem at once.

ConfigError     the file cannot be used; the process ends with exit code 78
  └ Problem     one thing to put right: a value, collected and never raised

SettingError    (protocols/settingerror.py) settings that a device refuses  ┐ each becomes a
DbcError        (config/dbc.py) a DBC file that cannot be used              ┘ Problem
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to put right.

    where     the key, as a path: `table[0].device[1].link.port`; empty for the file as a whole
    line      its line in `file`, None where it cannot be told
    what      what is wrong
    expected  what would be right
    nearest   the valid name most like the one given, if one is
    file      the file to open, None for the file that was loaded
    """

    where: str
    line: int | None
    what: str
    expected: str
    nearest: str | None = None
    file: str | None = None

    def sentence(self, source: str) -> str:
        """Return the problem as one line for people; `source` names the file that was loaded."""
        place = self.file or source
        if self.line is not None:
            place += f":{self.line}"
        if self.where:
            place += f": {self.where}"
        guess = f'; did you mean "{self.nearest}"?' if self.nearest else ""
        return f"{place}: {self.what}; {self.expected}{guess}"


class ConfigError(Exception):
    """The file cannot be used. `problems` is every one of them, in the file's order."""

    def __init__(self, problems: Sequence[Problem], source: str) -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__("\n".join(problem.sentence(source) for problem in self.problems))


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` that is most like `name`, or begins with it; None when none is."""
    folded = name.casefold()
    by_folded = {known.casefold(): known for known in names}
    longer = [known for known in by_folded if folded and known.startswith(folded)]
    close = difflib.get_close_matches(folded, by_folded, n=1) or longer
    return by_folded[close[0]] if close else None


def one_of(names: Iterable[str]) -> str:
    """Return the names as an expectation."""
    listed = ", ".join(sorted(names))
    return f"expected one of: {listed}" if listed else "there is none to choose from"
