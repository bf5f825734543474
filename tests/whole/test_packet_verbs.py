"""What the command line says of devices that speak in packets."""

from pathlib import Path

from support.whole_rig import pitwire

GOLDEN = Path(__file__).parents[1] / "captures" / "hid_keyboard" / "spoiled_scans.capture"


async def test_a_capture_is_decoded_packet_by_packet() -> None:
    code, out, _ = await pitwire("decode", "hid_keyboard", str(GOLDEN))
    assert code == 0
    assert out.splitlines()[0].split() == [
        "10.156", "card_unread", "reason=an", "error", "of", "the", "keyboard",
    ]  # fmt: skip
    assert out.splitlines()[-1] == "6 readings, 0 rejects, 0 bytes unfinished"


async def test_plain_bytes_are_no_packets() -> None:
    code, _, err = await pitwire("decode", "hid_pos", str(GOLDEN), "--raw")
    assert code == 2
    assert "packets of hid_pos" in err


async def test_a_pty_carries_no_packets_so_they_are_simulated_into_a_capture() -> None:
    code, out, err = await pitwire("simulate", "hid_pos")
    assert (code, out.splitlines()[0]) == (0, "# Device: hid_pos"), err


async def test_a_wedge_on_a_serial_port_is_a_wrong_configuration(tmp_path: Path) -> None:
    path = tmp_path / "pitwire.toml"
    path.write_text(
        """
site = "house"
journal = { path = "/nowhere" }
bus = { kind = "stdout" }
[[table]]
id = "BAC-1"
game = "baccarat"
profile = "baccarat-lv"
[[table.device]]
role = "primary"
device = "hid_keyboard"
link = { kind = "serial_port", port = "/dev/serial/by-id/wedge" }
"""
    )
    code, out, err = await pitwire("check", str(path))
    assert code == 78
    assert (
        'the link "serial_port" does not carry "hid_keyboard", which is wired by USB' in out + err
    )
    assert "replay, simulated, usb_device" in out + err
