"""A pack of cards is counted when play is over, and again before it comes back (R8)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.baccarat_bench import NATURAL, BaccaratBench, profile
from support.notation import burned, dealt
from support.table_bench import found, kinds
from support.verify_bench import BOTH, CODES, finish, loaded

from daemon.gamekit.shoe import PACKS_KEPT
from daemon.runtime.codec import StateCodec
from protocols.canonical import canonical
from protocols.commands import CloseShoe, FinishVerify, LoadShoe, OpenRound, StartVerify
from protocols.events import (
    ShoeClosed,
    ShoeReturned,
    ShoeVerified,
    ShoeVerifyStarted,
    ViolationRaised,
)
from protocols.refusals import Refusal

REST = [code for code in CODES if code not in NATURAL]


def played(verify: str = "required", house: str = "baccarat-dk", **rules: Any) -> BaccaratBench:
    """Return a table where a round was played from one verified deck."""
    bench = loaded(1, house, verify=verify, **rules)
    bench.obey(StartVerify())
    bench.draw(*CODES)
    finish(bench)
    bench.deal(*NATURAL)
    return bench


def left(bench: BaccaratBench) -> ShoeClosed:
    """Return what was said of the shoe that left last."""
    return found(bench.events, ShoeClosed)[-1]


def power_cut(bench: BaccaratBench) -> None:
    """Let the state be what a journal would give back, and the daemon come back to it."""
    codec = StateCodec(bench.setup.game)
    bench.state = codec.load(json.loads(canonical(codec.dump(bench.state))))
    bench.restart()


# --- when play is over --------------------------------------------------------------------------


def test_r8_where_the_house_verifies_shoes_the_pack_is_counted_when_it_is_closed() -> None:
    bench = played()
    assert bench.obey(CloseShoe()) == [ShoeVerifyStarted("S1", 1, "end", "rest")]
    assert bench.refused(OpenRound("R2")) is Refusal.VERIFYING
    assert bench.refused(CloseShoe()) is Refusal.VERIFYING
    assert bench.refused(LoadShoe("S2", 1)) is Refusal.SHOE_LOADED
    shoe = bench.setup.game.shoe_status(bench.state.game)
    assert shoe is not None
    assert (shoe.closing, shoe.end_check) == (True, "not_made")
    bench.draw(*REST)
    verdict, closed = bench.obey(FinishVerify(BOTH))
    assert isinstance(verdict, ShoeVerified)
    assert isinstance(closed, ShoeClosed)
    assert (closed.verified, closed.end_check, closed.counted) == (
        ("start", "end"),
        "whole",
        "rest",
    )
    assert bench.setup.game.last_shoe(bench.state.game) == ("S1", "whole", "rest")


def test_r8_all_of_its_cards_may_be_counted_instead() -> None:
    bench = played()
    bench.obey(CloseShoe())
    bench.obey(StartVerify("all"))
    bench.draw(*CODES)
    finish(bench)
    assert (left(bench).end_check, left(bench).counted) == ("whole", "all")


def test_r8_a_pack_that_was_counted_before_it_is_closed_leaves_at_once() -> None:
    bench = played()
    bench.obey(StartVerify("rest"))
    bench.draw(*REST)
    finish(bench)
    assert kinds(bench.obey(CloseShoe())) == ["shoe.closed"]
    assert left(bench).end_check == "whole"


def test_r8_a_card_that_comes_after_the_count_makes_it_void() -> None:
    bench = played()
    bench.obey(StartVerify("rest"))
    bench.draw(*REST)
    finish(bench)
    bench.draw("8S")
    bench.resolve("card_after_cut_card", "void")
    assert bench.shoe.verified == ("start",)
    assert kinds(bench.obey(CloseShoe())) == ["shoe.verify_started"]


def test_r8_a_second_count_takes_the_place_of_the_first() -> None:
    bench = played("optional")
    bench.obey(StartVerify("rest"))
    bench.draw(*REST)
    finish(bench)
    bench.obey(StartVerify("rest"))
    bench.obey(CloseShoe())
    assert (left(bench).verified, left(bench).end_check) == (("start",), "not_made")


def test_r8_no_card_was_dealt_so_nothing_is_counted_but_the_pack_has_left() -> None:
    bench = loaded(1, verify="required")
    assert kinds(bench.obey(CloseShoe())) == ["shoe.closed"]
    assert (left(bench).end_check, left(bench).counted) == ("not_made", None)


def test_r8_a_round_voided_at_the_end_is_of_the_pack_all_the_same() -> None:
    bench = played()
    bench.open("R2")
    bench.close("R2")
    bench.draw("2S", "3S")
    bench.void()
    bench.obey(CloseShoe())
    bench.draw(*(code for code in REST if code not in ("2S", "3S")))
    finish(bench)
    assert (left(bench).end_check, left(bench).cards_out) == ("whole", 6)


# --- a count that fails -------------------------------------------------------------------------


@pytest.mark.parametrize("verify", ["required", "optional"])
def test_r8_a_missing_and_a_surplus_card_hold_the_table_by_name(verify: str) -> None:
    bench = played(verify)
    bench.obey(StartVerify("rest"))
    bench.draw(*(code for code in REST if code != "7C"), "KD", "KD")
    bench.obey(FinishVerify(BOTH))
    (violation,) = found(bench.events, ViolationRaised)
    assert violation.code == "pack_not_whole"
    assert violation.detail == "pack S1: 53 of 52 cards are there; missing: 7C; too many: 2 x KD"
    assert (violation.holds, violation.resolutions) == (True, ("void", "accept"))
    for command in (LoadShoe("S2", 1), CloseShoe(), FinishVerify(BOTH), StartVerify()):
        assert bench.refused(command) is Refusal.HELD


def test_r8_a_card_that_is_found_is_counted_when_the_count_goes_on() -> None:
    bench = played()
    bench.obey(CloseShoe())
    bench.draw(*(code for code in REST if code != "7C"))
    bench.obey(FinishVerify(BOTH))
    bench.draw("7C")  # while the table is held: it is kept, and counted
    bench.resolve("pack_not_whole", "void")
    finish(bench)
    assert left(bench).end_check == "whole"


def test_r8_a_person_may_let_the_pack_go_and_it_is_on_record_as_failed() -> None:
    bench = played()
    bench.obey(CloseShoe())
    bench.draw(*(code for code in REST if code != "7C"))
    bench.obey(FinishVerify(BOTH))
    told = bench.resolve("pack_not_whole", "accept")
    assert kinds(told) == ["violation.resolved", "round.resumed", "shoe.closed"]
    assert (left(bench).verified, left(bench).end_check) == (("start",), "failed")
    assert bench.setup.game.last_shoe(bench.state.game) == ("S1", "failed", "rest")


def test_r8_a_pack_that_was_let_go_before_it_is_closed_is_not_counted_again() -> None:
    bench = played()
    bench.obey(StartVerify("rest"))
    bench.obey(FinishVerify(BOTH))
    bench.resolve("pack_not_whole", "accept")
    assert bench.refused(OpenRound("R2")) is Refusal.LAST_ROUND_PLAYED
    assert kinds(bench.obey(CloseShoe())) == ["shoe.closed"]
    assert left(bench).end_check == "failed"


def test_r8_what_may_be_missing_face_down_is_not_named() -> None:
    bench = loaded(1, verify="optional", burn_after_shuffle=1)
    bench.draw("9D")
    bench.deal(*NATURAL)
    bench.obey(StartVerify("rest"))
    bench.draw(*(code for code in REST if code not in ("9D", "7C")))
    bench.obey(FinishVerify(BOTH))
    (violation,) = found(bench.events, ViolationRaised)
    assert violation.detail == "pack S1: 51 of 52 cards are there"


def test_r8_a_power_cut_in_the_count_forgets_neither_the_count_nor_the_closing() -> None:
    bench = played()
    bench.obey(CloseShoe())
    bench.draw(*REST[:20])
    power_cut(bench)
    assert bench.refused(OpenRound("R2")) is Refusal.VERIFYING
    bench.draw(*REST[20:])
    finish(bench)
    assert left(bench).end_check == "whole"


# --- a pack that comes back ---------------------------------------------------------------------


@pytest.mark.parametrize("counted", ["whole", "failed", "not_made"])
def test_r8_a_pack_that_left_the_table_opens_again_only_when_it_is_verified(counted: str) -> None:
    bench = played("optional")
    if counted != "not_made":
        bench.obey(StartVerify("rest"))
        bench.draw(*REST[counted == "failed" :])
        bench.obey(FinishVerify(BOTH))
    if counted == "failed":
        bench.resolve("pack_not_whole", "accept")
    bench.obey(CloseShoe())
    power_cut(bench)
    _, returned = bench.obey(LoadShoe("S1", 1))
    assert isinstance(returned, ShoeReturned)
    assert returned.end_check == counted
    assert bench.refused(OpenRound("R1")) is Refusal.PACK_RETURNED
    shoe = bench.setup.game.shoe_status(bench.state.game)
    assert shoe is not None
    assert (shoe.unverified, shoe.returned) == (True, counted)
    bench.obey(StartVerify())
    bench.draw(*CODES)
    finish(bench)
    assert bench.refused(OpenRound("R1")) is None


def test_r8_another_pack_opens_as_the_house_has_it() -> None:
    bench = played("optional")
    bench.obey(CloseShoe())
    assert kinds(bench.obey(LoadShoe("S2", 1))) == ["shoe.loaded"]
    assert bench.refused(OpenRound("R1")) is None


def test_r8_a_pack_that_is_closed_and_loaded_again_in_vain_stays_to_be_verified() -> None:
    bench = played("optional")
    for _ in range(2):
        bench.obey(CloseShoe())
        bench.obey(LoadShoe("S1", 1))
    assert bench.refused(LoadShoe("S1", 1)) is Refusal.SHOE_LOADED
    assert bench.refused(OpenRound("R1")) is Refusal.PACK_RETURNED


def test_r8_a_card_burned_from_a_pack_that_came_back_waits_and_says_why() -> None:
    bench = loaded(8, "baccarat-gr")
    bench.obey(CloseShoe())
    bench.obey(LoadShoe("S1", 8))
    bench.draw("2S")
    assert burned(bench.events) == []
    (violation,) = found(bench.events, ViolationRaised)
    assert violation.code == "shoe_not_verified"
    assert violation.detail.endswith(": pack S1 left this table before, and was not counted")


def test_r8_where_cards_open_rounds_the_first_of_such_a_pack_waits() -> None:
    bench = BaccaratBench(profile(), "device")
    bench.obey(CloseShoe())
    bench.obey(LoadShoe("S1", 8))
    bench.draw("8S>player.1")
    assert bench.codes == ["shoe_not_verified"]
    assert dealt(bench.events) == []


def test_r8_the_packs_of_some_days_are_remembered() -> None:
    bench = loaded(1)
    for number in range(1, PACKS_KEPT + 1):
        bench.obey(CloseShoe())
        bench.obey(LoadShoe(f"S{number + 1}", 1))
    bench.obey(CloseShoe())
    for shoe_id, came_back in (("S2", True), (f"S{PACKS_KEPT + 1}", True), ("S1", False)):
        told = kinds(bench.obey(LoadShoe(shoe_id, 1)))
        assert ("shoe.returned" in told) is came_back, shoe_id
        bench.obey(CloseShoe())
