"""What `pitwire check` says of a good file: what its devices and links cannot show."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.whole_rig import pitwire

TABLE = """
site = "riga-1"
[bus]
kind = "stdout"
[[table]]
id = "BAC-08"
mode = "rehearsal"
game = "baccarat"
profile = "baccarat-dk"
[[table.device]]
role = "primary"
device = "%s"
link = { kind = "%s", %s }
"""


async def checked(folder: Path, device: str, kind: str, settings: str) -> str:
    """Return what is said of a table with such a device on such a link."""
    file = folder / "pitwire.toml"
    file.write_text(TABLE % (device, kind, settings), "utf-8")
    code, said, trouble = await pitwire("check", str(file))
    assert code == 0, trouble
    return said


@pytest.mark.parametrize(
    ("device", "kind", "settings", "words"),
    [
        ("barcode_lines", "tcp_serial", 'host = "10.0.0.7"', "no byte that its port lost"),
        ("dbc_profile", "can_bus", 'channel = "/dev/x", interface = "slcan"', "no check value"),
        ("dbc_profile", "can_bus", 'channel = "x", interface = "socketcand"', "the server tells"),
    ],
)
async def test_f2_check_tells_which_link_cannot_tell_what_it_loses(
    device: str, kind: str, settings: str, words: str, tmp_path: Path
) -> None:
    said = await checked(tmp_path, device, kind, settings)
    assert f"{device}: its link cannot tell all that it loses" in said
    assert words in said


async def test_check_tells_what_a_line_without_check_value_lets_pass(tmp_path: Path) -> None:
    said = await checked(tmp_path, "barcode_lines", "serial_port", 'port = "/dev/serial/by-id/x"')
    assert "barcode_lines: Its line has no check value: of 1000 single flipped bits 64" in said
    assert "barcode_lines: Its frames have no numbers" in said


async def test_check_is_quiet_of_a_line_that_shows_every_damage(tmp_path: Path) -> None:
    link = 'port = "/dev/serial/by-id/x"'
    said = await checked(tmp_path, "angel_eye_ii_ex", "serial_port", link)
    assert "angel_eye_ii_ex" not in said


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("tcp_serial", 'host = "10.0.0.7", protocol = "rfc2217"'),
        ("serial_port", 'port = "/dev/serial/by-id/x"'),
    ],
)
async def test_check_is_quiet_of_a_link_that_tells(
    kind: str, settings: str, tmp_path: Path
) -> None:
    assert "cannot tell" not in await checked(tmp_path, "barcode_lines", kind, settings)
