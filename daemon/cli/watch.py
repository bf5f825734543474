"""Shows each frame of a device live: time, bytes, reading, and the events it caused.

A table is watched through the running daemon, over its restarts. A frame that may be of a hidden
card shows as concealed.

With --device a port is opened here: a serial port, a USB device by bus and ports (1-2.4), or a CAN
interface. The device gets the answers that the daemon would give, and no table is involved.

Examples:
  pitwire watch BAC-1
  pitwire watch /dev/ttyUSB0 --device cammegh_ss2
  pitwire watch 1-2.4 --device hid_pos --json

Exit codes:
  1   no such table, or a table reads this port
  2   the device type or the port's name is wrong
  69  no daemon, or the port cannot be opened
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from daemon.cli.options import (
    DEFAULT_SOCKET,
    BaudOption,
    PortDeviceOption,
    SettingOption,
    SocketOption,
    TargetArgument,
    find_device,
    read_settings,
)
from daemon.cli.output import fail, note, print_json, say, wants_json
from daemon.exits import Exit

if TYPE_CHECKING:
    from protocols.device import DeviceSpec, Settings

_UNSEEN = "what the devices sent meanwhile is not shown"
RAW_WIDTH = 47
"""Characters of a frame's bytes that are shown in line with the others: sixteen bytes."""


def command(
    target: TargetArgument,
    device: PortDeviceOption = None,
    baud: BaudOption = None,
    setting: SettingOption = None,
    socket: SocketOption = DEFAULT_SOCKET,
) -> None:
    """Show a device's bytes and what they mean, live."""
    if device is None and "/" in target:
        fail(Exit.USAGE, f"{target}: which device is on it? say --device DEVICE")
    if device is None:
        _watch_table(target, socket)
        return
    from daemon.cli.ports_in_use import table_of, tables_by_link
    from drivers.errors import LinkError

    table = table_of(tables_by_link(socket), target)
    if table is not None:
        fail(Exit.FAILED, f"table {table} reads {target}: `pitwire watch {table}`")
    spec = find_device(device)
    settings = read_settings(spec, setting)
    try:
        asyncio.run(_watch_port(target, spec.under(settings), settings, baud))
    except LinkError as error:
        fail(Exit.UNAVAILABLE, f"{error}; {error.action}")
    except ValueError as error:
        fail(Exit.USAGE, f"{target}: {error}")


def _watch_table(table: str, socket: str) -> None:
    from daemon.cli.control_client import follow

    for line in follow(socket, table, "frames"):
        if "watching" in line:
            note(f"watching {table}" if line["first"] else f"the daemon is back; {_UNSEEN}")
        elif wants_json():
            print_json(line)
        elif "missed" in line:
            note(f"{line['missed']} frames too many for this terminal are not shown")
        elif "concealed" in line:
            say(f"{line['time'][11:23]}  {line['role']:8} concealed")
        elif "lost" in line:
            say(f"{line['time'][11:23]}  {line['role']:8} LOST by the link: {line['lost']}")
        else:
            _show(line, line["role"], _verdict(line))


def _verdict(line: dict[str, Any]) -> str:
    """Return what the table made of a frame."""
    from daemon.cli.event_format import event_words

    if line["stale"]:
        return "stale: not applied"
    events = [(event.pop("kind"), event_words({"data": event})) for event in line["events"]]
    return "; ".join(f"{kind} {words}".strip() for kind, words in events)


def _show(line: dict[str, Any], role: str, verdict: str) -> None:
    """Print one frame; its bytes whole, however many they are."""
    *longer, last = list(_rows(line["raw"])) or [""]
    clock = line["time"][11:23]
    for row in longer:
        say(f"{clock}  {role:8} {row}")
    end = f"  -> {verdict}" if verdict else ""
    say(f"{clock}  {role:8} {last:{RAW_WIDTH}}  {_meaning(line)}{end}")


def _rows(raw: str) -> Iterator[str]:
    spaced = bytes.fromhex(raw).hex(" ")
    for start in range(0, len(spaced), RAW_WIDTH + 1):
        yield spaced[start : start + RAW_WIDTH]


def _meaning(line: dict[str, Any]) -> str:
    from daemon.cli.event_format import card_or

    if "reject" in line:
        return f"REJECT {line['reject']}"
    reading = line["reading"]
    words = (
        f"{key}={card_or(value)}"
        for key, value in reading.items()
        if key != "kind" and value is not None
    )
    return " ".join((reading["kind"], *words))


# --- without the daemon ----------------------------------------------------------------------


async def _watch_port(target: str, spec: DeviceSpec, settings: Settings, baud: int | None) -> None:
    from daemon.cli.direct_link import hear, open_direct_link
    from daemon.devices.feed import DeviceFeed
    from daemon.devices.live_views import frame_json
    from drivers.clock import BootClock

    clock = BootClock()
    link = await open_direct_link(target, spec, baud, clock)
    note(f"watching {target}")
    async with contextlib.aclosing(link):
        async for heard in hear(link, DeviceFeed(spec, settings), clock, answer=True):
            if heard.frame is not None and heard.frame.raw:
                line = frame_json(heard.frame, stale=heard.stale)
                _show_frame({"time": clock.wall().isoformat(), **line})


def _show_frame(line: dict[str, Any]) -> None:
    if wants_json():
        print_json(line)
    else:
        _show(line, "", "stale" if line["stale"] else "")
