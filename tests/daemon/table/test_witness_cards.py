"""A second reader of a shoe, or of the dice: what it names is held against the result."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.baccarat_bench import NATURAL, SIX_CARDS, BaccaratBench, profile
from support.dice_bench import SicBoBench, dice
from support.notation import drawn
from support.table_bench import found, kinds

from daemon.table.apply import wake_at
from daemon.table.inputs import DeviceSaid, LinkUp, TimePassed
from daemon.table.witness import NO_STATEMENT
from protocols.commands import CloseBets
from protocols.dice.pitwire_shaker import DEVICE as SHAKER
from protocols.events import (
    CardDealt,
    DeviceFaulted,
    Event,
    RoundCompleted,
    RoundOpened,
    ViolationRaised,
)
from protocols.readings import CardsPresent, CardTag, CardUnread, DiceRead, DiceShaken, ShoeResult
from protocols.shoes.barcode_lines import DEVICE as SCANNER
from protocols.shoes.feig_obid import DEVICE as TAGS
from protocols.table_terms import RoundControl

WAIT_S = 2.0


class TwoReaders(BaccaratBench):
    """A shoe, and a second reader that sees the same cards."""

    def __init__(
        self, wait_s: float = WAIT_S, control: RoundControl = "server", house: str = "baccarat-dk"
    ) -> None:
        super().__init__(profile(house), control)
        scanner = replace(SCANNER, reread_within_s=None)
        devices = {**self.setup.devices, "witness": scanner}
        self.setup = replace(self.setup, devices=devices, witness_wait_s=wait_s)
        self.put(LinkUp("witness", "second", "bench"))

    def sees(self, *cards: str) -> list[Event]:
        """Let the witness read cards."""
        told: list[Event] = []
        for code in cards:
            told += self.put(DeviceSaid("witness", "second", drawn(code), None, ""))
        return told

    def both(self, *cards: str) -> list[Event]:
        """Let each card pass the shoe's reader and then the witness."""
        told: list[Event] = []
        for code in cards:
            told += self.draw(code) + self.sees(code)
        return told

    def wait(self, seconds: float = WAIT_S) -> list[Event]:
        self.now = self.now.after(seconds)
        due = wake_at(self.setup, self.state)
        return self.put(TimePassed()) if due is not None and self.now.reached(due) else []


def dealing(wait_s: float = WAIT_S, **more: str) -> TwoReaders:
    bench = TwoReaders(wait_s, **more)  # type: ignore[arg-type] # a house or who opens rounds
    bench.deal()
    return bench


def test_a_result_leaves_with_the_witness_s_last_card() -> None:
    bench = dealing()
    bench.both(*NATURAL[:-1])
    assert kinds(bench.draw(NATURAL[-1])) == ["card.dealt"], "the card is no result"
    assert kinds(bench.sees(NATURAL[-1])) == ["round.completed"]
    assert [one.winner for one in bench.outcomes] == ["player"]


def test_a_witness_that_reads_first_keeps_nobody_waiting() -> None:
    bench = dealing()
    for code in NATURAL:
        bench.sees(code)
        bench.draw(code)
    assert [one.winner for one in bench.outcomes] == ["player"]


def test_in_which_order_the_witness_names_them_is_no_matter() -> None:
    bench = dealing()
    bench.draw(*SIX_CARDS)
    assert kinds(bench.sees(*reversed(SIX_CARDS))) == ["round.completed"]


def test_another_card_holds_the_result_with_both() -> None:
    bench = dealing()
    bench.both(*NATURAL[:-1])
    bench.draw("2H")
    told = bench.sees("7H")
    (violation,) = found(told, ViolationRaised)
    assert violation.code == "result_conflict"
    assert (violation.expected, violation.read) == ("8S 5C KD 2H", "8S 5C KD 7H")
    assert bench.outcomes == []
    assert kinds(bench.resolve("result_conflict", "accept"))[-1] == "round.completed"


def test_two_cards_alike_are_two_cards() -> None:
    bench = dealing()
    bench.draw("8S", "5C", "8S", "2H")
    assert bench.sees("8S", "5C", "2H") == []
    assert kinds(bench.sees("9D")) == ["violation.raised", "round.held"]


def test_a_witness_that_misses_a_card_is_told_and_the_result_leaves() -> None:
    bench = dealing()
    bench.draw(*NATURAL)
    bench.sees(*NATURAL[:-1])
    told = bench.wait()
    assert kinds(told) == ["round.completed", "device.faulted"]
    (fault,) = found(told, DeviceFaulted)
    assert (fault.device, fault.role, fault.condition) == (
        "barcode_lines",
        "witness",
        NO_STATEMENT,
    )
    assert bench.codes == []


def test_a_card_that_it_could_not_identify_is_no_statement() -> None:
    bench = dealing()
    bench.draw(*NATURAL)
    bench.sees(*NATURAL[:-1])
    assert bench.put(DeviceSaid("witness", "second", CardUnread("smudged"), None, "")) == []
    assert kinds(bench.wait()) == ["round.completed", "device.faulted"]


def test_a_late_card_is_of_the_round_that_still_lacks_it() -> None:
    bench = dealing(wait_s=0.0)
    bench.draw(*NATURAL)
    assert [one.winner for one in bench.outcomes] == ["player"]
    bench.sees(*NATURAL[:-1])
    bench.open("R2")
    assert bench.sees(NATURAL[-1]) == []
    bench.obey(CloseBets("R2"))
    bench.both(*NATURAL)
    assert bench.codes == []
    assert not found(bench.events, DeviceFaulted)


def test_a_late_card_that_is_another_holds_the_table() -> None:
    bench = dealing(wait_s=0.0)
    bench.draw(*NATURAL)
    bench.sees(*NATURAL[:-1])
    (violation,) = found(bench.sees("7H"), ViolationRaised)
    assert (violation.code, violation.round_id) == ("result_conflict", None)


def test_cards_of_one_round_say_nothing_of_the_next() -> None:
    bench = dealing()
    for round_id in ("R1", "R2", "R3"):
        if round_id != "R1":
            bench.deal(round_id=round_id)
        bench.both(*SIX_CARDS)
    assert len(bench.outcomes) == 3
    assert bench.codes == []
    assert not found(bench.events, DeviceFaulted)


def test_cards_that_pass_between_rounds_are_of_no_round() -> None:
    bench = TwoReaders(house="baccarat-gr")  # six cards are burned first
    bench.both("2S", "3S", "4S", "5S", "6S", "7S")
    bench.deal()
    bench.both(*NATURAL)
    assert len(bench.outcomes) == 1
    assert bench.codes == []


def test_where_the_shoe_opens_rounds_the_witness_may_read_the_first_card_first() -> None:
    bench = TwoReaders(control="device")
    cards = ("8S>player.1", "5C>banker.1", "KD>player.2", "2H>banker.2")
    for _ in range(3):
        for code in cards:
            bench.sees(code)
            bench.draw(code)
    assert len(bench.outcomes) == 3
    assert bench.codes == []
    assert not found(bench.events, DeviceFaulted)


def test_cards_that_are_read_during_the_wait_are_dealt_when_the_result_has_left() -> None:
    bench = TwoReaders(control="device")
    bench.draw("8S>player.1", "5C>banker.1", "KD>player.2", "2H>banker.2")
    assert bench.outcomes == []
    assert bench.draw("3C>player.1") == []
    told = bench.wait()
    assert kinds(told)[0] == "round.completed"
    assert [one.round_id for one in found(told, RoundOpened)] == ["T-1-2"]
    assert [(one.round_id, one.slot) for one in found(told, CardDealt)] == [("T-1-2", "player.1")]


# --- a reader that states the winner -----------------------------------------------------------


def test_a_winner_that_the_witness_states_confirms_the_result() -> None:
    bench = dealing()
    bench.draw(*NATURAL)
    verdict = ShoeResult("player", player_pair=False, banker_pair=False)
    assert kinds(bench.put(DeviceSaid("witness", "second", verdict, None, ""))) == [
        "round.completed"
    ]


def test_another_winner_holds_the_result() -> None:
    bench = dealing()
    bench.draw(*NATURAL)
    verdict = ShoeResult("banker", player_pair=False, banker_pair=False)
    told = bench.put(DeviceSaid("witness", "second", verdict, None, ""))
    (violation,) = found(told, ViolationRaised)
    assert (violation.expected, violation.read) == ("player", "banker")
    assert bench.outcomes == []


def test_equal_winners_of_different_cards_are_a_conflict_all_the_same() -> None:
    bench = dealing()
    bench.both(*NATURAL[:-1])
    bench.draw("2H")
    verdict = ShoeResult("player", player_pair=False, banker_pair=False)
    assert kinds(bench.put(DeviceSaid("witness", "second", verdict, None, ""))) == [
        "round.completed"
    ]
    assert bench.codes == []
    bench.sees("3H")
    assert bench.codes == ["result_conflict"]


# --- a reader of tags --------------------------------------------------------------------------


def test_tags_that_come_onto_the_witness_are_its_cards() -> None:
    bench = dealing()
    bench.setup = replace(bench.setup, devices={**bench.setup.devices, "witness": TAGS})
    bench.state = replace(bench.state, tags={})
    bench.draw(*NATURAL)
    lying: tuple[CardTag, ...] = ()
    told: list[Event] = []
    for cards in ((), NATURAL[:1], NATURAL[1:3], NATURAL[3:]):
        lying += tuple(CardTag(f"E0{code.encode().hex()}", drawn(code).card) for code in cards)
        told += bench.put(DeviceSaid("witness", "tags", CardsPresent(lying), None, ""))
    assert kinds(told) == ["round.completed"]


# --- dice --------------------------------------------------------------------------------------


def shaken(wait_s: float = WAIT_S) -> SicBoBench:
    bench = SicBoBench()
    devices = {**bench.setup.devices, "witness": SHAKER}
    bench.setup = replace(bench.setup, devices=devices, witness_wait_s=wait_s)
    bench.put(LinkUp("witness", "second", "bench"))
    bench.deal()
    bench.put(DeviceSaid("witness", "second", DiceShaken(), None, ""))
    return bench


@pytest.mark.parametrize("seen", ["442", "244"])
def test_the_same_dice_in_any_order_confirm_a_throw(seen: str) -> None:
    bench = shaken(wait_s=10.0)
    bench.throw("442")
    assert bench.results == []
    bench.put(DeviceSaid("witness", "second", DiceRead(dice(seen), checked=True), None, ""))
    assert bench.results == [dice("442")]


@pytest.mark.parametrize(("checked", "held"), [(True, True), (False, False)])
def test_other_dice_hold_a_throw_at_once_where_the_frame_is_sure(
    *, checked: bool, held: bool
) -> None:
    bench = shaken(wait_s=10.0)
    bench.throw("442")
    bench.put(DeviceSaid("witness", "second", DiceRead(dice("443"), checked), None, ""))
    assert bench.state.held == held
    bench.put(DeviceSaid("witness", "second", DiceRead(dice("443"), checked), None, ""))
    assert bench.codes == ["result_conflict"]
    assert bench.results == []


def test_dice_that_lie_there_from_the_throw_before_are_no_statement() -> None:
    bench = shaken(wait_s=10.0)
    reading = DiceRead(dice("442"), checked=True)
    bench.put(DeviceSaid("witness", "second", reading, None, ""))
    bench.throw("442")
    assert bench.results == [dice("442")]
    bench.deal("R2")
    bench.throw("551")
    bench.put(DeviceSaid("witness", "second", reading, None, ""))
    assert bench.codes == []
    assert not bench.state.held


# --- cards that lie face down ------------------------------------------------------------------


def test_where_cards_may_lie_face_down_no_card_of_the_witness_is_named() -> None:
    bench = TwoReaders(house="baccarat-gr")
    bench.both("2S", "3S", "4S", "5S", "6S", "7S")  # burned
    bench.deal()
    bench.both(*NATURAL[:-1])
    bench.draw("2H")
    (violation,) = found(bench.sees("7H"), ViolationRaised)
    assert (violation.expected, violation.read) == ("8S 5C KD 2H", None)
    assert violation.detail.endswith("the witness states other cards")
    assert "7H" not in repr(bench.state)


def test_a_result_is_published_once() -> None:
    bench = dealing()
    bench.draw(*NATURAL)
    bench.sees(*NATURAL)
    bench.wait(60.0)
    assert len(found(bench.events, RoundCompleted)) == 1
