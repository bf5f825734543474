"""How the NATS bus is reached: settings, and what they mean to the client."""

from __future__ import annotations

import base64
import ipaddress
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class NatsSettings:
    """How to reach the servers and which stream takes the events.

    servers             tried in turn, for ever
    stream              the live stream; rehearsals use "<stream>-REHEARSAL"
    user password_file  a user of the server and the file that holds the password
    credentials_file    a NATS .creds file, instead of user and password
    ca_file             whom to trust, for tls:// servers; the system's authorities if None
    cert_file key_file  our own certificate, where the server asks for one
    manage_stream       make the stream if it is missing, and as these settings say
    duplicate_window_s  the longest outage after which a repeat is still taken once
    replicas            how many servers of a cluster keep the stream; None: as it is, 1 if new
    max_age_s           after which an event is dropped; None: never
    placement_cluster   the cluster that keeps the stream, where there are several
    placement_tags      only servers with these tags keep it
    discard             what a full stream does: `new`, it says so and takes nothing more; `old`, it
                        throws its oldest events away
    name                how the server lists this connection
    """

    servers: tuple[str, ...] = ("nats://127.0.0.1:4222",)
    stream: str = "PIT"
    user: str | None = None
    password_file: str | None = None
    credentials_file: str | None = None
    ca_file: str | None = None
    cert_file: str | None = None
    key_file: str | None = None
    manage_stream: bool = True
    duplicate_window_s: float = 600.0
    replicas: int | None = None
    max_age_s: float | None = None
    placement_cluster: str | None = None
    placement_tags: tuple[str, ...] = ()
    discard: Literal["new", "old"] = "new"
    name: str = "pitwire"


def login(settings: NatsSettings) -> dict[str, Any]:
    """Return the client's options. Secrets are read from their files at each connection."""
    options: dict[str, Any] = {}
    if settings.user is not None:
        options["user"] = settings.user
    if (password := settings.password_file) is not None:
        options["password"] = lambda: Path(password).read_text("utf-8").strip()
    if (credentials := settings.credentials_file) is not None:
        options["user_jwt_cb"] = partial(_token, credentials)
        options["signature_cb"] = partial(_signed, credentials)
    if settings.ca_file or settings.cert_file:
        options["tls"] = ssl.create_default_context(cafile=settings.ca_file)
    if settings.cert_file is not None:
        options["tls"].load_cert_chain(settings.cert_file, settings.key_file)
    return options


def _creds(path: str) -> tuple[str, str]:
    """Return (token, seed) of a .creds file: the text between its BEGIN and END lines."""
    token, seed = re.findall(r"-BEGIN [A-Z ]+-+\s+(\S+)\s+-+END", Path(path).read_text("ascii"))
    return token, seed


def _token(path: str) -> bytes:
    return _creds(path)[0].encode()


def _signed(path: str, nonce: str) -> bytes:
    # An nkey is base32 of two bytes of kind, the Ed25519 seed of 32, and a checksum of two.
    from nacl.signing import SigningKey  # noqa: PLC0415 - loaded only where it is configured

    seed = _creds(path)[1]
    raw = base64.b32decode(seed + "=" * (-len(seed) % 8))
    return base64.b64encode(SigningKey(raw[2:34]).sign(nonce.encode()).signature)


def warnings(settings: NatsSettings) -> Sequence[str]:
    """Return what is unwise in these settings."""
    said = []
    if settings.discard == "old":
        said.append('a full stream throws its oldest events away: discard = "new" makes it say so')
    for server in settings.servers:
        url = urlsplit(server if "://" in server else f"nats://{server}")
        place = without_secrets(server)
        if url.password is not None:
            said.append(f"the password of {place} stands in this file: use user and password_file")
        if url.scheme in {"nats", "ws"} and not settings.ca_file and not _is_here(url.hostname):
            said.append(
                f"what goes to {place} may cross the network readable by anybody: use tls://"
            )
    return said


def _is_here(host: str | None) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def without_secrets(server: str) -> str:
    """Return the server's URL as it may be shown."""
    scheme, _, rest = server.rpartition("://")
    return f"{scheme or 'nats'}://{rest.rpartition('@')[2]}"
