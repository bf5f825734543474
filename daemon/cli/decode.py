"""Shows what each frame of a file says, or why it was rejected. No table, no rules.

The file is a capture (`pitwire capture`), a studio log, or plain bytes with --raw. Times are those
of the capture; the last line counts readings, rejects and bytes left over.

Examples:
  pitwire decode beetek shoe.capture
  pitwire decode line_profile dump.bin --raw -s profile=pine-shoe.toml
  pitwire decode beetek shoe.capture --json > shoe.expect

Exit codes:
  0  the file was read, whatever its frames say
  1  the file cannot be read
  2  no such device type, or a setting is wrong
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from daemon.cli.options import (
    DeviceArgument,
    SettingOption,
    find_device,
    note_another_device,
    read_settings,
)
from daemon.cli.output import answer, fail, say, wants_json
from daemon.exits import Exit

if TYPE_CHECKING:
    from drivers.capture import Capture
    from protocols.device import Decoded, Decoder


def command(
    device: DeviceArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A capture, a studio log, or plain bytes.")
    ],
    raw: Annotated[
        bool, typer.Option("--raw", help="The file is plain bytes, not a capture.")
    ] = False,
    setting: SettingOption = None,
) -> None:
    """Show what each frame of a capture says."""
    from drivers.capture import raw_capture, read_bytes, read_capture
    from drivers.capture_model import CaptureError
    from protocols.rejects import RejectReason

    spec = find_device(device)
    if raw and spec.wiring.unit == "packet":
        fail(Exit.USAGE, f"plain bytes do not show the packets of {device}")
    decoder = spec.decoder(read_settings(spec, setting))
    try:
        capture = raw_capture(read_bytes(file)) if raw else read_capture(file)
    except CaptureError as error:
        fail(Exit.FAILED, str(error))
    note_another_device(capture.header, device)
    readings = rejects = 0
    for seconds, decoded in _frames(decoder, capture):
        if isinstance(decoded.body, RejectReason):
            rejects += 1
        else:
            readings += 1
        _show(seconds, decoded)
    if not wants_json():
        say(f"{readings} readings, {rejects} rejects, {len(decoder.pending)} bytes unfinished")


def _frames(decoder: Decoder, capture: Capture) -> Iterator[tuple[float, Decoded]]:
    """Yield each frame that the device sent, and when, in seconds of the capture."""
    from protocols.instant import Instant

    for line in capture.lines:
        if line.direction == "device" and isinstance(line.data, bytes):
            at = Instant("file", round(line.seconds * 1e9))
            yield from ((line.seconds, decoded) for decoded in decoder.feed(at, line.data))


def _show(seconds: float, decoded: Decoded) -> None:
    from daemon.cli.event_format import card_or
    from daemon.runtime.codec import reading_json
    from protocols.rejects import RejectReason

    body: dict[str, Any]
    if isinstance(decoded.body, RejectReason):
        body = {"reject": decoded.body}
    else:
        body = reading_json(decoded.body)
    words = (
        f"{key}={card_or(value)}"
        for key, value in body.items()
        if key != "kind" and value is not None
    )
    answer(
        {"seconds": seconds, "raw": decoded.raw.hex(), "sequence": decoded.sequence, **body},
        f"{seconds:10.3f}  {body.get('kind', 'REJECT')!s:18} {' '.join(words)}",
    )
