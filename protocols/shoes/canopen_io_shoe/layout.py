"""A card shoe whose sensors hang on an I/O module, as data: CiA 401 on top of CANopen.

    180 + node     digital inputs (object 6000h): bytes of eight inputs, input 0 the lowest bit of
                   the first; sent whenever one changes, and once when the node becomes operational

What each input is wired to is the house's. A contact that opens when it acts, so that a broken
wire shows, is `inverted`. What else a node says is `protocols/canopen.py`'s.

Source: CiA 301 and 401 (public). No public document shows a card shoe on CAN: this is the generic
profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.can_frame import DATA_MAX, DataReader
from protocols.canopen import (
    EMERGENCY,
    HEARTBEAT,
    NO_ERROR,
    TPDO,
    check_node,
    emergency,
    heartbeat,
    start_node,
)
from protocols.device import FrameMeaning
from protocols.readings import (
    Heartbeat,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeInput,
    ShoeInputs,
    ShoeStarted,
)
from protocols.rejects import RejectReason

BITS: Final = 8


@dataclass(frozen=True, slots=True)
class CanopenIoShoeSettings:
    """What differs between sites. Raises ValueError for a node or an input that cannot be.

    node         the module's number on its bus, 1 to 127
    input_bytes  how many bytes of inputs it sends, 1 to 8
    inputs       pairs of an input and what is wired to it; the others say nothing
    inverted     inputs that are on when their bit is 0
    start        start the node whenever it waits for that: only where no other master does
    """

    node: int = 0x21
    input_bytes: int = 1
    inputs: tuple[tuple[int, ShoeInput], ...] = ((0, "card_out"), (1, "cut_card"), (2, "error"))
    inverted: tuple[int, ...] = ()
    start: bool = False

    def __post_init__(self) -> None:
        check_node(self.node)
        if not 1 <= self.input_bytes <= DATA_MAX:
            raise ValueError(f"{self.input_bytes} bytes of inputs: there are 1 to {DATA_MAX}")
        numbers = [number for number, _ in self.inputs]
        names = [name for _, name in self.inputs]
        if wrong := [number for number in numbers if not 0 <= number < self.input_bytes * BITS]:
            raise ValueError(
                f"the input {wrong[0]} is not within 0 to {self.input_bytes * BITS - 1}"
            )
        if len(set(numbers)) != len(numbers) or len(set(names)) != len(names):
            raise ValueError("an input is named twice")
        if unknown := set(self.inverted) - set(numbers):
            raise ValueError(f"the inverted input {min(unknown)} has no name in `inputs`")


def meanings(settings: CanopenIoShoeSettings) -> Mapping[int, DataReader]:
    """Return what this shoe says under its identifiers."""
    start = start_node(settings.node) if settings.start else None
    return {
        HEARTBEAT + settings.node: lambda data: _heartbeat(data, start),
        EMERGENCY + settings.node: _emergency,
        TPDO[0] + settings.node: lambda data: _inputs(data, settings),
    }


def _inputs(data: bytes, settings: CanopenIoShoeSettings) -> FrameMeaning:
    if len(data) != settings.input_bytes:
        return FrameMeaning(RejectReason.LENGTH)
    bits = int.from_bytes(data, "little")
    return FrameMeaning(
        ShoeInputs(
            frozenset(
                name
                for number, name in settings.inputs
                if (bits >> number & 1) != (number in settings.inverted)
            )
        )
    )


def _heartbeat(data: bytes, start: bytes | None) -> FrameMeaning:
    beat = heartbeat(data, start)
    boots = beat.body == Heartbeat("boot_up")
    return FrameMeaning(ShoeStarted(), reply=start) if boots else beat


def _emergency(data: bytes) -> FrameMeaning:
    error = emergency(data)
    if error is None:
        return FrameMeaning(RejectReason.LENGTH)
    code, meaning = error
    if code == NO_ERROR:
        return FrameMeaning(ShoeErrorCleared(NO_ERROR, meaning))
    # Whether it goes on in spite of its error, no emergency message says.
    return FrameMeaning(ShoeErrorRaised(code, meaning, blocking=True))
