"""How every verb speaks: answers on stdout, trouble on stderr, in one or two plain sentences."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

from daemon.exits import Exit


def fail(code: Exit, sentence: str, *, as_json: bool = False) -> NoReturn:
    """Say what is wrong and end the process with this code."""
    if as_json:
        print(json.dumps({"error": sentence, "exit": int(code)}), file=sys.stderr)
    else:
        print(f"pitwire: {sentence}", file=sys.stderr)
    raise SystemExit(int(code))


def note(sentence: str) -> None:
    """Say something beside the answer."""
    print(sentence, file=sys.stderr)


def answer(value: Any) -> None:
    """Print one JSON value as one line, at once."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def why(error: OSError | UnicodeDecodeError) -> str:
    """Return what is wrong with a file, without Python's own words around it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"it is not UTF-8 text: {error}"
