"""A simulated encoder on a rotor: it says every 100 ms where it stands, and cannot see a ball."""

from __future__ import annotations

from typing import Final

from protocols.canopen_node import NodeSimulator
from protocols.instant import Instant
from protocols.simulator import Cue, SpinBall
from protocols.wheels.canopen_encoder.layout import POSITION_LENGTH, CanopenEncoderSettings

TURN: Final = 4096
"""Steps of one revolution."""
TICK_S: Final = 0.1
TICK_STEPS: Final = 123
"""18 revolutions a minute."""
SPIN_S: Final = 30.0
_TICK: Final = "tick"


class CanopenEncoderSimulator(NodeSimulator):
    """A spin turns the rotor for half a minute; the pocket is nothing to an encoder."""

    def __init__(self, settings: CanopenEncoderSettings) -> None:
        super().__init__(settings.node, waits=settings.start)
        self._steps = 420
        self._turns_until: Instant | None = None

    def play(self, at: Instant, cue: Cue) -> None:
        """Turn the rotor. Raises ValueError for what no wheel does."""
        if not isinstance(cue, SpinBall):
            raise ValueError(f"an encoder cannot play {cue.kind}")  # noqa: TRY004 - as every cue
        self._turns_until = at.after(SPIN_S)

    def started(self, at: Instant) -> list[bytes]:
        """Say the position, and again with every period."""
        self.later(at.after(TICK_S), _TICK)
        return [self.pdo(self.sample())]

    def happen(self, at: Instant, what: str) -> list[bytes]:
        """Move on by one period."""
        self.later(at.after(TICK_S), what)
        if self._turns_until is not None and not at.reached(self._turns_until):
            self._steps = (self._steps + TICK_STEPS) % TURN
        return [self.pdo(self.sample())]

    def sample(self) -> bytes:
        """Return the position."""
        return self._steps.to_bytes(POSITION_LENGTH, "little")
