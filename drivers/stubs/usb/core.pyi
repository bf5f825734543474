# The part of pyusb that drivers/usb_*.py use.
from array import array
from collections.abc import Iterator

from usb.backend import IBackend

class USBError(OSError):
    backend_error_code: int | None

class USBTimeoutError(USBError): ...

class Endpoint:
    bEndpointAddress: int
    bmAttributes: int
    wMaxPacketSize: int

class Interface:
    bInterfaceNumber: int
    bAlternateSetting: int
    bInterfaceClass: int
    def __iter__(self) -> Iterator[Endpoint]: ...

class Configuration:
    def __iter__(self) -> Iterator[Interface]: ...

class Device:
    idVendor: int
    idProduct: int
    bus: int | None
    address: int | None
    port_numbers: tuple[int, ...] | None
    def get_active_configuration(self) -> Configuration: ...
    def set_configuration(self) -> None: ...
    def is_kernel_driver_active(self, interface: int) -> bool: ...
    def detach_kernel_driver(self, interface: int) -> None: ...
    def attach_kernel_driver(self, interface: int) -> None: ...
    def clear_halt(self, ep: int) -> None: ...
    def read(self, endpoint: int, size_or_buffer: int, timeout: int) -> array[int]: ...
    def write(self, endpoint: int, data: bytes, timeout: int) -> int: ...
    def ctrl_transfer(
        self,
        bmRequestType: int,
        bRequest: int,
        wValue: int,
        wIndex: int,
        data_or_wLength: bytes,
        timeout: int,
    ) -> int: ...

def find(find_all: bool, backend: IBackend) -> Iterator[Device]: ...
