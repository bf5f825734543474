"""What the journal holds, and nothing about how."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Final, Literal

_EPOCH: Final = re.compile(r"([0-9]{6,9})-")

RecordKind = Literal["input", "command", "event", "state", "note"]


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a table's journal. `blob` is canonical JSON (RFC 8785): the truth itself.

    record  counts every record of the table, from 1, without gaps
    seq     counts published events only, from 1 in each epoch, without gaps; None for the rest
    """

    record: int
    epoch: str
    seq: int | None
    kind: RecordKind
    blob: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command was answered, kept so that the same id is answered the same for 7 days.

    command_id   its own, or `round_key` of the round that it opened: no other may open it again

    digest       BLAKE2b-256 of the command's canonical body
    answered_at  wall time, seconds since the epoch; only for forgetting old answers
    """

    command_id: str
    digest: bytes
    blob: bytes
    answered_at: float


@dataclass(frozen=True, slots=True)
class Transaction:
    """What is written together or not at all: an input or command, its answers, its events.

    answers  what a command was answered, under its id and, where it opened a round, the round's
    """

    table: str
    records: tuple[Record, ...]
    answers: tuple[Answer, ...] = ()


def round_key(round_id: str) -> str:
    """Return under which id the answer to a round's opening is kept; no command has such an id."""
    return f"round {round_id}"


def new_epoch(*before: str | None) -> str:
    """Return `<counter>-<random>`, which comes after all of those before: never from the clock.

    What is no epoch of ours has no place in their order.
    """
    counters = [int(match[1]) for epoch in before if (match := _EPOCH.match(epoch or ""))]
    return f"{max(counters, default=0) + 1:06d}-{secrets.token_hex(8)}"
