"""`pitwire decode`: a capture, or plain bytes, through one device's decoder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from daemon.cli.options import (
    JsonFlag,
    SettingOption,
    find_device,
    note_another_device,
    read_settings,
)
from daemon.cli.output import answer, fail
from daemon.exits import Exit


def command(
    device: Annotated[str, typer.Argument(help="The device: a key from the catalog.")],
    file: Annotated[
        Path, typer.Argument(help="A capture, a studio log, or plain bytes with --raw.")
    ],
    raw: Annotated[
        bool, typer.Option("--raw", help="The file is plain bytes, not a capture.")
    ] = False,
    setting: SettingOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Show what each frame of a file says, or why it says nothing."""
    from daemon.cli.event_format import card_or
    from daemon.runtime.codec import reading_json
    from drivers.capture import raw_capture, read_bytes, read_capture
    from drivers.capture_model import CaptureError
    from protocols.instant import Instant
    from protocols.rejects import RejectReason

    spec = find_device(device, as_json)
    if raw and spec.wiring.unit == "packet":
        fail(Exit.USAGE, f"plain bytes do not show the packets of {device}", as_json=as_json)
    decoder = spec.decoder(read_settings(spec, setting, as_json))
    try:
        capture = raw_capture(read_bytes(file)) if raw else read_capture(file)
    except CaptureError as error:
        fail(Exit.FAILED, str(error), as_json=as_json)
    note_another_device(capture.header, device)
    readings = rejects = 0
    at = Instant("file", 0)
    for moment in capture.lines:
        if moment.direction != "device" or not isinstance(moment.data, bytes):
            continue
        at = Instant("file", round(moment.seconds * 1e9))
        for one in decoder.feed(at, moment.data):
            rejected = isinstance(one.body, RejectReason)
            readings, rejects = readings + (not rejected), rejects + rejected
            body = (
                {"reject": one.body}
                if isinstance(one.body, RejectReason)
                else reading_json(one.body)
            )
            if as_json:
                facts = {"seconds": moment.seconds, "raw": one.raw.hex(), "sequence": one.sequence}
                answer({**facts, **body})
            else:
                words = " ".join(
                    f"{key}={card_or(value)}"
                    for key, value in body.items()
                    if key != "kind" and value is not None
                )
                print(f"{moment.seconds:10.3f}  {body.get('kind', 'REJECT')!s:18} {words}")
    if not as_json:
        print(f"{readings} readings, {rejects} rejects, {len(decoder.pending)} bytes unfinished")
