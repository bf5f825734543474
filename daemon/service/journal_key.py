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
    path = find_key(config.journal_key, credential=CREDENTIAL)
    if path is None:
        path = own_key(Path(config.journal))
        if not path.exists():
            _make(path)
    return SigningKeys(read_key_file(path, _NOUN))


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
