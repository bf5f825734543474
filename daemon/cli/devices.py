"""`pitwire devices`: what pitwire can read, what is plugged in, and what to do next."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.options import DEFAULT_SOCKET, JsonFlag, SocketOption
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
        bool, typer.Option("--kinds", help="Only the kinds of device that pitwire knows.")
    ] = False,
    socket: SocketOption = DEFAULT_SOCKET,
    as_json: JsonFlag = False,
) -> None:
    """Show the kinds of device that pitwire knows, and what is plugged in. Opens nothing."""
    from protocols.catalog import devices

    known = [
        {
            "device": one.key,
            "kind": one.kind,
            "title": one.title,
            "maturity": one.maturity,
            "wiring": one.wiring.title,
            "source": one.source,
        }
        for one in devices().values()
    ]
    found = [] if kinds else _look(socket)
    if as_json:
        answer({"known": known, "plugged": [one.as_json() for one in found]})
        return
    for fact in known:
        print(f"{fact['device']:18} {fact['kind']:6} {fact['maturity']:13} {fact['title']}")
    if kinds:
        return
    print("\nPlugged in:")
    for one in found:
        print("\n".join(one.lines()))
    if not found:
        print("  nothing that a link could open: no serial port, USB reader or CAN interface")
        print("  next: plug the device in, and look again; `lsusb` shows whether the PC sees it")


@dataclass(frozen=True, slots=True)
class Seen:
    """Something plugged in, and what stands in its way.

    table  the table whose device the running daemon reads here
    """

    what: AttachedPort
    trouble: Trouble | None
    holders: tuple[Holder, ...]
    table: str | None

    def as_json(self) -> dict[str, Any]:
        """Return everything that is known of it."""
        return {
            **dataclasses.asdict(self.what),
            "trouble": None if self.trouble is None else dataclasses.asdict(self.trouble),
            "holders": [dataclasses.asdict(one) for one in self.holders],
            "table": self.table,
            "suggested": self.suggested(),
            "next": self.next_action(),
        }

    def lines(self) -> list[str]:
        """Return it as a technician reads it."""
        one = self.what
        usb = f"{one.vendor:04x}:{one.product:04x}" if one.vendor and one.product else None
        serial = None if usb is None else f"serial {one.serial or 'none'}"
        facts = [
            one.title,
            *filter(None, (usb, serial, one.driver and f"driver {one.driver}")),
            *([f"at {one.location}"] if one.location else []),
            *([f"latency timer {one.latency_ms} ms"] if one.latency_ms is not None else []),
            *([] if one.up is None else ["up" if one.up else "down"]),
        ]
        lines = [f"  {one.where}", f"    {', '.join(facts)}"]
        lines += [f"    also {name}" for name in one.names if name != one.where]
        lines += [f"    held by {', '.join(map(str, self.holders))}"] if self.holders else []
        lines += [f"    {self.trouble.what}"] if self.trouble else []
        return [*lines, f"    next: {self.next_action()}"]

    def suggested(self) -> str | None:
        """Return the device it may be; nothing but its bytes tells what a serial port leads to."""
        return {"keyboard": "hid_keyboard", "hid": "hid_pos", None: None}[self.what.speaks]

    def next_action(self) -> str:
        """Return the one thing to do next."""
        one = self.what
        if self.trouble is not None:
            return self.trouble.action
        if self.table is not None:
            return f"table {self.table} reads it: `pitwire watch {self.table}`"
        if self.holders:
            return f"stop {self.holders[0]} before pitwire may have it"
        if one.wiring == "can":
            return _set_up_can(one)
        if one.wiring == "usb":
            return self._open_usb()
        if one.latency_ms is not None and one.latency_ms > SLOW_MS:
            return (
                f"install the udev rules that come with pitwire: this adapter holds bytes back for"
                f" up to {one.latency_ms} ms, they set 1 ms"
            )
        return f"`pitwire detect {one.where}` listens and says what it looks like"

    def _open_usb(self) -> str:
        one = self.what
        if one.vendor in _ADAPTERS and one.speaks is None:
            return (
                f"a serial adapter without a port, held by the driver {one.driver or '(none)'}:"
                " load its own driver, and remove what takes it away (brltty, a virtual machine)"
            )
        if one.speaks is None:
            return "pitwire knows no device that speaks so"
        return f"`pitwire watch {one.where} --device {self.suggested()}` shows what it says"


def _set_up_can(one: AttachedPort) -> str:
    if not one.up:
        return f"set it up: `ip link set {one.where} up type can bitrate 125000 restart-ms 100`"
    return f"`pitwire watch {one.where} --device KEY` shows what is said on it"


def _look(socket: str) -> list[Seen]:
    from daemon.cli.ports_in_use import table_of, tables_by_link
    from drivers.discovery.access import trouble_with
    from drivers.discovery.attached import plugged
    from drivers.discovery.holders import holders

    tables = tables_by_link(socket)
    return [
        Seen(
            one,
            trouble_with(one.node) if one.node else None,
            holders(one.node) if one.node else (),
            next(filter(None, (table_of(tables, name) for name in (one.where, one.node))), None),
        )
        for one in plugged()
    ]
