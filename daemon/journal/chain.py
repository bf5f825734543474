"""The chain that makes an edit of the journal visible: one per table.

chain(0) = BLAKE2b-256("pitwire/1" NUL table)
chain(n) = BLAKE2b-256(chain(n-1) || record NUL epoch NUL seq NUL kind NUL || blob(n))

The columns beside the blob are in the hash too, or an edit of them would not be seen.
"""

from __future__ import annotations

from hashlib import blake2b

from daemon.journal.records import Record

_DIGEST_BYTES = 32


def genesis(table: str) -> bytes:
    """Return what the first record of a table is chained to."""
    return blake2b(b"pitwire/1\0" + table.encode(), digest_size=_DIGEST_BYTES).digest()


def link(previous: bytes, record: Record) -> bytes:
    """Return the chain value of a record whose predecessor's is `previous`."""
    seq = "" if record.seq is None else str(record.seq)
    columns = f"{record.record}\0{record.epoch}\0{seq}\0{record.kind}\0".encode()
    return blake2b(previous + columns + record.blob, digest_size=_DIGEST_BYTES).digest()
