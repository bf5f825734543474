"""Recordings of wheels, simulated: the same stories as the real ones tell, by their numbers.

See `recordings.py` and `wheel_stories.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from support.recordings import SIMULATED, Source, recording
from support.wheel_stories import STORIES, WheelLog

from protocols.instant import Instant
from protocols.simulator import Cue, Fault, PowerOn, SpinBall
from protocols.wheels.napsa.layout import NapsaSettings
from protocols.wheels.napsa.simulator import NapsaSimulator
from protocols.wheels.saturn.layout import frame

FOLDER: Final = SIMULATED / "wheel"


def wheel_log(source: Source, number: int) -> Path:
    """Return the log of a Slingshot 2 with this number; skip the test where it is not there."""
    return recording(source, "wheel", f"{number:02}_ss2_*.txt")


_SEED: Final = 2
_UNTIMED: Final = "01_ss2_six_games_untimed"
"""As some loggers write: a line per 500 ms, and no times."""
_COLUMNS: Final = (
    "# columns: seconds  direction (RX from the wheel, TX from the host)  line without its end; a"
    " bare number without its pad space"
)


def log_of(name: str) -> Iterator[str]:
    """Yield the lines of a story's log."""
    tell, log = STORIES[name], WheelLog(_SEED)
    tell(log)
    yield f"# SIMULATED, seed {_SEED}. {tell.__doc__}"
    if name == _UNTIMED:
        yield from (text for _, _, text in log.lines)
        return
    yield _COLUMNS
    for seconds, direction, text in log.lines:
        bare = re.fullmatch(r" \d", text) is not None
        yield f"{seconds:9.3f} {direction} {text.strip() if bare else text}"


NUMBERS: Final = tuple(int(name[:2]) for name in STORIES)


def saturn_frames() -> str:
    """Return the questions of a Saturn's host, and two of them with a wrong check byte."""
    rows = []
    for address, text in ((b"02", b"SR1"), (b"02", b"SR2"), (b"04", b"SR3"), (b"04", b"RC03")):
        whole = frame(address, text)
        rows.append(f"{text.decode()}@{address.decode()}  {whole.hex(' ').upper()}  ok")
    for address in (b"02", b"04"):
        whole = frame(address, b"SR3")
        wrong = whole[:-2] + bytes([whole[-2] ^ 0x40]) + whole[-1:]
        rows.append(f"SR3@{address.decode()} (wrong)  {wrong.hex(' ').upper()}  BAD")
    return "# SIMULATED, what a host asks a Saturn\n" + "".join(f"{row}\n" for row in rows)


def napsa_lines() -> str:
    """Return two games of a NAPSA wheel and a fault, each line that says something new."""
    wheel = NapsaSimulator(NapsaSettings())
    games: tuple[tuple[float, tuple[Cue, ...]], ...] = (
        (0.0, (PowerOn(), SpinBall("17"))),
        (40.0, (Fault("launch_failure"), SpinBall("5"))),
        (90.0, (Fault("encoder"), SpinBall("9"))),
    )
    said: list[str] = []
    for seconds, cues in games:
        for cue in cues:
            wheel.cue(Instant("log", round(seconds * 1e9)), cue)
        said += (line.decode() for line in wheel.speak(Instant("log", round((seconds + 39) * 1e9))))
    new = [
        line
        for before, line in zip(["", *said], said, strict=False)
        if (line[:5], line[7:]) != (before[:5], before[7:])
    ]
    ends = (line.replace("\r", r"\r").replace("\n", r"\n") for line in new)
    return "# SIMULATED, lines of a NAPSA wheel\n" + "".join(f"{line}\n" for line in ends)


def recordings() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every simulated recording of a wheel."""
    for name in STORIES:
        yield f"{name}.txt", "".join(f"{line}\n" for line in log_of(name))
    yield "21_saturn_frames_hex.txt", saturn_frames()
    yield "22_napsa_lines.txt", napsa_lines()


def main() -> None:
    """Write every simulated log anew."""
    for name, text in recordings():
        (FOLDER / name).write_text(text, "ascii")


if __name__ == "__main__":
    main()
