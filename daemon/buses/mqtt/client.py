"""One connection to a broker, from the first byte to the last; after that it is of no use.

in a thread   connecting and the TLS handshake, which block: a name server that hangs costs a thread
              of our own and not one of asyncio's few (`drivers/threads.py`)
session       clean, and it ends with the connection: what is not acknowledged lies in our journal,
              and a command that nobody heard must not be obeyed when it is old
limits        the broker's, as its CONNACK states them: the largest packet, and how many messages
              may be under way
silence       a broker that does not acknowledge in time is left: only a new connection shows
              whether it lives. A half-open connection is noticed after two keep-alives
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from daemon.buses.mqtt import reasons
from daemon.buses.mqtt.event_loop import SocketInLoop
from daemon.buses.mqtt.settings import MqttSettings, broker, login, tls_context
from daemon.delivery.bus import BusRefused, BusUnavailable
from drivers.threads import GIVE_BACK_WITHIN_S, in_thread

ACK_S: Final = 5.0  # a busy broker may take seconds; a lost connection is told at once
_KEEPALIVE_S: Final = 5
_UNDER_WAY: Final = 20
_LARGEST: Final = 268_435_460  # MQTT's own limit of a packet
_FIXED: Final = 1 + 4 + 2 + 2  # of a PUBLISH: type, length, the topic's length, identifier


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it came. `answer_to` and `token`: where its sender wants which answer."""

    topic: str
    payload: bytes
    retained: bool
    answer_to: str | None
    token: bytes | None


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker publishes, retained, when we go without a word."""

    topic: str
    payload: bytes


def publish_properties(**values: Any) -> Properties:
    """Return the properties of a PUBLISH."""
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call] # paho's has no types
    for key, value in values.items():
        setattr(properties, key, value)
    return properties


class Mqtt5Client:
    """A connection to the broker. All on one event loop.

    heard  is called with each message that comes
    gone   is set when the connection ended: why
    """

    def __init__(
        self,
        settings: MqttSettings,
        identifier: str,
        heard: Callable[[Message], None],
        will: Will | None = None,
    ) -> None:
        """Read passwords and certificates. Raises BusUnavailable."""
        self._broker = broker(settings)
        self._place = self._broker.place
        self._heard = heard
        self._loop = asyncio.get_running_loop()
        self._answered: asyncio.Future[int] = self._loop.create_future()
        self.gone: asyncio.Future[BusUnavailable] = self._loop.create_future()
        self._acks: dict[int | None, asyncio.Future[int]] = {}
        self._largest = _LARGEST
        self._free = asyncio.Semaphore(_UNDER_WAY)
        self._paho = paho = Client(
            CallbackAPIVersion.VERSION2,
            client_id=identifier,
            protocol=MQTTv5,
            reconnect_on_failure=False,
        )
        paho.connect_timeout = ACK_S
        paho.on_connect = self._on_connect
        paho.on_disconnect = self._on_disconnect
        paho.on_publish = self._on_publish
        paho.on_subscribe = self._on_subscribe
        paho.on_message = self._on_message
        self._socket = SocketInLoop(paho, self._socket_ended)
        try:
            user, password = login(settings)
            context = tls_context(settings)
        except (OSError, ValueError) as error:
            raise BusUnavailable(
                f"we cannot sign in to the broker at {self._place} ({error})",
                "put the file right; it is read again at each try",
            ) from error
        if user is not None:
            self._paho.username_pw_set(user, password)
        if context is not None:
            self._paho.tls_set_context(context)
        if will is not None:
            self._paho.will_set(will.topic, will.payload, qos=1, retain=True)

    @property
    def under_way(self) -> set[asyncio.Future[int]]:
        """Return what waits for its acknowledgement."""
        return set(self._acks.values())

    async def open(self) -> None:
        """Connect and sign in. Raises BusUnavailable."""
        where = self._broker
        connecting = in_thread(
            "mqtt", lambda: self._paho.connect(where.host, where.port, _KEEPALIVE_S)
        )
        try:
            await asyncio.shield(connecting)
        except asyncio.CancelledError:
            await asyncio.wait([connecting], timeout=GIVE_BACK_WITHIN_S)
            raise
        except (OSError, ValueError) as error:  # a certificate's error is one of them
            raise BusUnavailable(
                f"the broker at {self._place} cannot be reached ({error})",
                "check that the broker runs and can be reached",
            ) from error
        self._socket.keep_alive()
        await self._until(self._answered, ACK_S)
        if not self._answered.done():
            raise BusUnavailable(
                f"what answers at {self._place} is no broker of MQTT 5, or hangs up at once",
                "check address and port, whether TLS is spoken there, and the broker's log",
            )
        if reasons.is_failure(code := self._answered.result()):
            raise reasons.connection_refused(self._place, code)
        if self.gone.done():
            raise self.gone.result()

    def leave(self) -> None:
        """Sign off: the broker drops the will. Then close."""
        with contextlib.suppress(OSError, ValueError):
            self._paho.disconnect()
        self.close()

    def close(self) -> None:
        """Close the socket, whatever state it is in. Nothing is told to the broker."""
        self.end(self._lost())
        self._socket.close()

    def end(self, why: BusUnavailable) -> None:
        """Have the connection ended by whoever keeps it; only the first reason counts."""
        if not self.gone.done():
            self.gone.set_result(why)

    async def deliver(
        self, topic: str, payload: bytes, properties: Properties, *, retain: bool = False
    ) -> int:
        """Return the reason code with which the broker acknowledges a message of QoS 1.

        Raises BusUnavailable, and BusRefused where the message is larger than the broker takes.
        """
        size = _FIXED + len(topic.encode()) + _size(properties) + len(payload)
        if size > self._largest:
            raise BusRefused(f"{size} bytes on the wire are more than the broker takes")
        async with self._free:
            if self.gone.done():
                raise self.gone.result()
            sent = self._paho.publish(topic, payload, 1, retain, properties)
            return await self._acknowledged(sent.mid)

    async def listen(self, topic: str, *, own: bool = True, as_published: bool = False) -> None:
        """Subscribe with QoS 1. Raises BusUnavailable.

        own           hear also what this client publishes
        as_published  a message that was to be retained says so also when it comes at once
        """
        if self.gone.done():
            raise self.gone.result()
        options = SubscribeOptions(qos=1, noLocal=not own, retainAsPublished=as_published)
        _, mid = self._paho.subscribe(topic, options=options)
        trouble = reasons.not_heard(topic, await self._acknowledged(mid))
        if trouble is not None:
            raise trouble

    def forget(self, topic: str) -> None:
        """End a subscription, some time."""
        if not self.gone.done():
            self._paho.unsubscribe(topic)

    async def _acknowledged(self, mid: int | None) -> int:
        ack: asyncio.Future[int] = self._loop.create_future()
        self._acks[mid] = ack
        try:
            await self._until(ack, ACK_S)
        finally:
            del self._acks[mid]
        if ack.done():
            return ack.result()
        self.end(
            BusUnavailable(
                f"the broker at {self._place} did not acknowledge within {ACK_S:.0f} s",
                "check the broker's load and disk; the event is repeated",
            )
        )
        raise self.gone.result()

    async def _until(self, future: asyncio.Future[Any], limit_s: float) -> None:
        """Wait until this is done, the connection has ended, or the time is over."""
        futures: set[asyncio.Future[Any]] = {future, self.gone}
        await asyncio.wait(futures, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)

    def _lost(self) -> BusUnavailable:
        return BusUnavailable(
            f"the connection to the broker at {self._place} is lost",
            "check that the broker runs and can be reached",
        )

    def _no_mqtt(self) -> BusUnavailable:
        return BusUnavailable(
            f"the broker at {self._place} says what is no MQTT 5",
            "look at its log; mosquitto does so for an event over message_size_limit: let it have"
            " max_packet_size in its place",
        )

    # --- what the broker says ------------------------------------------------------------

    def _on_connect(
        self, _paho: Client, _data: Any, _flags: Any, code: ReasonCode, props: Properties | None
    ) -> None:
        said: dict[str, Any] = {} if props is None else props.json()  # type: ignore[no-untyped-call] # paho's has no types
        self._largest = said.get("MaximumPacketSize", _LARGEST)
        self._free = asyncio.Semaphore(min(said.get("ReceiveMaximum", _UNDER_WAY), _UNDER_WAY))
        if said.get("MaximumQoS", 1) < 1 or not said.get("RetainAvailable", 1):
            self.end(
                BusUnavailable(
                    f"the broker at {self._place} takes no QoS 1, or keeps no retained messages",
                    "allow both: without them an event may be lost unheard",
                )
            )
        if not self._answered.done():
            self._answered.set_result(code.value)

    def _on_disconnect(
        self, _paho: Client, _data: Any, flags: Any, code: ReasonCode, _props: Properties | None
    ) -> None:
        if flags.is_disconnect_packet_from_server:
            self.end(reasons.disconnected(self._place, code.value))
        elif code == reasons.PROTOCOL_ERROR:
            self.end(self._no_mqtt())
        else:
            self.end(self._lost())

    def _socket_ended(self, *, understood: bool) -> None:
        self.end(self._lost() if understood else self._no_mqtt())

    def _on_publish(
        self, _paho: Client, _data: Any, mid: int, code: ReasonCode, _props: Properties | None
    ) -> None:
        self._acknowledge(mid, code)

    def _on_subscribe(
        self, _paho: Client, _data: Any, mid: int, codes: list[ReasonCode], _props: Any
    ) -> None:
        self._acknowledge(mid, codes[0])

    def _acknowledge(self, mid: int, code: ReasonCode) -> None:
        ack = self._acks.get(mid)
        if ack is not None and not ack.done():
            ack.set_result(code.value)

    def _on_message(self, _paho: Client, _data: Any, message: MQTTMessage) -> None:
        wanted = message.properties
        self._heard(
            Message(
                message.topic,
                bytes(message.payload),
                message.retain,
                getattr(wanted, "ResponseTopic", None),
                getattr(wanted, "CorrelationData", None),
            )
        )


def _size(properties: Properties) -> int:
    return len(properties.pack())  # type: ignore[no-untyped-call] # paho's has no types
