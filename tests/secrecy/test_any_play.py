"""Whatever happens around a hidden card: two plays that differ in it alone show the same.

Moves come at random: cards that are dealt as they should be, one that the reader misses, strangers'
words, noise, cables, crashes, supervisors. Left out is what one reader without places cannot tell
from a fair deal: more than one missed card, and a card that is read although none was dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support.secrecy_bench import Glass, House
from support.secrecy_compare import Step, differences
from support.secrecy_houses import (
    GREEK,
    ONE,
    ONE_SSI,
    ONE_STATING,
    TO_THE_SERVER,
    TWO,
    TWO_SHOWN,
    TWO_STATING,
)
from support.secrecy_pieces import DEALER, NOISE

from protocols.table_terms import Role

pytestmark = pytest.mark.slow

Move: TypeAlias = tuple[str, int]
HOUSES: Final = {
    "one": ONE,
    "one_ssi": ONE_SSI,
    "one_stating": ONE_STATING,
    "one_burning": GREEK,
    "two": TWO,
    "two_shown": TWO_SHOWN,
    "two_stating": TWO_STATING,
}
DEAL: Final = (("5C", "box1.1"), ("AD", "dealer.1"), ("6C", "box1.2"), ("", DEALER))
DRAWN: Final = ("3C", "2D", "4D", "8C", "7D", "9C")
ACTIONS: Final = ("accept", "burn", "correct", "void")
WORDS: Final = (
    ("decision", {"round_id": "R1", "box": 1, "hand": 1, "action": "hit"}),
    ("decision", {"round_id": "R1", "box": 1, "hand": 1, "action": "stand"}),
    ("decision", {"round_id": "R1", "box": 1, "hand": 1, "action": "insurance"}),
    ("insurance.close", {"round_id": "R1"}),
    ("hole_card.peek", {"round_id": "R1"}),
    ("card.reveal", {"round_id": "R1", "slot": "dealer.2"}),
    ("card.reveal", {"slot": "burn.1"}),
    ("card.reveal", {"slot": "burn.2"}),
    ("round.void", {"round_id": "R1", "reason": "misdeal"}),
    ("shoe.close", {}),
    ("table.status", {}),
    ("maintenance.start", {"who": "anna", "why": "clean"}),
)


class Dealer:
    """Deals one round, and lets happen what the moves say; nothing it decides knows the card."""

    def __init__(self, table: Glass, secret: str) -> None:
        self.table = table
        self._secret = secret
        self._role: Role = "hole" if "hole" in table.house.readers else "primary"
        self._dealt = 0
        self._drawn = 0
        self._missed = False

    @property
    def _sealed(self) -> bool:
        return self._dealt == len(DEAL)

    def open(self) -> None:
        t = self.table
        t.obey("shoe.load", shoe_id="S1", decks=8)
        t.draw(*("4C",) * t.inbox.state.game.burns_due)
        t.obey("round.open", round_id="R1", boxes=[1])
        t.obey("bets.close", round_id="R1")

    def deal(self, _number: int) -> None:
        if not self._sealed:
            card, place = DEAL[self._dealt]
            self._dealt += 1
            role = self._role if place == DEALER else "primary"
            self.table.draw(f"{card or self._secret}>{place}", role=role)
        elif not self._missed and self._drawn < len(DRAWN):
            self._drawn += 1
            self.table.draw(f"{DRAWN[self._drawn - 1]}>box1.{self._drawn + 2}")

    def miss(self, _number: int) -> None:
        if self._dealt < len(DEAL) - 1 and not self._missed:
            self._missed = True
            self.table.frame(DEAL[self._dealt][0], DEAL[self._dealt][1])  # its number is gone too
            self._dealt += 1

    def repeat(self, number: int) -> None:
        role: Role = self._role if number % 2 else "primary"
        if role in self.table.last and not self._missed:
            last = self.table.last[role]
            self.table.at_once(last if number % 3 else last[:-1], role)

    def look(self, number: int) -> None:
        if self._role == "hole":
            card = self._secret if self._sealed and number % 2 else "8D"
            self.table.draw(f"{card}>{DEALER}", role="hole")

    def noise(self, number: int) -> None:
        self.table.hear(NOISE * (number + 1) + b"\r\n", self._role)

    def cable(self, number: int) -> None:
        self.table.pull(self._role)
        stale = b""
        if number % 2 and self._dealt == len(DEAL) - 1:
            self._dealt += 1
            stale = self.table.frame(self._secret, DEALER, self._role)
        self.table.plug(self._role, stale)

    def crash(self, _number: int) -> None:
        self.table.crash()

    def resolve(self, number: int) -> None:
        if self.table.inbox.state.held:
            self.table.resolve(ACTIONS[number % len(ACTIONS)], card="3C")

    def word(self, number: int) -> None:
        name, fields = WORDS[number % len(WORDS)]
        self.table.ask(name, **fields)

    def wait(self, number: int) -> None:
        self.table.wait(float(number * 5))


def played(house: House, moves: Sequence[Move], secret: str) -> list[Step]:
    with Glass(house) as table:
        dealer = Dealer(table, secret)
        dealer.open()
        for name, number in moves:
            move: Callable[[int], None] = getattr(dealer, name)
            move(number)
        return table.steps


NO_SHRINKING: Final = (Phase.explicit, Phase.generate)
_MOVES: Final = ("miss", "repeat", "look", "noise", "cable", "crash", "resolve", "word", "wait")
moves = st.lists(
    st.tuples(
        st.sampled_from(("deal", "deal", "deal", "resolve", "word", *_MOVES)), st.integers(0, 11)
    ),
    min_size=4,
    max_size=16,
)


@pytest.mark.parametrize("house", HOUSES)
@settings(max_examples=10, deadline=None, derandomize=True, phases=NO_SHRINKING)
@given(moves=moves)
def test_nothing_that_happens_tells_the_card(house: str, moves: list[Move]) -> None:
    shown = [played(HOUSES[house], moves, card) for card in ("TH", "QS")]  # agree in every bit
    assert differences(shown[0], shown[1]) == {}


@pytest.mark.parametrize("house", ["one", "two"])
@settings(max_examples=6, deadline=None, derandomize=True, phases=NO_SHRINKING)
@given(moves=moves)
def test_nor_to_whom_it_is_locked(house: str, moves: list[Move]) -> None:
    """Two that differ in both bits; nobody peeks, and no dealer looks at the card itself."""
    quiet = [one for one in moves if one != ("word", 4) and not (one[0] == "look" and one[1] % 2)]
    locked = House(**{**vars(HOUSES[house]), "keys": TO_THE_SERVER})
    shown = [played(locked, quiet, card) for card in ("TH", "9S")]
    assert differences(shown[0], shown[1]) == {}
