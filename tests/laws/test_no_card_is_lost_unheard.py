"""No card is lost unheard: random rounds, each damaged once, on every shoe protocol.

The cards that were dealt are known (tests/support/true_rounds.py), so a round that is completed
with others is seen. Here in short; `bench/cards.py` does it thirty thousand times on each.

Excused is only what leaves no trace: the bytes that came are those of another true round, one card
of which differs (tests/support/another_round.py). Tried with faults seeded in the daemon; each is
noticed below, and none is excused:

 bytes that say nothing are no matter    a bent label is no card, and the next one takes its place
 a bent label is the ace of spades       a decoder that guesses
 an equal card is the same card          two equal cards of two decks are one: without any damage
 what a link says it lost is not told    a report that never came was no card
 a gap in the numbers is no matter       the same, of a telegram
 a restart asks for no proof             the same, of what was said meanwhile
 two equal cards at once are two         a token that came twice
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from support.another_round import excuse_of, said_of
from support.judged_rounds import Sitting, Tally
from support.killed_table import one_codec
from support.shares import within
from support.true_rounds import READERS, STATES_NO_FACE, TrueRound, deal_dragon_tiger

from daemon.devices.feed import DeviceFeed, Heard
from daemon.table import damage, frame_tracking, reading_gaps
from daemon.table.frame_tracking import FRESH, REPEAT, Track, Verdict, mark_of
from drivers.link import Chunk
from protocols.cards import Card
from protocols.catalog import devices
from protocols.device import FrameMeaning
from protocols.line_damage import has_check, misread_share
from protocols.readings import CardDrawn
from protocols.shoes.barcode_lines.meanings import Meanings

OF_BITS = ("bit", "byte", "nul", "byte_lost", "cut")
BROKEN_OFF = ("link_lost", "restarted")
UNCHECKED = [reader for reader, one in READERS.items() if not has_check(one.spec)]


def played(reader: str, sittings: int, kinds: Sequence[str] | None = None) -> Tally:
    tally = Tally()
    with one_codec():
        for seed in range(sittings):
            Sitting(seed, reader, tally, kinds).run()
    return tally


@pytest.mark.parametrize("reader", READERS)
def test_f1_a_damage_that_leaves_a_trace_completes_no_wrong_round(reader: str) -> None:
    tally = played(reader, 15)
    assert tally.wrong == 0, "\n".join(tally.stories[0])
    assert tally.held > 0
    assert tally.unharmed > 0


@pytest.mark.parametrize("reader", READERS)
def test_a_clean_round_is_completed_as_it_was_dealt(reader: str) -> None:
    tally = played(reader, 4, kinds=())
    wrong = tally.misread + tally.doubled + tally.vanished + tally.wrong
    assert (tally.clean, tally.clean_held, wrong) == (24, 0, 0)


def test_a_line_with_check_value_and_numbers_lets_nothing_pass() -> None:
    strong = {reader for reader, one in READERS.items() if not one.lets_pass}
    shown = {"angel_eye_ii_ex", "dbc_profile", "feig_obid", "line_profile"}
    assert shown <= strong


def test_every_shoe_that_states_faces_is_tried() -> None:
    shoes = {key for key, one in devices().items() if one.kind == "shoe"}
    assert shoes == {one.device for one in READERS.values()} | STATES_NO_FACE


@pytest.mark.parametrize("reader", UNCHECKED)
def test_the_share_of_misreads_that_is_told_is_that_of_the_line(reader: str) -> None:
    """Random bits of rounds that are played, against every bit of every card's frame."""
    tally = played(reader, 40, kinds=("bit",))
    told = misread_share(READERS[reader].spec, READERS[reader].settings)
    low, high = within(tally.flips_misread, tally.flips)
    assert tally.flips > 200
    assert low < told < high


# --- what is excused -------------------------------------------------------------------------

BARCODE = READERS["barcode_lines"]
NINE, FIVE, KING = (Card(rank, "S") for rank in "95K")


def round_of(*cards: Card) -> TrueRound:
    return deal_dragon_tiger(list(reversed(cards)))


def outcome_of(played: TrueRound, **changed: str) -> dict[str, Any]:
    dragon, tiger = (
        {"slot": one.slot, "rank": one.card.rank, "suit": one.card.suit} for one in played.cards
    )
    return {"dragon": dragon, "tiger": tiger, "winner": played.winner, **changed}


@pytest.mark.parametrize(
    ("stated", "came", "excuse"),
    [
        ((NINE, FIVE), b"9S\r\n5S\r\n", "misread"),  # 9S was KS
        ((KING, KING), b"KS\r\nKS\r\n5S\r\n", "doubled"),
        ((FIVE, NINE), b"5S\r\n9S\r\n", "vanished"),  # the KS; the 9S came after the round
        ((NINE, FIVE), b"9S\r\n\r\n5S\r\n", "wrong"),  # something else came
        ((KING, KING), b"KS\r\n5S\r\n", "wrong"),  # the bytes are of another round
        ((NINE, NINE), b"9S\r\n9S\r\n", "wrong"),  # two cards differ
    ],
)
def test_only_the_bytes_of_another_round_excuse_it(
    stated: tuple[Card, Card], came: bytes, excuse: str
) -> None:
    drawn = [KING, FIVE, NINE]
    outcome = outcome_of(round_of(*stated))
    assert excuse_of(BARCODE, deal_dragon_tiger, drawn, outcome, came) == excuse


def test_a_winner_that_its_cards_do_not_give_is_excused_by_no_bytes() -> None:
    outcome = outcome_of(round_of(NINE, FIVE), winner="tiger")
    came = said_of(BARCODE, round_of(NINE, FIVE))
    assert excuse_of(BARCODE, deal_dragon_tiger, [KING, FIVE], outcome, came) == "wrong"


# --- faults, seeded in the daemon ------------------------------------------------------------


def nothing(*_: Any, **__: Any) -> None:
    """Do nothing about it."""


def untold(_feed: DeviceFeed, chunk: Chunk) -> Heard:
    """Say nothing of what the link lost."""
    return Heard(chunk.at)


def same_card(
    _within_s: float, last: Track | None, at: Any, raw: str, _reading: Any
) -> tuple[Track | None, Verdict]:
    """Take an equal frame for the same card, whenever it comes."""
    now = Track("", mark_of(raw), at)
    return now, REPEAT if last is not None and last.frame == now.frame else FRESH


_read = Meanings.read


def guessed(meanings: Meanings, raw: bytes) -> FrameMeaning:
    """Take what is no card's label for a card."""
    meaning = _read(meanings, raw)
    return meaning if isinstance(meaning.body, CardDrawn) else FrameMeaning(CardDrawn(ACE))


ACE = Card("A", "S")
SEEDED: dict[str, tuple[Any, str, Callable[..., Any], str, Sequence[str]]] = {
    "bytes that say nothing are no matter": (damage, "damaged", nothing, "barcode_lines", OF_BITS),
    "a bent label is the ace of spades": (Meanings, "read", guessed, "barcode_lines", OF_BITS),
    "an equal card is the same card": (
        frame_tracking, "track_reread", same_card, "barcode_lines", (),
    ),
    "what a link says it lost is not told": (
        DeviceFeed, "_lost", untold, "hid_pos", ("loss_told",),
    ),
    "a gap in the numbers is no matter": (
        reading_gaps, "gap", nothing, "line_profile, no places", ("lost",),
    ),
    "a restart asks for no proof": (
        reading_gaps, "prove_whole", nothing, "barcode_lines", BROKEN_OFF,
    ),
    "two equal cards at once are two": (
        frame_tracking, "_counts_every_frame", nothing, "line_profile, bare", ("doubled",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", SEEDED)
def test_the_law_notices(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, seeded, reader, kinds = SEEDED[fault]
    monkeypatch.setattr(place, name, seeded)
    tally = played(reader, 40, kinds)
    assert tally.wrong > 0
