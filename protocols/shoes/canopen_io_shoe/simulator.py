"""A simulated shoe on an I/O module: it tells that a card comes out, and not which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.canopen_node import FAULTS as NODE_FAULTS
from protocols.canopen_node import NodeSimulator
from protocols.instant import Instant
from protocols.readings import ShoeInput
from protocols.shoes.canopen_io_shoe.layout import CanopenIoShoeSettings
from protocols.simulator import Cue, DrawCard, DrawCutCard, Fault

FAULTS: Final[Mapping[str, ShoeInput]] = MappingProxyType(
    {"jam": "error", "lid": "lid_open", "lock": "locked"}
)
"""Inputs that a cue turns on; again, off."""
CARD_S: Final = 0.06
"""How long a card covers a sensor that it slides past."""


class CanopenIoShoeSimulator(NodeSimulator):
    """See `NodeSimulator`. An input that nothing is wired to changes without a word."""

    faults: Sequence[str] = (*NODE_FAULTS, *FAULTS)

    def __init__(self, settings: CanopenIoShoeSettings) -> None:
        super().__init__(settings.node, waits=settings.start)
        self._settings = settings
        self._inputs: set[ShoeInput] = set()

    def play(self, at: Instant, cue: Cue) -> None:
        """Let a card pass, or an input change. Raises ValueError for what a shoe cannot do."""
        match cue:
            case DrawCard():
                self._pass_by(at, "card_out")
            case DrawCutCard():
                self._pass_by(at, "cut_card")
            case Fault(name) if name in FAULTS:
                self.later(at, FAULTS[name])
            case _:
                raise ValueError(f"this shoe cannot play {cue.kind}")

    def started(self, _at: Instant) -> list[bytes]:
        """Say the inputs as they stand."""
        return [self.pdo(self.sample())]

    def happen(self, _at: Instant, what: str) -> list[bytes]:
        """Change one input, and say them all where that shows."""
        before = self.sample()
        self._inputs ^= {name for _, name in self._settings.inputs if name == what}
        after = self.sample()
        return [] if after == before else [self.pdo(after)]

    def sample(self) -> bytes:
        """Return the inputs."""
        bits = sum(
            1 << number
            for number, name in self._settings.inputs
            if (name in self._inputs) != (number in self._settings.inverted)
        )
        return bits.to_bytes(self._settings.input_bytes, "little")

    def _pass_by(self, at: Instant, name: ShoeInput) -> None:
        self.later(at, name)
        self.later(at.after(CARD_S), name)
