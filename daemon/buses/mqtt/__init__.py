"""MQTT 5: events at least once to whoever has a session, commands by response topic.

    pit/event/<site>/<table>/<noun>/<verb>   QoS 1
    pit/newest/<site>/<table>                QoS 1, retained: the newest event once more
    pit/status/<site>/<table>                QoS 1, retained for three seconds; the will says `away`
    pit/command/<site>/<table>/<authority>/<user>
                                             QoS 1, with response topic and correlation data
    pit/owner/<site>/<table>                 who serves the table: for daemons alone
    pit/answer/<user>/…                      answers, where the sender asks for them
    pit-rehearsal/…                          the same, of every mode but live

The journal is the outbox: an event leaves it when the broker has acknowledged it (`publisher.py`).
What a broker cannot promise is in `LACKS`, and with its remedy in docs/buses.md.

settings.py      how the broker is reached            topics.py        subjects as topics
reasons.py       what reason codes mean               event_loop.py    paho's socket in asyncio
client.py        one connection's life                connection.py    those that come and go
visitor.py       asks for all tables                  served_table.py  a table's own connection
recent.py        what a broker may have forgotten     outgoing.py      what that sends
bus.py           all of it, an OpenBus
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from daemon.buses.mqtt.settings import MqttSettings, warnings
from daemon.delivery.bus import BusSpec, OpenBus

__all__ = ["BUS", "MqttSettings"]

LACKS: Final = (
    "no stored stream: what it lost, or dropped for an absent consumer, table.resend repeats",
    "no dropping of repeats: consumers do that, by (epoch, sequence)",
    "no lease: a second daemon asks, and sends nothing; but nothing stops one that does not ask",
    "an acknowledgement is not a disk: after its power cut the last events are repeated",
)


async def _open(settings: MqttSettings, report: Callable[[str | None], None]) -> OpenBus:
    # An extra, and slow to load: only where it is configured.
    from daemon.buses.mqtt.bus import MqttBus  # noqa: PLC0415

    return MqttBus(settings, report)


BUS: Final = BusSpec(
    key="mqtt",
    title="MQTT 5",
    settings=MqttSettings,
    connect=_open,
    lacks=LACKS,
    warns=warnings,
)
