"""Every surface, with a leak seeded into it: the comparison of two plays notices each.

The leaks are what a careless change would do: a log line, a label, a record in clear, an answer
that depends on the card. The plays are those of the table in `test_non_interference.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import pytest
import structlog
from support.secrecy_bench import Glass
from support.secrecy_compare import TABLE, differences
from support.secrecy_plays import PLAYS

from daemon.devices.feed import ChunkRedactor, Heard
from daemon.devices.session import Session
from daemon.gamekit import commitments
from daemon.gamekit.shoegame import card_drawn, hole_card, resolve, reveal
from daemon.gamekit.shoegame.state import ShoeState
from daemon.gamekit.shoegame.transition import ShoeTransition
from daemon.journal import cipher
from daemon.runtime import recovery
from daemon.runtime.inbox import Inbox
from daemon.service import status
from daemon.table import concealment, frame_tracking
from daemon.telemetry import logs
from protocols.cards import Card
from protocols.readings import CardDrawn
from protocols.refusals import Refusal

Patch = pytest.MonkeyPatch
Leak = Callable[[Patch], None]
LEAKS: Final[dict[str, tuple[str, str, tuple[str, str], Leak]]] = {}


def leak(surface: str, play: str, pair: tuple[str, str] = ("TH", "9H")) -> Callable[[Leak], Leak]:
    """Keep a leak: where it is to be noticed, in which play, between which two cards."""

    def keep(seed: Leak) -> Leak:
        LEAKS[seed.__name__] = (surface, play, pair, seed)
        return seed

    return keep


def beside(patch: Patch, owner: Any, name: str, more: Callable[..., None]) -> None:
    """Let `more` happen before a method, with its arguments."""
    plain = getattr(owner, name)

    def both(self: Any, *args: Any, **named: Any) -> Any:
        more(self, *args, **named)
        return plain(self, *args, **named)

    patch.setattr(owner, name, both)


def _card(heard: Heard) -> str:
    body = None if heard.frame is None else heard.frame.body
    return str(body.card) if isinstance(body, CardDrawn) else ""


def _raw(heard: Heard) -> bytes:
    return b"" if heard.frame is None else heard.frame.raw


# --- logs, metrics, screens ------------------------------------------------------------------


@leak("logs", "hole_card_1")
def a_log_of_the_length_of_a_frame(patch: Patch) -> None:
    def tell(_self: Any, _views: Any, heard: Heard, *_: Any) -> None:
        structlog.get_logger().debug("frame_seen", bytes=len(_raw(heard)))

    beside(patch, Session, "_show", tell)


@leak("logs", "hole_card_4")
def a_library_that_logs_what_it_reads(patch: Patch) -> None:
    def tell(_self: Any, _views: Any, heard: Heard, *_: Any) -> None:
        logging.getLogger("serial").debug("read %r", _raw(heard))

    beside(patch, Session, "_show", tell)


@leak("metrics", "hole_card_1")
def a_label_of_a_metric(patch: Patch) -> None:
    def count(self: Any, _views: Any, heard: Heard, *_: Any) -> None:
        self._observer._metrics.rejects.labels(TABLE, "any", _card(heard)).inc()

    beside(patch, Session, "_show", count)


@leak("printed", "hole_card_1")
def a_print(patch: Patch) -> None:
    beside(patch, Session, "_show", lambda _self, _views, heard, *_: print(_card(heard)))  # noqa: T201 - that is the leak


@leak("exceptions", "hole_card_1")
def the_words_of_an_exception(patch: Patch) -> None:
    def fail(self: ShoeTransition, card: Card, *_: Any) -> None:
        if self.hidden:
            raise ValueError(f"no slot for {card}")

    plain = logs.defect
    beside(patch, ShoeTransition, "place", fail)
    patch.setattr(logs, "defect", lambda error, *, hidden: plain(error, hidden=not hidden))


@leak("status", "hole_card_2")
def the_status_with_the_card(patch: Patch) -> None:
    def due(inbox: Inbox) -> str:
        return " ".join(str(one.card.value) for one in inbox.state.game.sealed)

    patch.setattr(status, "_due", due)


@leak("frames", "hole_card_3")
def a_hidden_frame_on_screen(patch: Patch) -> None:
    def show(self: Any, views: Any, heard: Heard, frame: Any, events: Any) -> None:
        if heard.hidden:
            views.frame(self.attached, frame, events, stale=heard.stale)

    beside(patch, Session, "_show", show)


@leak("watch", "burned_card")
def a_hidden_frame_in_the_text_on_screen(patch: Patch) -> None:
    a_hidden_frame_on_screen(patch)


def _shown_all(patch: Patch) -> None:
    plain = ChunkRedactor.account

    def account(self: ChunkRedactor, size: int, **_: bool) -> Any:
        return plain(self, size, hidden=False)

    patch.setattr(ChunkRedactor, "account", account)


@leak("chunks", "hole_card_5")
def the_bytes_of_a_hidden_frame(patch: Patch) -> None:
    _shown_all(patch)


@leak("capture", "squeezed_hand_1")
def a_capture_of_a_hidden_frame(patch: Patch) -> None:
    _shown_all(patch)


@leak("frames", "hidden_frame_again_and_again_3")
def a_copy_of_a_hidden_frame_on_screen(patch: Patch) -> None:
    patch.setattr(concealment, "may_be_older", lambda *_: False)


@leak("chunks", "older_hidden_frame_again")
def an_older_copy_of_a_hidden_frame(patch: Patch) -> None:
    patch.setattr(concealment, "may_be_older", lambda *_: False)


@leak("frames", "witness_reads_the_hole_card_when_the_game_has_gone_on_1")
def a_hidden_card_that_the_witness_reads_later(patch: Patch) -> None:
    patch.setattr(concealment, "reads_at_its_own_time", lambda _role: False)


@leak("journal", "hidden_frame_again_and_again_1")
def half_a_copy_of_a_hidden_frame(patch: Patch) -> None:
    patch.setattr(concealment, "may_be_torn", lambda *_: False)


@leak("metrics", "the_next_card_is_the_same_1", ("3C", "KS"))
def a_frame_that_is_hidden_for_its_value(patch: Patch) -> None:
    def alike(_setup: Any, state: Any, _at: Any, said: Any) -> bool:
        last = state.tracks.get(said.role)
        return last is not None and last.hidden and last.frame == frame_tracking.mark_of(said.raw)

    patch.setattr(concealment, "may_be_older", alike)


# --- the journal -----------------------------------------------------------------------------


@leak("journal", "hole_card_1")
def a_body_that_is_not_sealed(patch: Patch) -> None:
    plain = Inbox._record

    def record(self: Inbox, *args: Any, **_: bool) -> Any:
        return plain(self, *args)

    patch.setattr(Inbox, "_record", record)


@leak("journal", "hole_card_1")
def a_sealed_body_as_long_as_it_is(patch: Patch) -> None:
    patch.setattr(cipher, "_padded", lambda body: body + cipher._END)


@leak("journal", "torn_hidden_frames_1")
def a_reject_in_clear(patch: Patch) -> None:
    plain = Inbox.reject

    def reject(self: Inbox, *args: Any, **_: bool) -> None:
        plain(self, *args)

    patch.setattr(Inbox, "reject", reject)


@leak("journal", "hole_card_4")
def a_record_more_for_a_ten(patch: Patch) -> None:
    def write(self: Inbox, one: Any, *_: Any) -> None:
        said = getattr(one.body, "said", None)
        if said is not None and commitments.counts_ten(said.value.reading.card):
            self._commit([self._record("note", b"{}")], None, None)

    beside(patch, Inbox, "_write", write)


# --- the bus and its answers -------------------------------------------------------------------


@leak("bus", "hole_card_read_again_by_the_only_reader_and_burned_1")
def a_detail_that_names_the_card(patch: Patch) -> None:
    patch.setattr(ShoeTransition, "name", lambda _self, card: str(card))


@leak("tail", "carried_card")
def a_detail_that_names_the_card_in_the_text(patch: Patch) -> None:
    a_detail_that_names_the_card(patch)


@leak("bus", "unread_hole_card_1")
def a_label_that_no_card_has(patch: Patch) -> None:
    patch.setattr(ShoeTransition, "why_unread", lambda _self, reason: reason)


@leak("bus", "hole_card_1")
def a_commitment_of_another_length(patch: Patch) -> None:
    plain = commitments.commit

    def commit(card: Card, *args: Any) -> Any:
        made = plain(card, *args)
        return replace(made, ten=made.ten + "0" * commitments.counts_ten(card))

    patch.setattr(commitments, "commit", commit)


@leak("bus", "first_card_down_2")
def a_sealed_box_of_another_length(patch: Patch) -> None:
    plain = commitments.commit

    def commit(card: Card, place: Any, nonces: Any, locked: str | None = None) -> Any:
        return plain(card, place, nonces, (locked or "") + "A" * commitments.counts_ten(card))

    patch.setattr(commitments, "commit", commit)


@leak("bus", "unplugged_while_the_hole_card_is_read_2")
def how_many_bytes_lay_in_the_port(patch: Patch) -> None:
    patch.setattr(concealment, "STALE_STEP", 1)


@leak("bus", "a_state_of_another_version_1", ("KS", "9H"))
def a_record_that_is_quoted(patch: Patch) -> None:
    patch.setattr(recovery, "is_sealed", lambda _record: False)


@leak("bus", "copy_too_many_1", ("3C", "KS"))
def a_count_with_the_hidden_card(patch: Patch) -> None:
    beside(patch, ShoeTransition, "_seal", lambda self, card, *_: self.know(card))


@leak("bus", "factory_order_1", ("8S", "KS"))
def a_run_with_the_hidden_card(patch: Patch) -> None:
    plain = ShoeTransition._watch_order

    def watch(self: ShoeTransition, card: Card | None) -> None:
        lies = self.state.sealed[-1].card.value if card is None else card
        plain(self, lies)

    patch.setattr(ShoeTransition, "_watch_order", watch)


@leak("answers", "every_word_a_stranger_may_try_1")
def a_refusal_that_knows_the_card(patch: Patch) -> None:
    plain = reveal.reveal

    def told(work: ShoeTransition, command: Any) -> Refusal | None:
        sealed = work.state.sealed_in(command.slot)
        if sealed is not None and commitments.counts_ten(sealed.card.value):
            return Refusal.PEEK_NOT_ALLOWED
        return plain(work, command)

    patch.setattr(reveal, "reveal", told)


@leak("answers", "the_rest_counted", ("KS", "9H"))
def a_count_that_tells_by_its_lack(patch: Patch) -> None:
    patch.setattr(ShoeState, "counts_hidden", property(lambda _self: False))


@leak("bus", "another_card_on_the_hole_reader", ("KS", "AS"))
def an_answer_that_compares(patch: Patch) -> None:
    plain = hole_card._read_again

    def read_again(work: ShoeTransition, reading: CardDrawn, lies: Any) -> None:
        if reading.card == lies[0].card.value:
            work.violate("sealed_violation", "the same card", slot=lies[0].slot, reading=reading)
        else:
            plain(work, reading, lies)

    patch.setattr(hole_card, "_read_again", read_again)


@leak("bus", "face_down_slot_stated_again_1", ("KS", "9H"))
def a_shoe_that_is_held_against_the_card(patch: Patch) -> None:
    plain = card_drawn._known_already

    def known(work: ShoeTransition, reading: CardDrawn) -> bool:
        sealed = work.state.sealed_in(card_drawn.stated_slot(work, reading) or "")
        same = sealed is not None and sealed.card.value == reading.card
        return same or plain(work, reading)

    patch.setattr(card_drawn, "_known_already", known)


@leak("bus", "hole_card_read_again_by_the_only_reader_and_burned_2")
def a_face_that_the_house_shows(patch: Patch) -> None:
    plain = ShoeTransition.burn

    def burn(self: ShoeTransition, card: Card | None, reason: str, **_: bool) -> None:
        plain(self, card, reason)

    patch.setattr(ShoeTransition, "burn", burn)


@leak("turned", "missed_and_the_hole_card_burned_1")
def a_burned_card_that_is_turned_at_once(patch: Patch) -> None:
    """Either play shows its card, at the same step: that it does is the leak."""
    patch.setattr(reveal, "_may_turn", lambda *_: True)


@leak("bus", "missed_and_the_shoe_says_whose_it_is")
def an_accepted_card_of_another_hand(patch: Patch) -> None:
    patch.setattr(resolve, "_of_a_hidden_slot", lambda *_: False)


@leak("bus", "missed_card_and_a_label_of_nothing_1")
def a_card_that_something_unread_confirms(patch: Patch) -> None:
    patch.setattr(card_drawn, "hidden_is_next", lambda _work: False)


@leak("bus", "missed_card_and_a_label_of_nothing_2")
def a_card_that_confirms_itself(patch: Patch) -> None:
    patch.setattr(card_drawn, "is_waiting_twin", lambda *_: False)


@leak("bus", "first_card_down_read_too_early")
def an_accepted_card_that_does_not_wait(patch: Patch) -> None:
    patch.setattr(resolve, "_waits", lambda *_: False)


def told(play: str, pair: tuple[str, str]) -> dict[str, str]:
    shown = []
    for card in pair:
        with Glass(PLAYS[play].house) as one:
            with suppress(AssertionError, IndexError):  # it may go another way by a leak, or end
                PLAYS[play].do(one, card)
            shown.append(one.steps)
    differ = differences(shown[0], shown[1])
    if any(step.reveals for step in shown[0]) and not PLAYS[play].turned:
        differ["turned"] = "nobody turns it in this play"
    return differ


@pytest.mark.parametrize("name", LEAKS)
def test_a_seeded_leak_is_noticed_where_it_is(name: str, monkeypatch: Patch) -> None:
    surface, play, pair, seed = LEAKS[name]
    assert told(play, pair) == {}
    seed(monkeypatch)
    assert surface in told(play, pair)


def test_every_surface_has_a_leak() -> None:
    play = PLAYS["hole_card_1"]
    with Glass(play.house) as one:
        play.do(one, "KS")
    shown = {surface for step in one.steps for surface in step.shown}
    leaks = {surface for surface, *_ in LEAKS.values()}
    assert shown | {"watch", "capture", "exceptions"} <= leaks
