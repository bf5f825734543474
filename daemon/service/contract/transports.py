"""How the contract travels on each bus: addresses, headers, guarantees, and how to sign in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from daemon.service.contract.schemas import Schema


@dataclass(frozen=True, slots=True)
class Transport:
    """A bus, as AsyncAPI describes it.

    separator     between the words of an address
    server        its server object, but for what is the same on every bus
    security      names of the ways to sign in
    channels      what holds on each channel, by what it carries: its sort
    operations    bindings of the operation on each channel
    reply_to      where a command says that
    messages      bindings of the messages, by their sort
    own_messages  sorts of messages that a channel has on this bus alone
    """

    key: str
    separator: str
    server: Schema
    security: tuple[str, ...]
    channels: Mapping[str, str]
    operations: Mapping[str, Schema]
    reply_to: str
    messages: Mapping[str, Schema] = field(default_factory=dict)
    own_messages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_AT_LEAST_ONCE: Final = (
    "Delivered at least once, in order. A consumer keeps the last (epoch, sequence) of each source"
    " in one transaction with what it makes of the event. What is not beyond that is a repeat;"
    " where a sequence is missing it asks for it by `table.resend`."
)

_NATS: Final = {"nats": {"bindingVersion": "0.1.0"}}

NATS: Final = Transport(
    key="nats",
    separator=".",
    server={
        "host": "{host}:4222",
        "protocol": "nats",
        "description": "NATS 2.15 or later with JetStream and `sync_interval: always`.",
    },
    security=("password", "natsCredentials", "clientCertificate"),
    channels={
        "event": "JetStream, stream PIT; PIT-REHEARSAL where `root` is pit-rehearsal."
        f" {_AT_LEAST_ONCE} The stream itself drops a repeat of an id within its duplicate window,"
        " ten minutes; a consumer with max_ack_pending = 1 is never overtaken.",
        "command": "Core NATS, a request: the answer comes on its reply subject.",
        "answer": "The reply subject of the request.",
        "status": "Core NATS, every second and at each change, stored nowhere. Three seconds"
        " without one: nothing is known of the table.",
    },
    operations={
        sort: {"nats": {"bindingVersion": "0.1.0"}} for sort in ("event", "command", "status")
    },
    reply_to="$message.header#/reply",
)

_QOS_1: Final = {"qos": 1, "bindingVersion": "0.2.0"}


def _text(content_type: str, **more: Schema) -> Schema:
    form = {"payloadFormatIndicator": 1, "contentType": content_type, "bindingVersion": "0.2.0"}
    return {"mqtt": {**form, **more}}


_JSON: Final = _text("application/json")

MQTT: Final = Transport(
    key="mqtt",
    separator="/",
    server={
        "host": "{host}:1883",
        "protocol": "mqtt",
        "protocolVersion": "5.0",
        "description": "An MQTT 5 broker; it stores no stream, and drops no repeat.",
        "bindings": {
            "mqtt": {
                "lastWill": {
                    "topic": "pit/status/{site}/{table}",
                    "qos": 1,
                    "retain": True,
                    "message": '{"mode":"live","state":"away","table":"{table}"}',
                },
                "bindingVersion": "0.2.0",
            },
        },
    },
    security=("password", "clientCertificate"),
    channels={
        "event": f"QoS 1, never retained. {_AT_LEAST_ONCE} Subscribe with a session that outlives"
        " the connection.",
        "command": "QoS 1, with response topic and correlation data. One that a broker had retained"
        " is refused.",
        "answer": "The response topic of the command, under `{root}/answer/`, with its correlation"
        " data.",
        "status": "QoS 1, retained, every second and at each change; each expires after three"
        " seconds. The will and a farewell say `away`.",
    },
    operations={
        "event": {"mqtt": {**_QOS_1, "retain": False}},
        "command": {"mqtt": _QOS_1},
        "status": {"mqtt": {**_QOS_1, "retain": True, "messageExpiryInterval": 3}},
    },
    reply_to="$message.header#/responseTopic",
    messages={
        "event": _text("application/cloudevents+json"),
        "command": _text(
            "application/json",
            responseTopic={"type": "string", "pattern": "^pit(-rehearsal)?/answer/"},
            correlationData={"type": "string", "description": "comes back with the answer"},
        ),
        "answer": _JSON,
        "status": _JSON,
        "away": _JSON,
    },
    own_messages={"status": ("away",)},
)

SECURITY: Final[Schema] = {
    "password": {"type": "userPassword", "description": "A user of the server, over TLS."},
    "natsCredentials": {
        "type": "asymmetricEncryption",
        "description": "A `.creds` file: the server's challenge is signed with its nkey.",
    },
    "clientCertificate": {"type": "X509", "description": "TLS, with a certificate of our own."},
}


def server(bus: Transport) -> Schema:
    """Return the server of a bus; a site has its own."""
    return {
        **bus.server,
        "variables": {"host": {"description": "the site's own server", "default": "localhost"}},
        "security": [{"$ref": f"#/components/securitySchemes/{way}"} for way in bus.security],
    }
