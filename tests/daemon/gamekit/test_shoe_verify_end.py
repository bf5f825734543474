"""A shoe is counted when play is over, and what a closed shoe says of itself."""

from __future__ import annotations

from typing import Any

import pytest
from support.baccarat_bench import NATURAL, BaccaratBench
from support.table_bench import found
from support.verify_bench import BOTH, CODES, WHOLE, failed, finish, loaded

from daemon.table.concealment import card_may_be_hidden
from protocols.commands import (
    CloseShoe,
    FinishVerify,
    OpenRound,
    ReplaceCard,
    RevealCard,
    ShoePart,
    StartVerify,
)
from protocols.events import (
    ShoeClosed,
    ShoeVerified,
    ShoeVerifyStarted,
    ViolationRaised,
)
from protocols.refusals import Refusal

# --- at the end -----------------------------------------------------------------------------------


def played(*burns: str, **rules: Any) -> BaccaratBench:
    """Return a table where a round was played from one deck, and cards burned before it."""
    bench = loaded(1, burn_after_shuffle=len(burns), **rules)
    bench.draw(*burns)
    bench.deal(*NATURAL)
    return bench


def rest_of(*gone: str) -> list[str]:
    return [one for one in CODES if one not in gone]


def test_what_was_dealt_and_the_undealt_rest_are_whole_decks() -> None:
    bench = played()
    assert bench.obey(StartVerify("rest")) == [ShoeVerifyStarted("S1", 1, "end", "rest")]
    bench.draw(*rest_of(*NATURAL))
    assert finish(bench) == ShoeVerified("S1", 1, "end", "rest", 48, **WHOLE)
    assert bench.refused(OpenRound("R2")) is Refusal.LAST_ROUND_PLAYED
    assert bench.shoe.verified == ("end",)


def test_a_card_that_was_put_back_comes_out_as_one_too_many() -> None:
    bench = played()
    bench.obey(StartVerify("rest"))
    bench.draw(*rest_of(*NATURAL), "KD")
    verdict = failed(bench)
    assert (verdict.surplus, verdict.accounted) == ({"KD": 1}, 53)


def test_at_the_end_every_card_may_pass_too() -> None:
    bench = played()
    bench.obey(StartVerify("all"))
    bench.draw(*CODES)
    assert finish(bench) == ShoeVerified("S1", 1, "end", "all", 52, **WHOLE)


def test_fault_17_20_a_card_that_left_unseen_is_missing_from_the_rest() -> None:
    bench = played()
    bench.obey(StartVerify("rest"))
    bench.draw(*rest_of(*NATURAL, "7C"))
    assert failed(bench).missing == {"7C": 1}


def test_a_burned_card_is_counted_without_its_name_and_not_told_by_its_lack() -> None:
    bench = played("9D")
    bench.obey(StartVerify("rest"))
    bench.draw(*rest_of(*NATURAL, "9D"))
    verdict = finish(bench)
    assert verdict == ShoeVerified("S1", 1, "end", "rest", 47, **{**WHOLE, "unknown": 1})
    bench.obey(StartVerify("rest"))
    bench.draw(*rest_of(*NATURAL, "9D", "7C"))
    second = failed(bench)
    assert (second.accounted, second.missing, second.surplus) == (51, {}, {})


def test_a_burned_card_kept_back_from_a_count_of_all_is_not_named_either() -> None:
    bench = played("9D")
    bench.obey(StartVerify("all"))
    bench.draw(*rest_of("9D"))
    verdict = failed(bench)
    assert (verdict.accounted, verdict.unknown, verdict.missing) == (51, 1, {})
    bench.draw("9D")
    assert finish(bench) == ShoeVerified("S1", 1, "end", "all", 52, **{**WHOLE, "unknown": 1})


@pytest.mark.parametrize("cards", ["all", "rest"])
@pytest.mark.parametrize("asked", ["9D", "7C"])
def test_no_replacement_asks_which_card_is_hidden(cards: ShoePart, asked: str) -> None:
    bench = played("9D")
    bench.obey(StartVerify(cards))
    bench.draw(*rest_of(*NATURAL, "9D"))
    assert bench.refused(ReplaceCard("boris", "why", removed=asked)) is Refusal.RULES_FORBID
    assert bench.refused(ReplaceCard("boris", "why", added=asked)) is None


@pytest.mark.parametrize("cards", ["all", "rest"])
def test_what_passes_then_is_read_as_hidden(cards: ShoePart) -> None:
    bench = played("9D")
    assert not card_may_be_hidden(bench.setup, bench.state, "primary")
    bench.obey(StartVerify(cards))
    assert card_may_be_hidden(bench.setup, bench.state, "primary")
    open_burns = played("9D", burned_faces="shown")
    open_burns.obey(StartVerify(cards))
    assert not card_may_be_hidden(open_burns.setup, open_burns.state, "primary")


def test_two_counts_that_differ_in_the_burned_card_alone_say_the_same() -> None:
    told = []
    for hidden in ("9D", "7C"):
        bench = played(hidden)
        bench.obey(StartVerify("rest"))
        bench.draw(*rest_of(*NATURAL, "9D", "7C"))
        verdict = bench.obey(FinishVerify(BOTH))
        let_go = bench.resolve("pack_not_whole", "accept")
        told.append([*verdict, *let_go, *bench.obey(CloseShoe())])
    assert told[0] == told[1]


def test_a_burned_card_that_is_turned_is_known_and_what_is_missing_then_has_a_name() -> None:
    bench = played("9D", burned_faces="on_request")
    bench.obey(StartVerify("rest"))
    bench.draw(*rest_of(*NATURAL, "9D", "7C"))
    assert failed(bench).missing == {}
    bench.obey(RevealCard("burn.1"))
    assert failed(bench).missing == {"7C": 1}


def test_a_burned_card_leaves_with_its_shoe_and_is_turned_no_more() -> None:
    bench = played("9D", burned_faces="on_request")
    bench.obey(CloseShoe())
    assert bench.refused(RevealCard("burn.1")) is Refusal.NOT_FACE_DOWN


# --- a closed shoe says what left it ------------------------------------------------------------


def test_a_closed_shoe_says_what_left_it_with_a_name_and_without() -> None:
    bench = played("9D")
    assert bench.obey(CloseShoe()) == [
        ShoeClosed("S1", 5, {"8S": 1, "5C": 1, "KD": 1, "2H": 1}, 1, {}, (), "not_made", None)
    ]


def test_a_card_that_a_person_insisted_on_is_a_surplus_when_the_shoe_is_closed() -> None:
    bench = played()
    bench.deal("8S", round_id="R2")
    assert [one.code for one in found(bench.events, ViolationRaised)] == ["impossible_card"]
    bench.resolve("impossible_card", "accept")
    bench.void()
    (closed,) = bench.obey(CloseShoe())
    assert isinstance(closed, ShoeClosed)
    assert (closed.cards_out, closed.surplus) == (5, {"8S": 1})
