"""Where recordings of devices are: our simulators' in the tree, real devices' beside the checkout.

A test that reads recordings takes `source` and runs over both; without real ones it skips, and says
so. The simulated ones have the real ones' names and grammar. They are made again by

    PYTHONPATH=tests python -m support.wheel_recordings
    PYTHONPATH=tests python -m support.shoe_recordings

and a test holds that they are what our simulators say today.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import pytest

Source = Literal["simulated", "real"]
SOURCES: Final[tuple[Source, Source]] = ("simulated", "real")
BOTH = pytest.mark.parametrize("source", SOURCES)

_ROOT: Final = Path(__file__).resolve().parents[2]
SIMULATED: Final = _ROOT / "tests" / "fixtures"
REAL: Final = _ROOT.parent / "shared" / "captures"


Kind = Literal["shoe", "wheel"]


def recordings_of(source: Source, kind: Kind) -> list[Path]:
    """Return every recording of a kind of device; skip the test where real ones are not here."""
    folder = (SIMULATED if source == "simulated" else REAL) / kind
    if source == "real" and not folder.is_dir():
        pytest.skip("no recordings of real devices are beside this checkout")
    return sorted(path for path in folder.iterdir() if path.is_file())


def recording(source: Source, kind: Kind, pattern: str) -> Path:
    """Return the one recording whose name fits; skip the test where real ones are not here."""
    (path,) = (path for path in recordings_of(source, kind) if path.match(pattern))
    return path
