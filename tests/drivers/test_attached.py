"""What is plugged in, by sysfs files and pyserial under umockdev, in processes of their own."""

from __future__ import annotations

import json
import sys
from typing import Any, Self

import pytest
from support.usb_rig import FOLDER, SYSTEM_PYTHON, UsbRig, what_is_missing

MISSING = what_is_missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=MISSING or "")

ADAPTER = {"vendor": "0403", "product": "6001", "tty": "ttyUSB0", "path": "1-1"}
BY_ID = "serial/by-id/usb-ACME_Card_Shoe-if00-port0"
BY_PATH = "serial/by-path/pci-0000:00:14.0-usb-0:{}:1.0-port0"
PITWIRE = (sys.executable, "-P", "-m", "daemon.cli.main")


MEANT = """
import json, sys
from drivers.errors import LinkError
from drivers.discovery.port_choice import node_of
try:
    said = node_of(sys.argv[1])
except LinkError as error:
    said = f"{type(error).__name__}: {error}; {error.action}"
print(json.dumps({"meant": said}))
"""


KNOWN_BY = f"""
import json
from drivers.discovery.identity import port_identity, usb_identity
from drivers.usb.settings import UsbDeviceSettings
ports = ["/dev/ttyUSB0", "/dev/{BY_ID}-SHOE42", "/dev/{BY_ID}", "/dev/null"]
kinds = [UsbDeviceSettings(0x0C2E, 0x0B61), UsbDeviceSettings(0x0C2E, 0x0B62)]
known_by = [port_identity(one) for one in ports] + [usb_identity(one) for one in kinds]
print(json.dumps({{"known_by": known_by}}))
"""


class PortRig(UsbRig):
    """Use as `async with`: the machine of a technician, with what the test plugs in."""

    async def __aenter__(self) -> Self:
        self._bus = await self.start(SYSTEM_PYTHON, str(FOLDER / "emulated_ports.py"))
        self.folder = (await self._bus.next())["folder"]
        return self

    async def do(self, do: str, **more: Any) -> None:
        assert self._bus is not None
        self._bus.say(json.dumps({"do": do, **more}))
        assert (await self._bus.next())["done"] == do

    async def devices(self) -> list[dict[str, Any]]:
        """Return what `pitwire devices` finds there."""
        verb = await self.start(*PITWIRE, "devices", "--json", "--socket", "/nowhere")
        found: list[dict[str, Any]] = (await verb.next())["plugged"]
        return found

    async def meant(self, port: str) -> str:
        """Return the node that this name means, or why none."""
        talker = await self.start(sys.executable, "-P", "-c", MEANT, port)
        said: str = (await talker.next())["meant"]
        return said


async def test_b25_an_adapter_is_shown_with_all_that_tells_it_from_another() -> None:
    async with PortRig() as rig:
        by_id, by_path = f"{BY_ID}-SHOE42", BY_PATH.format(1)
        await rig.do("plug", **ADAPTER, serial="SHOE42", names=[by_id, by_path], latency=16)
        (one,) = await rig.devices()
    assert (one["vendor"], one["product"], one["serial"]) == (0x0403, 0x6001, "SHOE42")
    assert (one["where"], one["names"]) == (
        f"/dev/{by_id}",
        [f"/dev/{by_id}", f"/dev/{by_path}"],
    )
    assert (one["node"], one["driver"], one["latency_ms"]) == ("/dev/ttyUSB0", "ftdi_sio", 16)
    assert one["location"] == "1-1"
    assert "udev rules" in one["next"], "16 ms cost more than all of pitwire (B25)"


async def test_b25_a_fast_adapter_without_serial_number_is_named_by_its_place() -> None:
    async with PortRig() as rig:
        names = [BY_ID, BY_PATH.format(1)]
        await rig.do("plug", **ADAPTER, names=names, latency=1)
        (one,) = await rig.devices()
    assert one["where"] == f"/dev/{BY_PATH.format(1)}"
    assert one["next"].startswith("`pitwire detect ")


async def test_a_reader_names_the_device_it_may_be_and_a_port_none() -> None:
    async with PortRig() as rig:
        await rig.do("reader", path="1-1", vendor="0c2e", product="0b61", protocol="01",
                     driver="usbhid", serial="HS1")  # fmt: skip
        await rig.do("reader", path="1-2", vendor="0c2e", product="0b62", protocol="00",
                     driver="usbhid")  # fmt: skip
        await rig.do("can", name="can7", flags="0x40080")
        keyboard, pos, bus = await rig.devices()
    assert (keyboard["where"], keyboard["suggested"]) == ("1-1", "hid_keyboard")
    assert (keyboard["driver"], keyboard["serial"]) == ("usbhid", "HS1")
    assert (pos["where"], pos["suggested"]) == ("1-2", "hid_pos")
    assert (bus["wiring"], bus["where"], bus["up"]) == ("can", "can7", False)
    assert "ip link set can7 up" in bus["next"]


async def test_b27_an_adapter_that_something_took_away_says_by_whom() -> None:
    async with PortRig() as rig:
        facts = {"path": "1-1", "vendor": "10c4", "product": "ea60", "protocol": "00"}
        await rig.do("reader", **facts, interface="ff", driver="usbfs")
        (one,) = await rig.devices()
    assert (one["driver"], one["suggested"]) == ("usbfs", None)
    assert "held by the driver usbfs" in one["next"], "B27: brltty took it away"


async def test_fault_28_b28_two_adapters_that_share_a_name_are_named_and_neither_is_opened() -> (
    None
):
    async with PortRig() as rig:
        names = [[BY_ID, BY_PATH.format(1)], [BY_PATH.format(2)]]  # the later takes the link
        await rig.do("plug", **ADAPTER, names=names[0])
        assert await rig.meant(f"/dev/{BY_ID}") == f"/dev/{BY_ID}"
        assert await rig.meant("usb:0403:6001") == "/dev/ttyUSB0"
        other = {**ADAPTER, "tty": "ttyUSB1", "path": "1-2"}
        await rig.do("plug", **other, names=names[1])
        for port in (f"/dev/{BY_ID}", "usb:0403:6001"):
            said = await rig.meant(port)
            assert said.startswith(f"LinkRefused: {port}: can be any of 2 ports: ")
            for number in (1, 2):
                assert f"/dev/{BY_PATH.format(number)}" in said
        assert await rig.meant(f"/dev/{BY_PATH.format(2)}") == f"/dev/{BY_PATH.format(2)}"


async def test_what_a_wire_says_of_its_device_is_the_adapters_kind_and_number() -> None:
    async with PortRig() as rig:
        await rig.do("plug", **ADAPTER, serial="SHOE42", names=[f"{BY_ID}-SHOE42"])
        await rig.do("plug", **{**ADAPTER, "tty": "ttyUSB1", "path": "1-2"}, names=[BY_ID])
        await rig.do("reader", path="1-3", vendor="0c2e", product="0b61", protocol="01",
                     driver="usbhid", serial="HS1")  # fmt: skip
        talker = await rig.start(sys.executable, "-P", "-c", KNOWN_BY)
        said = (await talker.next())["known_by"]
    assert said == [
        "USB 0403:6001 serial SHOE42",
        "USB 0403:6001 serial SHOE42",
        "USB 0403:6001 without serial number",
        None,
        "USB 0c2e:0b61 serial HS1",
        None,
    ]


async def test_a_serial_number_chooses_among_adapters_of_one_model() -> None:
    async with PortRig() as rig:
        await rig.do("plug", **ADAPTER, serial="ONE")
        other = {**ADAPTER, "tty": "ttyUSB1", "path": "1-2"}
        await rig.do("plug", **other, serial="TWO")
        assert await rig.meant("usb:0403:6001:TWO") == "/dev/ttyUSB1"
        absent = await rig.meant("usb:0403:6001:THREE")
        assert absent.startswith("LinkAbsent: usb:0403:6001:THREE: is not there")
        wrong = await rig.meant("usb:403:6001")
        assert wrong.startswith("LinkRefused: usb:403:6001: names no USB adapter")
