"""How every verb speaks: answers on stdout, trouble on stderr, in one or two plain sentences.

Whatever is printed may hold a stranger's words: a name from the bus, a capture's header, a damaged
file. Letters that a terminal would obey, or that would begin another line, are shown as their
escapes; everything that a verb prints goes through here.

Whether this run answers in JSON is chosen once, by `--json` (`main.py`, `verb.py`), and looked up
here: verbs answer, note and fail, and do not pass the choice on.
"""

from __future__ import annotations

import json
import sys
from contextvars import ContextVar
from typing import Any, NoReturn

from daemon.exits import Exit

_JSON: ContextVar[bool] = ContextVar("json", default=False)


def choose_json(*, chosen: bool) -> None:
    """Make this run answer in JSON, or in lines for people."""
    _JSON.set(chosen)


def wants_json() -> bool:
    """Return whether this run answers in JSON."""
    return _JSON.get()


def answer(value: Any, *lines: str) -> None:
    """Print a result at once: one line of JSON, or `lines` where people read it."""
    if wants_json():
        print_json(value)
        return
    say(*lines)


def say(*lines: str) -> None:
    """Print lines for people, at once."""
    for line in lines:
        print(plain(line), flush=True)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, whoever reads it."""
    print(_json(value), flush=True)


def note(sentence: str) -> None:
    """Print something beside the result, on stderr."""
    print(plain(sentence), file=sys.stderr)


def fail(code: Exit, *sentences: str) -> NoReturn:
    """Print what is wrong, and what to do about it, on stderr; end the process with this code."""
    if wants_json():
        print(_json({"error": "\n".join(sentences), "exit": int(code)}), file=sys.stderr)
    else:
        for sentence in sentences:
            note(f"pitwire: {sentence}")
    raise SystemExit(int(code))


def plain(text: str) -> str:
    """Return a line without what a terminal would obey: such letters as their escapes."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def _json(value: Any) -> str:
    """Return one line of JSON; what may not be printed can only stand inside a string."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


def why(error: OSError | UnicodeDecodeError) -> str:
    """Return what is wrong with a file, in the system's words and not in Python's."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"it is not UTF-8 text, from byte {error.start} on"
