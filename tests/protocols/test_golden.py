"""Every golden scenario decodes to what stands beside it, reviewed by a person."""

import json
from pathlib import Path
from typing import Any

import pytest

from daemon.runtime.codec import reading_json
from drivers.capture import read_capture
from protocols.catalog import devices
from protocols.instant import Instant
from protocols.rejects import RejectReason

FOLDER = Path(__file__).parent.parent / "captures"
SCENARIOS = sorted(FOLDER.glob("*/*.capture"))


def decoded(path: Path) -> list[dict[str, Any]]:
    capture = read_capture(path)
    spec = devices()[capture.header["device"]]
    decoder = spec.decoder(spec.settings())
    lines = []
    for moment in capture.lines:
        if moment.direction == "device" and isinstance(moment.data, bytes):
            for one in decoder.feed(Instant("golden", round(moment.seconds * 1e9)), moment.data):
                body = (
                    {"reject": one.body}
                    if isinstance(one.body, RejectReason)
                    else reading_json(one.body)
                )
                facts = {"seconds": moment.seconds, "raw": one.raw.hex(), "sequence": one.sequence}
                lines.append({**facts, **body})
    return lines


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_scenario_says_what_stands_beside_it(path: Path) -> None:
    expected = [json.loads(line) for line in path.with_suffix(".expect").read_text().splitlines()]
    said = decoded(path)
    if not any("raw" in line for line in expected):  # a scenario may leave the bytes unsaid
        said = [{key: value for key, value in line.items() if key != "raw"} for line in said]
    assert said == expected


@pytest.mark.parametrize("key", sorted(devices()))
def test_every_device_has_a_scenario(key: str) -> None:
    assert [path for path in SCENARIOS if path.parent.name == key]


def test_a_seven_bit_port_reads_no_card() -> None:
    lines = decoded(FOLDER / "angel_eye_ii_ex" / "seven_bit_port.capture")
    assert not [line for line in lines if line.get("kind") == "card_drawn"]
