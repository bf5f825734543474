"""The keys that sign checkpoints: Ed25519, by libsodium.

A key is named by its public half, base64. The first key of a file is in force; the others are those
of earlier times. A key that comes into force signs its first checkpoint together with the others:
whoever trusts one of them may trust it from there on (`checkpoint.py`).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Final

from nacl import bindings
from nacl.exceptions import CryptoError

from daemon.gamekit.commitments import Concealed

SEED_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64


class SigningKeys:
    """The private keys of a journal, from their seeds of 32 bytes, the one in force first."""

    def __init__(self, seeds: Sequence[Concealed[bytes]]) -> None:
        pairs = [bindings.crypto_sign_seed_keypair(seed.value) for seed in seeds]
        self._secrets = {
            base64.b64encode(public).decode(): Concealed(secret) for public, secret in pairs
        }
        self.public = tuple(self._secrets)
        self.in_force = self.public[0]

    def sign(self, message: bytes, *, together: bool) -> Mapping[str, str]:
        """Return public key -> signature: of the key in force, or of all keys together."""
        signers = self.public if together else (self.in_force,)
        return {public: _signature(message, self._secrets[public]) for public in signers}


def fits(public: str, message: bytes, signature: str) -> bool:
    """Return whether the holder of this public key signed the message; never raises."""
    try:
        signed = base64.b64decode(signature, validate=True) + message
        bindings.crypto_sign_open(signed, base64.b64decode(public, validate=True))
    except (CryptoError, ValueError, TypeError):
        return False
    return True


def _signature(message: bytes, secret: Concealed[bytes]) -> str:
    signed: bytes = bindings.crypto_sign(message, secret.value)
    return base64.b64encode(signed[:_SIGNATURE_BYTES]).decode()
