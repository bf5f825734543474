"""What every CANopen node says besides its own data, and how it is started.

    identifier     data
    000            NMT command: 01 starts a node  node, 00 for all of them
    080 + node     emergency (EMCY): code u16 LE  error register  five bytes of the maker's
    180 + node     TPDO 1; 280, 380 and 480 are TPDO 2 to 4
    700 + node     heartbeat: state, once a period of object 1017h; 00 once, at boot-up

A node that is guarded in place of a heartbeat answers in the heartbeat's frame and turns bit 7 of
the state at each answer: the bit says nothing here.

Source: CiA 301 (public). Codes of the emergency message by its classes, the longest that fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from protocols.can_frame import packet
from protocols.device import FrameMeaning
from protocols.readings import Heartbeat, NodeState
from protocols.rejects import RejectReason

NMT: Final = 0x000
EMERGENCY: Final = 0x080
TPDO: Final = (0x180, 0x280, 0x380, 0x480)
HEARTBEAT: Final = 0x700
NODE_MAX: Final = 127
EMERGENCY_LENGTH: Final = 8
NO_ERROR: Final = 0

STATES: Final[Mapping[int, NodeState]] = dict(
    zip((0x00, 0x04, 0x05, 0x7F), get_args(NodeState), strict=True)
)
_TOGGLE: Final = 0x80
_START: Final = 0x01
_WAITING: Final = ("boot_up", "pre_operational")

ERRORS: Final[Mapping[str, str]] = {
    "00": "no error",
    "10": "generic error",
    "20": "current",
    "21": "current, input side",
    "22": "current inside the device",
    "23": "current, output side",
    "30": "voltage",
    "31": "mains voltage",
    "32": "voltage inside the device",
    "33": "output voltage",
    "40": "temperature",
    "41": "ambient temperature",
    "42": "device temperature",
    "50": "device hardware",
    "60": "device software",
    "61": "internal software",
    "62": "user software",
    "63": "data set",
    "70": "additional modules",
    "80": "monitoring",
    "81": "communication",
    "8110": "CAN overrun: messages were lost",
    "8120": "CAN in error passive mode",
    "8130": "life guard or heartbeat error",
    "8140": "recovered from bus off",
    "8150": "collision of identifiers: two nodes speak under one",
    "82": "protocol error",
    "8210": "PDO not processed: its length is wrong",
    "8220": "PDO longer than expected",
    "8250": "an expected PDO did not come",
    "90": "external error",
    "F0": "additional functions",
    "FF": "device specific",
}
_REGISTER: Final = (
    "generic",
    "current",
    "voltage",
    "temperature",
    "communication",
    "profile",
    "reserved",
    "maker",
)


def check_node(node: int) -> None:
    """Raise ValueError for what is no number of a node."""
    if not 1 <= node <= NODE_MAX:
        raise ValueError(f"the node {node} is not within 1 to {NODE_MAX}")


def heartbeat(data: bytes, start: bytes | None) -> FrameMeaning:
    """Return what a heartbeat says. `start` is the reply to a node that waits to be started."""
    if len(data) != 1:
        return FrameMeaning(RejectReason.LENGTH)
    state = STATES.get(data[0] & ~_TOGGLE)
    if state is None:
        return FrameMeaning(RejectReason.VALUE)
    return FrameMeaning(Heartbeat(state), reply=start if state in _WAITING else None)


def emergency(data: bytes) -> tuple[int, str] | None:
    """Return code and meaning of an emergency message, None where its length is wrong.

    The code is `NO_ERROR` when errors are over.
    """
    if len(data) != EMERGENCY_LENGTH:
        return None
    code = int.from_bytes(data[:2], "little")
    if code >> 8 == 0:
        return NO_ERROR, ERRORS["00"]
    digits = f"{code:04X}"
    meaning = ERRORS.get(digits) or ERRORS.get(digits[:2]) or ERRORS.get(f"{digits[0]}0", "unknown")
    names = [name for bit, name in enumerate(_REGISTER) if data[2] >> bit & 1]
    return code, f"{digits} {meaning} ({', '.join(names) or 'no register bit'})"


def emergency_data(code: int, register: int) -> bytes:
    """Return the data of an emergency message without any of the maker's own."""
    return code.to_bytes(2, "little") + bytes([register, 0, 0, 0, 0, 0])


def start_node(node: int) -> bytes:
    """Return the packet that makes a node operational: from then on it sends its PDOs."""
    return packet(NMT, bytes([_START, node]))
