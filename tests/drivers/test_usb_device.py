"""The USB link through real libusb and pyusb, on an emulated bus: what it hears, and what it says.

Tried with faults seeded in the link; each was noticed: the driver of the kernel not given back, a
configuration set although there was one, a stall not cleared, a failed transfer not tried again, a
loss told before the interface is released, the first of two devices taken, a report cut at the
endpoint's size, what waited in the device taken for live.
"""

from __future__ import annotations

import ctypes
import errno
import json
import subprocess
import sys
from ctypes.util import find_library
from typing import Any

import pytest
import usb.backend.libusb1
from support.pty_rig import CLOCK
from support.usb_rig import LISTENER, Said, Talker, UsbRig, reap, started, what_is_missing

from drivers.errors import LinkRefused
from drivers.links.usb_device import UsbDeviceSettings, open_usb_device
from drivers.usb.interface import FAILURES_MAX
from protocols.wiring import UsbWiring

needs_bus = pytest.mark.skipif(what_is_missing() is not None, reason=what_is_missing() or "")

KIND = {"vendor": 0x0C2E, "product": 0x0B61}
REPORT = "02034142"
PACKET = "81" + REPORT


async def opened(rig: UsbRig, **settings: Any) -> Talker:
    listener = await rig.listen(**settings)
    assert "open" in (said := await listener.next()), said
    return listener


async def says(listener: Talker, *packets: str, stale: bool = False) -> None:
    for packet in packets:
        said = await listener.next()
        assert (said["packet"], said["stale"]) == (packet, stale)


async def loses(listener: Talker, times: int = 1) -> None:
    for _ in range(times):
        assert "a report: " in (await listener.next())["lost"]


async def trouble(listener: Talker, name: str) -> Said:
    said = await listener.next()
    assert said["error"] == name, said
    assert said["action"]
    assert await listener.end() == 0
    return said


@needs_bus
async def test_reports_come_as_they_are_and_the_kernels_driver_comes_back() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", serial="HS0001", **KIND)
        assert (await rig.order("facts", "1-1"))["drivers"] == [0]
        listener = await rig.listen(**KIND)
        assert await listener.next() == {"open": "USB 0c2e:0b61"}
        facts = await rig.order("facts", "1-1")
        assert (facts["drivers"], facts["held"], facts["configured"]) == ([], [0], 0)
        assert facts["idle"] == 0, "it repeats itself"
        await rig.order("report", "1-1", reports=["00" * 8, REPORT])
        assert await listener.next() == {"packet": "81" + "00" * 8, "stale": False}
        assert await listener.next() == {"packet": PACKET, "stale": False}
        listener.say("close")
        assert "closed by pitwire" in (await trouble(listener, "LinkLost"))["what"]
        await rig.becomes("1-1", drivers=[0], held=[])


@needs_bus
async def test_b41_what_a_killed_process_had_taken_the_next_one_gives_back() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        killed = await opened(rig, **KIND)
        killed.process.kill()
        await killed.process.wait()
        await rig.order("forget_the_user", "1-1")
        assert (await rig.order("facts", "1-1"))["drivers"] == []
        listener = await opened(rig, **KIND)
        listener.say("close")
        await trouble(listener, "LinkLost")
        await rig.becomes("1-1", drivers=[0], held=[])


@needs_bus
async def test_a_report_is_never_cut_nor_two_glued_whatever_the_endpoints_size() -> None:
    long = "02" + "41" * 63
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", sizes=[8], **KIND)
        listener = await opened(rig, **KIND)
        await rig.order("report", "1-1", reports=[long, long, REPORT])
        await says(listener, "81" + long, "81" + long, PACKET)


@needs_bus
async def test_what_waited_in_the_device_is_stale() -> None:
    """B21: a scan made while nobody listened is no card of now."""

    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        await rig.order("report", "1-1", reports=["31", "32"])
        listener = await opened(rig, **KIND)
        await says(listener, "8131", "8132", stale=True)
        await rig.order("report", "1-1", reports=["33"])
        await says(listener, "8133")


@needs_bus
async def test_a_silent_device_is_still_there_when_it_speaks() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        listener = await opened(rig, **KIND)
        for silences in (2, 4):
            await rig.becomes("1-1", given_up=silences, asked=True)
            await rig.order("report", "1-1", reports=[REPORT])
            await says(listener, PACKET)


@needs_bus
@pytest.mark.parametrize("number", [errno.EPROTO, errno.EILSEQ, errno.ETIME, errno.EOVERFLOW])
async def test_f2_a_failed_transfer_is_told_and_tried_again(number: int) -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        listener = await opened(rig, **KIND)
        for _ in range(4):  # a report between them: these are not failures in a row
            await rig.order("fail", "1-1", errno=number, times=3)
            await loses(listener, times=3)
            await rig.order("report", "1-1", reports=[REPORT])
            await says(listener, PACKET)


@needs_bus
@pytest.mark.parametrize("number", [errno.EPROTO, errno.EOVERFLOW])
async def test_transfers_that_only_fail_are_a_lost_device(number: int) -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        listener = await opened(rig, **KIND)
        await rig.order("fail", "1-1", errno=number, times=99)
        await loses(listener, times=FAILURES_MAX)
        assert "fails again and again" in (await trouble(listener, "LinkLost"))["what"]
        await rig.becomes("1-1", drivers=[0], held=[])


@needs_bus
async def test_a_stall_is_cleared_and_reading_goes_on() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        listener = await opened(rig, **KIND)
        await rig.order("halt", "1-1")
        await loses(listener)
        await rig.becomes("1-1", cleared=1)
        await rig.order("report", "1-1", reports=[REPORT])
        await says(listener, PACKET)
        await rig.order("halt", "1-1", stuck=True)
        await loses(listener, times=FAILURES_MAX)
        assert "Broken pipe" in (await trouble(listener, "LinkLost"))["what"]


@needs_bus
async def test_fault_27_an_unplugged_device_is_lost_and_found_again_at_another_node() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        listener = await opened(rig, **KIND)
        await rig.order("unplug", "1-1")
        assert (await trouble(listener, "LinkLost"))["what"] == "was unplugged"
        absent = await trouble(await rig.listen(**KIND), "LinkAbsent")
        assert absent["what"] == "is not there"
        await rig.order("plug", "1-1", **KIND)
        listener = await opened(rig, **KIND)
        await rig.order("report", "1-1", reports=[REPORT])
        await says(listener, PACKET)


@needs_bus
async def test_fault_28_two_that_cannot_be_told_apart_are_named_and_neither_is_opened() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-2", vendor=0x05E3, product=0x0608)  # the hub
        for path in ("1-1", "1-2.4"):
            await rig.order("plug", path, **KIND)
        refused = await trouble(await rig.listen(**KIND), "LinkRefused")
        both = "0c2e:0b61 without serial number at 1-1 and"
        assert refused["what"] == (
            f"can be any of 2 devices: {both} 0c2e:0b61 without serial number at 1-2.4"
        )
        assert "`path`" in refused["action"]
        for path in ("1-1", "1-2.4"):
            assert (await rig.order("facts", path))["drivers"] == [0]
        first, second = await opened(rig, path="1-1"), await opened(rig, path="1-2.4")
        await rig.order("report", "1-2.4", reports=["32"])
        await rig.order("report", "1-1", reports=["31"])
        await says(first, "8131")
        await says(second, "8132")


@needs_bus
async def test_the_serial_number_tells_two_apart_and_a_wrong_one_is_told_from_the_others() -> None:
    async with UsbRig() as rig:
        for path, serial in (("1-1", "HS0001"), ("1-2", "HS0002")):
            await rig.order("plug", path, serial=serial, **KIND)
        listener = await opened(rig, serial="HS0002")
        await rig.order("report", "1-2", reports=[REPORT])
        await says(listener, PACKET)
        absent = await trouble(await rig.listen(serial="HS0003", **KIND), "LinkAbsent")
        assert absent["where"] == "USB 0c2e:0b61 serial HS0003"
        assert "serial HS0001 at 1-1, 0c2e:0b61 serial HS0002 at 1-2" in absent["what"]


@needs_bus
async def test_fault_30_b42_a_device_that_somebody_holds_is_busy() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        await rig.order("hold", "1-1")
        busy = await trouble(await rig.listen(**KIND), "LinkBusy")
        assert "/dev/bus/usb/001/002" in busy["action"]


@needs_bus
async def test_a_device_that_we_may_not_open_is_told_with_the_rule_that_it_takes() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", mode=0o000, **KIND)
        await rig.order("let_in", "1-1")
        denied = await trouble(await rig.listen("nobody", **KIND), "LinkDenied")
        assert "udev" in denied["action"]
        assert "0c2e" in denied["action"]


@needs_bus
async def test_a_report_for_the_device_goes_to_its_endpoint_or_by_set_report() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", **KIND)
        await rig.order("plug", "1-2", sink=True, **KIND)
        for path, out in (("1-1", "0204 040141"), ("1-2", "out 040141")):
            listener = await opened(rig, path=path)
            listener.say("send 03fe01")  # a feature report
            listener.say("send 02040141")  # an output report
            listener.say("send 030005")  # a device whose reports have no numbers
            await rig.becomes(path, heard=["03fe fe01", out, "0300 05"])


@needs_bus
async def test_a_report_that_the_device_does_not_know_is_told() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", refuses=True, **KIND)
        listener = await opened(rig, **KIND)
        listener.say("send 03fe01")
        assert "report fe" in (await listener.next())["what"]
        facts = await rig.order("facts", "1-1")
        assert (facts["drivers"], facts["held"]) == ([0], []), "told before it was given back"


@needs_bus
async def test_of_several_interfaces_one_is_chosen_by_its_number() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", sizes=[8, 64], **KIND)
        refused = await trouble(await rig.listen(**KIND), "LinkRefused")
        assert refused["what"].endswith("sends reports: 0, 1")
        await opened(rig, interface=1, **KIND)
        facts = await rig.order("facts", "1-1")
        assert (facts["drivers"], facts["held"]) == ([0], [1])
        refused = await trouble(await rig.listen(interface=7, **KIND), "LinkRefused")
        assert "no interface 7" in refused["what"]


@needs_bus
async def test_only_a_device_without_a_configuration_is_given_one() -> None:
    async with UsbRig() as rig:
        await rig.order("plug", "1-1", unconfigured=True, **KIND)
        listener = await opened(rig, **KIND)
        await rig.order("report", "1-1", reports=[REPORT])
        await says(listener, PACKET)
        assert (await rig.order("facts", "1-1"))["configured"] == 1


def test_pyusb_is_loaded_only_where_a_usb_device_is_opened() -> None:
    code = (
        "import sys, daemon.app; from daemon.service.assembly import *;"
        "known(); print('usb' in sys.modules)"
    )
    command = [sys.executable, "-P", "-c", code]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"False\n"


@pytest.mark.skipif(find_library("usb-1.0") is None, reason="libusb-1.0-0 is not installed")
async def test_a_service_without_netlink_sockets_is_told_so() -> None:
    process = await started(*LISTENER, json.dumps(KIND), "no-netlink")
    try:
        refused = await trouble(Talker(process), "LinkRefused")
    finally:
        await reap(process)
    assert "AF_NETLINK" in refused["action"]


async def test_a_machine_without_libusb_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: None)
    monkeypatch.setattr(ctypes, "CDLL", missing)
    with pytest.raises(LinkRefused, match="libusb is not installed") as caught:
        await open_usb_device(UsbDeviceSettings(path="1-1"), UsbWiring(), CLOCK)
    assert caught.value.action == "install libusb-1.0-0"


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({}, "no device is named"),
        ({"interface": 1}, "no device is named"),
        ({"vendor": 0x10000}, "0x10000 is not between"),
        ({"path": "/dev/bus/usb/001/002"}, "not bus and ports"),
    ],
)
def test_settings_that_name_no_device_are_refused(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        UsbDeviceSettings(**wrong)
