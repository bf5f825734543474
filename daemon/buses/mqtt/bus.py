"""The MQTT bus: a visitor that asks for all tables, and a connection for each table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from daemon.buses.mqtt.served_table import ServedTable
from daemon.buses.mqtt.settings import MqttSettings
from daemon.buses.mqtt.visitor import Visitor
from daemon.delivery.bus import Address, CommandHandler, Keeping, Outgoing, StoredEvent


class MqttLog:
    """The newest event, which a broker keeps, and nothing else; see EventLog."""

    keeps_all = False

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    async def newest(self, address: Address) -> StoredEvent | None:
        """Return the table's newest event that the broker keeps."""
        payload = await self._visitor.newest(address)
        return None if payload is None else StoredEvent(0, payload)

    async def keeping(self, address: Address) -> Keeping:
        """Return that nothing is known: a broker does not tell how it is set up."""
        del address
        return Keeping()

    async def after(self, address: Address, number: int, limit: int) -> tuple[StoredEvent, ...]:
        """Return nothing: the broker keeps no more."""
        del address, number, limit
        return ()


class MqttBus:
    """See OpenBus. `report` hears of one trouble at a time, and None when there is none."""

    def __init__(self, settings: MqttSettings, report: Callable[[str | None], None]) -> None:
        self._settings = settings
        self._report = report
        self._reported: str | None = ""
        self._closing = False
        self._troubles: dict[Address | None, str | None] = {}
        self._tables: dict[Address, ServedTable] = {}
        self._visitor = Visitor(settings, partial(self._say, None))

    @property
    def log(self) -> MqttLog:
        """Return what reads the newest event back."""
        return MqttLog(self._visitor)

    @property
    def leases(self) -> None:
        """Return None: a broker compares nothing. A table's own connection asks who serves it."""

    @property
    def bulk(self) -> None:
        """Return None: a broker drops no repeats, so no event may be in doubt behind another."""

    async def publish(self, address: Address, event: Outgoing, fence: int) -> int:
        """Return when the broker has acknowledged the event. The last id is not sent again."""
        del fence
        await self._table(address).publish(event)
        return 0

    async def publish_status(self, address: Address, payload: bytes) -> None:
        """Send the status, retained."""
        self._table(address).publish_status(payload)

    async def serve(self, address: Address, handler: CommandHandler | None) -> None:
        """Answer the table's commands, now or as soon as there is a connection."""
        await self._table(address).serve(handler)

    async def close(self) -> None:
        """Wait a moment for open acknowledgements and answers, then sign off."""
        self._closing = True
        for table in self._tables.values():
            await table.close()
        await self._visitor.close()

    def _table(self, address: Address) -> ServedTable:
        table = self._tables.get(address)
        if table is None:
            self._troubles.setdefault(address, f"table {address.table} is not connected yet")
            table = self._tables[address] = ServedTable(
                self._settings,
                address,
                visitor=self._visitor,
                said=partial(self._say, address),
            )
        return table

    def _say(self, who: Address | None, text: str | None) -> None:
        self._troubles[who] = text
        first = next((trouble for trouble in self._troubles.values() if trouble), None)
        if first != self._reported and not self._closing:
            self._reported = first
            self._report(first)
