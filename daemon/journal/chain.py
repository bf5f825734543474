"""The chain that makes an edit of the journal visible: one per table.

chain(0) = BLAKE2b-256("pitwire/1" NUL table)
chain(n) = BLAKE2b-256(chain(n-1) || blob(n))
"""

from __future__ import annotations

from hashlib import blake2b

_DIGEST_BYTES = 32


def genesis(table: str) -> bytes:
    """Return what the first record of a table is chained to."""
    return blake2b(b"pitwire/1\0" + table.encode(), digest_size=_DIGEST_BYTES).digest()


def link(previous: bytes, blob: bytes) -> bytes:
    """Return the chain value of a record whose predecessor's is `previous`."""
    return blake2b(previous + blob, digest_size=_DIGEST_BYTES).digest()
