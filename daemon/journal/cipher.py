"""Sealing records of hidden cards: encrypted below the record, so chain and verify need no key.

A sealed blob is `{"key": <which key>, "sealed": <base64>}`, and in the base64::

    nonce, 24 bytes | XChaCha20-Poly1305 of the body, padded to a multiple of 1024 bytes

bound to table, epoch, record and kind: moved to another place it does not open. It is
deterministic: the same record gives the same bytes again. The nonce is a keyed hash of epoch,
record and body. Of the body too: after a power cut or a restored backup record numbers are given
again, and the old body, which may still be readable on the disk, must not share a nonce with the
new one.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daemon.gamekit.commitments import Concealed, framed
from daemon.journal.records import Record
from protocols.canonical import canonical

PADDED_TO: Final = 1024
"""Bytes: no length of a sealed body tells more than how many of these it fills."""

_NONCE_BYTES: Final = 24
_KEY_ID_BYTES: Final = 8
_END: Final = b"\x80"  # ISO/IEC 7816-4: the body, this byte, zeros
_SEALED: Final = b'{"key":"'  # how canonical JSON of a sealed body begins, and no other


class Unopened(Exception):  # noqa: N818 - a condition, named as what it is
    """A sealed record cannot be opened; `action` is what an operator can do."""

    def __init__(self, what: str, action: str) -> None:
        super().__init__(what)
        self.what = what
        self.action = action


class Cipher:
    """One table's keys to its journal. The first seals; the others open what they once sealed."""

    def __init__(self, table: str, keys: Sequence[Concealed[bytes]]) -> None:
        # Only where there is a key, and not as late as at the first card.
        from nacl import bindings  # noqa: PLC0415 - as above

        self._encrypt = bindings.crypto_aead_xchacha20poly1305_ietf_encrypt
        self._decrypt = bindings.crypto_aead_xchacha20poly1305_ietf_decrypt
        self._table = table
        self._keys = {_key_id(key): key for key in keys}
        self._in_force = _key_id(keys[0])

    def seal(self, record: Record) -> Record:
        """Return the record with its body hidden."""
        key = self._keys[self._in_force]
        body = _padded(record.blob)
        nonce = _derived(key, b"nonce", framed(_place(self._table, record), body), _NONCE_BYTES)
        hidden = self._encrypt(body, _place(self._table, record), nonce, _derived(key, b"cipher"))
        text = base64.b64encode(nonce + hidden).decode()
        return replace(record, blob=canonical({"key": self._in_force, "sealed": text}))

    def open(self, record: Record) -> Record:
        """Return a sealed record as it was before. Raises Unopened."""
        from nacl.exceptions import CryptoError  # noqa: PLC0415 - loaded with the bindings

        where = f"record {record.record} of {self._table}"
        try:
            sealed = json.loads(record.blob)
            key_id = str(sealed["key"])
            hidden = base64.b64decode(sealed["sealed"], validate=True)
        except (ValueError, LookupError, TypeError) as error:
            raise _damaged(where) from error
        key = self._keys.get(key_id)
        if key is None:
            raise Unopened(
                f"{where} is sealed with the key {key_id}; here is {', '.join(self._keys)}",
                "put the key of that time into the sealing key's file, below the one in force",
            )
        nonce, hidden = hidden[:_NONCE_BYTES], hidden[_NONCE_BYTES:]
        try:
            place = _place(self._table, record)
            body = self._decrypt(hidden, place, nonce, _derived(key, b"cipher"))
        except (CryptoError, ValueError) as error:
            raise _damaged(where) from error
        return replace(record, blob=body[: body.rindex(_END)])


def is_sealed(record: Record) -> bool:
    """Return whether the record's body is hidden."""
    return record.blob.startswith(_SEALED)


def opened(table: str, record: Record, cipher: Cipher | None) -> Record:
    """Return the record with its body in clear. Raises Unopened, and says what is missing."""
    if not is_sealed(record):
        return record
    if cipher is None:
        raise Unopened(
            f"record {record.record} of {table} is sealed, and no sealing key is here",
            "name its file: [sealing] key in the configuration, --key on the command line, or the"
            " credential pitwire-sealing-key of systemd",
        )
    return cipher.open(record)


def _damaged(where: str) -> Unopened:
    return Unopened(
        f"{where} is damaged: its key is here, and it is not what that key sealed",
        "run `pitwire journal verify`: it names the first record that was touched",
    )


def _place(table: str, record: Record) -> bytes:
    parts = (table, record.epoch, str(record.record), record.kind)
    return framed(*(part.encode() for part in parts))


def _padded(body: bytes) -> bytes:
    length = len(body) + len(_END)
    return body + _END + bytes(-length % PADDED_TO)


def _key_id(key: Concealed[bytes]) -> str:
    """Return what names a key and gives nothing of it away."""
    return _derived(key, b"name", size=_KEY_ID_BYTES).hex()


def _derived(key: Concealed[bytes], use: bytes, about: bytes = b"", size: int = 32) -> bytes:
    person = b"pitwire." + use
    return hashlib.blake2b(about, key=key.value, digest_size=size, person=person).digest()
