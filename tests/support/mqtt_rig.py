"""The whole house on MQTT: `Rig`, with a mosquitto in the place of NATS."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.mosquitto import Mosquitto, Peer
from support.whole_consumer import Consumer
from support.whole_rig import USER, Envelope, Rig, authority_of

from daemon.demo.demo import SITE

KEEPS = "allow_anonymous true\nautosave_interval 1\nautosave_on_changes true\n"


class MqttConsumer(Consumer):
    """A table server with a session that outlives its absence."""

    peer: Peer | None = None
    _reading: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        return self.peer is not None

    async def connect(self, url: str) -> None:
        self.peer = peer = await asyncio.to_thread(Peer, url, "server")
        for topic in ("pit-rehearsal/event/#", "pit-rehearsal/answer/server/#"):
            await peer.subscribe(topic)
        self._reading = asyncio.create_task(self._follow(peer))

    async def close(self) -> None:
        assert self._reading is not None
        assert self.peer is not None
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await asyncio.to_thread(self.peer.close)

    async def _follow(self, peer: Peer) -> None:
        taken = 0
        while True:
            for message in peer.heard[taken:]:
                taken += 1
                if message.topic.startswith("pit-rehearsal/event/"):
                    self._keep(json.loads(message.payload), message.payload)
            async with self._news:
                self._news.notify_all()
            await asyncio.sleep(0.005)


class BrokerOfRig:
    """What `Rig` knows of a server, done by a mosquitto."""

    def __init__(self) -> None:
        self._broker: Mosquitto | None = None

    def start(self, folder: Path, port: int | None = None) -> str:
        if self._broker is None:
            self._broker = Mosquitto(folder, KEEPS)
        assert port in {None, self._broker.port}
        self._broker.start()
        return self._broker.url

    def stop(self) -> None:
        if self._broker is not None:
            self._broker.stop()

    def kill(self) -> None:
        if self._broker is not None:
            self._broker.kill()


@dataclass
class MqttRig(Rig):
    """Use as `Rig`."""

    consumer: MqttConsumer = field(default_factory=MqttConsumer)
    _server: Any = field(default_factory=BrokerOfRig)

    def configuration(self) -> str:
        text, nats = super().configuration(), f'kind = "nats_jetstream", servers = ["{self._url}"]'
        assert nats in text
        return text.replace(nats, f'kind = "mqtt", url = "{self._url}"')

    async def send(self, table: str, payload: bytes, authority: str | None = None) -> Envelope:
        peer = self.consumer.peer
        assert peer is not None
        authority = authority or authority_of(payload)
        topic = f"pit-rehearsal/command/{SITE}/{table}/{authority}/{USER}"
        async with asyncio.timeout(20):
            while await peer.publish(topic, b"") == 0x10:  # noqa: ASYNC110 - nobody listens yet
                await asyncio.sleep(0.02)
            answer: Envelope = json.loads(
                await peer.ask(topic, payload, "pit-rehearsal/answer/server/1")
            )
            return answer
