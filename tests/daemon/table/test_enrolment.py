"""Only an enrolled device is read (docs/rules/README.md#what-regulators-ask, R3).

A swapped one is refused with the reason until it is enrolled.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from daemon.runtime.codec import StateCodec
from daemon.service.assembly import one_table, setup_of
from daemon.table.apply import apply, start
from daemon.table.enrolment import stranger
from daemon.table.inputs import Commanded, DeviceSaid, Input, InputBody, LinkDown, LinkUp
from protocols.cards import Card
from protocols.commands import (
    CloseBets,
    Command,
    EnrolDevice,
    LoadShoe,
    OpenRound,
    Refusal,
    StartMaintenance,
)
from protocols.events import (
    CardDealt,
    DeviceEnrolled,
    DeviceFaulted,
    DeviceRecovered,
    Event,
    ViolationRaised,
)
from protocols.instant import Instant
from protocols.readings import CardDrawn, DeviceIdentity, Reading

KEY = "zebra_ssi"
SHOE, OTHER = "USB 0403:6001 serial SHOE42", "USB 0403:6001 serial SHOE43"
ENROL = EnrolDevice("primary", "A. Smith", "installed today")


@dataclass
class Bench:
    """A table that requires enrolment, dealt to by hand."""

    required: bool = True
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        setup = setup_of(one_table("dragon_tiger", "dragon-tiger", KEY, round_control="server"))
        self.setup = replace(setup, enrolment=self.required)
        self.state = start(self.setup)
        self.seconds = 0

    def put(self, body: InputBody) -> list[Event]:
        """Apply it a second later; return what it published."""
        self.seconds += 1
        step = apply(self.setup, self.state, Input(Instant("b", self.seconds * 10**9), body))
        self.state, self.refusal = step.state, step.refusal
        self.events += step.events
        return list(step.events)

    def plug(self, wire: str | None) -> list[Event]:
        return self.put(LinkUp("primary", KEY, "/dev/shoe", wire=wire))

    def unplug(self) -> list[Event]:
        return self.put(LinkDown("primary", KEY, "lost: unplugged"))

    def obey(self, command: Command) -> Refusal | None:
        self.put(Commanded(command, f"c{self.seconds}"))
        return self.refusal

    def says(self, reading: Reading) -> list[Event]:
        return self.put(DeviceSaid("primary", KEY, reading, None, f"{self.seconds:04x}"))

    def dealing(self) -> None:
        """Enrol the shoe and open a round."""
        self.plug(SHOE)
        commands = (ENROL, LoadShoe("S1", 8), OpenRound("R1"), CloseBets("R1"))
        for command in commands:
            assert self.obey(command) is None, command


def found(events: list[Event], kind: type) -> list[Event]:
    return [one for one in events if isinstance(one, kind)]


def test_an_unknown_device_is_refused_with_the_reason_until_it_is_enrolled() -> None:
    bench = Bench()
    (fault,) = found(bench.plug(SHOE), DeviceFaulted)
    assert isinstance(fault, DeviceFaulted)
    assert (fault.condition, SHOE in fault.detail) == ("not_enrolled", True)
    assert bench.obey(LoadShoe("S1", 8)) is None
    assert bench.obey(OpenRound("R1")) is Refusal.NOT_ENROLLED
    assert bench.obey(ENROL) is None
    enrolled = DeviceEnrolled(KEY, "primary", SHOE, "A. Smith", "installed today")
    assert bench.events[-2:] == [enrolled, DeviceRecovered(KEY, "primary", "not_enrolled")]
    assert bench.obey(OpenRound("R1")) is None


def test_without_the_requirement_every_device_is_read_and_may_be_enrolled_beforehand() -> None:
    bench = Bench(required=False)
    assert not found(bench.plug(SHOE), DeviceFaulted)
    assert bench.obey(ENROL) is None
    bench.setup = replace(bench.setup, enrolment=True)
    assert stranger(bench.setup, bench.state, "primary") is None


def test_a_swapped_device_fills_no_slot_and_holds_the_round() -> None:
    bench = Bench()
    bench.dealing()
    assert found(bench.says(CardDrawn(Card("K", "D"))), CardDealt)
    bench.unplug()
    raised = [one for one in bench.plug(OTHER) if isinstance(one, ViolationRaised)]
    (lost,) = [one for one in raised if one.code == "device_lost"]
    assert f"it is {OTHER}, and enrolled is {SHOE}" in lost.detail
    before = bench.state
    assert bench.says(CardDrawn(Card("5", "C"))) == []
    assert bench.state == before, "nothing that a stranger says is remembered"


def test_the_enrolled_device_is_welcome_back_in_any_other_port() -> None:
    bench = Bench()
    bench.dealing()
    bench.unplug()
    events = bench.put(LinkUp("primary", KEY, "/dev/other", wire=SHOE))
    assert not found(events, DeviceFaulted)


def test_what_a_device_says_of_itself_tells_it_from_another_on_the_same_wire() -> None:
    bench = Bench()
    bench.plug(SHOE)
    bench.obey(ENROL)
    assert not found(bench.says(DeviceIdentity("V 2.17")), DeviceFaulted)
    (fault,) = found(bench.says(DeviceIdentity("V 9.99")), DeviceFaulted)
    assert isinstance(fault, DeviceFaulted)
    assert fault.detail == "it says that it is V 9.99, and enrolled is V 2.17"
    assert bench.says(CardDrawn(Card("5", "C"))) == []
    back = bench.says(DeviceIdentity("V 2.17"))
    assert DeviceRecovered(KEY, "primary", "not_enrolled") in back
    bench.says(DeviceIdentity("V 9.99"))
    assert bench.obey(replace(ENROL, why="new firmware")) is None
    assert stranger(bench.setup, bench.state, "primary") is None


def test_another_device_has_not_said_yet_what_it_is() -> None:
    bench = Bench()
    bench.plug(SHOE)
    bench.says(DeviceIdentity("V 2.17"))
    bench.unplug()
    bench.plug(OTHER)
    assert bench.obey(ENROL) is None
    assert bench.state.enrolled["primary"].said is None
    assert not found(bench.says(DeviceIdentity("V 3")), DeviceFaulted)


def test_what_nothing_tells_from_another_cannot_be_enrolled() -> None:
    bench = Bench()
    assert bench.obey(ENROL) is Refusal.DEVICE_DOWN
    bench.plug(None)
    assert bench.obey(ENROL) is Refusal.UNIDENTIFIED
    bench.says(DeviceIdentity("V 2.17"))
    assert bench.obey(ENROL) is None
    assert bench.obey(replace(ENROL, role="hole")) is Refusal.DEVICE_DOWN


def test_a_device_is_enrolled_in_maintenance_too() -> None:
    bench = Bench()
    bench.plug(SHOE)
    assert bench.obey(StartMaintenance("A", "swap")) is None
    assert bench.obey(ENROL) is None


@pytest.mark.parametrize("wire", [SHOE, OTHER])
def test_what_is_enrolled_outlives_the_daemon(wire: str) -> None:
    bench = Bench()
    bench.plug(SHOE)
    bench.obey(ENROL)
    codec = StateCodec(bench.setup.game)
    bench.state = codec.load(codec.dump(bench.state))
    bench.unplug()
    assert bool(found(bench.plug(wire), DeviceFaulted)) == (wire == OTHER)
