"""How every verb speaks: answers on stdout, trouble on stderr, in one or two plain sentences.

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
    for line in lines:
        print(line, flush=True)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, whoever reads it."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def note(sentence: str) -> None:
    """Print something beside the result, on stderr."""
    print(sentence, file=sys.stderr)


def fail(code: Exit, sentence: str) -> NoReturn:
    """Print what is wrong, and what to do about it, on stderr; end the process with this code."""
    if wants_json():
        print(json.dumps({"error": sentence, "exit": int(code)}), file=sys.stderr)
    else:
        print(f"pitwire: {sentence}", file=sys.stderr)
    raise SystemExit(int(code))


def why(error: OSError | UnicodeDecodeError) -> str:
    """Return what is wrong with a file, in the system's words and not in Python's."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"it is not UTF-8 text, from byte {error.start} on"
