"""Commands and answers ⇄ JSON. A payload is a command of the contract, or its answer says why not.

    {"id": …, "expires": …, "command": …, its fields}

What a field may hold stands at its type (`protocols/limits.py`), so the published schema refuses
what is refused here: no value is converted, no unknown name is let through, no text moves a
terminal's cursor. Bytes never raise.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Annotated, Any, Final, get_args

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, from_json

from daemon.runtime.codec import kind_of
from protocols.canonical import canonical
from protocols.commands import Command
from protocols.field_words import FIELD_WORDS
from protocols.refusals import Refusal

PAYLOAD_MAX: Final = 65536
"""Bytes. A command has about 200."""
EXPIRES_WITHIN: Final = timedelta(days=1)
"""How far ahead `expires` may lie. Ids are kept for a week: nothing that was once sent, and is sent
again by somebody else, is obeyed twice, even where the clock is days wrong."""
COMMAND_ID: Final = "^[!-~]{1,128}$"
TIMESTAMP: Final = (
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
)
"""An RFC 3339 time, with its zone."""

_COMMAND: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="kind")])
_FIELDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {kind_of(one): frozenset(one.__dataclass_fields__) - {"kind"} for one in get_args(Command)}
)
_IN_WORDS: Final = {
    "missing": "is required",
    "string_type": "expected a text",
    "string_pattern_mismatch": "expected one line of visible characters, of this field's length",
    "string_too_long": "expected at most {max_length} characters",
    "int_type": "expected a whole number",
    "greater_than_equal": "expected {ge} or more",
    "less_than_equal": "expected {le} or less",
    "bool_type": "expected true or false",
    "tuple_type": "expected a list",
    "too_long": "expected at most {max_length} of them",
    "literal_error": "expected one of: {expected}",
}


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command as it came in: who it is, until when it holds, and what it wants."""

    command_id: str
    expires: datetime
    command: Command
    digest: bytes


@dataclass(frozen=True, slots=True)
class MalformedCommand:
    """Why a payload is no command; `command_id` where it could be read."""

    command_id: str | None
    detail: str


def parse_command(payload: bytes) -> ParsedCommand | MalformedCommand:
    """Parse a payload. The closed set: unknown names are refused."""
    if len(payload) > PAYLOAD_MAX:
        return MalformedCommand(None, f"larger than {PAYLOAD_MAX} bytes")
    try:
        raw = from_json(payload, allow_inf_nan=False)
    except ValueError as error:  # no UTF-8, half a surrogate pair, nested too deep: all of them
        return MalformedCommand(None, f"not JSON: {error}")
    if not isinstance(raw, dict):
        return MalformedCommand(None, "not a JSON object")
    command_id, expires, kind = (raw.pop(key, None) for key in ("id", "expires", "command"))
    if not isinstance(command_id, str) or not re.fullmatch(COMMAND_ID, command_id):
        detail = "id: 1 to 128 printable ASCII characters without a space are required"
        return MalformedCommand(None, detail)
    if not isinstance(kind, str) or kind not in _FIELDS:
        return MalformedCommand(command_id, f"command: one of {', '.join(sorted(_FIELDS))}")
    if unknown := sorted(raw.keys() - _FIELDS[kind]):
        return MalformedCommand(
            command_id, f"{ascii(unknown[0])[1:-1]:.80}: no such field of {kind}"
        )
    until = _time(expires)
    if until is None:
        return MalformedCommand(command_id, "expires: an RFC 3339 time with its zone is required")
    try:
        command = _COMMAND.validate_json(canonical({**raw, "kind": kind}), strict=True)
    except ValidationError as error:
        return MalformedCommand(command_id, _in_words(error.errors(include_url=False)[0]))
    except ValueError as error:  # a number that has no canonical spelling
        return MalformedCommand(command_id, str(error))
    body = canonical({**raw, "command": kind, "expires": expires})
    return ParsedCommand(command_id, until, command, hashlib.blake2b(body, digest_size=32).digest())


def _time(text: Any) -> datetime | None:
    if not isinstance(text, str) or not re.fullmatch(TIMESTAMP, text):
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):  # the 30th of February; year 1 east of Greenwich
        return None


def _in_words(error: ErrorDetails) -> str:
    """Return a problem as `field: what is expected`."""
    where = [str(part) for part in error["loc"][1:]]
    words = _IN_WORDS.get(error["type"], error["msg"]).format(**error.get("ctx", {}))
    if error["type"] == "string_pattern_mismatch" and where[0] in FIELD_WORDS:
        words = f"expected {FIELD_WORDS[where[0]].text}"
    return f"{'.'.join(where)}: {words}"


def answer_blob(
    table: str,
    command_id: str | None,
    refusal: Refusal | None,
    *,
    detail: str | None = None,
    epoch: str | None = None,
    seq: int | None = None,
    status: Any = None,
) -> bytes:
    """Return the answer to a command: `accepted`, or `refused` with its reason."""
    answer: dict[str, Any] = {
        "id": command_id,
        "table": table,
        "answer": "accepted" if refusal is None else "refused",
    }
    optional = {"reason": refusal, "detail": detail, "epoch": epoch, "seq": seq, "status": status}
    answer.update({key: value for key, value in optional.items() if value is not None})
    return canonical(answer)


def command_json(command: Command) -> dict[str, Any]:
    """Return a command as it travels, without id and expiry."""
    data: dict[str, Any] = _COMMAND.dump_python(command)
    return {"command": data.pop("kind"), **{k: v for k, v in data.items() if v is not None}}
