"""Serial adapters that are not there, as sysfs, udev and the kernel's uevents show them.

Run by the system's own Python under umockdev-wrapper; orders and answers as `emulated_bus.py`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402 - the version is chosen first

TESTBED = UMockdev.Testbed.new()
USB = "/devices/pci0000:00/usb1"


def attributes(**values: Any) -> str:
    return "".join(f"A: {name}={value}\\n\n" for name, value in values.items() if value is not None)


def plug(order: dict[str, Any]) -> None:
    """An adapter with one port: order has path, vendor, product, serial, tty, driver, latency."""
    path, tty = order["path"], order["tty"]
    number = int(path[-1]) + 1
    device, interface = f"{USB}/{path}", f"{USB}/{path}/{path}:1.0"
    facts = attributes(
        idVendor=order["vendor"],
        idProduct=order["product"],
        serial=order.get("serial"),
        manufacturer="ACME",
        product="Card Shoe",
        busnum=1,
        devnum=number,
        bDeviceClass="00",
        bNumInterfaces=" 1",
    )
    links = "".join(f"S: {name}\n" for name in order.get("names", []))
    timer = attributes(latency_timer=order.get("latency"))
    TESTBED.add_from_string(
        f"P: {device}\nN: bus/usb/001/{number:03}\n"
        f"E: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n{facts}\n"
        f"P: {interface}\nE: DEVTYPE=usb_interface\nE: SUBSYSTEM=usb\n"
        f"{attributes(bInterfaceNumber='00', bInterfaceClass='ff')}\n"
        f"P: {interface}/{tty}\nE: SUBSYSTEM=usb-serial\n"
        f"L: driver=/sys/bus/usb-serial/drivers/{order.get('driver', 'ftdi_sio')}\n{timer}\n"
        f"P: {interface}/{tty}/tty/{tty}\nN: {tty}\n{links}L: device=../../../{tty}\n"
        f"E: DEVNAME=/dev/{tty}\nE: SUBSYSTEM=tty\nE: MAJOR=188\nE: MINOR={tty[-1]}\n"
    )
    if order.get("announced", True):
        TESTBED.uevent(f"/sys{interface}/{tty}/tty/{tty}", "add")


def say(order: dict[str, Any]) -> None:
    os.write(TESTBED.get_dev_fd(f"/dev/{order['tty']}"), bytes.fromhex(order["hex"]))


def reader(order: dict[str, Any]) -> None:
    """A scanner without a serial port: a HID interface with the kernel's driver on it."""
    path = order["path"]
    number = int(path[-1]) + 1
    facts = attributes(
        idVendor=order["vendor"],
        idProduct=order["product"],
        serial=order.get("serial"),
        product="Scanner",
        busnum=1,
        devnum=number,
        bDeviceClass="00",
    )
    kind = attributes(
        bInterfaceClass=order.get("interface", "03"), bInterfaceProtocol=order["protocol"]
    )
    TESTBED.add_from_string(
        f"P: {USB}/{path}\nN: bus/usb/001/{number:03}\n"
        f"E: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n{facts}\n"
        f"P: {USB}/{path}/{path}:1.0\nE: DEVTYPE=usb_interface\nE: SUBSYSTEM=usb\n"
        f"L: driver=/sys/bus/usb/drivers/{order['driver']}\n{kind}\n"
    )


def can(order: dict[str, Any]) -> None:
    TESTBED.add_from_string(
        f"P: /devices/pci0000:00/net/{order['name']}\nE: SUBSYSTEM=net\n"
        f"{attributes(type=280, flags=order['flags'])}"
    )


def tell(**said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


tell(folder=str(Path(TESTBED.get_root_dir())))
ORDERS = {"plug": plug, "say": say, "reader": reader, "can": can}
for line in sys.stdin:
    asked = json.loads(line)
    ORDERS[asked["do"]](asked)
    tell(done=asked["do"])
