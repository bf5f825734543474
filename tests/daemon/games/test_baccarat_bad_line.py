"""A bad line loses, hurts and repeats telegrams: rounds may be lost to it, never falsified."""

from __future__ import annotations

import random

import pytest
from oracle.baccarat import play
from support.notation import written
from support.shoe_line import Line, kind

from protocols.cards import DECK, Card

PLACES = ("player.1", "banker.1", "player.2", "banker.2", "player.3", "banker.3")
VALUES = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


def hand(cards: list[Card]) -> tuple[list[str], str]:
    """Return how these cards are dealt by the rules, and who wins."""
    values = [VALUES[one.rank] for one in cards]
    used, winner = play(tuple(values))
    places = list(PLACES[:used])
    if used == 5 and (values[0] + values[2]) % 10 > 5:
        places[4] = "banker.3"
    return [f"{card}>{place}" for card, place in zip(cards, places, strict=False)], winner


def send(line: Line, chance: random.Random, frame: bytes) -> None:
    fate = chance.random()
    if fate < 0.03:
        return
    if fate < 0.06:
        hurt = bytearray(frame)
        hurt[chance.randrange(len(hurt))] ^= 1 << chance.randrange(8)
        frame = bytes(hurt)
    line.hear(*[frame] * chance.choice((1, 1, 3)), apart=0.02)
    line.seconds += 1.5  # what is left of a hurt frame is given up


@pytest.mark.parametrize("seed", range(8))
def test_no_round_that_a_bad_line_lets_through_differs_from_what_was_dealt(seed: int) -> None:
    chance = random.Random(seed)
    line, truth = Line(), {}
    cards = list(DECK * 8)
    chance.shuffle(cards)
    for number in range(60):
        round_id = f"R{number}"
        dealt, winner = hand(cards[:6])
        del cards[: len(dealt)]
        truth[round_id] = (dealt, winner)
        line.obey("round.open", round_id=round_id)
        line.obey("bets.close", round_id=round_id)
        for one in dealt:
            send(line, chance, line.card(one))
        send(line, chance, line.verdict_frame(winner))  # type: ignore[arg-type] # the oracle's words
        while line.held_by:
            line.resolve("void")
        if line.replay.inbox.state.round is not None:
            line.obey("round.void", round_id=round_id, reason="a card is missing")
    completed = [one for one in line.events if kind(one) == "round.completed"]
    assert len(completed) > 20
    for event in completed:
        outcome = event["data"]["outcome"]
        seen = [written(one) for one in outcome["cards"]]
        assert (seen, outcome["winner"]) == truth[event["subject"]]
