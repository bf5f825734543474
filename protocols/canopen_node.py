"""A simulated CANopen node: it boots, is started, beats, and goes wrong. Its data are its own.

A device's simulator is one of these that overrides `play`, `happen` and `started`. Nothing in it
has a clock or chance. Times are assumptions; the standard gives none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from protocols.can_frame import BUS_OFF, ERROR, EXTENDED, HEAD, REMOTE, packet
from protocols.canopen import EMERGENCY, HEARTBEAT, STATES, TPDO, emergency_data, start_node
from protocols.instant import Instant, earliest
from protocols.readings import NodeState
from protocols.simulator import Cue, Fault, PowerOn

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "restart": "the node boots anew, as after a loss of power",
        "emergency": "emergency 8130 (a heartbeat did not come), taken back after half a second",
        "collision": "emergency 8150: another node speaks under one of its identifiers",
        "guarded": "its states come as answers to node guarding; again, as heartbeats",
        "silence": "nothing is said for 10 s",
        "short_pdo": "the next PDO loses its last byte",
        "foreign": "a 29-bit frame that ends like its PDO, and a PDO of the next node",
        "remote": "a remote request for its PDO",
        "bus_error": "the bus reports an error, with data like its PDO's",
        "bus_off": "the bus reports that the adapter has left it",
    }
)
PREPARED_S: Final = 0.25
STARTED_S: Final = 0.3
BEAT_S: Final = 1.0
OUTAGE_S: Final = 10.0
RESET_S: Final = 0.5
_BOOT, _BEAT, _START = "boot", "beat", "start"
_BYTES: Final = {state: byte for byte, state in STATES.items()}
_PASSIVE: Final = ERROR | 0x04
"""The controller has trouble: CAN_ERR_CRTL of linux/can/error.h."""


class NodeSimulator:
    """See `protocols.simulator.Simulator`. `waits`: it starts when told by the host."""

    faults: Sequence[str] = tuple(FAULTS)

    def __init__(self, node: int, *, waits: bool) -> None:
        self.wake_at: Instant | None = None
        self.state: NodeState | None = None
        """None while it has no power."""
        self._node = node
        self._waits = waits
        self._due: list[tuple[Instant, bytes | str]] = []
        self._on: set[str] = set()
        self._toggle = 0
        self._silent_until: Instant | None = None

    def cue(self, at: Instant, cue: Cue) -> None:
        """Make something happen. Raises ValueError for a cue this device cannot play."""
        match cue:
            case PowerOn():
                self._on.clear()
                self._power_on(at)
            case Fault(name) if name in FAULTS:
                self._go_wrong(at, name)
            case _ if self.state != "operational":
                raise ValueError("the node is not operational: it needs PowerOn and a moment")
            case _:
                self.play(at, cue)
        self._set_wake()

    def hear(self, at: Instant, data: bytes) -> None:
        """Take a packet that the host sent: the command that starts it, or every node."""
        if self.state == "pre_operational" and data in (start_node(self._node), start_node(0)):
            self.later(at, _START)
            self._set_wake()

    def speak(self, at: Instant) -> Sequence[bytes]:
        """Return what has been sent by `at`, one packet each."""
        packets_out: list[bytes] = []
        while due := [entry for entry in self._due if at.reached(entry[0])]:
            first = min(due, key=lambda entry: entry[0].ns)
            self._due.remove(first)
            when, what = first
            packets = [what] if isinstance(what, bytes) else self._happen(when, what)
            if self._silent_until is None or when.reached(self._silent_until):
                packets_out += packets
        self._set_wake()
        return packets_out

    # --- what a device adds --------------------------------------------------------------------

    def play(self, _at: Instant, cue: Cue) -> None:
        """Play a cue of this device while it is operational. Raises ValueError for any other."""
        raise ValueError(f"this device cannot play {cue.kind}")

    def happen(self, _at: Instant, what: str) -> list[bytes]:
        """Return what is said at a moment that was asked for with `later`."""
        raise NotImplementedError(what)

    def started(self, _at: Instant) -> list[bytes]:
        """Return what is said on becoming operational: PDOs that are sent on an event."""
        return []

    def sample(self) -> bytes:
        """Return the data of a PDO that this device could send."""
        raise NotImplementedError

    # --- for devices ---------------------------------------------------------------------------

    def later(self, due: Instant, what: bytes | str) -> None:
        """Say a packet then, or let `happen` decide."""
        self._due.append((due, what))

    def pdo(self, data: bytes) -> bytes:
        """Return TPDO 1 with these data, hurt as cued."""
        if "short_pdo" in self._on:
            self._on.discard("short_pdo")
            data = data[:-1]
        return packet(TPDO[0] + self._node, data)

    # --- the node ------------------------------------------------------------------------------

    def _power_on(self, at: Instant) -> None:
        self._due.clear()
        self.state = "boot_up"
        self.later(at, _BOOT)
        self.later(at.after(PREPARED_S), _BEAT)
        if not self._waits:
            self.later(at.after(STARTED_S), _START)

    def _happen(self, at: Instant, what: str) -> list[bytes]:
        if what == _BOOT:
            return [self._heartbeat()]
        if what == _BEAT:
            if self.state == "boot_up":
                self.state = "pre_operational"
            self.later(at.after(BEAT_S), _BEAT)
            return [self._heartbeat()]
        if what == _START:
            self.state = "operational"
            return self.started(at)
        return self.happen(at, what) if self.state == "operational" else []

    def _heartbeat(self) -> bytes:
        byte = _BYTES[self.state or "boot_up"]
        if "guarded" in self._on and self.state != "boot_up":
            byte |= self._toggle
            self._toggle ^= 0x80
        return packet(HEARTBEAT + self._node, bytes([byte]))

    def _go_wrong(self, at: Instant, name: str) -> None:
        pdo, data = TPDO[0] + self._node, self.sample()
        match name:
            case "restart":
                self._power_on(at)
            case "emergency":
                self._emergency(at, 0x8130, 0x11)
                self._emergency(at.after(RESET_S), 0x0000, 0x00)
            case "collision":
                self._emergency(at, 0x8150, 0x11)
            case "silence":
                self._silent_until = at.after(OUTAGE_S)
            case "foreign":
                self.later(at, packet(EXTENDED | 0x1A560000 | pdo, data))
                self.later(at, packet(pdo + 1, data))
            case "remote":
                self.later(at, packet(REMOTE | pdo, b"", len(data)))
            case "bus_error":
                self.later(at, packet(_PASSIVE, data.ljust(HEAD, b"\0")))
            case "bus_off":
                self.later(at, packet(BUS_OFF, bytes(HEAD)))
            case _:
                self._on ^= {name}

    def _emergency(self, at: Instant, code: int, register: int) -> None:
        self.later(at, packet(EMERGENCY + self._node, emergency_data(code, register)))

    def _set_wake(self) -> None:
        self.wake_at = earliest(*(due for due, _ in self._due))
