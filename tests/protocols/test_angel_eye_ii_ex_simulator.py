"""The simulated Angel Eye II-EX: what is dealt is heard, and every fault shows as what it is."""

import pytest
from support.notation import draw_cue, drawn

from protocols.device import Decoded
from protocols.instant import Instant
from protocols.readings import (
    BurnCountStated,
    CardOutOfGame,
    CardReassigned,
    CommandReply,
    CutCardSeen,
    Reading,
    SettingChanged,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLock,
    ShoeResult,
    ShoeStandby,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.shoes.angel_eye_ii_ex.commands import host_commands
from protocols.shoes.angel_eye_ii_ex.decoder import AngelEyeDecoder
from protocols.shoes.angel_eye_ii_ex.layout import AngelEyeSettings, bcc, command
from protocols.shoes.angel_eye_ii_ex.simulator import AngelEyeSimulator
from protocols.simulator import (
    Cue,
    DrawCard,
    DrawCutCard,
    Fault,
    PowerOn,
    SpinBall,
    StateResult,
)

START = Instant("boot", 1_000_000_000)


def error(code: int) -> ShoeErrorRaised:
    meanings = {
        1: "cannot read the card",
        2: "overdraw: too many cards",
        4: "reverse run at the exit",
        6: "card code error",
        7: "drawing time-out",
    }
    return ShoeErrorRaised(code, meanings[code], blocking=True)


class Shoe:
    """A simulated shoe heard by a decoder, with time that passes only here."""

    def __init__(self, settings: AngelEyeSettings | None = None) -> None:
        self.settings = settings or AngelEyeSettings()
        self.device = AngelEyeSimulator(self.settings)
        self.decoder = AngelEyeDecoder(acknowledge=self.settings.acknowledge)
        self.now = START

    def cue(self, *cues: Cue) -> list[Decoded]:
        for one in cues:
            self.device.cue(self.now, one)
        return self.listen()

    def ask(self, data: bytes) -> list[Decoded]:
        self.device.hear(self.now, data)
        return self.listen()

    def listen(self) -> list[Decoded]:
        decoded, until = list[Decoded](), self.now.after(3)
        while (wake := self.device.wake_at) is not None and until.reached(wake):
            for frame in self.device.speak(wake):
                decoded += self.decoder.feed(wake, frame)
        decoded += self.decoder.tick(until)
        self.now = until
        return decoded


def said_by(decoded: list[Decoded]) -> list[Reading | RejectReason]:
    return [said.body for said in decoded]


def ask_for(name: str, *, includes_start: bool = True) -> bytes:
    commands = host_commands(includes_start=includes_start)
    return next(one.data for one in commands if one.name == name)


DRAW = draw_cue("8S>player.1")
CARD = drawn("8S>player.1")


def test_the_simulators_shoe_is_heard_as_it_was_dealt() -> None:
    shoe = Shoe()
    decoded = shoe.cue(
        PowerOn(),
        draw_cue("3H>burn_indicator"),
        draw_cue("3C>burn.1"),
        draw_cue("8S>player.1"),
        draw_cue("5C>banker.1"),
        StateResult("tie", player_pair=True, banker_pair=True),
        DrawCutCard(),
        PowerOn(),
    )
    assert said_by(decoded) == [
        ShoeStarted(),
        ShoeStandby(),
        drawn("3H>burn_indicator"),
        BurnCountStated(3),
        drawn("3C>burn.1"),
        drawn("8S>player.1"),
        drawn("5C>banker.1"),
        ShoeResult("tie", player_pair=True, banker_pair=True),
        CutCardSeen(),
        ShoeStarted(),
        ShoeStandby(),
    ]
    assert [said.sequence for said in decoded] == list("12345678912")


@pytest.mark.parametrize(("wrap", "after_nine"), [("auto", "1"), ("1-9", "1"), ("0-9", "0")])
def test_the_simulator_wraps_as_the_site_says(wrap: str, after_nine: str) -> None:
    shoe = Shoe(AngelEyeSettings(seq_wrap=wrap))  # type: ignore[arg-type]  # a parametrised literal
    numbers = [said.sequence for said in shoe.cue(*[DRAW] * 10)]
    assert numbers == [*"123456789", after_nine]


def test_triple_transmission_repeats_every_telegram_50_ms_apart_until_cued_off() -> None:
    shoe = Shoe()
    three = shoe.cue(Fault("triple_transmission"), DRAW)
    assert [(said.body, said.sequence) for said in three] == [(CARD, "1")] * 3
    assert [said.at.since(three[0].at) for said in three] == [0.0, 0.05, 0.1]
    assert len(shoe.cue(Fault("triple_transmission"), DRAW)) == 1


def test_a_dropped_telegram_uses_up_its_number() -> None:
    shoe = Shoe()
    numbers = [said.sequence for said in shoe.cue(DRAW, Fault("drop_next"), DRAW, DRAW)]
    assert numbers == ["1", "3"]


def test_a_seven_bit_port_loses_every_card_and_invents_none() -> None:
    shoe = Shoe()
    heard = said_by(shoe.cue(Fault("seven_bit_port"), DRAW, StateResult("player"), DrawCutCard()))
    assert heard == [RejectReason.MALFORMED, RejectReason.CHECKSUM, CutCardSeen()]
    assert said_by(shoe.cue(Fault("seven_bit_port"), DRAW)) == [CARD]


def test_a_flipped_bit_costs_one_telegram() -> None:
    assert said_by(Shoe().cue(Fault("bit_flip"), DRAW, DRAW)) == [RejectReason.CHECKSUM, CARD]


@pytest.mark.parametrize(
    ("fault", "code"),
    [("cannot_read", 1), ("reverse_run", 4), ("foreign_card", 6), ("drawing_timeout", 7)],
)
def test_an_error_is_raised_and_cleared(fault: str, code: int) -> None:
    assert said_by(Shoe().cue(Fault(fault))) == [
        error(code),
        ShoeErrorCleared(code, error(code).meaning),
    ]


def test_an_error_can_be_cancelled_by_the_host() -> None:
    shoe = Shoe()
    shoe.device.cue(shoe.now, Fault("cannot_read"))
    assert said_by(shoe.ask(ask_for("cancel_error"))) == [
        error(1),
        CommandReply("ok"),
        ShoeErrorCleared(1, error(1).meaning),
    ]


def test_a_card_drawn_in_error_mode_is_out_of_game() -> None:
    heard = said_by(Shoe().cue(Fault("cannot_read"), DRAW))
    assert heard[:2] == [error(1), CardOutOfGame(CARD.card, "error")]


@pytest.mark.parametrize(
    ("command_name", "after"),
    [("keep_overdrawn", [CardReassigned(CARD.card, "player", 1)]), ("discard_overdrawn", [])],
)
def test_an_overdraw_ends_as_the_host_decides(command_name: str, after: list[Reading]) -> None:
    shoe = Shoe()
    assert said_by(shoe.cue(Fault("overdraw"), DRAW)) == [error(2)]
    assert said_by(shoe.ask(ask_for("cancel_error"))) == [CommandReply("refused", value="FF")]
    assert said_by(shoe.ask(ask_for(command_name))) == [
        CommandReply("ok"),
        ShoeErrorCleared(2, error(2).meaning),
        *after,
    ]
    assert said_by(shoe.cue(DRAW)) == [CARD]


def test_the_remaining_faults_say_what_they_are() -> None:
    shoe = Shoe()
    assert said_by(shoe.cue(Fault("force_quit"))) == [
        ShoeResult("aborted", player_pair=False, banker_pair=False)
    ]
    assert said_by(shoe.cue(Fault("out_of_game_draw"), DRAW, DRAW)) == [
        CardOutOfGame(CARD.card, "locked"),
        CARD,
    ]
    assert said_by(shoe.cue(Fault("setting_changed"))) == [SettingChanged("10", "0030")]
    stuck = shoe.cue(Fault("sequence_stuck"), DRAW, DRAW)
    assert [said.sequence for said in stuck] == ["4", "4"]


def test_a_jam_is_two_frames_in_one_write() -> None:
    shoe = Shoe()
    shoe.device.cue(START, Fault("jam"))
    shoe.device.cue(START, DRAW)
    shoe.device.cue(START, DRAW)
    (write,) = shoe.device.speak(START.after(1))
    assert said_by(shoe.decoder.feed(START, write)) == [CARD, CARD]


def test_the_key_locks_the_shoe() -> None:
    heard = said_by(Shoe().cue(Fault("key_turned"), DRAW, Fault("key_turned"), DRAW))
    assert heard == [
        ShoeLock(locked=True),
        CardOutOfGame(CARD.card, "locked"),
        ShoeLock(locked=False),
        CARD,
    ]


@pytest.mark.parametrize("includes_start", [True, False])
def test_the_simulator_demands_the_check_rule_of_its_settings(includes_start: bool) -> None:
    shoe = Shoe(AngelEyeSettings(command_bcc_includes_start=includes_start))
    other = ask_for("lock", includes_start=not includes_start)
    assert said_by(shoe.ask(other)) == [CommandReply("refused", value="02")]
    lock = ask_for("lock", includes_start=includes_start)
    assert said_by(shoe.ask(b"\x06" + lock[:4])) == []
    assert said_by(shoe.ask(lock[4:])) == [CommandReply("ok")]
    assert said_by(shoe.cue(DRAW)) == [CardOutOfGame(CARD.card, "locked")]
    unlock = ask_for("unlock", includes_start=includes_start)
    assert said_by(shoe.ask(unlock)) == [CommandReply("ok")]
    assert said_by(shoe.cue(DRAW)) == [CARD]


@pytest.mark.parametrize(
    ("data", "nak"),
    [
        (b"\x02OPLK02xxx", "03"),
        (command("XX", "00", includes_start=True), "14"),
        (command("LK", "07", includes_start=True), "11"),
        (b"\x02" + b"XPLK02\x03" + bcc(b"\x02XPLK02\x03"), "13"),
    ],
)
def test_fault_42_a_bad_command_is_refused_with_its_reason(data: bytes, nak: str) -> None:
    assert said_by(Shoe().ask(data)) == [CommandReply("refused", value=nak)]


@pytest.mark.parametrize(
    "cue", [SpinBall("17"), DrawCard(CARD.card), draw_cue("8S>banker.4"), Fault("flood")]
)
def test_a_cue_the_shoe_cannot_play_is_refused(cue: Cue) -> None:
    with pytest.raises(ValueError, match=r"."):
        Shoe().cue(cue)


def test_the_same_cues_make_the_same_bytes() -> None:
    cues: list[Cue] = [
        PowerOn(),
        *(Fault(name) for name in AngelEyeSimulator.faults),
        DRAW,
        DRAW,
        DRAW,
    ]
    first, second = (Shoe().cue(*cues) for _ in range(2))
    assert first == second
