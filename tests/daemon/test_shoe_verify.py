"""A shoe is verified: every card through the scanner, 52 counts against its decks (rule G3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from baccarat_bench import NATURAL, Bench, burned, card, dealt, found, kinds, profile

from daemon import table
from daemon.game import DeviceGap
from daemon.inputs import DeviceSaid, LinkUp, RolledBack
from daemon.turn import Turn
from protocols.cards import DECK
from protocols.commands import (
    BurnCards,
    CloseShoe,
    FinishVerify,
    LoadShoe,
    OpenRound,
    Refusal,
    ReplaceCard,
    ResolveAction,
    RevealCard,
    ShoePart,
    StartVerify,
)
from protocols.events import (
    CardUnreadSeen,
    Event,
    ShoeCardReplaced,
    ShoeClosed,
    ShoeCompositionFailed,
    ShoeVerified,
    ShoeVerifyStarted,
    ViolationRaised,
)
from protocols.readings import (
    BurnCountStated,
    CardDrawn,
    CardOutOfGame,
    CardReassigned,
    CardUnread,
    CutCardSeen,
    Reading,
    ShoeErrorRaised,
    ShoeResult,
    ShoeStarted,
)
from protocols.shoes.angel_eye_ii_ex import DEVICE

CODES = tuple(map(str, DECK))
BOTH = ("anna", "boris")
WHOLE: dict[str, Any] = {"unknown": 0, "unread": 0, "replaced": 0, "names": BOTH, "took_s": 0.0}


def verifying(decks: int = 1, cards: ShoePart = "all", **rules: Any) -> Bench:
    """Return a table whose new shoe is being verified."""
    bench = loaded(decks, **rules)
    bench.obey(StartVerify(cards))
    return bench


def loaded(decks: int = 1, house: str = "baccarat-dk", **rules: Any) -> Bench:
    bench = Bench(profile(house, **rules), shoe=False)
    bench.obey(LoadShoe("S1", decks))
    return bench


def finish(bench: Bench) -> Event:
    (verdict,) = bench.obey(FinishVerify(BOTH))
    return verdict


def failed(bench: Bench) -> ShoeCompositionFailed:
    verdict = finish(bench)
    assert isinstance(verdict, ShoeCompositionFailed)
    return verdict


# --- before play --------------------------------------------------------------------------------


def test_eight_decks_deck_by_deck_in_factory_order_are_whole_and_no_alarm() -> None:
    bench = verifying(8)
    assert bench.events[-1] == ShoeVerifyStarted("S1", 8, "start", "all")
    assert bench.draw(*CODES * 8) == []
    assert finish(bench) == ShoeVerified("S1", 8, "start", "all", 416, **WHOLE)
    assert bench.codes == []
    assert (bench.shoe.out, bench.shoe.verified) == (0, ("start",))
    bench.deal(*NATURAL)
    assert dealt(bench.events)[0] == ("player.1", "8S", 1)


def test_any_order_will_do() -> None:
    bench = verifying()
    bench.draw(*CODES[::-2], *CODES[::2])
    assert finish(bench).kind == "shoe.verified"


def test_two_decks_that_are_short_of_five_cards_are_not_released() -> None:
    bench = verifying(2)
    bench.draw(*CODES, *(one for one in CODES if one not in ("2S", "9H", "TH", "KD", "AC")))
    verdict = failed(bench)
    assert (verdict.expected, verdict.accounted, verdict.cards) == (104, 99, 99)
    assert verdict.missing == {"2S": 1, "9H": 1, "TH": 1, "KD": 1, "AC": 1}
    assert verdict.surplus == {}
    assert bench.refused(OpenRound("R1")) is Refusal.VERIFYING


def test_fifty_two_with_a_foreign_card_among_them_are_no_deck() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1], "5S")
    verdict = failed(bench)
    assert (verdict.expected, verdict.accounted) == (52, 52)
    assert (verdict.missing, verdict.surplus) == ({"KC": 1}, {"5S": 1})


def test_a_card_whose_code_nobody_knows_is_named_and_is_missing() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    assert bench.hear(CardUnread("no card has the code '0X0'")) == [
        CardUnreadSeen(None, "no card has the code '0X0'")
    ]
    verdict = failed(bench)
    assert (verdict.accounted, verdict.unread, verdict.missing) == (51, 1, {"KC": 1})


def test_an_unread_card_that_passes_again_is_counted_then() -> None:
    bench = verifying()
    bench.draw(*CODES[:7])
    bench.hear(ShoeErrorRaised(1, "cannot read the card", blocking=True))
    bench.draw(*CODES[7:])
    assert finish(bench) == ShoeVerified("S1", 1, "start", "all", 52, **{**WHOLE, "unread": 1})
    assert bench.codes == []


def test_a_card_that_the_shoe_takes_for_a_locked_or_an_overdrawn_one_counts_as_well() -> None:
    bench = verifying()
    bench.draw(*CODES[:-2])
    assert bench.hear(CardOutOfGame(card("QC"), "locked")) == []
    heard = bench.hear(ShoeErrorRaised(2, "overdraw", blocking=True), CardReassigned(card("KC")))
    assert kinds(heard) == ["device.faulted"]
    assert finish(bench).kind == "shoe.verified"


@pytest.mark.parametrize(
    "said",
    [
        CutCardSeen(),
        ShoeStarted(),
        BurnCountStated(3),
        ShoeResult("player", player_pair=False, banker_pair=False),
    ],
)
def test_what_a_shoe_says_of_a_game_means_nothing_while_it_is_verified(said: Reading) -> None:
    bench = verifying()
    before = bench.state
    assert bench.hear(said) == []
    assert bench.state == before


def test_what_was_lost_on_its_way_is_missing_and_takes_nothing_from_the_shoe() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    turn = Turn(bench.setup, bench.state, bench.now)
    turn.play(DeviceGap("frames are missing"))
    bench.state = turn.state
    assert failed(bench).missing == {"KC": 1}
    assert bench.shoe.from_start


@pytest.mark.parametrize("action", ["accept", "void"])
def test_what_passes_while_the_table_is_held_is_counted_after_it(action: ResolveAction) -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    bench.put(RolledBack("the bus knows more"))
    bench.draw(CODES[-1])
    assert bench.refused(FinishVerify(BOTH)) is Refusal.HELD
    bench.resolve("journal_rolled_back", action)
    assert finish(bench).kind == "shoe.verified"


def test_one_scanner_counts_and_the_hole_card_reader_does_not() -> None:
    bench = loaded()
    bench.setup = replace(bench.setup, devices={"primary": DEVICE, "hole": DEVICE})
    bench.put(LinkUp("hole", "reader", "bench"))
    bench.obey(StartVerify())
    bench.draw(*CODES)
    assert bench.put(DeviceSaid("hole", "reader", CardDrawn(card("5D")), None, "01")) == []
    assert finish(bench).kind == "shoe.verified"
    assert bench.shoe.out == 0


# --- a failed count goes on ---------------------------------------------------------------------


def test_a_missing_card_is_put_in_on_record_and_the_count_goes_on() -> None:
    bench = verifying()
    bench.draw(*CODES[:-1])
    assert failed(bench).missing == {"KC": 1}
    bench.obey(ReplaceCard("boris", "found under the table", added="KC"))
    bench.draw("KC")
    assert finish(bench) == ShoeVerified("S1", 1, "start", "all", 52, **{**WHOLE, "replaced": 1})


def test_a_damaged_card_is_taken_out_and_its_replacement_passes() -> None:
    bench = verifying()
    bench.draw(*CODES)
    heard = bench.obey(ReplaceCard("boris", "a bent corner", removed="5D", added="5D"))
    assert heard == [ShoeCardReplaced("S1", "5D", "5D", "boris", "a bent corner")]
    assert failed(bench).missing == {"5D": 1}
    bench.draw("5D")
    assert finish(bench).kind == "shoe.verified"


def test_a_card_too_many_is_taken_out_on_record() -> None:
    bench = verifying()
    bench.draw(*CODES, "5S")
    assert failed(bench).surplus == {"5S": 1}
    bench.obey(ReplaceCard("boris", "of another deck", removed="5S"))
    assert finish(bench).kind == "shoe.verified"


@pytest.mark.parametrize(
    ("removed", "added"), [(None, None), ("KC", None), ("XX", None), (None, "XX"), ("AS", "1S")]
)
def test_a_replacement_names_cards_that_there_are(removed: str | None, added: str | None) -> None:
    bench = verifying()
    bench.draw("AS")
    assert bench.refused(ReplaceCard("boris", "why", removed, added)) is Refusal.VALUE_MISSING


def test_who_miscounted_begins_anew() -> None:
    bench = verifying()
    bench.draw("AS", "AS", "AS")
    bench.obey(StartVerify())
    bench.draw(*CODES)
    assert finish(bench).kind == "shoe.verified"


# --- two names, and when ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names", [("anna", "anna"), ("anna", "Anna "), ("", "boris"), ("anna", " ")]
)
def test_two_people_verify_a_shoe(names: tuple[str, str]) -> None:
    bench = verifying()
    bench.draw(*CODES)
    assert bench.refused(FinishVerify(names)) is Refusal.TWO_NAMES


def test_how_long_it_took_is_told_and_unknown_over_a_restart_of_the_machine() -> None:
    for boot, took in (("boot", 420.0), ("another", None)):
        bench = verifying()
        bench.draw(*CODES)
        bench.now = replace(bench.now.after(420.0), boot=boot)
        verdict = finish(bench)
        assert isinstance(verdict, ShoeVerified)
        assert verdict.took_s == took


def test_it_is_for_a_shoe_between_rounds_that_nothing_holds() -> None:
    assert Bench(shoe=False).refused(StartVerify()) is Refusal.NO_SHOE
    bench = Bench()
    assert bench.refused(FinishVerify(BOTH)) is Refusal.WRONG_PHASE
    assert bench.refused(ReplaceCard("b", "why", added="AS")) is Refusal.WRONG_PHASE
    bench.deal("8S")
    assert bench.refused(StartVerify()) is Refusal.ROUND_OPEN
    held = Bench()
    held.draw("8S")
    assert held.refused(StartVerify()) is Refusal.HELD


def test_nothing_is_burned_or_due_meanwhile() -> None:
    bench = verifying(8, house="baccarat-gr")
    assert bench.refused(BurnCards(3, "misdeal")) is Refusal.VERIFYING
    turn = Turn(bench.setup, bench.state, bench.now)
    assert bench.setup.game.due(bench.state.game, turn.context()) is None
    bench.draw(*CODES * 8)
    finish(bench)
    assert len(burned(bench.draw("2S", "9S", "4S", "7H", "6S", "7S"))) == 6


# --- a house that demands it ----------------------------------------------------------------------


def test_where_the_house_demands_it_no_round_opens_before() -> None:
    bench = loaded(verify="required")
    assert bench.refused(OpenRound("R1")) is Refusal.SHOE_NOT_VERIFIED
    bench.obey(StartVerify())
    assert bench.refused(OpenRound("R1")) is Refusal.VERIFYING
    bench.draw(*CODES)
    finish(bench)
    assert bench.refused(OpenRound("R1")) is None


def test_it_is_void_when_the_shoe_leaves_the_table() -> None:
    bench = verifying(verify="required")
    bench.draw(*CODES)
    finish(bench)
    (closed,) = bench.obey(CloseShoe())
    assert isinstance(closed, ShoeClosed)
    assert closed.verified == ("start",)
    bench.obey(LoadShoe("S1", 1))
    assert bench.refused(OpenRound("R1")) is Refusal.SHOE_NOT_VERIFIED


def test_a_shoe_that_is_closed_in_the_middle_of_it_is_not_verified() -> None:
    bench = verifying()
    bench.draw(*CODES)
    (closed,) = bench.obey(CloseShoe())
    assert isinstance(closed, ShoeClosed)
    assert (closed.verified, closed.cards_out) == ((), 0)
    assert bench.refused(FinishVerify(BOTH)) is Refusal.WRONG_PHASE


def test_a_card_burned_from_a_shoe_that_is_not_verified_waits_for_a_person() -> None:
    bench = loaded(8, "baccarat-gr", verify="required")
    bench.draw("2S")
    assert bench.codes == ["shoe_not_verified"]
    assert burned(bench.events) == []
    heard = bench.resolve("shoe_not_verified", "accept")
    assert [one[0] for one in burned(heard)] == ["burn.1"]
    assert len(burned(bench.draw("9S", "4S", "7H", "6S", "7S"))) == 5
    assert bench.refused(OpenRound("R1")) is None


def test_a_card_burned_unread_from_it_waits_as_well() -> None:
    bench = loaded(8, "baccarat-gr", verify="required")
    bench.hear(CardUnread("no read"))
    assert bench.codes == ["card_unread"]


def test_where_cards_open_rounds_the_first_of_it_waits_for_a_person() -> None:
    bench = Bench(profile(verify="required"), "device")
    bench.draw("8S>player.1")
    assert bench.codes == ["shoe_not_verified"]
    assert dealt(bench.events) == []
    heard = bench.resolve("shoe_not_verified", "accept")
    assert dealt(heard) == [("player.1", "8S", 1)]
    assert dealt(bench.draw("5C>banker.1")) == [("banker.1", "5C", 2)]


def test_a_shoe_that_nobody_announced_cannot_be_asked_for_it() -> None:
    bench = Bench(profile(verify="required"), "device", shoe=False)
    assert dealt(bench.draw("8S>player.1")) == [("player.1", "8S", 1)]


# --- at the end -----------------------------------------------------------------------------------


def played(*burns: str, **rules: Any) -> Bench:
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
    assert not table.conceals(bench.setup, bench.state, "primary")
    bench.obey(StartVerify(cards))
    assert table.conceals(bench.setup, bench.state, "primary")
    open_burns = played("9D", burned_faces="shown")
    open_burns.obey(StartVerify(cards))
    assert not table.conceals(open_burns.setup, open_burns.state, "primary")


def test_two_counts_that_differ_in_the_burned_card_alone_say_the_same() -> None:
    told = []
    for hidden in ("9D", "7C"):
        bench = played(hidden)
        bench.obey(StartVerify("rest"))
        bench.draw(*rest_of(*NATURAL, "9D", "7C"))
        bench.obey(FinishVerify(BOTH))
        closed = bench.obey(CloseShoe())
        told.append([bench.events[-2], *closed])
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
        ShoeClosed("S1", 5, {"8S": 1, "5C": 1, "KD": 1, "2H": 1}, 1, {}, ())
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
