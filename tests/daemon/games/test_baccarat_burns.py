"""Baccarat: which cards each house burns, and when."""

from __future__ import annotations

import pytest
from support.baccarat_bench import NATURAL, BaccaratBench, profile
from support.notation import burned, dealt, draw_cue
from support.table_bench import found

from protocols.commands import BurnCards, BurnReason, ChangeDealer, CloseShoe, LoadShoe, OpenRound
from protocols.events import ViolationRaised
from protocols.instant import Instant
from protocols.readings import BurnCountStated, CardUnread
from protocols.refusals import Refusal
from protocols.rejects import RejectReason
from protocols.shoes.angel_eye_ii_ex import DEVICE, AngelEyeSettings

SIX = ("2S", "3S", "4S", "5S", "6S", "7S")


def greek(**changes: object) -> BaccaratBench:
    return BaccaratBench(profile("baccarat-gr", **changes))


def test_the_greek_house_burns_six_after_every_shuffle() -> None:
    bench = greek()
    assert bench.refused(OpenRound("R1")) is Refusal.WRONG_PHASE
    heard = bench.draw(*SIX)
    assert burned(heard) == [
        (f"burn.{number}", None, "shuffle", number) for number in range(1, 7)
    ]  # face hidden
    bench.deal(*NATURAL)
    assert dealt(bench.events)[0] == ("player.1", "8S", 7)
    assert bench.codes == []


@pytest.mark.parametrize("house", ["baccarat-dk", "baccarat-lv"])
def test_the_danish_and_the_latvian_house_burn_nothing(house: str) -> None:
    bench = BaccaratBench(profile(house))
    bench.obey(ChangeDealer("D7"))
    bench.deal(*NATURAL)
    assert dealt(bench.events)[0] == ("player.1", "8S", 1)


def test_a_burned_face_is_published_where_the_house_shows_it() -> None:
    bench = greek(burned_faces="shown")
    assert [one[1] for one in burned(bench.draw(*SIX))] == list(SIX)


def test_the_greek_house_burns_one_when_the_dealer_changes() -> None:
    bench = greek()
    bench.draw(*SIX)
    bench.obey(ChangeDealer("D7"))
    assert bench.refused(OpenRound("R1")) is Refusal.WRONG_PHASE
    assert [one[2:] for one in burned(bench.draw("9D"))] == [("dealer_change", 7)]
    assert bench.refused(OpenRound("R1")) is None


@pytest.mark.parametrize(
    ("house", "count", "reason", "answer"),
    [
        ("baccarat-gr", 3, "misdeal", None),
        ("baccarat-gr", 2, "misdeal", Refusal.BURN_NOT_ALLOWED),
        ("baccarat-gr", 5, "discretion", None),
        ("baccarat-gr", 0, "discretion", Refusal.BURN_NOT_ALLOWED),
        ("baccarat-gr", 1, "dealer_change", None),
        ("baccarat-gr", 2, "dealer_change", Refusal.BURN_NOT_ALLOWED),
        ("baccarat-dk", 3, "misdeal", Refusal.BURN_NOT_ALLOWED),
        ("baccarat-dk", 0, "shuffle", Refusal.BURN_NOT_ALLOWED),
        ("baccarat-lv", 1, "discretion", Refusal.BURN_NOT_ALLOWED),
        ("baccarat-gr", 6, "shuffle", Refusal.BURN_NOT_ALLOWED),  # shoe.load makes them due
        ("baccarat-gr", 416, "discretion", None),
        ("baccarat-gr", 417, "discretion", Refusal.BURN_NOT_ALLOWED),  # more than there are
    ],
)
def test_a_house_burns_as_its_book_says(
    house: str, count: int, reason: BurnReason, answer: Refusal | None
) -> None:
    bench = BaccaratBench(profile(house, burn_after_shuffle=0))
    assert bench.refused(BurnCards(count, reason)) is answer


def test_burns_on_command_are_counted_down() -> None:
    bench = greek(burn_after_shuffle=0)
    bench.obey(BurnCards(3, "misdeal"))
    assert len(burned(bench.draw("2S", "3S", "4S"))) == 3
    bench.draw("5S")
    assert bench.codes == ["card_not_due"]


def test_each_burn_says_what_it_was_due_for() -> None:
    bench = greek()
    bench.draw(*SIX[:5])
    bench.obey(ChangeDealer("D7"))
    bench.obey(BurnCards(3, "misdeal"))
    bench.obey(BurnCards(2, "discretion"))
    heard = bench.draw("7S", "9D", "TD", "2D", "4D", "8D", "QD")
    assert [one[2] for one in burned(heard)] == [
        "shuffle",
        "dealer_change",
        *["misdeal"] * 3,
        *["discretion"] * 2,
    ]
    assert bench.refused(OpenRound("R1")) is None


def test_burns_due_of_a_shoe_that_leaves_are_due_no_more() -> None:
    bench = greek()
    bench.draw(*SIX[:2])
    bench.obey(CloseShoe())
    bench.obey(LoadShoe("S2", 8))
    assert [one[0] for one in burned(bench.draw(*SIX))] == [
        f"burn.{place}" for place in range(1, 7)
    ]
    assert bench.refused(OpenRound("R1")) is None


def test_nothing_is_burned_without_a_shoe_or_in_a_round() -> None:
    assert BaccaratBench(profile("baccarat-gr"), decks=None).refused(BurnCards(3, "misdeal")) is (
        Refusal.NO_SHOE
    )
    bench = greek(burn_after_shuffle=0)
    bench.open()
    assert bench.refused(BurnCards(3, "misdeal")) is Refusal.ROUND_OPEN


def test_a_burned_card_that_none_is_due_for_is_wrong() -> None:
    bench = BaccaratBench()
    bench.draw("9D>burn.1")
    assert bench.codes == ["wrong_burn_count"]
    assert burned(bench.events) == []
    heard = bench.resolve("wrong_burn_count", "accept")
    assert [one[3] for one in burned(heard)] == [1]
    assert (bench.shoe.out, bench.shoe.copies) == (1, {})  # a hidden card is counted, not named


def test_a_surplus_burn_does_not_tell_its_face_where_faces_stay_hidden() -> None:
    bench = BaccaratBench()
    bench.draw("9D>burn.1")
    (violation,) = found(bench.events, ViolationRaised)
    assert violation.read is None
    assert "9D" not in violation.detail


def test_a_hand_dealt_before_the_burns_are_done_is_wrong() -> None:
    bench = BaccaratBench(profile("baccarat-gr"), control="device")
    bench.draw(*SIX[:5])
    bench.draw("8S>player.1")
    assert bench.codes == ["wrong_burn_count"]
    heard = bench.resolve("wrong_burn_count", "accept")
    assert dealt(heard) == [("player.1", "8S", 6)]
    bench.draw("5C>banker.1", "KD>player.2", "2H>banker.2")
    assert [one.winner for one in bench.outcomes] == ["player"]


def test_a_burned_card_may_pass_unread() -> None:
    bench = greek()
    bench.draw(*SIX[:5])
    heard = bench.hear(CardUnread("no code"))
    assert [one[:2] for one in burned(heard)] == [("burn.6", None)]
    bench.deal(*NATURAL)
    assert bench.codes == []
    assert dealt(bench.events)[0] == ("player.1", "8S", 7)


def test_fault_14_the_shoes_own_burn_count_is_held_against_the_houses() -> None:
    bench = greek()
    assert bench.hear(BurnCountStated(6)) == []
    bench.hear(BurnCountStated(7))
    assert bench.codes == ["wrong_burn_count"]


@pytest.mark.parametrize(("indicator", "count"), [("AS", 1), ("7C", 7), ("TD", 10), ("KH", 10)])
def test_fault_14_the_first_face_sets_the_count_and_each_burn_is_held_against_it(
    indicator: str, count: int
) -> None:
    simulator, decoder = DEVICE.simulator(AngelEyeSettings()), DEVICE.decoder(AngelEyeSettings())
    simulator.cue(Instant("boot", 0), draw_cue(f"{indicator}>burn_indicator"))
    later = Instant("boot", 5 * 10**9)
    heard = [one for data in simulator.speak(later) for one in decoder.feed(later, data)]
    said = [one.body for one in heard if not isinstance(one.body, RejectReason)]
    assert said[-1] == BurnCountStated(count)
    bench = BaccaratBench(control="device", decks=None)
    bench.hear(*said)
    bench.draw(*[f"{rank}D>burn.{place}" for place, rank in enumerate("2345678", 1)][: count - 1])
    bench.draw("8S>player.1")  # one too few is burned, or several
    assert bench.codes == ["wrong_burn_count"]
    assert dealt(bench.events) == []


def test_fault_14_where_the_device_rules_it_states_how_many_are_burned() -> None:
    bench = BaccaratBench(control="device", decks=None)
    bench.draw("3H>burn_indicator")
    bench.hear(BurnCountStated(3))
    bench.draw("2S>burn.1", "3S>burn.2", "4S>burn.3", "8S>player.1")
    assert len(burned(bench.events)) == 4
    assert dealt(bench.events) == [("player.1", "8S", 5)]
    assert bench.codes == []
