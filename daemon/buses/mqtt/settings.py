"""How the MQTT broker is reached: settings, and what they mean to the client."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from protocols.settingerror import SettingError

_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
_URL: Final = 'expected "mqtt://host:port", or "mqtts://host:port" for TLS'


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """How to reach the broker. Raises SettingError.

    url                 mqtt://host:port, or mqtts://host:port for TLS; ports 1883 and 8883 if none
    user password_file  a user of the broker and the file that holds the password
    ca_file             whom to trust, for mqtts://; the system's authorities if None
    cert_file key_file  our own certificate, where the broker asks for one
    """

    url: str = "mqtt://127.0.0.1:1883"
    user: str | None = None
    password_file: str | None = None
    ca_file: str | None = None
    cert_file: str | None = None
    key_file: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot work, before anything is opened."""
        if find_spec("paho") is None:
            what = "MQTT needs the package paho-mqtt, which is not installed"
            raise SettingError(what, "install pitwire with its extra `mqtt`", "kind")
        url = _split(self.url)
        if url is None:
            raise SettingError(f'"{self.url}" is no address of a broker', _URL, "url")
        if url.username is not None or url.password is not None:
            what = "a password does not belong into this file"
            raise SettingError(what, "expected user = … and password_file = … instead", "url")
        if self.password_file is not None and self.user is None:
            raise SettingError("a password without a user", "expected user = …", "password_file")
        if self.user is not None and (not self.user or set(self.user) & set("/+#")):
            what = "answers go to a topic with the user's name, which cannot contain / + #"
            raise SettingError(what, "expected another name", "user")
        if self.key_file is not None and self.cert_file is None:
            raise SettingError("a key and no certificate", "expected cert_file = …", "key_file")
        for key in ("ca_file", "cert_file"):
            if getattr(self, key) is not None and url.scheme == "mqtt":
                what = "it has no effect: mqtt:// is plain text"
                raise SettingError(what, "expected url = mqtts://…, or no certificates", key)


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is. `place` is for people; it names no secret."""

    host: str
    port: int
    tls: bool
    place: str


def broker(settings: MqttSettings) -> Broker:
    """Return where the broker is."""
    url = _split(settings.url)
    if url is None or url.hostname is None:
        raise AssertionError("settings with an url that is none are refused")
    return Broker(url.hostname, url.port or _PORTS[url.scheme], url.scheme == "mqtts", settings.url)


def login(settings: MqttSettings) -> tuple[str | None, str | None]:
    """Return (user, password). The password is read at each connection. Raises OSError."""
    if settings.password_file is None:
        return settings.user, None
    password = Path(settings.password_file).read_text("utf-8").strip()
    if not password:
        raise OSError(f"{settings.password_file} is empty")
    return settings.user, password


def tls_context(settings: MqttSettings) -> ssl.SSLContext | None:
    """Return how TLS is spoken, None for plain text. Raises OSError (ssl.SSLError is one)."""
    if not broker(settings).tls:
        return None
    context = ssl.create_default_context(cafile=settings.ca_file)
    if settings.cert_file is not None:
        context.load_cert_chain(settings.cert_file, settings.key_file)
    return context


def warnings(settings: MqttSettings) -> Sequence[str]:
    """Return what is unwise in these settings."""
    where = broker(settings)
    if where.tls or _is_here(where.host):
        return ()
    secret = "the password and " if settings.password_file else ""
    return (f"{secret}every event cross the network readable by anybody: use mqtts://",)


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _split(url: str) -> SplitResult | None:
    """Return the parts of a broker's url; None where it is none."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in _PORTS and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number
        return None
    rest = parts.path.strip("/") or parts.query or parts.fragment
    return parts if usable and not rest else None
