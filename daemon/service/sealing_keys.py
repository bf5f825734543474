"""The daemon's sealing key: which file it is in, how that is read, what a table derives from it."""

from __future__ import annotations

import base64
import ctypes
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from config.load import BridgeConfig
from daemon.gamekit.commitments import Concealed, Lock, Place
from daemon.journal.cipher import Cipher
from protocols.cards import Card

CREDENTIAL: Final = "pitwire-sealing-key"
STORES: Final = tuple(map(Path, ("/etc/credstore", "/run/credstore", "/usr/lib/credstore")))
"""Where systemd looks for a credential that the unit only names: systemd.exec(5)."""

KEY_BYTES: Final = 32
_LINE_CHARACTERS: Final = 2 * KEY_BYTES
_PR_SET_DUMPABLE: Final = 4


class BadKey(Exception):  # noqa: N818 - a condition, named as what it is
    """The sealing key cannot be used; `action` is what an operator can do."""

    def __init__(self, what: str, action: str) -> None:
        super().__init__(what)
        self.what = what
        self.action = action


@dataclass(frozen=True, slots=True)
class TableKeys:
    """What one table hides with.

    commitments  salts what is published of a face-down card
    lock         encrypts it to the table server as well, where the table says so
    cipher       hides what the journal holds of it
    """

    commitments: Concealed[bytes]
    lock: Lock | None
    cipher: Cipher


class SealingKeys:
    """The daemon's keys: the first is in force, the others open what they sealed in their time."""

    def __init__(self, keys: Sequence[Concealed[bytes]]) -> None:
        self._keys = tuple(keys)

    def of(self, table: str, sealed_to: str | None = None) -> TableKeys:
        """Return a table's own keys. Raises BadKey when `sealed_to` is no key."""
        in_force = self._keys[0]
        lock = None if sealed_to is None else _lock(_derived(in_force, b"lock", table), sealed_to)
        journal = [_derived(key, b"journal", table) for key in self._keys]
        return TableKeys(_derived(in_force, b"commits", table), lock, Cipher(table, journal))


def find_key(
    configured: str | None,
    environment: Mapping[str, str] = os.environ,
    credential: str = CREDENTIAL,
) -> Path | None:
    """Return a key's file: the configured one, or systemd's credential.

    The credential is looked for where systemd puts it for this process, then in its stores. None
    where there is none, or none that this user may see.
    """
    if configured is not None:
        return Path(configured)
    given = environment.get("CREDENTIALS_DIRECTORY")
    for folder in (Path(given), *STORES) if given else STORES:
        try:
            if (folder / credential).is_file():
                return folder / credential
        except PermissionError:  # root's store, and we are not root
            continue
    return None


def read_keys(path: Path) -> SealingKeys:
    """Read a sealing key's file. Raises BadKey."""
    return SealingKeys(read_key_file(path, "sealing key"))


def read_key_file(path: Path, noun: str) -> Sequence[Concealed[bytes]]:
    """Read a key file: 32 bytes, or lines of 64 hex digits, the key in force first.

    noun  what the key is called
    Raises BadKey. No message ever holds anything of what the file does.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadKey(
            f"the {noun} {path} cannot be read: {error.strerror}",
            f"correct the name, or run this as a user who may read it; without a key yet, make one:"
            f" (umask 077; head -c {KEY_BYTES} /dev/urandom > {path})",
        ) from None
    if len(content) == KEY_BYTES:
        return [Concealed(content)]
    lines = content.split()
    try:
        keys = [Concealed(bytes.fromhex(line.decode("ascii"))) for line in lines]
    except ValueError:
        keys = []
    if not keys or any(len(line) != _LINE_CHARACTERS for line in lines):
        raise BadKey(
            f"{path} is no {noun}: it has {len(content)} bytes",
            f"expected {KEY_BYTES} bytes, or {_LINE_CHARACTERS} hex digits a line; make one:"
            f" head -c {KEY_BYTES} /dev/urandom > {path}",
        )
    return keys


def table_keys(config: BridgeConfig) -> Mapping[str, TableKeys]:
    """Return every table's keys by its id; none where there is no sealing key. Raises BadKey.

    From here on this process is not dumped.
    """
    path = find_key(config.sealing_key)
    if path is None:
        return {}
    never_dump()
    keys = read_keys(path)
    return {table.id: keys.of(table.id, table.sealed_to) for table in config.tables}


def never_dump() -> None:
    """Keep this process's memory, keys and face-down cards in it, out of core dumps and debuggers.

    prctl(2), PR_SET_DUMPABLE. Its files under /proc belong to root from now on.
    """
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _lock(key: Concealed[bytes], sealed_to: str) -> Lock:
    """Return what makes libsodium sealed boxes to a public key, the same again for the same card.

    The one-time key pair is not random but derived, by a keyed hash, from what is sealed: the same
    card sealed again gives the same bytes, and another card gets another pair.
    """
    from nacl.bindings import crypto_box, crypto_box_beforenm  # noqa: PLC0415 - only where wanted
    from nacl.bindings import crypto_box_seed_keypair as pair  # noqa: PLC0415 - as above
    from nacl.exceptions import CryptoError  # noqa: PLC0415 - as above

    to = base64.b64decode(sealed_to)
    try:
        crypto_box_beforenm(to, pair(bytes(KEY_BYTES))[1])
    except (CryptoError, ValueError, TypeError):
        raise BadKey(
            f"sealed_to = {sealed_to!r} is no X25519 public key",
            "expected the base64 of the table server's own public key",
        ) from None

    def lock(card: Card, place: Place, record: int) -> str:
        parts = (*place.parts(), b"%d" % record, str(card).encode())
        about = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        seed = hashlib.blake2b(about, key=key.value, digest_size=KEY_BYTES).digest()
        public, secret = pair(seed)
        nonce = hashlib.blake2b(public + to, digest_size=24).digest()
        return base64.b64encode(public + crypto_box(str(card).encode(), nonce, to, secret)).decode()

    return lock


def _derived(key: Concealed[bytes], use: bytes, table: str) -> Concealed[bytes]:
    person = b"pitwire/" + use
    derived = hashlib.blake2b(table.encode(), key=key.value, digest_size=KEY_BYTES, person=person)
    return Concealed(derived.digest())
