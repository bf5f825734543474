"""Only an enrolled device is read (docs/rules/README.md#what-regulators-ask, R3).

A swapped one is refused with the reason until it is enrolled.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.table_bench import TableBench, found, rules_of

from daemon.gamekit.shoegame import ShoeRules, ShoeState
from daemon.games.dragon_tiger import GAME
from daemon.runtime.codec import StateCodec
from daemon.table.apply import start
from daemon.table.enrolment import stranger
from daemon.table.inputs import DeviceSaid, LinkDown, LinkUp
from protocols.cards import Card
from protocols.commands import (
    CloseBets,
    Command,
    EnrolDevice,
    LoadShoe,
    OpenRound,
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
from protocols.readings import CardDrawn, DeviceIdentity, Reading
from protocols.refusals import Refusal
from protocols.shoes.zebra_ssi import DEVICE as SCANNER

SHOE, OTHER = "USB 0403:6001 serial SHOE42", "USB 0403:6001 serial SHOE43"
ENROL = EnrolDevice("primary", "A. Smith", "installed today")


class EnrolmentBench(TableBench[ShoeState, ShoeRules]):
    """A table that requires enrolment, dealt to by hand; nothing is plugged in yet."""

    PAUSE_S = 1.0

    def __init__(self, *, required: bool = True) -> None:
        rules = rules_of(GAME, GAME.default_profile, {})
        super().__init__(GAME, rules, {"primary": SCANNER})
        self.setup = replace(self.setup, enrolment=required)
        self.state = start(self.setup)
        self.events.clear()

    def plug_in(self, wire: str | None) -> list[Event]:
        return self.put(LinkUp("primary", SCANNER.key, "/dev/shoe", wire=wire))

    def pull_out(self) -> list[Event]:
        return self.put(LinkDown("primary", SCANNER.key, "lost: unplugged"))

    def answer(self, command: Command) -> Refusal | None:
        self.ask(command)
        return self.refusal

    def says(self, reading: Reading) -> list[Event]:
        raw = f"{self._record:04x}"
        return self.put(DeviceSaid("primary", SCANNER.key, reading, None, raw))

    def dealing(self) -> None:
        """Enrol the shoe and open a round."""
        self.plug_in(SHOE)
        for command in (ENROL, LoadShoe("S1", 8), OpenRound("R1"), CloseBets("R1")):
            self.obey(command)


def test_an_unknown_device_is_refused_with_the_reason_until_it_is_enrolled() -> None:
    bench = EnrolmentBench()
    (fault,) = found(bench.plug_in(SHOE), DeviceFaulted)
    assert isinstance(fault, DeviceFaulted)
    assert (fault.condition, SHOE in fault.detail) == ("not_enrolled", True)
    assert bench.answer(LoadShoe("S1", 8)) is None
    assert bench.answer(OpenRound("R1")) is Refusal.NOT_ENROLLED
    assert bench.answer(ENROL) is None
    enrolled = DeviceEnrolled(SCANNER.key, "primary", SHOE, "A. Smith", "installed today")
    assert bench.events[-2:] == [enrolled, DeviceRecovered(SCANNER.key, "primary", "not_enrolled")]
    assert bench.answer(OpenRound("R1")) is None


def test_without_the_requirement_every_device_is_read_and_may_be_enrolled_beforehand() -> None:
    bench = EnrolmentBench(required=False)
    assert not found(bench.plug_in(SHOE), DeviceFaulted)
    assert bench.answer(ENROL) is None
    bench.setup = replace(bench.setup, enrolment=True)
    assert stranger(bench.setup, bench.state, "primary") is None


def test_a_swapped_device_fills_no_slot_and_holds_the_round() -> None:
    bench = EnrolmentBench()
    bench.dealing()
    assert found(bench.says(CardDrawn(Card("K", "D"))), CardDealt)
    bench.pull_out()
    raised = [one for one in bench.plug_in(OTHER) if isinstance(one, ViolationRaised)]
    (lost,) = [one for one in raised if one.code == "device_lost"]
    assert f"it is {OTHER}, and enrolled is {SHOE}" in lost.detail
    before = bench.state
    assert bench.says(CardDrawn(Card("5", "C"))) == []
    assert bench.state == before, "nothing that a stranger says is remembered"


def test_the_enrolled_device_is_welcome_back_in_any_other_port() -> None:
    bench = EnrolmentBench()
    bench.dealing()
    bench.pull_out()
    events = bench.put(LinkUp("primary", SCANNER.key, "/dev/other", wire=SHOE))
    assert not found(events, DeviceFaulted)


def test_what_a_device_says_of_itself_tells_it_from_another_on_the_same_wire() -> None:
    bench = EnrolmentBench()
    bench.plug_in(SHOE)
    bench.answer(ENROL)
    assert not found(bench.says(DeviceIdentity("V 2.17")), DeviceFaulted)
    (fault,) = found(bench.says(DeviceIdentity("V 9.99")), DeviceFaulted)
    assert isinstance(fault, DeviceFaulted)
    assert fault.detail == "it says that it is V 9.99, and enrolled is V 2.17"
    assert bench.says(CardDrawn(Card("5", "C"))) == []
    back = bench.says(DeviceIdentity("V 2.17"))
    assert DeviceRecovered(SCANNER.key, "primary", "not_enrolled") in back
    bench.says(DeviceIdentity("V 9.99"))
    assert bench.answer(replace(ENROL, why="new firmware")) is None
    assert stranger(bench.setup, bench.state, "primary") is None


def test_another_device_has_not_said_yet_what_it_is() -> None:
    bench = EnrolmentBench()
    bench.plug_in(SHOE)
    bench.says(DeviceIdentity("V 2.17"))
    bench.pull_out()
    bench.plug_in(OTHER)
    assert bench.answer(ENROL) is None
    assert bench.state.enrolled["primary"].said is None
    assert not found(bench.says(DeviceIdentity("V 3")), DeviceFaulted)


def test_what_nothing_tells_from_another_cannot_be_enrolled() -> None:
    bench = EnrolmentBench()
    assert bench.answer(ENROL) is Refusal.DEVICE_DOWN
    bench.plug_in(None)
    assert bench.answer(ENROL) is Refusal.UNIDENTIFIED
    bench.says(DeviceIdentity("V 2.17"))
    assert bench.answer(ENROL) is None
    assert bench.answer(replace(ENROL, role="hole")) is Refusal.DEVICE_DOWN


def test_a_device_is_enrolled_in_maintenance_too() -> None:
    bench = EnrolmentBench()
    bench.plug_in(SHOE)
    assert bench.answer(StartMaintenance("A", "swap")) is None
    assert bench.answer(ENROL) is None


@pytest.mark.parametrize("wire", [SHOE, OTHER])
def test_what_is_enrolled_outlives_the_daemon(wire: str) -> None:
    bench = EnrolmentBench()
    bench.plug_in(SHOE)
    bench.answer(ENROL)
    codec = StateCodec(bench.setup.game)
    bench.state = codec.load(codec.dump(bench.state))
    bench.pull_out()
    assert bool(found(bench.plug_in(wire), DeviceFaulted)) == (wire == OTHER)
