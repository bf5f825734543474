"""What a table sends on its own connection: events, their copy, status, answers.

Each raises BusUnavailable where the connection ends, unless it says otherwise.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from daemon.buses.mqtt import reasons
from daemon.buses.mqtt.client import Message, Mqtt5Client, publish_properties
from daemon.buses.mqtt.topics import event_topic, is_answer_topic, newest_topic, status_topic
from daemon.delivery.bus import Address, BusRefused, BusUnavailable, Outgoing
from protocols.canonical import canonical

STATUS_GOOD_FOR_S: Final = 3
"""A table that has been silent for so long is unknown: so is a status that old."""
_JSON: Final = {"PayloadFormatIndicator": 1, "ContentType": "application/json"}


async def send_event(client: Mqtt5Client, address: Address, event: Outgoing) -> None:
    """Return when the broker has acknowledged the event. Raises BusRefused too."""
    topic = event_topic(address, event.kind)
    code = await client.deliver(topic, event.payload, _event_properties(event))
    if (trouble := reasons.not_taken(topic, code)) is not None:
        raise trouble


async def keep_newest(client: Mqtt5Client, address: Address, event: Outgoing) -> None:
    """Return when the broker has acknowledged the event's copy."""
    topic = newest_topic(address)
    code = await client.deliver(topic, event.payload, _event_properties(event), retain=True)
    trouble = reasons.not_taken(topic, code) if reasons.is_failure(code) else None
    if isinstance(trouble, BusRefused):
        trouble = BusUnavailable(str(trouble), "look at the broker's limits")
    if trouble is not None:
        raise trouble


def away(address: Address) -> bytes:
    """Return the status of a table whose daemon is not there."""
    return canonical({"mode": address.mode, "state": "away", "table": address.table})


async def send_status(
    client: Mqtt5Client, address: Address, payload: bytes, good_for_s: int | None
) -> str | None:
    """Send a status; None: it is good until the next. Return what is wrong; never raises."""
    topic = status_topic(address)
    properties = publish_properties(**_JSON)
    if good_for_s is not None:
        properties.MessageExpiryInterval = good_for_s
    with suppress(BusUnavailable, BusRefused):
        code = await client.deliver(topic, payload, properties, retain=True)
        if code == reasons.NOT_AUTHORISED:
            return f"the broker forbids us to publish on {topic}: allow it for our user"
    return None


async def answer(
    client: Mqtt5Client, address: Address, command: Message, payload: bytes
) -> str | None:
    """Answer where the sender asks for it. Return what is wrong; never raises."""
    topic = command.answer_to
    if topic is None or not is_answer_topic(address, topic):
        return None  # the sender hears nothing, repeats its id, and gets this answer then
    properties = publish_properties(**_JSON)
    if command.token is not None:
        properties.CorrelationData = command.token
    with suppress(BusUnavailable, BusRefused):
        if await client.deliver(topic, payload, properties) == reasons.NOT_AUTHORISED:
            return f"the broker forbids us to answer on {topic}: allow it for our user"
    return None


def _event_properties(event: Outgoing) -> Any:
    return publish_properties(
        PayloadFormatIndicator=1,
        ContentType="application/cloudevents+json",
        UserProperty=("message-id", event.message_id),
    )
