"""The servers of docs/security as they stand there, but for paths, ports and passwords."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.mosquitto import Mosquitto, free_port

from daemon.demo.embedded_nats import find_nats_server

SECURITY = Path(__file__).parents[2] / "docs/security"
USERS = {"pitwire-pc1": "PC1", "server": "SERVER", "ann": "ANN", "bo": "BO", "auditor": "AUDITOR"}
"""The users of the recipes, and how the NATS recipe names their passwords."""


@dataclass
class Secured:
    """A server that only knows our users. Their passwords are `secret of <user>`."""

    url: str
    folder: Path

    @property
    def ca(self) -> str:
        return str(self.folder / "server.pem")

    def password_file(self, user: str) -> str:
        path = self.folder / f"{user}.password"
        path.write_text(password(user))
        return str(path)


def password(user: str) -> str:
    return f"secret of {user}"


def certificate(folder: Path) -> None:
    """Make a certificate for loopback that is its own authority."""
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", folder / "server.key", "-out", folder / "server.pem")
    subprocess.run(("openssl", *words.split(), *names, *files), check=True, capture_output=True)
    (folder / "ca.pem").write_bytes((folder / "server.pem").read_bytes())


@contextmanager
def secured_nats(folder: Path) -> Iterator[Secured]:
    folder.mkdir()
    certificate(folder)
    port = free_port()
    text = (SECURITY / "nats/pitwire.conf").read_text()
    text = text.replace('"0.0.0.0:4222"', f'"127.0.0.1:{port}"')
    text = text.replace("/etc/nats/", f"{folder}/").replace("/var/lib/nats", f"{folder}/store")
    (folder / "pitwire.conf").write_text(text)
    lines = [f'PASSWORD_{name} = "{password(user)}"\n' for user, name in USERS.items()]
    (folder / "passwords.conf").write_text("".join(lines))
    with (folder / "nats.log").open("wb") as log:
        command = [find_nats_server(), "-c", folder / "pitwire.conf"]
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield Secured(f"tls://127.0.0.1:{port}", folder)
        finally:
            server.terminate()
            server.wait()


@contextmanager
def secured_mosquitto(folder: Path) -> Iterator[Secured]:
    folder.mkdir()
    certificate(folder)
    broker = Mosquitto(folder)
    recipe = (SECURITY / "mosquitto/pitwire.conf").read_text()
    recipe = recipe.replace("listener 8883", f"listener {broker.port} 127.0.0.1")
    recipe = recipe.replace("/etc/mosquitto/", f"{folder}/")
    recipe = recipe.replace("/var/lib/mosquitto/", f"{folder}/")
    (folder / "pitwire.acl").write_text((SECURITY / "mosquitto/pitwire.acl").read_text())
    for user in USERS:
        create = [] if (folder / "passwords").exists() else ["-c"]
        words = ["mosquitto_passwd", "-b", *create, folder / "passwords", user, password(user)]
        subprocess.run(words, check=True, capture_output=True)
    try:
        broker.start(whole_config=recipe)
        yield Secured(f"mqtts://127.0.0.1:{broker.port}", folder)
    finally:
        broker.stop()
