"""The chains that make an edit of the journal visible: one per table, and one over the answers.

    chain(0) = BLAKE2b-256("pitwire/1" NUL table)
    chain(n) = BLAKE2b-256(chain(n-1) || record NUL epoch NUL seq NUL kind NUL || blob(n))

The columns beside the blob are in the hash too, or an edit of them would not be seen. Answers to
commands are forgotten after some days, so they have a chain of their own, in the order in which
they were given, over the whole journal::

    chain(0) = BLAKE2b-256("pitwire/1/answers")
    chain(n) = BLAKE2b-256(chain(n-1) || table NUL command id NUL time NUL || digest || blob)

A chain alone shows an edit in its middle. That its end is the end that was written is shown by a
checkpoint (`checkpoint.py`).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from daemon.journal.records import Answer, Record

CHAIN_BYTES: Final = 32
ANSWERS_GENESIS: Final = blake2b(b"pitwire/1/answers", digest_size=CHAIN_BYTES).digest()
"""What the first answer of a journal is chained to."""


def genesis(table: str) -> bytes:
    """Return what the first record of a table is chained to."""
    return blake2b(b"pitwire/1\0" + table.encode(), digest_size=CHAIN_BYTES).digest()


def link(previous: bytes, record: Record) -> bytes:
    """Return the chain value of a record whose predecessor's is `previous`."""
    seq = "" if record.seq is None else str(record.seq)
    columns = f"{record.record}\0{record.epoch}\0{seq}\0{record.kind}\0".encode()
    return blake2b(previous + columns + record.blob, digest_size=CHAIN_BYTES).digest()


def link_answer(previous: bytes, table: str, answer: Answer) -> bytes:
    """Return the chain value of an answer whose predecessor's is `previous`."""
    columns = f"{table}\0{answer.command_id}\0{answer.answered_at!r}\0".encode()
    return blake2b(
        previous + columns + answer.digest + answer.blob, digest_size=CHAIN_BYTES
    ).digest()
