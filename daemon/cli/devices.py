"""Lists the device types that pitwire can read, then every port, USB reader and CAN interface.

Each thing that is plugged in is shown with its stable name, what it says of itself, who holds it,
what keeps pitwire from it, and the next thing to do. Nothing is opened.

Examples:
  pitwire devices
  pitwire devices --kinds
  pitwire devices --json
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.options import DEFAULT_SOCKET, SocketOption
from daemon.cli.output import answer

if TYPE_CHECKING:
    from drivers.discovery.access import Trouble
    from drivers.discovery.attached import AttachedPort
    from drivers.discovery.holders import Holder

SLOW_MS = 2
"""An adapter that holds bytes back for longer costs more than the whole way through pitwire."""
_ADAPTERS = frozenset({0x0403, 0x067B, 0x10C4, 0x1A86, 0x110A})
"""Makers of serial adapters, as in our udev rules: such a device ought to have a port."""


def command(
    kinds: Annotated[
        bool, typer.Option("--kinds", help="Only the device types that pitwire can read.")
    ] = False,
    socket: SocketOption = DEFAULT_SOCKET,
) -> None:
    """List device types, and what is plugged in."""
    from protocols.catalog import devices

    known = [
        {
            "device": spec.key,
            "kind": spec.kind,
            "title": spec.title,
            "maturity": spec.maturity,
            "wiring": spec.wiring.title,
            "source": spec.source,
        }
        for spec in devices().values()
    ]
    plugged = [] if kinds else _look(socket)
    lines = [
        f"{fact['device']:18} {fact['kind']:6} {fact['maturity']:13} {fact['title']}"
        for fact in known
    ]
    if not kinds:
        lines += ["", "Plugged in:", *_lines(plugged)]
    answer({"known": known, "plugged": [seen.as_json() for seen in plugged]}, *lines)


def _lines(plugged: Sequence[PluggedIn]) -> Iterator[str]:
    for device in plugged:
        yield from device.lines()
    if not plugged:
        yield "  nothing that pitwire could open: no serial port, USB reader or CAN interface"
        yield "  next: plug the device in, and look again; `lsusb` shows whether the PC sees it"


@dataclass(frozen=True, slots=True)
class PluggedIn:
    """Something plugged in, and what keeps pitwire from it.

    table  the table whose device the running daemon reads here
    """

    port: AttachedPort
    trouble: Trouble | None
    holders: tuple[Holder, ...]
    table: str | None

    def as_json(self) -> dict[str, Any]:
        """Return everything that is known of it."""
        return {
            **dataclasses.asdict(self.port),
            "trouble": None if self.trouble is None else dataclasses.asdict(self.trouble),
            "holders": [dataclasses.asdict(holder) for holder in self.holders],
            "table": self.table,
            "suggested": self.suggested(),
            "next": self.next_action(),
        }

    def lines(self) -> list[str]:
        """Return it as a technician reads it."""
        port = self.port
        usb = f"{port.vendor:04x}:{port.product:04x}" if port.vendor and port.product else None
        serial = None if usb is None else f"serial {port.serial or 'none'}"
        facts = [
            port.title,
            *filter(None, (usb, serial, port.driver and f"driver {port.driver}")),
            *([f"at {port.location}"] if port.location else []),
            *([f"latency timer {port.latency_ms} ms"] if port.latency_ms is not None else []),
            *([] if port.up is None else ["up" if port.up else "down"]),
        ]
        lines = [f"  {port.where}", f"    {', '.join(facts)}"]
        lines += [f"    also {name}" for name in port.names if name != port.where]
        lines += [f"    held by {', '.join(map(str, self.holders))}"] if self.holders else []
        lines += [f"    {self.trouble.what}"] if self.trouble else []
        return [*lines, f"    next: {self.next_action()}"]

    def suggested(self) -> str | None:
        """Return the device type it may be; only its bytes tell what is on a serial port."""
        return {"keyboard": "hid_keyboard", "hid": "hid_pos", None: None}[self.port.speaks]

    def next_action(self) -> str:
        """Return the one thing to do next."""
        port = self.port
        if self.trouble is not None:
            return self.trouble.action
        if self.table is not None:
            return f"table {self.table} reads it: `pitwire watch {self.table}`"
        if self.holders:
            return f"stop {self.holders[0]} before pitwire may have it"
        if port.wiring == "can":
            return _set_up_can(port)
        if port.wiring == "usb":
            return self._open_usb()
        if port.latency_ms is not None and port.latency_ms > SLOW_MS:
            return (
                f"install the udev rules that come with pitwire: this adapter holds bytes back for"
                f" up to {port.latency_ms} ms, they set 1 ms"
            )
        return f"`pitwire detect {port.where}` listens and says what it looks like"

    def _open_usb(self) -> str:
        port = self.port
        if port.vendor in _ADAPTERS and port.speaks is None:
            return (
                f"a serial adapter without a port, held by the driver {port.driver or '(none)'}:"
                " load its own driver, and remove what takes it away (brltty, a virtual machine)"
            )
        if port.speaks is None:
            return "no device type of pitwire is like it"
        return f"`pitwire watch {port.where} --device {self.suggested()}` shows what it says"


def _set_up_can(port: AttachedPort) -> str:
    if not port.up:
        return f"set it up: `ip link set {port.where} up type can bitrate 125000 restart-ms 100`"
    return f"`pitwire watch {port.where} --device DEVICE` shows what is said on it"


def _look(socket: str) -> list[PluggedIn]:
    from daemon.cli.ports_in_use import table_of, tables_by_link
    from drivers.discovery.access import trouble_with
    from drivers.discovery.attached import plugged
    from drivers.discovery.holders import holders

    tables = tables_by_link(socket)
    return [
        PluggedIn(
            port,
            trouble_with(port.node) if port.node else None,
            holders(port.node) if port.node else (),
            next(filter(None, (table_of(tables, name) for name in (port.where, port.node))), None),
        )
        for port in plugged()
    ]
