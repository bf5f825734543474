"""Faults of serial scanners and line shoes at a table, by their numbers in the catalogue of faults.

Double scans and equal cards, 1 and 2, are in `test_double_scan.py`; what a decoder does about a
fault, in `tests/protocols/test_shoe_faults.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.hidden_bench import HiddenTable
from support.inboxes import inbox_of
from support.scanner_line import ScannerLine
from support.shoe_line import dealt, kind, kinds

from daemon.devices.attachment import AttachedDevice
from daemon.devices.pace import FEW_CARDS
from daemon.devices.session import Session
from daemon.service.assembly import attached_devices, one_table
from daemon.table.inputs import PortShared
from drivers.catalog import link_kinds
from drivers.clock import BootClock
from drivers.errors import LinkError
from drivers.links.serial_port import SerialPortSettings
from drivers.pty_simulator import SimulatorOnPty
from protocols.cards import Card
from protocols.device import Decoded
from protocols.instant import Instant
from protocols.shoes.line_profile.example import EXAMPLE
from protocols.shoes.line_profile.layout import FrameFormat
from protocols.shoes.line_profile.simulator import LineProfileSimulator
from protocols.simulator import Cue, DrawCard, Fault, PowerOn


def scanner(control: str = "server") -> ScannerLine:
    line = ScannerLine(control=control)
    if control == "server":
        line.open()
    return line


class Shoe(ScannerLine):
    """A table at the made-up shoe of the example: `say` builds its frames and numbers them."""

    def __init__(self) -> None:
        super().__init__("line_profile")
        self.number = 0
        self.open()

    def say(self, line: str, data: bytes = b"") -> list[dict[str, Any]]:  # noqa: ARG002 - as Line's
        return self.hear(self.frame(line))

    def frame(self, line: str) -> bytes:
        """Return a frame; its number goes behind its letter."""
        self.number = self.number % 9 + 1
        return FrameFormat(EXAMPLE).build(f"{line[0]}{self.number}{line[1:]}".encode())


def test_fault_03_a_misread_card_shows_when_there_are_more_of_it_than_decks() -> None:
    line = ScannerLine(control="device")
    for _ in range(3):  # natural nines in four cards: eight kings of diamonds and four nines
        line.scan("KD", "KD", "9S", "KD")
    line.scan("KD")
    assert line.held_by == ["impossible_card"]


def test_fault_04_a_card_that_was_not_read_holds_its_place_until_a_person_says_it() -> None:
    line = scanner()
    line.scan("8S")
    (seen, raised, held) = line.scan("NR")
    assert (kind(seen), seen["data"]["slot"]) == ("card.unread", "banker.1")
    assert (raised["data"]["code"], kind(held)) == ("card_unread", "round.held")
    assert dealt(line.scan("KD")) == []  # the next card fills no place
    assert dealt(line.resolve("correct", card="5C")) == ["5C>banker.1", "KD>player.2"]


def test_fault_05_a_frame_that_never_came_is_missed_by_its_number_before_the_next_card() -> None:
    shoe = Shoe()
    shoe.say("CP1KD")
    shoe.frame("CB15C")  # lost
    assert dealt(shoe.say("CP28S")) == []
    assert shoe.held_by[0] == "reading_gap"


def test_fault_09_a_card_for_another_hand_than_is_due_is_not_swapped() -> None:
    shoe = Shoe()
    shoe.say("CP1KD")
    assert dealt(shoe.say("CP28S")) == []
    assert shoe.held_by == ["card_out_of_turn"]


def test_fault_11_a_card_more_than_the_hands_need_is_no_card_of_the_round() -> None:
    line = scanner()
    events = line.scan("9S", "2D", "KD", "3C")  # a natural: four cards
    assert line.winners == ["player"]
    assert len(dealt(events)) == 4
    assert dealt(line.scan("4H")) == []
    assert line.held_by == ["card_not_due"]


def test_fault_12_a_card_before_the_bets_are_closed_is_named_and_not_kept_for_later() -> None:
    line = ScannerLine()
    line.obey("round.open", round_id="R1")
    assert dealt(line.scan("9S")) == []
    assert line.held_by == ["card_before_no_more_bets"]


def test_fault_13_the_cut_card_is_no_rank_and_twice_is_once() -> None:
    line = scanner()
    events = line.scan("CUT", "9S", "2D", "CUT", "KD", "3C")
    assert kinds(events).count("shoe.cut_card_seen") == 1
    assert dealt(events) == ["9S>player.1", "2D>banker.1", "KD>player.2", "3C>banker.2"]
    assert line.winners == ["player"]


@pytest.mark.parametrize("label", ["KX", "4006381333931", "KKDD", "D"])
def test_fault_15_a_label_of_another_house_blocks_the_round_and_says_what_it_was(
    label: str,
) -> None:
    line = scanner()
    events = line.scan(label)
    assert line.held_by == ["card_unread"]
    (seen,) = (one for one in events if kind(one) == "card.unread")
    assert label in seen["data"]["reason"]


def test_fault_25_a_shoe_that_starts_anew_in_mid_round_leaves_it_undecided() -> None:
    shoe = Shoe()
    shoe.say("CP1KD")
    shoe.say("K")
    shoe.say("S")
    assert shoe.held_by == ["shoe_changed_in_round"]
    assert shoe.winners == []


def test_fault_34_a_line_that_is_broken_for_good_is_called_garbled() -> None:
    bench = HiddenTable()
    for _ in range(2 * FEW_CARDS):  # the port shows a break as noughts
        bench.hear(bytes(32))
    (faulted,) = bench.found("device.faulted")
    assert faulted["condition"] == "garbled"
    assert "check baud and wiring" in faulted["detail"]


def test_fault_38_one_frame_sent_three_times_is_one_card() -> None:
    shoe = Shoe()
    assert dealt(shoe.hear(*[shoe.frame("CP1KD")] * 3)) == ["KD>player.1"]
    assert dealt(shoe.say("CB1KD")) == ["KD>banker.1"]
    assert shoe.held_by == []


def test_fault_39_a_gap_in_the_numbers_holds_the_round_and_says_what_was_expected() -> None:
    shoe = Shoe()
    shoe.say("CP1KD")
    shoe.frame("N")
    shoe.frame("N")
    shoe.say("CB15C")
    (raised,) = (one for one in shoe.events if kind(one) == "violation.raised")
    assert raised["data"]["detail"] == "expected frame 2 after 1, got 4"


def test_fault_40_the_same_number_with_another_card_is_no_repeat() -> None:
    shoe = Shoe()
    shoe.say("CP1KD")
    shoe.number -= 1
    shoe.say("CB15C")
    assert shoe.held_by == ["reading_gap"]


def test_fault_40_the_same_frame_after_a_whole_cycle_of_losses_is_no_repeat() -> None:
    shoe = Shoe()
    frame = shoe.frame("CP1KD")
    shoe.hear(frame)
    shoe.hear(frame, apart=9.0)
    assert shoe.held_by[0] == "reading_gap"


# --- the whole session, at a real pty ------------------------------------------------------------


class Seat:
    """A device on a pty, and a session at its other end; events as they become durable."""

    def __init__(self, device: str, settings: Mapping[str, Any], scale: float) -> None:
        self.clock = BootClock(scale)
        self.config = one_table("baccarat", "baccarat-dk", device, settings=settings)
        self.events: list[dict[str, Any]] = []
        self.changed = asyncio.Event()

    async def play(
        self, cues: Sequence[Cue], wanted: str, also: Callable[[], object] = lambda: True
    ) -> SimulatorOnPty:
        """Play the cues until an event of this kind is there, and so is this; return the port."""
        (plug,) = attached_devices(self.config)
        async with SimulatorOnPty(plug.spec.simulator(plug.settings), self.clock) as port:
            link = SerialPortSettings(port.path)
            plug = replace(plug, link=link_kinds()["serial_port"], link_settings=link)
            inbox = inbox_of(self.config, self.clock, self._shown)
            session = Session(plug, inbox, self.clock, Unwatched())
            running = asyncio.create_task(session.run())
            async with asyncio.timeout(20):
                await self._until("device.connected")
                for cue in cues:
                    port.cue(cue)
                await self._until(wanted)
                while not also():  # noqa: ASYNC110 - a device tells nobody what it hears
                    await asyncio.sleep(0.005)
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
        return port

    async def _until(self, wanted: str) -> None:
        while wanted not in kinds(self.events):
            self.changed.clear()
            await self.changed.wait()

    def _shown(self, blob: bytes) -> None:
        self.events.append(json.loads(blob))
        self.changed.set()


class Unwatched:
    """A watcher that looks away."""

    def decoded(self, plug: AttachedDevice, one: Decoded, *, stale: bool) -> None: ...

    def link_changed(self, plug: AttachedDevice, word: str, error: LinkError | None) -> None: ...


async def test_fault_41_a_described_shoe_hears_that_its_card_is_durable() -> None:
    heard: list[bytes] = []

    class Listening(LineProfileSimulator):
        def hear(self, at: Instant, data: bytes) -> None:
            heard.append(data)
            super().hear(at, data)

    seat = Seat("line_profile", {}, scale=10.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("protocols.shoes.line_profile.LineProfileSimulator", Listening)
        cues = [DrawCard(Card("9", "S"), "player", 1), DrawCard(Card("K", "D"), "banker", 1)]
        cues += [DrawCard(Card("Q", "C"), "player", 2), DrawCard(Card("2", "H"), "banker", 2)]
        await seat.play(cues, "round.completed", lambda: len(b"".join(heard)) >= 4)
    events = seat.events
    assert dealt(events) == ["9S>player.1", "KD>banker.1", "QC>player.2", "2H>banker.2"]
    assert set(b"".join(heard)) == {0x06}


async def test_fault_43_a_described_shoe_that_stops_living_is_stale() -> None:
    seat = Seat("line_profile", {}, scale=40.0)
    await seat.play([PowerOn(), Fault("silent")], "device.stale")
    (stale,) = (one for one in seat.events if kind(one) == "device.stale")
    assert stale["data"]["silent_s"] >= EXAMPLE.silence_s


def test_fault_44_b16_what_another_process_takes_of_a_round_is_a_gap() -> None:
    line = scanner()
    line.scan("8S")
    line.replay.inbox.put(PortShared("primary", "barcode_lines", "process 7 (cat)"))
    assert line.held_by == ["reading_gap"]
    assert dealt(line.scan("KD")) == []
    line.replay.inbox.put(PortShared("primary", "barcode_lines", ""))
    assert dealt(line.resolve("accept")) == ["KD>banker.1"]
    told = [one["data"] for one in line.events if kind(one) == "device.faulted"]
    assert [one["condition"] for one in told] == ["second_reader"]
    assert "process 7 (cat)" in told[0]["detail"]


async def test_fault_45_a_line_of_nothing_but_damage_is_called_garbled() -> None:
    seat = Seat("barcode_lines", {}, scale=1.0)
    damaged = (Fault("noise"), DrawCard(Card("K", "D")))
    await seat.play(damaged * FEW_CARDS, "device.faulted")
    (faulted,) = (one for one in seat.events if kind(one) == "device.faulted")
    assert faulted["data"]["condition"] == "garbled"
    assert "check baud and wiring" in faulted["data"]["detail"]
