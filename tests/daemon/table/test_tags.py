"""Tagged cards on a reader that says again and again what lies on it: which of that is a card."""

from __future__ import annotations

from typing import Any

import pytest
from support.hidden_bench import may_be_hidden
from support.memory_journal import MemoryJournal
from support.scanner_line import ScannerLine
from support.shoe_line import dealt, kind, kinds

from daemon.runtime.recovery import recover
from daemon.table.frame_tracking import Coming, Tags, track_tags
from protocols.cards import DECK
from protocols.instant import Instant
from protocols.readings import CardsPresent, CardTag
from protocols.shoes.feig_obid import DEVICE, FeigObidSettings
from protocols.shoes.feig_obid.layout import standard

UIDS = {str(card): f"E0040150{number:08X}" for number, card in enumerate(DECK)}
SECOND_DECK = "E004015099999999"
"""Another king of diamonds."""
ENROLLED = [[uid, card] for card, uid in UIDS.items()] + [[SECOND_DECK, "KD"]]


class Reader(ScannerLine):
    """A baccarat table at a reader of tags. `look` says what lies there, ten times a second."""

    def __init__(
        self,
        house: str = "baccarat-dk",
        journal: MemoryJournal | None = None,
        *,
        opened: bool = True,
    ) -> None:
        settings = {"poll": False, "enrolment": ENROLLED}
        super().__init__("feig_obid", settings, house=house, journal=journal)
        if opened:
            self.open()
        self.look()

    def look(
        self, *cards: str, times: int = 1, apart: float = 0.1, complete: bool = True
    ) -> list[dict[str, Any]]:
        uids = [UIDS.get(card, card) for card in cards]
        return self.hear(*[listed(*uids, complete=complete)] * times, apart=apart)

    def lay(self, *cards: str) -> list[dict[str, Any]]:
        """Let cards come and go, one after the other."""
        return [event for card in cards for event in self.look(card) + self.look(times=12)]


def listed(*uids: str, complete: bool = True) -> bytes:
    sets = b"".join(b"\x03\x00" + bytes.fromhex(uid) for uid in uids)
    status = b"\x01" if not uids else b"\x00" if complete else b"\x94"
    return standard(0xB0, status + (bytes([len(uids)]) + sets if uids else b""), address=0)


def test_b45_a_tag_that_lies_on_its_reader_is_one_card_and_one_that_comes_back_is_named() -> None:
    """20 times within two seconds, three seconds without, 5 times."""
    reader = Reader()
    events = reader.look("KD", times=20)
    assert dealt(events) == ["KD>player.1"]
    assert kinds(events) == ["card.dealt"]
    reader.look(times=30)
    (again,) = reader.look("KD", times=5)
    assert kind(again) == "card.duplicate_suppressed"
    assert again["data"]["reason"].startswith("the same tag came onto the reader")
    assert reader.held_by == []


def test_b45_a_card_that_flickers_lay_there_all_the_time() -> None:
    reader = Reader()
    assert dealt(reader.look("KD")) == ["KD>player.1"]
    for _ in range(5):
        assert reader.look(times=5) + reader.look("KD") == []


def test_b45_only_what_comes_and_goes_is_journalled() -> None:
    kept = MemoryJournal()
    reader = Reader(journal=kept)
    reader.look("KD")
    before = len(kept.kept)
    reader.look("KD", times=500)
    assert len(kept.kept) == before


def test_fault_01_of_one_tag_there_is_one_card_in_a_whole_shoe_and_the_next_shoe_may_have_it() -> (
    None
):
    reader = Reader()
    reader.lay("9S", "2D", "KD", "3C")
    assert reader.winners == ["player"]
    reader.open("R2")
    assert kinds(reader.lay("9S")) == ["card.duplicate_suppressed"]
    reader.obey("round.void", round_id="R2", reason="a card lay there")
    reader.obey("shoe.close")
    reader.obey("shoe.load", shoe_id="S2", decks=8)
    reader.open("R3")
    assert dealt(reader.lay("9S")) == ["9S>player.1"]


def test_fault_02_equal_cards_of_two_decks_have_tags_of_their_own() -> None:
    reader = Reader()
    assert dealt(reader.lay("KD", SECOND_DECK)) == ["KD>player.1", "KD>banker.1"]


def test_fault_15_a_tag_that_nobody_enrolled_is_a_card_that_nobody_knows() -> None:
    reader = Reader()
    events = reader.look("E0070000000000FF")
    assert reader.held_by == ["card_unread"]
    (seen,) = (one for one in events if kind(one) == "card.unread")
    assert "E0070000000000FF" in seen["data"]["reason"]


def test_fault_20_two_cards_that_come_at_once_have_no_order_and_wait_for_a_person() -> None:
    reader = Reader()
    assert dealt(reader.look("KD", "5C", times=3)) == []
    assert reader.held_by == ["card_unread"]
    reader.look(times=12)
    reader.resolve("correct", card="5C")
    assert reader.held_by == ["card_unread"]
    reader.resolve("correct", card="KD")
    assert dealt(reader.events) == ["5C>player.1", "KD>banker.1"]


def test_a_card_beside_one_that_lies_there_is_a_draw() -> None:
    reader = Reader()
    assert dealt(reader.look("KD", times=3) + reader.look("KD", "5C", times=3)) == [
        "KD>player.1",
        "5C>banker.1",
    ]


def test_a_list_that_ends_early_lets_nothing_leave() -> None:
    reader = Reader()
    reader.look("KD")
    reader.look("5C", times=30, complete=False)
    assert reader.look("KD", "5C") == []


def test_what_lay_there_before_the_first_look_is_no_draw() -> None:
    at = Instant("boot", 0)
    ace = CardTag(UIDS["AS"], DECK[0])
    tags, coming = track_tags(1.0, None, at, CardsPresent((ace,)))
    assert (tags, coming) == (Tags({ace.uid: None}), Coming())
    assert track_tags(1.0, tags, at.after(1), CardsPresent((ace,)))[1] == Coming()


@pytest.mark.parametrize("boot", ["boot", "another"])
def test_who_left_for_an_unknown_time_has_left(boot: str) -> None:
    king = CardTag(UIDS["KD"], DECK[1])
    gone = Tags({king.uid: Instant("boot", 0)}, frozenset((king.uid,)))
    at = Instant(boot, 500_000_000)
    _, coming = track_tags(1.0, gone, at, CardsPresent((king,)))
    assert coming == (Coming() if boot == "boot" else Coming(again=(king,)))


def test_a_replay_of_the_journal_remembers_what_lies_there() -> None:
    kept = MemoryJournal()
    reader = Reader(journal=kept)
    reader.lay("9S", "2D")
    reader.look("KD")
    again = recover(reader.setup, None, kept.kept)
    assert again.differs is None
    assert again.state == reader.replay.inbox.state


def test_where_a_card_may_lie_face_down_nothing_names_what_lies_on_the_reader() -> None:
    reader = Reader("baccarat-gr", opened=False)  # it burns six, and shows none of them
    inbox = reader.replay.inbox
    (burned,) = reader.look("KD")
    assert kind(burned) == "card.burned"
    assert "KD" not in str(burned)
    assert "'K'" not in str(burned)
    reader.lay("2D", "3C", "4H", "5C", "6S")
    reader.open()
    decoder = DEVICE.decoder(FeigObidSettings(poll=False))
    king, nothing = decoder.feed(Instant("replay", 0), listed(UIDS["KD"]) + listed())
    assert may_be_hidden(inbox, king)
    assert not may_be_hidden(inbox, nothing)
