"""Blackjack: cards that lie face down, from the scan to the turn (docs/hidden-cards.md)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support.blackjack_bench import KEY, BlackjackBench, profile
from support.notation import card
from support.table_bench import EPOCH, ROUND, found

from daemon.gamekit.commitments import Nonces as Opening
from daemon.gamekit.commitments import Place, opens, opens_bit
from daemon.runtime.codec import StateCodec, event_json
from daemon.table.apply import apply, start
from daemon.table.inputs import Input, InputBody, LinkUp, Restarted
from daemon.table.state import RecordRef
from protocols.commands import BurnCards, Decide, ResolveAction, RevealCard
from protocols.events import (
    CardBurned,
    CardDealt,
    CardPeeked,
    CardRevealed,
    CardSealed,
    Event,
    RoundVoided,
    ViolationRaised,
)
from protocols.readings import CardUnread
from protocols.refusals import Refusal

HOLE = "dealer.2"


def with_reader(*cards: str, hole: str | None = "2D") -> BlackjackBench:
    """Return a table with a hole-card reader, its first cards dealt."""
    bench = BlackjackBench(roles=("primary", "hole"))
    bench.bet(1)
    bench.draw(*cards)
    if hole is not None:
        bench.draw(hole, role="hole")
    return bench


def named(bench: BlackjackBench, code: str) -> bool:
    """Return whether any event shows this card."""
    one = card(code)
    told = repr(bench.events)
    return f"rank={one.rank!r}, suit={one.suit!r}" in told or code in told


def place(slot: str = HOLE, round_id: str = ROUND) -> Place:
    return Place("T-1", EPOCH, "S1", round_id, slot, "b2:00")


# --- from the scan to the turn -------------------------------------------------------------


def test_a_sealed_card_is_opened_by_its_turn_and_by_nothing_else() -> None:
    bench = with_reader("TS", "7C", "6H")
    (sealed,) = found(bench.events, CardSealed)
    assert (sealed.slot, sealed.shoe_position) == (HOLE, 4)
    bench.decide("1", "stand")
    assert not named(bench, "2D")
    (turned,) = found(bench.reveal(), CardRevealed)
    nonces = Opening(turned.card_nonce, turned.ten_nonce, turned.ace_nonce)
    assert (turned.rank, turned.suit, turned.voided) == ("2", "D", False)
    assert opens(sealed.commitments, place(), card("2D"), nonces)
    assert not opens(sealed.commitments, place(), card("3D"), nonces)
    assert not opens(sealed.commitments, place("dealer.3"), card("2D"), nonces)


@pytest.mark.parametrize(("hole", "answer"), [("TD", True), ("9D", False)])
def test_a_peek_opens_one_bit_that_anyone_can_check(hole: str, answer: bool) -> None:
    bench = with_reader("TS", "AC", "6H", hole=hole)
    bench.close_insurance()
    bench.peek()
    (sealed,) = found(bench.events, CardSealed)
    (told,) = found(bench.events, CardPeeked)
    assert told.answer == answer
    assert opens_bit(sealed.commitments.ten, place(), "is_ten", answer, told.nonce)
    assert not named(bench, hole)
    assert {one.kind for one in bench.legal_commands} == (
        {"card.reveal"} if answer else {"decision"}
    )


def test_the_turned_card_is_read_once_more_by_its_reader() -> None:
    bench = with_reader("TS", "7C", "6H")
    bench.decide("1", "stand")
    (turned,) = found(bench.draw("2D", role="hole"), CardRevealed)
    assert (turned.slot, bench.codes) == (HOLE, [])
    bench.draw("8S")
    assert bench.outcome is not None
    assert bench.outcome.dealer_total == 17
    assert bench.game.shoe is not None
    assert bench.game.shoe.out == 5, "the hole card is counted once"


# --- what goes wrong with it ---------------------------------------------------------------


def test_fault_18_a_hole_card_that_was_not_read_is_put_on_the_reader_once_more() -> None:
    bench = with_reader("TS", "7C", "6H", hole=None)
    bench.hear(CardUnread("no decode"), "hole")
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.slot, raised.holds) == ("hole_card_unscanned", HOLE, True)
    assert "correct" not in raised.resolutions, "nobody may say what lies face down"
    bench.resolve("hole_card_unscanned", "accept")
    bench.decide("1", "stand")
    assert bench.refusal == Refusal.HOLE_CARD_UNSCANNED
    bench.draw("2D", role="hole")
    assert [one.shoe_position for one in found(bench.events, CardSealed)] == [4]
    bench.decide("1", "stand")
    assert bench.refusal is None


def test_a_hole_card_that_the_shoe_read_is_held_and_may_be_accepted() -> None:
    bench = with_reader("TS", "7C", "6H", hole=None)
    bench.draw("2D")
    assert bench.codes == ["hole_card_unscanned"]
    bench.resolve("hole_card_unscanned", "accept")
    assert [one.slot for one in found(bench.events, CardSealed)] == [HOLE]
    assert not named(bench, "2D")


def test_another_card_that_is_turned_voids_the_round() -> None:
    bench = with_reader("TS", "7C", "6H")
    bench.decide("1", "stand")
    bench.draw("2S", role="hole")
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.resolutions) == ("hole_card_mismatch", ("void",))
    assert not named(bench, "2D")
    assert not named(bench, "2S"), "evidence of a hidden card is not published"
    told = bench.resolve("hole_card_mismatch", "void")
    assert [one.voided for one in found(told, CardRevealed)] == [True]


def test_a_look_at_the_hole_card_is_on_record_and_play_may_go_on() -> None:
    bench = with_reader("TS", "7C", "6H")
    bench.draw("2D", role="hole")
    assert bench.codes == ["hole_card_peek_not_allowed"]
    assert not named(bench, "2D")
    bench.resolve("hole_card_peek_not_allowed", "accept")
    bench.decide("1", "stand")
    assert bench.refusal is None


def test_another_card_on_the_reader_tells_nothing_of_either() -> None:
    bench = with_reader("TS", "7C", "6H")
    bench.draw("9D", role="hole")
    assert bench.codes == ["hole_card_peek_not_allowed"], "as of the hole card itself"
    assert not named(bench, "2D")
    assert not named(bench, "9D")
    bench.resolve("hole_card_peek_not_allowed", "accept")
    bench.decide("1", "stand")
    bench.reveal()
    assert named(bench, "2D")


def test_a_box_card_on_the_hole_reader_is_out_of_turn() -> None:
    bench = with_reader("TS", "7C", hole="6H")
    assert bench.codes == ["card_out_of_turn"]


def down_first(*cards: str) -> BlackjackBench:
    """Return a table whose dealer's first card lies face down, with a hole-card reader."""
    house = profile("blackjack-gr", dealer_first_card="down_then_revealed", burn_after_shuffle=0)
    bench = BlackjackBench(house, roles=("primary", "hole"))
    bench.bet(1)
    bench.draw(cards[0])
    bench.draw(cards[1], role="hole")
    bench.draw(*cards[2:])
    return bench


def test_a_first_card_dealt_down_is_turned_before_the_boxes_play() -> None:
    bench = down_first("TS", "7C", "6H")
    bench.draw("2D", role="hole")
    bench.decide("1", "stand")
    assert bench.refusal == Refusal.WRONG_PHASE
    bench.reveal("dealer.1")
    bench.decide("1", "stand")
    assert bench.refusal is None


def test_the_first_card_read_again_is_not_taken_for_the_hole_card() -> None:
    """The reader cannot tell two equal cards apart: a doubt, and no guess."""
    bench = down_first("TS", "7C", "6H")
    bench.draw("7C", role="hole")
    assert bench.codes == ["sealed_violation"]
    assert not named(bench, "7C")
    bench.resolve("sealed_violation", "accept")
    bench.reveal("dealer.1")
    bench.draw("7C", role="hole")
    assert [one.slot for one in found(bench.events, CardSealed)] == ["dealer.1", HOLE]


# --- one reader for everything -------------------------------------------------------------


def test_a_missed_up_card_never_shows_the_hole_card() -> None:
    bench = BlackjackBench()
    bench.bet(1, 2)
    bench.draw(
        "TS", "9S", "7C", "6H", "2D"
    )  # box 2's second card was not read: 2D is the hole card
    assert not named(bench, "2D")
    bench.decide("1", "stand")
    assert bench.refusal == Refusal.HOLE_CARD_UNSCANNED
    bench.void()
    assert not named(bench, "2D")
    assert len(found(bench.events, CardDealt)) == 4


def test_cards_are_told_as_the_next_ones_confirm_them() -> None:
    bench = BlackjackBench()
    bench.bet(1, 2)
    bench.draw("TS", "9S", "7C")
    assert len(found(bench.events, CardDealt)) == 3
    assert not found(bench.draw("6H"), CardDealt)
    (told,) = found(bench.draw("9H"), CardDealt)
    assert (told.slot, told.shoe_position) == ("box1.hand1.card2", 4)
    told_last, sealed, asked = bench.draw("2D")
    assert asked.kind == "round.commands_awaited"
    assert isinstance(told_last, CardDealt)
    assert (told_last.slot, told_last.shoe_position) == ("box2.hand1.card2", 5)
    assert isinstance(sealed, CardSealed)
    assert sealed.shoe_position == 6


# --- void, burns ---------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["void", None], ids=["by a violation", "by command"])
def test_a_void_round_turns_its_face_down_cards_voided(action: ResolveAction | None) -> None:
    bench = with_reader("TS", "7C", "6H")
    if action is None:
        told = bench.void()
    else:
        bench.draw("9S")
        told = bench.resolve("card_without_decision", action)
    (turned,) = found(told, CardRevealed)
    assert (turned.slot, turned.rank, turned.suit, turned.voided) == (HOLE, "2", "D", True)
    (sealed,) = found(bench.events, CardSealed)
    nonces = Opening(turned.card_nonce, turned.ten_nonce, turned.ace_nonce)
    assert opens(sealed.commitments, place(), card("2D"), nonces)
    assert len(found(told, RoundVoided)) == 1
    assert bench.game.face_down == ()


def test_a_card_dealt_in_the_dark_is_turned_by_a_void_round_too() -> None:
    bench = BlackjackBench("blackjack-ru")
    bench.bet(1)
    bench.draw("5S", "7C", "6H")
    bench.decide("1", "double", dark=True)
    bench.draw("TD")
    assert not named(bench, "TD")
    (turned,) = found(bench.void(), CardRevealed)
    assert (turned.slot, turned.voided) == ("box1.hand1.card3", True)


def test_a_burned_face_is_turned_on_request_where_the_house_allows_it() -> None:
    bench = BlackjackBench("blackjack-gr")
    assert len(found(bench.events, CardBurned)) == 6
    assert not named(bench, "2C")
    (turned,) = found(bench.ask(RevealCard("burn.1")), CardRevealed)
    assert (turned.round_id, turned.rank, turned.suit) == (None, "2", "C")
    nonces = Opening(turned.card_nonce, turned.ten_nonce, turned.ace_nonce)
    first = found(bench.events, CardBurned)[0]
    assert first.commitments is not None
    assert opens(first.commitments, place("burn.1", ""), card("2C"), nonces)
    assert bench.ask(RevealCard("burn.1")) == []
    assert bench.refusal == Refusal.NOT_FACE_DOWN


def test_a_burned_face_is_never_turned_where_the_house_never_shows_it() -> None:
    bench = BlackjackBench("blackjack-ru")
    assert len(found(bench.events, CardBurned)) == 3
    bench.ask(RevealCard("burn.1"))
    assert bench.refusal == Refusal.NOT_FACE_DOWN


def test_burns_at_discretion_lie_face_down_too() -> None:
    bench = BlackjackBench("blackjack-gr")
    bench.ask(BurnCards(1, "discretion"))
    bench.draw("9D")
    assert found(bench.events, CardBurned)[-1].reason == "discretion"
    assert not named(bench, "9D")


# --- a restart in mid-round ----------------------------------------------------------------


def as_bytes(events: list[Event]) -> bytes:
    return json.dumps([event_json(one) for one in events]).encode()


class Recorder(BlackjackBench):
    """A bench that keeps what was put into it, as the journal does."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.journal: list[tuple[Input, RecordRef]] = []
        super().__init__(*args, **kwargs)  # type: ignore[arg-type] # what a bench takes

    def _put(self, body: InputBody) -> list[Event]:
        at, mark = self.now.after(self.PAUSE_S), RecordRef(EPOCH, self._record + 1)
        self.journal.append((Input(at, body), mark))
        return super()._put(body)


def finish(bench: BlackjackBench) -> list[Event]:
    """Play a round that has its insurance time to its end."""
    told = bench.close_insurance() + bench.peek()
    told += bench.decide("1", "double", seen=2) + bench.draw("TD") + bench.decide("2", "stand")
    return told + bench.reveal() + bench.draw("3S")


@pytest.mark.parametrize("cut", ["sealed", "unconfirmed"])
def test_a_round_goes_on_after_a_restart_with_the_same_bytes(cut: str) -> None:
    one = Recorder()
    one.bet(1, 2)
    one.draw("5S", "TH", "AC", "6H", "9H")
    rest = ["5D"] if cut == "unconfirmed" else []
    one.draw(*(["5D"] if not rest else []))
    codec = StateCodec(one.setup.game)
    state = start(one.setup)
    told: list[Event] = []
    for what, mark in one.journal:
        step = apply(one.setup, state, what, mark)
        state, told = step.state, [*told, *step.events]
    assert as_bytes(told) == as_bytes(one.events)
    assert json.dumps(codec.dump(state)) == json.dumps(codec.dump(one.state))
    again = Recorder()
    again.state = codec.load(json.loads(json.dumps(codec.dump(one.state))))
    again.now, again._record = one.now, one._record
    assert as_bytes(again.draw(*rest) + finish(again)) == as_bytes(one.draw(*rest) + finish(one))
    assert one.outcome is not None
    assert again.outcome == one.outcome


def test_another_key_makes_other_commitments_of_the_same_round() -> None:
    one, other = BlackjackBench(), BlackjackBench()
    other.setup = replace(other.setup, key=type(KEY)(bytes(32)))
    for bench in (one, other):
        bench.bet(1)
        bench.draw("TS", "7C", "6H", "2D")
    (ours,), (theirs,) = (found(bench.events, CardSealed) for bench in (one, other))
    assert not set(repr(ours.commitments).split("'")) & set(repr(theirs.commitments).split("'")) - {
        "Commitments(card=",
        ", ten=",
        ", ace=",
        ", locked=None)",
    }


def test_the_server_takes_up_a_round_by_the_cards_that_it_saw() -> None:
    bench = with_reader("TS", "7C", "6H")
    bench.decide("1", "hit")
    bench.draw("2S")
    bench.ask(Decide(ROUND, 1, 1, "stand", 2))
    assert bench.refusal == Refusal.HAND_DIFFERS
    bench.ask(Decide(ROUND, 1, 1, "stand", 3))
    assert bench.refusal is None


def test_a_scanner_cannot_show_what_was_missed_while_nobody_listened() -> None:
    bench = with_reader("TS", "7C", "6H")
    sealed = bench.game.face_down
    bench.put(Restarted("restart", 0))
    bench.put(LinkUp("primary", "zebra_ssi", "bench"))
    assert bench.codes == ["reading_gap"]
    bench.decide("1", "stand")
    assert bench.refusal == Refusal.HELD
    bench.resolve("reading_gap", "accept")
    assert bench.game.face_down == sealed
    bench.decide("1", "stand")
    bench.reveal()
    assert bench.refusal is None
