"""Events as lines of JSON on standard output: for trying things out, and for pipes.

Nothing is kept and nothing can be commanded. Status is left out: it would drown the events.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Final

from daemon.delivery.bus import Address, BusSpec, BusUnavailable, CommandHandler, Outgoing


@dataclass(frozen=True, slots=True)
class StdoutSettings:
    """There is nothing to set."""


class StdoutBus:
    """One line per event to `stream`."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._last: dict[Address, str] = {}

    @property
    def log(self) -> None:
        """Return None: a stream remembers nothing."""

    @property
    def leases(self) -> None:
        """Return None: it is this process's own."""

    @property
    def bulk(self) -> None:
        """Return None: line after line."""

    async def publish(self, address: Address, event: Outgoing, fence: int) -> int:
        """Write the event as a line. Raises BusUnavailable when its reader has gone."""
        del fence
        if self._last.get(address) == event.message_id:
            return 0
        try:
            # In a thread: a reader that stops reading must not stop the tables.
            await asyncio.to_thread(self._write, event.payload)
        except (OSError, ValueError) as error:
            raise BusUnavailable(
                f"standard output cannot be written ({error})",
                "start the daemon again with a reader, or configure another bus",
            ) from error
        self._last[address] = event.message_id
        return 0

    async def publish_status(self, address: Address, payload: bytes) -> None:
        """Do nothing."""

    async def serve(self, address: Address, handler: CommandHandler | None) -> None:
        """Never call the handler: nothing comes in here."""

    async def close(self) -> None:
        """Leave the stream open: it is not ours."""

    def _write(self, payload: bytes) -> None:
        self._stream.write(payload + b"\n")
        self._stream.flush()


async def _connect(settings: StdoutSettings, report: Callable[[str | None], None]) -> StdoutBus:
    del settings
    report(None)
    return StdoutBus(sys.stdout.buffer)


BUS: Final = BusSpec(
    key="stdout",
    title="JSON lines on standard output",
    settings=StdoutSettings,
    connect=_connect,
    lacks=("nothing keeps a second daemon from writing the same table's events elsewhere",),
)
