"""What a house's rules of baccarat say, in plain English."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.gamekit.sentence import Sentence
from daemon.gamekit.shoegame import shoe_sentences
from daemon.games.baccarat.rules import BANKER_DRAWS
from daemon.games.baccarat.state import BaccaratProfile


def sentences(rules: BaccaratProfile) -> Iterator[Sentence]:
    """Yield what these rules enforce, a sentence each."""
    yield from shoe_sentences(rules)
    yield Sentence(
        "deal", "Cards go to player, banker, player, banker, then third cards, the player's first."
    )
    if rules.concealed == "until_reveal":
        squeeze = "Cards are dealt face down and turned by card.reveal; third cards wait for that."
        yield Sentence("concealed", squeeze)
    yield Sentence("natural", "An eight or nine in two cards stands both hands.")
    yield Sentence(
        "third_card", "The player draws on 0 to 5; so does the banker where the player stood."
    )
    for points, values in BANKER_DRAWS.items():
        drawn = " ".join(str(value) for value in sorted(values)) or "no card"
        yield Sentence(
            "third_card",
            f"Where the player drew, the banker draws on {points} against a third: {drawn}.",
        )
    yield Sentence(
        "result",
        "No hand gets more than three cards. The higher total wins; equal totals tie.",
    )
    if rules.pairs_reported:
        yield Sentence("pairs_reported", "Pairs are part of the outcome: two cards of one rank.")
