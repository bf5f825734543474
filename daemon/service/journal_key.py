"""The key that signs the journal's checkpoints: where it is found, and made where there is none.

A key that lies beside the journal shows damage and careless edits. Whoever may write the journal
may read that key too, and sign what he made of it: a site that wants proof against its own machine
puts the key where only the daemon sees it, and hands the published checkpoints to a witness.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from config.load import BridgeConfig
from daemon.journal.errors import JournalFailed
from daemon.journal.signing import SEED_BYTES, SigningKeys
from daemon.service.sealing_keys import find_key, read_key_file

CREDENTIAL: Final = "pitwire-journal-key"
_NOUN: Final = "journal key"


def signing_keys(config: BridgeConfig) -> SigningKeys:
    """Return the keys of the configured journal; a journal without one gets its own, beside it.

    Raises BadKey where the key cannot be used, JournalFailed where none can be made.
    """
    path = find_signing_key(config)
    if path is None:
        path = own_key(Path(config.journal))
        _make(path)
    return SigningKeys(read_key_file(path, _NOUN))


def find_signing_key(config: BridgeConfig) -> Path | None:
    """Return the file of the journal's key, None where none is there and one will be made."""
    path = find_key(config.journal_key, credential=CREDENTIAL)
    own = own_key(Path(config.journal))
    return own if path is None and own.exists() else path


def check_signing_key(config: BridgeConfig) -> str | None:
    """Return what had better be changed about the journal's key. Raises BadKey.

    Makes none: `pitwire check` changes nothing.
    """
    path, own = find_signing_key(config), own_key(Path(config.journal))
    if path is not None:
        read_key_file(path, _NOUN)
    live = [table.id for table in config.tables if table.mode == "live"]
    if not live or path not in {None, own}:
        return None
    return (
        f"the journal of {', '.join(live)} is signed with a key that lies beside it, {own}: whoever"
        f" may write the one may sign with the other; name a key with [journal] key, or hand it"
        f" over as the credential {CREDENTIAL}"
    )


def own_key(journal: Path) -> Path:
    """Return where a journal's own key lies, if no other is configured."""
    return journal.with_name(journal.name + ".key")


def _make(path: Path) -> None:
    half = path.with_name(path.name + ".new")
    flags = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        with os.fdopen(os.open(half, flags, 0o600), "wb") as file:
            file.write(secrets.token_bytes(SEED_BYTES))
            file.flush()
            os.fsync(file.fileno())
        half.rename(path)
    except OSError as error:
        raise JournalFailed(
            f"the journal's key {path} cannot be made ({error.strerror})",
            "its folder must exist, have space, and belong to the daemon's user",
        ) from error
