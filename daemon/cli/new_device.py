"""Writes a decoder with its simulator, and a capture with what it must say, into a checkout.

What is written speaks a small line protocol of its own and passes every law as it stands. Turn it
into the real device step by step; the laws show what breaks. The next steps are printed.

A serial device with plain lines may need no code: see docs/line-profile.md.

Examples:
  pitwire new-device acme_2 --kind shoe
  pitwire new-device acme_2 --kind wheel --tree ~/src/pitwire

Exit codes:
  0  the files were written
  1  one of them is there already, or the folder cannot be written
  2  the name is not free or not allowed, or this is no checkout
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from daemon.cli.output import answer, fail, why
from daemon.exits import Exit
from protocols.device import DeviceKind

if TYPE_CHECKING:
    from drivers.capture_model import CaptureLine
    from protocols.device import DeviceSpec
    from protocols.simulator import Cue

ROOMS: Final[dict[DeviceKind, str]] = {"shoe": "shoes", "wheel": "wheels", "dice": "dice"}
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")


def command(
    key: Annotated[
        str,
        typer.Argument(
            metavar="KEY", help="Its key in configuration, metrics and files, such as acme_2."
        ),
    ],
    kind: Annotated[DeviceKind, typer.Option("--kind", "-k", help="What kind of device it is.")],
    tree: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The checkout of pitwire to write into.")
    ] = Path(),
) -> None:
    """Write the files of a new device type."""
    from protocols.catalog import devices

    if not _KEY.fullmatch(key) or keyword.iskeyword(key):
        fail(Exit.USAGE, f"{key!r}: small letters, digits and _, as acme_2")
    if key in devices():
        fail(Exit.USAGE, f"there is already a device {key}")
    module, folder = tree / "protocols" / ROOMS[kind] / f"{key}.py", tree / "tests/captures" / key
    if not module.parent.is_dir() or not folder.parent.is_dir():
        fail(Exit.USAGE, f"{tree.resolve()} is no checkout of pitwire; name one by --tree")
    if module.exists() or folder.exists():
        fail(Exit.FAILED, f"{module if module.exists() else folder} is already there")
    spec: DeviceSpec = import_module(f"daemon.scaffold.{kind}").DEVICE
    moments = list(_played(spec, _scenario(kind)))
    written = {
        module: _named(
            files("daemon.scaffold").joinpath(f"{kind}.py").read_text("utf-8"), kind, key
        ),
        folder / "first.capture": _capture(key, moments),
        folder / "first.expect": "".join(_expected(spec, moments)),
    }
    try:
        folder.mkdir()
        for path, text in written.items():
            path.write_text(text, "utf-8")
    except OSError as error:
        whose = f"{tree.resolve()} must be yours to write in"
        sentence = f"{error.filename} cannot be written: {why(error)}; {whose}"
        fail(Exit.FAILED, sentence)
    steps = list(_next(key, kind, spec))
    answer(
        {"written": [str(path) for path in written], "next": steps},
        *(f"wrote {path}" for path in written),
        *(f"{number}. {step}" for number, step in enumerate(steps, 1)),
    )


def _next(key: str, kind: DeviceKind, spec: DeviceSpec) -> Iterator[str]:
    """Yield what to edit, in order."""
    module = f"protocols/{ROOMS[kind]}/{key}.py"
    yield f"{module}: the docstring, from the maker's manual: layout, source, what is assumed"
    yield f"{module}: WIRING, LINES, `line` and `read`; then the simulator, in the same words"
    yield f"{module}: title, source, framing and notes of DEVICE"
    yield (
        f"{module}: where the manual has frame numbers, a sign of life, or answers that it waits"
        " for: `sequence` and `reply` of a `FrameMeaning`, and DEVICE's `sequence`, `silence_s` and"
        " `writes`"
        " (protocols/lineframes.py, protocols/device.py)"
    )
    yield (
        f"tests/captures/{key}/: a scenario for each thing that can go wrong"
        f" (`pitwire simulate {key}`, `pitwire capture`), and beside it what it says"
        f" (`pitwire decode {key} FILE.capture --json > FILE.expect`), read by a person"
    )
    yield f"README.md, the table of devices: | `{key}` | … | {spec.maturity} | … |"
    yield f"python -m pytest -q tests/laws tests/protocols -k {key}"


def _named(text: str, kind: DeviceKind, key: str) -> str:
    """Return the scaffold's text as that of this device."""
    name = "".join(part.capitalize() for part in key.split("_"))
    return text.replace(f"new_{kind}", key).replace(f"New{kind.capitalize()}", name)


def _scenario(kind: DeviceKind) -> Sequence[tuple[float, Cue]]:
    """Return what happens, and when: enough to see each kind of line once."""
    from protocols.cards import Card
    from protocols.simulator import DrawCard, DrawCutCard, Fault, PowerOn, SpinBall, ThrowDice

    match kind:
        case "shoe":
            cards = ((1.0, DrawCard(Card("K", "D"))), (2.0, DrawCard(Card("T", "H"))))
            missed = ((3.0, Fault("unread")), (3.0, DrawCard(Card("5", "C"))))
            return ((0.0, PowerOn()), *cards, *missed, (4.0, DrawCutCard()))
        case "wheel":
            return ((0.0, PowerOn()), (1.0, SpinBall("17")), (40.0, SpinBall("0")))
        case "dice":
            unread = ((10.0, Fault("unread")), (10.0, ThrowDice((6, 1, 3))))
            return ((0.0, PowerOn()), (1.0, ThrowDice((4, 4, 2))), *unread)


def _played(spec: DeviceSpec, cues: Sequence[tuple[float, Cue]]) -> Iterator[CaptureLine]:
    """Yield what the simulator says, at the times on its own wire."""
    from drivers.capture_model import CaptureLine
    from protocols.instant import Instant

    simulator, begin = spec.simulator(spec.settings()), Instant("scaffold", 0)
    ends = (*(seconds for seconds, _ in cues[1:]), float("inf"))
    for (seconds, cue), end in zip(cues, ends, strict=True):
        simulator.cue(begin.after(seconds), cue)
        while (wake := simulator.wake_at) is not None and wake.ns <= end * 1e9:
            for data in simulator.speak(wake):
                yield CaptureLine(round(wake.ns / 1e9, 6), "device", data)


def _capture(key: str, moments: Sequence[CaptureLine]) -> str:
    from drivers.capture import Capture, format_capture

    header = {"device": key, "firmware": "simulated", "wiring": "the device's own"}
    notes = {"provenance": "synthetic", "notes": "written by pitwire new-device"}
    return format_capture(Capture({**header, **notes}, tuple(moments)))


def _expected(spec: DeviceSpec, moments: Sequence[CaptureLine]) -> Iterator[str]:
    """Yield what each line says, as `tests/protocols/test_golden.py` reads it."""
    from daemon.runtime.codec import reading_json
    from protocols.instant import Instant
    from protocols.rejects import RejectReason

    decoder = spec.decoder(spec.settings())
    for moment in moments:
        data = moment.data if isinstance(moment.data, bytes) else b""
        for decoded in decoder.feed(Instant("golden", round(moment.seconds * 1e9)), data):
            body: dict[str, Any] = (
                {"reject": decoded.body}
                if isinstance(decoded.body, RejectReason)
                else reading_json(decoded.body)
            )
            line = {"seconds": moment.seconds, "sequence": decoded.sequence, **body}
            yield json.dumps(line, ensure_ascii=False) + "\n"
