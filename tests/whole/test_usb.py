"""The real daemon on an emulated USB bus: scanners read, pulled out, put back, given back."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.notation import draw_cue
from support.usb_rig import Said, Talker, UsbRig, what_is_missing
from support.whole_rig import PITWIRE, pitwire

from config.rehearsal_text import rehearsal_text
from protocols.catalog import devices
from protocols.instant import Instant

pytestmark = pytest.mark.skipif(what_is_missing() is not None, reason=what_is_missing() or "")

WEDGE, POS = "hid_keyboard", "hid_pos"
PLACES: Mapping[str, str] = {WEDGE: "1-1", POS: "1-2"}
PLUGS: Mapping[str, Mapping[str, Any]] = {
    WEDGE: {"vendor": 0x05E0, "product": 0x1200, "sizes": [8]},
    POS: {"vendor": 0x0C2E, "product": 0x0B61, "serial": "HS0001"},
}
LINKS: Mapping[str, Mapping[str, Any]] = {
    WEDGE: {"kind": "usb_device", "path": "1-1"},
    POS: {"kind": "usb_device", "vendor": 0x0C2E, "product": 0x0B61, "serial": "HS0001"},
}
NATURAL = ("8S", "5D", "KC", "TH")


def table_of(key: str) -> str:
    return key.replace("_", "-")


async def started(rig: UsbRig, folder: Path) -> Talker:
    """Start the daemon: a table for each of the two scanners."""
    text = rehearsal_text(
        tables={
            table_of(key): {
                "game": "baccarat",
                "profile": "baccarat-lv",
                "device": key,
                "settings": {"enable": True} if key == POS else {},
                "link": link,
                "round_control": "device",
            }
            for key, link in LINKS.items()
        },
        bus={"kind": "stdout"},
        journal=str(folder / "journal.db"),
        control=str(folder / "control.sock"),
    )
    path = folder / "pitwire.toml"
    path.write_text(text, "utf-8")
    return await rig.start(*PITWIRE, "run", "--config", str(path))


async def heard(daemon: Talker, key: str, kind: str) -> Said:
    """Return the data of the next event of this kind at the table of this scanner."""
    while True:
        said = await daemon.next()
        if said["source"].endswith(f"/{table_of(key)}") and said["type"] == f"pitwire.{kind}.v1":
            data: Said = said["data"]
            return data


async def both_connected(daemon: Talker) -> None:
    """Wait for it. What a scanner holds before that is a scan of before."""
    waiting = set(LINKS)
    while waiting:
        said = await daemon.next()
        if said["type"] == "pitwire.device.connected.v1":
            waiting.remove(said["data"]["device"])


async def draw(rig: UsbRig, key: str, *codes: str, waits: bool = False) -> None:
    """Let the scanner send what its simulator says of these cards, once it is asked."""
    spec, at = devices()[key], Instant("drawn", 0)
    simulator = spec.simulator(spec.settings())
    for code in codes:
        simulator.cue(at, draw_cue(code))
        at = at.after(1)
        reports = [packet[1:].hex() for packet in simulator.speak(at)]
        await rig.order("report", PLACES[key], reports=reports)
        if not waits:
            await rig.becomes(PLACES[key], unread=0)


@pytest.mark.parametrize("key", [WEDGE, POS])
async def test_a_round_is_dealt_from_a_scanner_that_is_plugged_in_late_and_goes_back(
    key: str, tmp_path: Path
) -> None:
    async with UsbRig() as rig:
        daemon = await started(rig, tmp_path)
        absent = await heard(daemon, key, "device.disconnected")
        assert absent["reason"].startswith("absent: USB ")
        await rig.order("plug", PLACES[key], **PLUGS[key])
        assert (await heard(daemon, key, "device.connected"))["device"] == key
        await rig.becomes(PLACES[key], drivers=[], held=[0])
        await draw(rig, key, *NATURAL)
        assert (await heard(daemon, key, "round.completed"))["outcome"]["winner"] == "player"
        daemon.process.send_signal(signal.SIGTERM)
        await rig.becomes(PLACES[key], drivers=[0], held=[])
        assert await daemon.end() == 0


async def test_fault_27_a_scanner_that_is_pulled_out_in_a_round_holds_it_and_is_enabled_anew(
    tmp_path: Path,
) -> None:
    async with UsbRig() as rig:
        await rig.order("plug", PLACES[POS], **PLUGS[POS])
        daemon = await started(rig, tmp_path)
        await heard(daemon, POS, "device.connected")
        await rig.becomes(PLACES[POS], heard=["03fe fe01"])
        await draw(rig, POS, "8S", "5D")
        dealt = await heard(daemon, POS, "card.dealt")
        assert (dealt["rank"], dealt["suit"]) == ("8", "S")
        await rig.order("unplug", PLACES[POS])
        assert "was unplugged" in (await heard(daemon, POS, "device.disconnected"))["reason"]
        await rig.order("plug", PLACES[POS], **PLUGS[POS])
        raised = await heard(daemon, POS, "violation.raised")
        assert (raised["code"], raised["holds"]) == ("device_lost", True)
        await rig.becomes(PLACES[POS], heard=["03fe fe01"])


async def test_b12_a_silent_scanner_does_not_slow_the_other_and_the_loop_down(
    tmp_path: Path,
) -> None:
    """B12: one that is silent for seconds blocked everything."""

    async with UsbRig() as rig:
        for key in (WEDGE, POS):
            await rig.order("plug", PLACES[key], **PLUGS[key])
        daemon = await started(rig, tmp_path)
        await both_connected(daemon)
        await draw(rig, POS, *NATURAL)
        assert (await heard(daemon, POS, "round.completed"))["outcome"]["winner"] == "player"
        await draw(rig, WEDGE, *NATURAL)
        assert (await heard(daemon, WEDGE, "round.completed"))["outcome"]["winner"] == "player"


async def test_fault_28_two_scanners_that_cannot_be_told_apart_feed_no_table(
    tmp_path: Path,
) -> None:
    async with UsbRig() as rig:
        for path in ("1-2", "1-3"):
            await rig.order("plug", path, **PLUGS[POS])
        daemon = await started(rig, tmp_path)
        reason = (await heard(daemon, POS, "device.disconnected"))["reason"]
        assert "at 1-2 and" in reason
        assert reason.endswith("at 1-3")
        await rig.order("unplug", "1-3")
        await heard(daemon, POS, "device.connected")


async def test_a_scan_made_while_the_daemon_was_down_is_shown_and_never_dealt(
    tmp_path: Path,
) -> None:
    async with UsbRig() as rig:
        await rig.order("plug", PLACES[POS], **PLUGS[POS])
        await draw(rig, POS, "8S", waits=True)
        daemon = await started(rig, tmp_path)
        connected = await heard(daemon, POS, "device.connected")
        assert connected["stale_bytes"] == 65
        raised = await heard(daemon, POS, "violation.raised")
        assert raised["code"] == "reading_gap", "it may have been the first card of a round"
        resolution = (f"violation_id={raised['violation_id']}", "action=void", "who=Ann", "why=1")
        door = ("--socket", str(tmp_path / "control.sock"))
        code, told, _ = await pitwire(
            "send", table_of(POS), "violation.resolve", *resolution, *door
        )
        assert code == 0, told
        await heard(daemon, POS, "violation.resolved")
        await draw(rig, POS, *NATURAL)
        dealt = [await heard(daemon, POS, "card.dealt") for _ in NATURAL]
        assert [one["rank"] + one["suit"] for one in dealt] == list(NATURAL)
