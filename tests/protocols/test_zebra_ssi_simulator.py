"""The simulated SSI scanner: it waits, sends again, gives up; a fault shows as what it is."""

import pytest
from support.notation import draw_cue

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import (
    CardDrawn,
    CardUnread,
    CommandReply,
    CutCardSeen,
    DeviceIdentity,
    Reading,
)
from protocols.rejects import RejectReason
from protocols.shoes.zebra_ssi import DEVICE, ZebraSsiSettings
from protocols.shoes.zebra_ssi.layout import HOST, packet
from protocols.simulator import Cue, DrawCutCard, Fault, PowerOn, SpinBall

START = Instant("boot", 1_000_000_000)
ACK = packet(0xD0, source=HOST)


class Scanner:
    """A simulated scanner heard by a decoder that answers, with time that passes only here."""

    def __init__(self, settings: ZebraSsiSettings | None = None, *, answers: bool = True) -> None:
        self.device = DEVICE.simulator(settings or ZebraSsiSettings())
        self.decoder = DEVICE.decoder(settings or ZebraSsiSettings())
        self.answers = answers
        self.now = START
        self.sent: list[tuple[float, bytes]] = []

    def cue(self, *cues: Cue) -> list[Reading | RejectReason]:
        for one in cues:
            self.device.cue(self.now, one)
        return [one.body for one in self.listen()]

    def ask(self, name: str) -> list[Reading | RejectReason]:
        self.device.hear(self.now, next(one.data for one in DEVICE.commands if one.name == name))
        return [one.body for one in self.listen()]

    def listen(self, seconds: float = 10.0) -> list[Decoded]:
        decoded, until = list[Decoded](), self.now.after(seconds)
        while (wake := self.device.wake_at) is not None and until.reached(wake):
            for raw in self.device.speak(wake):
                self.sent.append((round((wake.ns - START.ns) / 1e9, 2), raw))
                heard = [*self.decoder.tick(wake), *self.decoder.feed(wake, raw)]
                for one in heard:
                    if one.reply is not None and self.answers:
                        self.device.hear(wake, one.reply)
                decoded += heard
        decoded += self.decoder.tick(until)
        self.now = until
        return decoded


def test_cards_and_the_cut_card_are_heard_in_order() -> None:
    drawn = Scanner().cue(PowerOn(), draw_cue("8S"), draw_cue("TH"), DrawCutCard())
    assert drawn == [CardDrawn(draw_cue("8S").card), CardDrawn(draw_cue("TH").card), CutCardSeen()]


def test_what_is_not_answered_is_sent_three_times_two_seconds_apart_and_then_given_up() -> None:
    scanner = Scanner(answers=False)
    scanner.cue(draw_cue("8S"))
    assert [at for at, _ in scanner.sent] == [0.01, 2.02, 4.03]
    assert [raw[3] for _, raw in scanner.sent] == [0, 1, 1]


def test_what_is_answered_is_sent_once() -> None:
    scanner = Scanner()
    scanner.cue(draw_cue("8S"), draw_cue("8S"))
    assert [raw[3] for _, raw in scanner.sent] == [0, 0]


def test_without_the_handshake_nothing_is_sent_again() -> None:
    scanner = Scanner(ZebraSsiSettings(acknowledge=False))
    scanner.cue(draw_cue("8S"), draw_cue("5D"))
    assert [raw[3] for _, raw in scanner.sent] == [0, 0]


def test_a_lost_answer_makes_it_send_again() -> None:
    scanner = Scanner()
    scanner.cue(Fault("ack_lost"), draw_cue("8S"))
    assert [raw[3] for _, raw in scanner.sent] == [0, 1]


EIGHT = CardDrawn(draw_cue("8S").card)
FAULTS: dict[str, list[Reading | RejectReason]] = {
    "no_read": [CardUnread("no read"), EIGHT],
    "unknown_code": [CardUnread("no card has the code '0X0'"), EIGHT],
    "foreign_symbol": [RejectReason.UNSUPPORTED, EIGHT],
    "long_symbol": [RejectReason.UNSUPPORTED, RejectReason.UNSUPPORTED, EIGHT],
    "decode_events": [RejectReason.UNSUPPORTED, EIGHT],
    "bit_flip": [RejectReason.CHECKSUM, RejectReason.NOISE, EIGHT],
    "torn": [RejectReason.LENGTH, EIGHT],
    "drop_next": [EIGHT],
    "ack_lost": [EIGHT, EIGHT],
    "plain_ascii": [RejectReason.NOISE],
}


def test_every_fault_is_told_here() -> None:
    assert set(DEVICE.simulator(ZebraSsiSettings()).faults) == set(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_shows_as_what_it_is(name: str) -> None:
    said = Scanner().cue(Fault(name), draw_cue("8S"))
    assert list(dict.fromkeys(said)) == list(dict.fromkeys(FAULTS[name]))
    assert said.count(EIGHT) == FAULTS[name].count(EIGHT)


def test_commands_are_answered() -> None:
    scanner = Scanner()
    assert scanner.ask("identify") == [DeviceIdentity("PAASAM00-000-R00 simulated")]
    assert scanner.ask("configure") == [CommandReply("ok")]
    assert scanner.ask("parameters") == [CommandReply("value", "parameters", "ffee019f018a01f001")]


def test_a_scanner_that_is_switched_off_reads_nothing() -> None:
    scanner = Scanner()
    scanner.ask("disable")
    assert scanner.cue(draw_cue("8S")) == []
    scanner.ask("enable")
    assert scanner.cue(draw_cue("8S")) == [EIGHT]


def test_a_damaged_command_is_refused_and_an_unknown_one_too() -> None:
    scanner = Scanner()
    scanner.device.hear(scanner.now, packet(0xA3, source=HOST)[:-1] + b"\x00")
    scanner.device.hear(scanner.now, packet(0x12, source=HOST))
    assert [one.body for one in scanner.listen()] == [
        CommandReply("refused", value="01"),
        CommandReply("refused", value="02"),
    ]


def test_what_it_cannot_play_is_said() -> None:
    device = DEVICE.simulator(ZebraSsiSettings(cut_card=()))
    for cue in (SpinBall("17"), DrawCutCard(), Fault("fire")):
        with pytest.raises(ValueError, match=r"labels|label|fire"):
            device.cue(START, cue)
