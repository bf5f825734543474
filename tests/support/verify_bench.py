"""A shoe that is counted on a bench, before play and after it."""

from __future__ import annotations

from typing import Any

from support.baccarat_bench import BaccaratBench, profile

from protocols.cards import DECK
from protocols.commands import FinishVerify, LoadShoe, ShoePart, StartVerify
from protocols.events import (
    Event,
    ShoeCompositionFailed,
)

CODES = tuple(map(str, DECK))
BOTH = ("anna", "boris")
WHOLE: dict[str, Any] = {"unknown": 0, "unread": 0, "replaced": 0, "names": BOTH, "took_s": 0.0}


def verifying(decks: int = 1, cards: ShoePart = "all", **rules: Any) -> BaccaratBench:
    """Return a table whose new shoe is being verified."""
    bench = loaded(decks, **rules)
    bench.obey(StartVerify(cards))
    return bench


def loaded(decks: int = 1, house: str = "baccarat-dk", **rules: Any) -> BaccaratBench:
    small = {"decks": decks, "cut_card_from_back": 7, "cut_card_tolerance": 0}
    bench = BaccaratBench(profile(house, **small, **rules), decks=None)
    bench.obey(LoadShoe("S1", decks))
    return bench


def finish(bench: BaccaratBench) -> Event:
    verdict, *_ = bench.obey(FinishVerify(BOTH))
    return verdict


def failed(bench: BaccaratBench) -> ShoeCompositionFailed:
    """Finish a count that fails, and let it go on."""
    verdict = finish(bench)
    assert isinstance(verdict, ShoeCompositionFailed)
    if verdict.when == "end":  # it holds the table: the count goes on
        bench.resolve("pack_not_whole", "void")
    return verdict
