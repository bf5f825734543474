"""Ten thousand rounds from whole shoes: telegrams in, a real journal out, an oracle beside it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from oracle.baccarat import play
from support.durable import opened
from support.shoe_line import Line, card_data, kind

from daemon.journal.reader import JournalReader
from daemon.journal.records import Transaction
from daemon.journal.verify import verify
from protocols.cards import DECK, Card
from protocols.shoes.angel_eye_ii_ex.layout import WINNER_BITS

ROUNDS = 10_000
TABLE = "T-1"
BEHIND_THE_CUT_CARD = 7
VALUES = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


class Expected(NamedTuple):
    """One round as the rules and the oracle have it."""

    round_id: str
    cards: tuple[tuple[str, str, str], ...]
    winner: str


def places(values: list[int], used: int) -> list[str]:
    """Return where the cards go: with five cards, the third is the player's on 0 to 5."""
    first = ["player.1", "banker.1", "player.2", "banker.2"]
    if used == 5 and (values[0] + values[2]) % 10 > 5:
        return [*first, "banker.3"]
    return [*first, "player.3", "banker.3"][:used]


def dealer(line: Line, chance: random.Random) -> Iterator[Expected]:
    """Deal shoe after shoe, every card by telegram, each round as the dealer would."""
    shoe = 0
    while True:
        cards = list(DECK * 8)
        chance.shuffle(cards)
        shoe += 1
        line.obey("shoe.load", shoe_id=f"S{shoe}", decks=8)
        last = False
        number = 0
        while not last:
            number += 1
            expected = expect(f"S{shoe}-{number}", cards)
            marker = len(cards) - BEHIND_THE_CUT_CARD
            last = marker < len(expected.cards)
            deal(line, chance, expected, marker if last else None)
            del cards[: len(expected.cards)]
            yield expected
        line.send("round.open", round_id="X")  # refused: the test looks for it
        line.obey("shoe.close")


def expect(round_id: str, cards: list[Card]) -> Expected:
    values = [VALUES[one.rank] for one in cards[:6]]
    used, winner = play(tuple(values))
    slots = places(values, used)
    dealt = tuple((slot, one.rank, one.suit) for slot, one in zip(slots, cards, strict=False))
    return Expected(round_id, dealt, winner)


def deal(line: Line, chance: random.Random, expected: Expected, marker: int | None) -> None:
    line.obey("round.open", round_id=expected.round_id)
    line.obey("bets.close", round_id=expected.round_id)
    for place, (slot, rank, suit) in enumerate(expected.cards):
        if place == marker:
            send(line, chance, line.telegram("C"))
        card = next(one for one in DECK if (one.rank, one.suit) == (rank, suit))
        send(line, chance, line.telegram("D", card_data(f"{card}>{slot}")))
    pair = [a[1] == b[1] for a, b in zip(expected.cards[:2], expected.cards[2:4], strict=True)]
    winner = WINNER_BITS[expected.winner]  # type: ignore[index] # the oracle's words are the contract's
    send(line, chance, line.telegram("G", bytes([0x80 | winner << 4 | pair[0] | pair[1] << 1])))


def send(line: Line, chance: random.Random, frame: bytes) -> None:
    """Send a telegram once or three times, whole or in two pieces."""
    for _ in range(chance.choice((1, 1, 3))):
        cut = chance.randrange(len(frame))
        line.hear(*(piece for piece in (frame[:cut], frame[cut:]) if piece), apart=0.01)


async def deal_into(path: Path) -> list[Expected]:
    async with opened(path) as it:
        line = Line(journal=it.journal, shoe=False)
        rounds: list[Expected] = []
        for one in dealer(line, random.Random(416)):
            rounds.append(one)
            if len(rounds) % 50 == 0:
                await asyncio.sleep(0)
            if len(rounds) >= ROUNDS:
                break
        assert line.held_by == []
        await it.write(Transaction(TABLE, ()))  # durable when all before it is
        assert it.failures == []
        assert set(line.replay.tally.refused) == {"last_round_played"}
        assert len(line.replay.tally.refused) == shoes_in(rounds) - 1
    return rounds


@pytest.mark.slow
async def test_ten_thousand_rounds_from_telegrams_are_journalled_as_the_oracle_has_them(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    expected = await deal_into(path)
    with JournalReader.open(path) as reader:
        events = [json.loads(one.blob) for one in reader.records(TABLE) if one.kind == "event"]
    assert rounds_in(events) == expected
    assert [event for event in events if kind(event) == "violation.raised"] == []
    announced = [one["data"]["agrees"] for one in events if kind(one) == "result.announced"]
    assert announced == [True] * len(expected)
    assert [int(one["sequence"]) for one in events] == list(range(1, len(events) + 1))
    assert verify(path).bad == ()


def shoes_in(rounds: list[Expected]) -> int:
    return len({one.round_id.partition("-")[0] for one in rounds})


def rounds_in(events: list[dict[str, Any]]) -> list[Expected]:
    """Return the rounds of a journal; what was dealt and what the outcome lists are the same."""
    rounds: list[Expected] = []
    dealt: list[tuple[str, str, str]] = []
    for event in events:
        data = event["data"]
        if kind(event) == "card.dealt":
            dealt.append((data["slot"], data["rank"], data["suit"]))
        elif kind(event) == "round.completed":
            listed = [(one["slot"], one["rank"], one["suit"]) for one in data["outcome"]["cards"]]
            assert listed == dealt
            rounds.append(Expected(event["subject"], tuple(dealt), data["outcome"]["winner"]))
            dealt = []
    return rounds
