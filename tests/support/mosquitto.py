"""A real mosquitto on loopback, and a client of it such as a table server has."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

BINARY = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
WHY_NOT = "no mosquitto on this machine: apt-get install mosquitto"
needs_mosquitto = pytest.mark.skipif(BINARY is None, reason=WHY_NOT)
OPEN = "allow_anonymous true\n"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@dataclass
class Mosquitto:
    """One broker process. `config` is what follows after its listener."""

    folder: Path
    config: str = OPEN
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.folder / "mosquitto.log").read_text("utf-8", "replace")

    def start(self, whole_config: str | None = None) -> None:
        """Start, and return when it takes connections. `whole_config` has a listener of its own."""
        assert BINARY is not None
        self.folder.mkdir(parents=True, exist_ok=True)
        own = f"listener {self.port} 127.0.0.1\nset_tcp_nodelay true\n"
        own += f"persistence true\npersistence_location {self.folder}/\n"
        path = self.folder / "mosquitto.conf"
        path.write_text("user root\n" + (whole_config or own + self.config))
        with (self.folder / "mosquitto.log").open("ab") as log:
            self.process = subprocess.Popen([BINARY, "-c", path], stdout=log, stderr=log)
        limit = time.monotonic() + 10
        while time.monotonic() < limit and self.process.poll() is None:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.005)
        raise AssertionError(f"mosquitto did not start: {self.log}")

    def stop(self) -> None:
        """In good order: it writes down what it keeps."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(signal.SIGCONT)
            process.send_signal(how)
            process.wait()


@contextmanager
def mosquitto(folder: Path, config: str = OPEN) -> Iterator[Mosquitto]:
    if BINARY is None:
        pytest.skip(WHY_NOT)
    broker = Mosquitto(folder, config)
    try:
        broker.start()
        yield broker
    finally:
        broker.stop()


@dataclass(frozen=True)
class Heard:
    """A message as a stranger's client got it."""

    topic: str
    payload: bytes
    retained: bool
    properties: Any

    @property
    def token(self) -> bytes | None:
        found: bytes | None = getattr(self.properties, "CorrelationData", None)
        return found


class Peer:
    """A stranger's client, in a thread of its own: a table server, a supervisor, an auditor.

    heard  every message that came, in order
    """

    def __init__(
        self,
        url: str,
        name: str | None = None,
        login: tuple[str, str] | None = None,
        ca: str | None = None,
    ) -> None:
        host, _, port = url.partition("://")[2].partition(":")
        self.heard: list[Heard] = []
        self._signed_in = False
        self._codes: dict[int | None, int] = {}
        self._paho = paho = Client(
            CallbackAPIVersion.VERSION2,
            client_id=name or f"peer-{secrets.token_hex(4)}",
            protocol=MQTTv5,
        )
        if login is not None:
            paho.username_pw_set(*login)
        if ca is not None:
            paho.tls_set(ca)
        paho.on_connect = self._connected
        paho.on_publish = lambda _c, _d, mid, code, _p: self._codes.update({mid: code.value})
        paho.on_subscribe = lambda _c, _d, mid, codes, _p: self._codes.update({mid: codes[0].value})
        paho.on_message = self._hear
        session = Properties(PacketTypes.CONNECT)
        session.SessionExpiryInterval = 3600
        paho.connect(host, int(port), clean_start=False, properties=session)
        paho.loop_start()

    def _connected(self, _paho: Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        self._signed_in = code.value == 0

    def _hear(self, _paho: Client, _data: Any, message: MQTTMessage) -> None:
        one = Heard(message.topic, bytes(message.payload), message.retain, message.properties)
        self.heard.append(one)

    def close(self) -> None:
        self._paho.disconnect()
        self._paho.loop_stop()
        self._paho._reset_sockets()  # or the collector closes them, in the midst of another test

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not condition():  # noqa: ASYNC110 - what it waits for comes from a thread
                await asyncio.sleep(0.005)

    async def until_last(self, topic: str) -> None:
        """Wait until the last message came from this topic."""
        await self.until(lambda: self.heard and self.heard[-1].topic == topic)

    async def subscribe(self, topic: str) -> int:
        """Subscribe with QoS 1; return the reason code."""
        return await self._acknowledged(lambda: self._paho.subscribe(topic, qos=1)[1])

    async def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, **properties: Any
    ) -> int:
        """Publish with QoS 1; return the reason code."""
        values = Properties(PacketTypes.PUBLISH)
        for key, value in properties.items():
            setattr(values, key, value)
        return await self._acknowledged(
            lambda: self._paho.publish(topic, payload, 1, retain, values).mid
        )

    async def ask(self, topic: str, payload: bytes, answers: str) -> bytes:
        """Send a command as a table server does; `answers` is subscribed to already."""
        token = secrets.token_bytes(4)

        def answer() -> list[Heard]:
            return [one for one in self.heard if one.token == token]

        await self.publish(topic, payload, ResponseTopic=answers, CorrelationData=token)
        await self.until(answer)
        return answer()[0].payload

    async def _acknowledged(self, send: Callable[[], int | None]) -> int:
        await self.until(lambda: self._signed_in)
        mid = send()
        await self.until(lambda: mid in self._codes)
        return self._codes.pop(mid)


@asynccontextmanager
async def peer(
    url: str,
    *topics: str,
    name: str | None = None,
    login: tuple[str, str] | None = None,
    ca: str | None = None,
) -> AsyncIterator[Peer]:
    """A peer that is connected and has subscribed with QoS 1."""
    one = await asyncio.to_thread(Peer, url, name, login, ca)
    try:
        for topic in topics:
            await one.subscribe(topic)
        yield one
    finally:
        await asyncio.to_thread(one.close)
