"""A checkpoint: where every chain of the journal stood at one moment, signed.

A chain shows an edit in its middle to anybody; its end can be cut off, or the whole chain be
computed anew. A checkpoint is what such a journal does not fit: it is signed, it is kept in the
journal, and it is handed out at once to witnesses, whom nobody at this machine can make forget.

Written    in the transaction that ends a round, so that the state a restart resumes from is always
           signed; otherwise a second after records, answers or the position on the bus moved; by
           the first transaction after a start; and at a stop in good order (`closed`: nothing may
           follow it but the next start). A power cut leaves at most a second without a signature.
Kept       the newest, the last of every minute, and each that brought a key into force.
Holds      per table the last record and its chain value, the last event that the bus has, and what
           was pruned; the chain of answers; the number of the checkpoint, and which journal it is.

A line, canonical JSON, is its own publication and what the journal keeps::

    {"body":{…},"signatures":{"<public key>":"<signature>", …}}

Signed is `pitwire/checkpoint/1`, NUL, and the body's bytes as they stand in the line. `body.key` is
the key in force. A second signature, by an older key, introduces a key (`signing.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from daemon.journal.chain import ANSWERS_GENESIS, CHAIN_BYTES, genesis
from daemon.journal.signing import SigningKeys, fits
from protocols.canonical import canonical

FORMAT: Final = "pitwire/checkpoint/1"
_BEGINS: Final = b'{"body":'
_SIGNATURES: Final = b',"signatures":'


class BadCheckpoint(Exception):  # noqa: N818 - a condition, named as what it is
    """A line is no checkpoint, or not what its signers signed."""


@dataclass(frozen=True, slots=True)
class ChainPoint:
    """A place in a chain: the number of its last link, and its chain value."""

    number: int
    chain: bytes


@dataclass(frozen=True, slots=True)
class TableHead:
    """Where one table's records end.

    record     the last record's number, 0 if there is none
    epoch      the last record's epoch, "" if there is none
    seq        the last event of that epoch, 0 if there is none
    chain      the last record's chain value
    published  (epoch, seq) of the last event that the bus has, None if none is known
    pruned     the last record that was pruned, None if none was
    """

    record: int
    epoch: str
    seq: int
    chain: bytes
    published: tuple[str, int] | None = None
    pruned: ChainPoint | None = None

    def start(self, table: str) -> ChainPoint:
        """Return what the first kept record is chained to."""
        return self.pruned or ChainPoint(0, genesis(table))


@dataclass(frozen=True, slots=True)
class AnswersHead:
    """Where the chain of answers begins, after what was forgotten, and where it ends."""

    forgotten: ChainPoint = ChainPoint(0, ANSWERS_GENESIS)
    last: ChainPoint = ChainPoint(0, ANSWERS_GENESIS)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where everything stood.

    journal  which journal: random, made when the file was
    number   counts the checkpoints of this journal, from 1; 0: none was written yet
    at       wall time, RFC 3339
    key      the public key in force
    closed   whether the daemon stopped here in good order
    """

    journal: str
    number: int
    at: str
    key: str
    closed: bool = False
    tables: Mapping[str, TableHead] = field(default_factory=dict)
    answers: AnswersHead = AnswersHead()


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint as it was read, whose every signature fits. `signers`: their public keys."""

    checkpoint: Checkpoint
    signers: frozenset[str]
    line: bytes


def rfc3339(wall_s: float) -> str:
    """Return a wall time, in seconds since the epoch, as checkpoints state it."""
    at = datetime.fromtimestamp(wall_s, UTC)
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


def signed(checkpoint: Checkpoint, keys: SigningKeys, *, introduces: bool) -> bytes:
    """Return the checkpoint's line. `introduces`: its key was not in force before."""
    body = canonical(_as_json(checkpoint))
    signatures = keys.sign(_message(body), together=introduces)
    return _BEGINS + body + _SIGNATURES + canonical(signatures) + b"}"


def read(line: bytes) -> SignedCheckpoint:
    """Return what a line says. Raises BadCheckpoint, and nothing else, on any bytes."""
    head, cut, tail = line.rpartition(_SIGNATURES)
    try:
        body = json.loads(head.removeprefix(_BEGINS))
        signatures = json.loads(tail.removesuffix(b"}"))
        checkpoint = _from_json(body)
        signers = {str(public): str(signature) for public, signature in signatures.items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadCheckpoint("it is no checkpoint of a known format") from error
    if not cut or not head.startswith(_BEGINS) or checkpoint.key not in signers:
        raise BadCheckpoint("it is no checkpoint of a known format")
    message = _message(head.removeprefix(_BEGINS))
    for public, signature in signers.items():
        if not fits(public, message, signature):
            raise BadCheckpoint(f"the signature of the key {public} does not fit")
    return SignedCheckpoint(checkpoint, frozenset(signers), line)


def _message(body: bytes) -> bytes:
    return FORMAT.encode() + b"\0" + body


def _as_json(checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "journal": checkpoint.journal,
        "number": checkpoint.number,
        "at": checkpoint.at,
        "key": checkpoint.key,
        "closed": checkpoint.closed,
        "answers": {
            "forgotten": _point_json(checkpoint.answers.forgotten),
            "last": _point_json(checkpoint.answers.last),
        },
        "tables": {
            table: {
                "record": head.record,
                "epoch": head.epoch,
                "seq": head.seq,
                "chain": head.chain.hex(),
                "published": head.published and list(head.published),
                "pruned": head.pruned and _point_json(head.pruned),
            }
            for table, head in checkpoint.tables.items()
        },
    }


def _point_json(point: ChainPoint) -> dict[str, Any]:
    return {"number": point.number, "chain": point.chain.hex()}


def _from_json(body: Any) -> Checkpoint:
    """Return the checkpoint of a body; raises what Python does where it is none."""
    if body["format"] != FORMAT:
        raise ValueError(body["format"])
    return Checkpoint(
        journal=_text(body["journal"]),
        number=_count(body["number"]),
        at=_text(body["at"]),
        key=_text(body["key"]),
        closed=bool(body["closed"]),
        tables={table: _head(value) for table, value in body["tables"].items()},
        answers=AnswersHead(_point(body["answers"]["forgotten"]), _point(body["answers"]["last"])),
    )


def _head(value: Any) -> TableHead:
    published, pruned = value["published"], value["pruned"]
    return TableHead(
        record=_count(value["record"]),
        epoch=_text(value["epoch"]),
        seq=_count(value["seq"]),
        chain=_chain(value["chain"]),
        published=None if published is None else (_text(published[0]), _count(published[1])),
        pruned=None if pruned is None else _point(pruned),
    )


def _point(value: Any) -> ChainPoint:
    return ChainPoint(_count(value["number"]), _chain(value["chain"]))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise TypeError(value)
    return value


def _chain(value: Any) -> bytes:
    chain = bytes.fromhex(value)
    if len(chain) != CHAIN_BYTES:
        raise ValueError(value)
    return chain
