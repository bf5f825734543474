"""Opening a serial port: set as the device needs, ours alone, or refused with the reason."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import subprocess
import sys
import termios
from pathlib import Path
from typing import Literal

import pytest
from support.pty_rig import Box, heard, opened, plugged_in

from drivers.discovery.holders import holders
from drivers.errors import LinkAbsent, LinkBusy, LinkDenied, LinkRefused
from drivers.tty.opening import _trouble
from protocols.wiring import SerialWiring


async def test_an_ill_set_port_is_made_raw_and_verified() -> None:
    with plugged_in() as box:
        attributes = termios.tcgetattr(box.host)
        attributes[0] |= termios.ISTRIP | termios.INLCR | termios.ICRNL | termios.IXON
        attributes[3] |= termios.ICANON | termios.ECHO | termios.ISIG
        termios.tcsetattr(box.host, termios.TCSANOW, attributes)
        port = await opened(box.path)
        box.say(b"\r\n\x03\x11\x13\xff\x80")
        data = await heard(port, 7)
        found = termios.tcgetattr(box.host)
        await port.aclose()
    assert data == b"\r\n\x03\x11\x13\xff\x80"
    assert found[4] == found[5] == termios.B9600


@pytest.mark.parametrize("baud", [19200, 250_000])
async def test_the_operators_speed_goes_before_the_devices_own(baud: int) -> None:
    with plugged_in() as box:
        port = await opened(box.path, baud)
        assert port._tty.baudrate == baud
        await port.aclose()


async def test_a_speed_of_nothing_is_refused() -> None:
    with plugged_in() as box, pytest.raises(LinkRefused, match="cannot run at 0 baud"):
        await opened(box.path, 0)


@pytest.mark.parametrize("attempt", ["first", "second"])
async def test_what_a_port_cannot_do_is_refused_by_name(
    attempt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The only port here that cannot do it is a pty, which need not: it counts as an adapter.
    monkeypatch.setattr("drivers.tty.opening.is_pty", lambda _fd: False)
    with plugged_in() as box:
        if attempt == "second":
            with pytest.raises(LinkRefused):
                await opened(box.path, wiring=SerialWiring(bits=7, parity="E"))
        with pytest.raises(LinkRefused, match=r"9600 7E1: it stays at parity N, data bits 8"):
            await opened(box.path, wiring=SerialWiring(bits=7, parity="E"))
        await (await opened(box.path)).aclose()


@pytest.mark.parametrize("parity", ["E", "O"])
@pytest.mark.parametrize("attempt", ["first", "second"])
async def test_f17_a_pty_carries_a_device_whose_line_has_a_parity(
    attempt: str, parity: Literal["E", "O"]
) -> None:
    every_byte = bytes(range(256))
    with plugged_in() as box:
        wiring = SerialWiring(38400, parity=parity)
        if attempt == "second":
            await (await opened(box.path, wiring=wiring)).aclose()
        port = await opened(box.path, wiring=wiring)
        box.say(every_byte)
        assert await heard(port, 256) == every_byte
        port.write(every_byte)
        taken = b""
        while len(taken) < 256:
            taken += await asyncio.to_thread(os.read, box.device, 256)
        assert taken == every_byte
        await port.aclose()


async def test_a_port_that_is_not_there_is_absent(tmp_path: Path) -> None:
    with pytest.raises(LinkAbsent, match="is not there"):
        await opened(str(tmp_path / "usb-wheel"))


async def test_a_dangling_stable_name_is_absent(tmp_path: Path) -> None:
    (tmp_path / "wheel").symlink_to(tmp_path / "gone")
    with pytest.raises(LinkAbsent):
        await opened(str(tmp_path / "wheel"))


async def test_a_file_is_not_a_serial_port(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LinkRefused, match="is not a serial port"):
        await opened(str(tmp_path / "file"))


async def test_wheel_08_who_holds_the_port_is_named() -> None:
    holder = (
        "import serial,sys; p=serial.Serial(sys.argv[1],exclusive=True);"
        " print(flush=True); sys.stdin.read()"
    )
    with plugged_in() as box:
        with subprocess.Popen(
            [sys.executable, "-c", holder, box.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as other:
            assert other.stdout is not None
            other.stdout.readline()
            with pytest.raises(LinkBusy, match=rf"held by .*process {other.pid} \("):
                await opened(box.path)
            assert other.pid in {one.pid for one in holders(box.path)}
        await _open_and_close(box.path)


async def _open_and_close(path: str) -> None:
    await (await opened(path)).aclose()


async def test_a_port_held_by_ourselves_is_busy_until_it_is_given_back() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        with pytest.raises(LinkBusy, match="by this process"):
            await opened(box.path)
        await port.aclose()
        await port.aclose()
        await (await opened(box.path)).aclose()


async def test_wheel_08_an_open_port_is_marked_exclusive_and_the_mark_goes_with_it() -> None:
    tiocgexcl = 0x80045440

    def marked(fd: int) -> bool:
        return any(fcntl.ioctl(fd, tiocgexcl, bytes(4)))

    with plugged_in() as box:
        port = await opened(box.path)
        while_open = marked(box.host)
        await port.aclose()
        assert (while_open, marked(box.host)) == (True, False)


async def test_wheel_35_a_stable_name_leads_to_the_device_wherever_it_is_plugged_in(
    tmp_path: Path,
) -> None:
    name = tmp_path / "by-id"

    async def said_at(path: str, box: Box) -> bytes:
        name.unlink(missing_ok=True)
        name.symlink_to(path)
        port = await opened(str(name))
        box.say(b"here\n")
        data = await heard(port, 5)
        await port.aclose()
        return data

    with plugged_in() as first, plugged_in() as second:
        assert first.path != second.path
        for box in (first, second):
            assert await said_at(box.path, box) == b"here\n"


async def test_wheel_36_an_open_port_has_no_flow_control_of_any_kind() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        iflag, _, cflag, *_ = termios.tcgetattr(box.host)
        await port.aclose()
        assert (iflag & (termios.IXON | termios.IXOFF), cflag & termios.CRTSCTS) == (0, 0)


def test_a_denied_port_says_what_to_do() -> None:
    with plugged_in() as box:
        group = Path(box.path).group()
        denied = _trouble(box.path, PermissionError(errno.EACCES, "Permission denied"))
        assert isinstance(denied, LinkDenied)
        assert "udev rule" in denied.action
        assert f"group {group}" in denied.action
        outside = _trouble(box.path, PermissionError(errno.EPERM, "Operation not permitted"))
        assert isinstance(outside, LinkDenied)
        assert "restart the service" in outside.action


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody without rights")
def test_a_node_without_rights_is_denied_from_the_kernels_own_mouth() -> None:
    script = (
        "import grp,os,sys; from drivers.tty.opening import open_tty;"
        "from drivers.errors import LinkDenied; from protocols.wiring import SerialWiring\n"
        "os.setgroups([]); os.setuid(65534)\n"
        "try: open_tty(sys.argv[1], 9600, SerialWiring())\n"
        "except LinkDenied as denied: print(denied)"
    )
    with plugged_in() as box:
        Path(box.path).chmod(0o600)
        done = subprocess.run(
            [sys.executable, "-c", script, box.path],
            check=False,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
        )
    assert done.stdout == f"{box.path}: may not be opened by this user\n", done.stderr


async def test_the_modem_lines_are_left_alone_when_the_port_closes() -> None:
    with plugged_in() as box:
        port = await opened(box.path)
        flags = int(termios.tcgetattr(port._fd)[2])
        await port.aclose()
        assert (flags & termios.HUPCL) == 0
