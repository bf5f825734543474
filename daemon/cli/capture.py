"""Records what passes between a device and pitwire, for `decode`, `replay` and the tests.

A table is recorded through the running daemon. Bytes that may be of a hidden card are left out for
good, and a note in the file says where.

With --device a port is opened here: a serial port, a USB device by bus and ports (1-2.4), or a CAN
interface. Nothing is written to the device without --ask.

Examples:
  pitwire capture BAC-1 shoe.capture --seconds 600
  pitwire capture BJ-3 hole.capture --role hole
  pitwire capture /dev/ttyUSB0 wheel.capture --device saturn --ask

Exit codes:
  1   no such table, a table reads this port, or the file cannot be written
  2   the device type or the port's name is wrong
  69  no daemon, or the port cannot be opened
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
from daemon.cli.output import fail, note, print_json, wants_json
from daemon.exits import Exit

if TYPE_CHECKING:
    from drivers.rotation import RotatingCapture
    from protocols.device import DeviceSpec

MEGABYTE = 1_000_000
HELD_BACK = "the next card may be a hidden one: its bytes are held back from here on"


def command(
    target: TargetArgument,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file to write; an older one becomes FILE.1."),
    ],
    *,
    device: PortDeviceOption = None,
    role: Annotated[
        str,
        typer.Option(metavar="ROLE", help="Which of the table's devices: primary, hole, witness."),
    ] = "primary",
    baud: BaudOption = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Poll and acknowledge as the daemon would.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.1, metavar="SECONDS", help="Stop after this time; else with Ctrl-C."),
    ] = None,
    rotate_mb: Annotated[
        float, typer.Option(min=0.001, metavar="MB", help="Start a new file at this size.")
    ] = 10,
    keep: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Older files to keep.")] = 5,
    setting: SettingOption = None,
    socket: SocketOption = DEFAULT_SOCKET,
) -> None:
    """Record a device's bytes to a file."""
    if device is None and "/" in target:
        fail(Exit.USAGE, f"{target}: which device is on it? say --device DEVICE")
    size = round(rotate_mb * MEGABYTE)
    if device is None:
        header = _facts(socket, target, role)
        with _writing(file, header, size, keep) as writer, _at_most(seconds):
            _follow(target, role, socket, writer)
        return
    spec = find_device(device)
    _refuse_unusable(target, spec, baud, socket)
    settings = read_settings(spec, setting)
    header = {"device": device, "link": target}
    with _writing(file, header, size, keep) as writer:
        listening = _listen(target, spec.under(settings), settings, baud, writer, ask=ask)
        with contextlib.suppress(TimeoutError):
            asyncio.run(asyncio.wait_for(listening, seconds))


@contextlib.contextmanager
def _writing(
    file: Path, header: Mapping[str, str], size: int, keep: int
) -> Iterator[RotatingCapture]:
    """Open the file, and report at the end how much is in it; end the verb where it fails."""
    from drivers.capture_model import CaptureError
    from drivers.errors import LinkError
    from drivers.rotation import RotatingCapture

    facts = {
        **header,
        "taken": datetime.now(UTC).isoformat(timespec="seconds"),
        "provenance": "recorded",
        "software": f"pitwire {version('pitwire')}",
    }
    try:
        with RotatingCapture(file, facts, size, keep) as writer:
            with contextlib.suppress(KeyboardInterrupt):
                yield writer
            if wants_json():
                print_json({"file": str(file), "moments": writer.lines})
            else:
                note(f"{writer.lines} lines in {file}")
    except LinkError as error:
        fail(Exit.UNAVAILABLE, f"{error}; {error.action}")
    except CaptureError as error:
        fail(Exit.FAILED, str(error))


def _refuse_unusable(target: str, spec: DeviceSpec, baud: int | None, socket: str) -> None:
    """End, before a file is touched, where the target is no such port, or a table reads it."""
    from daemon.cli.direct_link import where_it_is
    from daemon.cli.ports_in_use import table_of, tables_by_link

    try:
        where_it_is(target, spec, baud)
    except ValueError as error:
        fail(Exit.USAGE, str(error))
    table = table_of(tables_by_link(socket), target)
    if table is not None:
        sentence = f"table {table} reads {target}: `pitwire capture {table} FILE`"
        fail(Exit.FAILED, sentence)


# --- through the daemon ----------------------------------------------------------------------


def _facts(socket: str, table: str, role: str) -> dict[str, str]:
    """Return the header's facts of a table's device, or end with why there are none."""
    from daemon.cli.control_client import ask

    status = ask(socket, {"verb": "status"})
    shown = next((each for each in status["tables"] if each["table"] == table), None)
    if shown is None:
        fail(Exit.FAILED, f"no table {table!r} on this bridge")
    device = next((each for each in shown["devices"] if each["role"] == role), None)
    if device is None:
        fail(Exit.FAILED, f"table {table} has no {role} device")
    facts = {"device": device["device"], "table": table, "mode": shown["mode"]}
    return facts | ({"link": device["link"]} if device["link"] else {})


def _follow(table: str, role: str, socket: str, writer: RotatingCapture) -> None:
    from daemon.cli.control_client import follow

    began: int | None = None
    held_back = False
    for line in follow(socket, table, "chunks"):
        if "watching" in line:
            note(f"capturing {table}" if line["first"] else "the daemon is back")
            held_back = False  # the file says it again, whatever the link did meanwhile
            if not line["first"]:
                writer.note("the daemon was away: what the device sent meanwhile is not here")
        elif "missed" in line:
            writer.note(f"{line['missed']} lines came too fast, and are not here")
        elif line["role"] == role:
            began = line["ns"] if began is None else began
            seconds = max(line["ns"] - began, 0) / 1e9
            if "concealed" not in line:
                writer.add(_moment(seconds, line))
            elif not held_back:
                writer.note(f"{seconds:.6f} s: {HELD_BACK}")
            held_back = "concealed" in line


def _moment(seconds: float, line: dict[str, Any]) -> Any:
    from drivers.capture_model import CaptureLine

    if "link" in line:
        return CaptureLine(seconds, "link", line["link"])
    if "lost" in line:
        return CaptureLine(seconds, "loss", line["lost"])
    if "sent" in line:
        return CaptureLine(seconds, "host", bytes.fromhex(line["sent"]))
    return CaptureLine(seconds, "device", bytes.fromhex(line["raw"]), line["stale"])


class _Over(Exception):  # noqa: N818 - it is no error
    """The time that was asked for has passed."""


@contextlib.contextmanager
def _at_most(seconds: float | None) -> Iterator[None]:
    """End, after this time, a read that blocks on the daemon's socket."""

    def over(*_: object) -> None:
        raise _Over

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds or 0)
    with contextlib.suppress(_Over):
        yield
    signal.setitimer(signal.ITIMER_REAL, 0)


# --- from a free port ------------------------------------------------------------------------


async def _listen(
    target: str,
    spec: DeviceSpec,
    settings: Any,
    baud: int | None,
    writer: RotatingCapture,
    *,
    ask: bool,
) -> None:
    from daemon.cli.direct_link import hear, open_direct_link
    from daemon.devices.feed import DeviceFeed
    from drivers.clock import BootClock
    from drivers.tap import Tap

    clock = BootClock()
    tap = Tap(await open_direct_link(target, spec, baud, clock), writer, clock)
    async with contextlib.aclosing(tap):
        note(f"capturing {target}")
        async for _ in hear(tap, DeviceFeed(spec, settings), clock, answer=ask):
            if tap.failure is not None:
                raise tap.failure
