"""A USB bus that is not there: devices made of descriptors and behaviour, for libusb to find.

Run by the system's own Python under umockdev-wrapper: `emulated_bus.py`, orders in as JSON lines on
standard input, an answer line to each. The first line out says where the emulated /sys and /dev
are; whoever shall see them is started under umockdev-wrapper with that in UMOCKDEV_DIR.

What a kernel does to a device's user is done here as usbfs does it: an interface that a driver or
somebody else holds is busy, a halted endpoint stalls until it is cleared, and a device that is
pulled out ends its transfers and answers ENODEV for ever.
"""

from __future__ import annotations

import errno
import json
import shutil
import struct
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import GLib, UMockdev  # noqa: E402 - the version is chosen first

GETDRIVER, CONNECT, DISCONNECT = 0x41045508, 0x5517, 0x5516
SETCONFIG, CLAIM, RELEASE = 0x80045505, 0x8004550F, 0x80045510
SUBMIT, DISCARD, REAP, REAP_NOW = 0x8038550A, 0x550B, 0x4008550C, 0x4008550D
IOCTL, CLEAR_HALT, CAPABILITIES = 0xC0105512, 0x80045515, 0x8004551A
CONTROL, BUFFER_AT = 2, 16
IN, OUT = 0x81, 0x02
IDLE_S = 0.001


class Device(UMockdev.IoctlBase):
    """One device with one configuration and HID interfaces, each with an endpoint in."""

    def __init__(self, order: dict[str, Any]) -> None:
        super().__init__()
        self.order = order
        self.sizes: list[int] = order.get("sizes", [64])
        self.drivers: dict[int, str] = dict.fromkeys(
            range(len(self.sizes)), order.get("driver", "usbhid")
        )
        self.holders: set[int] = set()
        self.reports: deque[bytes | int] = deque()
        self.waiting: list[tuple[Any, Any, int]] = []
        self.done: deque[Any] = deque()
        self.halted = self.stuck = self.gone = False
        self.refuses = bool(order.get("refuses", False))
        self.heard: list[str] = []
        self.idle = 125  # half a second, as keyboards come
        self.configured = self.cleared = self.given_up = 0

    # --- what it is ----------------------------------------------------------------------

    def descriptors(self) -> bytes:
        vendor, product = self.order["vendor"], self.order["product"]
        serial = 3 if self.order.get("serial") else 0
        head = struct.pack(
            "<BBHBBBBHHHBBBB", 18, 1, 0x200, 0, 0, 0, 64, vendor, product, 0x100, 1, 2, serial, 1
        )
        body = b""
        for number, size in enumerate(self.sizes):
            sink = self.order.get("sink", False)
            body += struct.pack("<BBBBBBBBB", 9, 4, number, 0, 1 + sink, 3, 0, 0, 0)
            body += struct.pack("<BBHBBBH", 9, 0x21, 0x111, 0, 1, 0x22, 0)
            body += struct.pack("<BBBBHB", 7, 5, IN + number, 3, size, 4)
            body += struct.pack("<BBBBHB", 7, 5, OUT, 3, size, 4) if sink else b""
        length = 9 + len(body)
        count = len(self.sizes)
        return head + struct.pack("<BBHBBBBB", 9, 2, length, count, 1, 0, 0x80, 50) + body

    def facts(self) -> dict[str, Any]:
        return {
            "drivers": sorted(self.drivers),
            "held": sorted(self.holders),
            "heard": self.heard,
            "idle": self.idle,
            "configured": self.configured,
            "cleared": self.cleared,
            "asked": bool(self.waiting),
            "unread": len(self.reports),
            "given_up": self.given_up,
        }

    # --- usbfs ---------------------------------------------------------------------------

    def forget_the_user(self) -> None:
        """Take back what was held by one that was killed. (umockdev does not tell of its end.)"""
        self.holders.clear()
        self.waiting.clear()
        self.done.clear()

    def do_handle_ioctl(self, client: Any) -> bool:
        request = client.get_request() & 0xFFFFFFFF
        if self.gone:
            while self.waiting:
                self.finish(self.waiting.pop()[0], -errno.ESHUTDOWN, 0)
            if not (request in (REAP, REAP_NOW) and self.done):
                client.complete(-1, errno.ENODEV)
                return True
        try:
            trouble = self.obey(request, client.get_arg())
        except GLib.Error:  # the user was killed while its memory was read
            return True
        client.complete(-1 if trouble else 0, trouble)
        return True

    def obey(self, request: int, arg: Any) -> int:
        """Do what an ioctl asks; return its errno."""
        if request == CAPABILITIES:
            arg.resolve(0, 4).update(0, struct.pack("<I", 1))
        elif request == GETDRIVER:
            return self.name_driver(arg.resolve(0, 260))
        elif request == IOCTL:
            number, code = struct.unpack("<ii", bytes(arg.resolve(0, 16).retrieve())[:8])
            return self.bind(number, code)
        elif request in (CLAIM, RELEASE):
            (number,) = struct.unpack("<I", bytes(arg.resolve(0, 4).retrieve()))
            return self.hold(number) if request == CLAIM else self.let_go(number)
        elif request == SETCONFIG:
            self.configured += 1
            BUS.configure(self)
        elif request == CLEAR_HALT:
            self.halted = self.stuck
            self.cleared += 1
        elif request == SUBMIT:
            self.submit(arg.resolve(0, 56))
        elif request in (REAP, REAP_NOW):
            return self.reap(arg)
        elif request == DISCARD:
            if not self.waiting:
                return errno.EINVAL
            self.given_up += 1
            self.finish(self.waiting.pop(0)[0], -errno.ENOENT, 0)
        else:
            return errno.ENOTTY
        return 0

    def name_driver(self, answer: Any) -> int:
        (number,) = struct.unpack("<I", bytes(answer.retrieve())[:4])
        name = "usbfs" if number in self.holders else self.drivers.get(number)
        if name is None:
            return errno.ENODATA
        answer.update(4, name.encode() + b"\0")
        return 0

    def bind(self, number: int, code: int) -> int:
        if code == DISCONNECT:
            return 0 if self.drivers.pop(number, None) else errno.ENODATA
        if code != CONNECT or number in self.holders:
            return errno.EBUSY
        self.drivers[number] = "usbhid"
        return 0

    def hold(self, number: int) -> int:
        if number in self.drivers or number in self.holders:
            return errno.EBUSY
        self.holders.add(number)
        return 0

    def let_go(self, number: int) -> int:
        if number not in self.holders:
            return errno.EINVAL
        self.holders.remove(number)
        return 0

    def submit(self, urb: Any) -> None:
        kind, endpoint = bytes(urb.retrieve())[:2]
        (length,) = struct.unpack_from("<i", bytes(urb.retrieve()), 24)
        buffer = urb.resolve(BUFFER_AT, length)
        if kind == CONTROL:
            self.control(urb, bytes(buffer.retrieve()))
        elif endpoint == OUT:
            self.heard.append("out " + bytes(buffer.retrieve()).hex())
            self.finish(urb, 0, length)
        else:
            self.waiting.append((urb, buffer, length))

    def control(self, urb: Any, data: bytes) -> None:
        kind, request, value, _index, length = struct.unpack_from("<BBHHH", data)
        if (kind, request) == (0x21, 0x09) and not self.refuses:
            self.heard.append(f"{value:04x} {data[8 : 8 + length].hex()}")
            self.finish(urb, 0, length)
        elif (kind, request) == (0x21, 0x0A) and not self.refuses:
            self.idle = value >> 8
            self.finish(urb, 0, 0)
        else:
            self.finish(urb, -errno.EPIPE, 0)

    def reap(self, arg: Any) -> int:
        while self.waiting and (self.halted or self.reports):
            urb, buffer, length = self.waiting.pop(0)
            if self.halted:
                self.finish(urb, -errno.EPIPE, 0)
                continue
            one = self.reports.popleft()
            if isinstance(one, int):
                self.finish(urb, -one, 0)
            elif len(one) > length:
                self.finish(urb, -errno.EOVERFLOW, length)
            else:
                buffer.update(0, one)
                self.finish(urb, 0, len(one))
        if not self.done:
            time.sleep(IDLE_S)  # the node always looks ready: nobody shall spin on it
            return errno.EAGAIN
        arg.resolve(0, 8).set_ptr(0, self.done.popleft())
        return 0

    def finish(self, urb: Any, status: int, length: int) -> None:
        urb.update(4, struct.pack("<i", status))
        urb.update(28, struct.pack("<i", length))
        self.done.append(urb)


class Bus:
    """What is plugged in where, by the port's path."""

    def __init__(self) -> None:
        self.testbed = UMockdev.Testbed.new()
        self.plugged: dict[str, Device] = {}
        self.numbered = 1

    def plug(self, order: dict[str, Any]) -> None:
        self.numbered += 1
        device, path = Device(order), order["path"]
        node = f"bus/usb/001/{self.numbered:03d}"
        facts = {
            "busnum": "1", "devnum": str(self.numbered), "speed": "12", "maxchild": "0",
            "idVendor": f"{order['vendor']:04x}", "idProduct": f"{order['product']:04x}",
            "bDeviceClass": "00", "bNumConfigurations": "1", "bcdDevice": "0100",
            "product": "Emulated scanner", "manufacturer": "Nobody",
        }  # fmt: skip
        facts |= {"serial": order["serial"]} if order.get("serial") else {}
        configured = "" if order.get("unconfigured") else "1\\n"
        event = {
            "DEVTYPE": "usb_device", "SUBSYSTEM": "usb", "DEVNAME": f"/dev/{node}",
            "BUSNUM": "001", "DEVNUM": f"{self.numbered:03d}", "MAJOR": "189",
            "MINOR": str(self.numbered - 1), "DRIVER": "usb",
            "PRODUCT": f"{order['vendor']:x}/{order['product']:x}/100",
        }  # fmt: skip
        lines = [f"P: /devices/pci0000:00/usb1/{path}", f"N: {node}"]
        lines += [f"E: {key}={value}" for key, value in event.items()]
        lines += [f"A: {key}={value}\\n" for key, value in facts.items()]
        lines += [f"A: bConfigurationValue={configured}"]
        lines += [f"H: descriptors={device.descriptors().hex().upper()}", "", ""]
        self.testbed.attach_ioctl(f"/dev/{node}", device)
        self.testbed.add_from_string("\n".join(lines))
        Path(self.testbed.get_root_dir(), "dev", node).chmod(order.get("mode", 0o660))
        self.plugged[path] = device
        self.testbed.uevent(self._place(path), "add")

    def unplug(self, path: str) -> None:
        self.plugged.pop(path).gone = True
        self.testbed.uevent(self._place(path), "remove")
        self.testbed.remove_device(self._place(path))

    def configure(self, device: Device) -> None:
        path = next(path for path, one in self.plugged.items() if one is device)
        self.testbed.set_attribute(self._place(path), "bConfigurationValue", "1\n")

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        path = order.get("path", "")
        match order["do"]:
            case "plug":
                self.plug(order)
            case "unplug":
                self.unplug(path)
            case "report":
                self.plugged[path].reports += [bytes.fromhex(one) for one in order["reports"]]
            case "fail":
                self.plugged[path].reports += [order["errno"]] * order.get("times", 1)
            case "halt":
                self.plugged[path].halted = True
                self.plugged[path].stuck = order.get("stuck", False)
            case "hold":
                self.plugged[path].drivers.pop(0, None)
                self.plugged[path].holders.add(0)
            case "forget_the_user":
                self.plugged[path].forget_the_user()
            case "let_in":  # other users than the bus's own
                root = Path(self.testbed.get_root_dir())
                root.chmod(0o755)
                for one in root.glob("ioctl/dev/bus/usb/*/*"):
                    one.chmod(0o666)
            case "facts":
                return self.plugged[path].facts()
        return {}

    @staticmethod
    def _place(path: str) -> str:
        return f"/sys/devices/pci0000:00/usb1/{path}"


BUS = Bus()


def tell(said: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def main() -> None:
    loop = GLib.MainLoop()

    def obey(_source: object, _condition: object) -> bool:
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        tell(BUS.obey(json.loads(line)))
        return True

    tell({"folder": BUS.testbed.get_root_dir()})
    GLib.io_add_watch(
        sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, obey
    )
    loop.run()
    shutil.rmtree(BUS.testbed.get_root_dir(), ignore_errors=True)


if __name__ == "__main__":
    main()
