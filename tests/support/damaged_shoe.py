"""A baccarat table at a simulated shoe, one of whose frames is damaged on its way: truth known."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from oracle.baccarat import play
from support.scanner_line import ScannerLine
from support.shoe_line import kind, written

from daemon.table.inputs import FrameDamaged
from protocols.cards import DECK, Card
from protocols.catalog import devices
from protocols.device import Decoder
from protocols.instant import Instant
from protocols.readings import CardDrawn, CardTarget
from protocols.simulator import DrawCard, PowerOn, Simulator

VALUES: Final = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))
CARD_EVERY_S: Final = 1.6
"""Slower than any label is taken for one that was read again."""
Damage = Callable[[bytes, random.Random], bytes | None]
"""What becomes of a frame; None: the link has lost it, and says so."""


def _flip(frame: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(frame))
    return frame[:place] + bytes([frame[place] ^ 1 << chance.randrange(8)]) + frame[place + 1 :]


def _drop(frame: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(frame))
    return frame[:place] + frame[place + 1 :]


def _nul(frame: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(frame))
    return frame[:place] + b"\x00" + frame[place + 1 :]


def _cut(frame: bytes, chance: random.Random) -> bytes:
    return frame[: chance.randrange(1, len(frame))]


def _seven_bits(frame: bytes, _chance: random.Random) -> bytes:
    return bytes(byte & 0x7F for byte in frame)


def _lost(_frame: bytes, _chance: random.Random) -> None:
    return None


ON_A_LINE: Final[tuple[Damage, ...]] = (_flip, _drop, _nul, _cut, _seven_bits, _lost)
ON_A_BUS: Final[tuple[Damage, ...]] = (_lost,)
"""USB and CAN check their packets: what is damaged does not arrive, and that is told."""


@dataclass(frozen=True)
class Played:
    """What a round came to.

    completed  (the cards, the winner), None where it did not complete
    held       the codes that held it
    truth      what completed would be if nothing had been damaged
    misread    damage made a card of another value, and no check value shows it
    """

    completed: tuple[tuple[str, ...], str] | None
    held: tuple[str, ...]
    truth: tuple[tuple[str, ...], str]
    misread: bool


class DamagedShoe(ScannerLine):
    """One round at one simulated shoe. Its answers reach it, as the daemon would give them."""

    simulator: Simulator
    answers: Decoder

    def __init__(self, device: str, chance: random.Random, damage: Damage | None) -> None:
        super().__init__(device)
        spec = devices()[device]
        settings = spec.settings()
        self.simulator, self.answers = spec.simulator(settings), spec.decoder(settings)
        self.key = device
        self.checked = spec.framing.checksum != "none"
        self.chance, self.damage = chance, damage
        self.hurt_after = chance.randrange(1, 7)
        """The first frame after so many cards is damaged."""
        self.cards = 0
        self.drawn: list[Card] = []

    def play(self) -> Played:
        cards = self.chance.sample(DECK, 6)
        used, winner = play(tuple(VALUES[card.rank] for card in cards))
        order = ["player", "banker"] * 3
        values = [VALUES[card.rank] for card in cards]
        if used == 5 and (values[0] + values[2]) % 10 > 5:
            order[4] = "banker"
        self.simulator.cue(self._at(), PowerOn())
        self._pass_until(CARD_EVERY_S)
        self.open()
        for place, card in enumerate(cards[:used]):
            hand: CardTarget = "player" if order[place] == "player" else "banker"
            index = order[: place + 1].count(order[place])
            self.cards += 1
            self.simulator.cue(self._at(), DrawCard(card, hand, index))
            self._pass_until(self.seconds + CARD_EVERY_S)
        self.drain()
        places = [f"{hand}.{order[: n + 1].count(hand)}" for n, hand in enumerate(order)]
        dealt = tuple(sorted(f"{cards[n]}>{places[n]}" for n in range(used)))
        return Played(
            self._completed(), tuple(self.codes), (dealt, winner), self._misread(cards[:used])
        )

    def _completed(self) -> tuple[tuple[str, ...], str] | None:
        for event in self.events:
            if kind(event) == "round.completed":
                outcome = event["data"]["outcome"]
                return tuple(sorted(written(one) for one in outcome["cards"])), outcome["winner"]
        return None

    def _misread(self, cards: list[Card]) -> bool:
        return not self.checked and any(card not in cards for card in self.drawn)

    def _at(self) -> Instant:
        return Instant("replay", round(self.seconds * 1e9))

    def _pass_until(self, seconds: float) -> None:
        until = Instant("replay", round(seconds * 1e9))
        for _ in range(200):
            wake = self.simulator.wake_at
            if wake is None or not until.reached(wake):
                break
            self.seconds = max(self.seconds, wake.ns / 1e9)
            for frame in self.simulator.speak(wake):
                self._arrive(frame)
        self.drain(max(0.0, seconds - self.seconds))

    def _arrive(self, frame: bytes) -> None:
        if self.damage is not None and self.cards == self.hurt_after:
            damaged, self.damage = self.damage(frame, self.chance), None
            if damaged is None:
                self.replay.inbox.put(FrameDamaged("primary", self.key, "a packet"), self._at())
                return
            frame = damaged
        for decoded in self.answers.feed(self._at(), frame):
            if isinstance(decoded.body, CardDrawn):
                self.drawn.append(decoded.body.card)
            if decoded.reply is not None:
                self.simulator.hear(self._at(), decoded.reply)
        self.hear(frame, apart=0.0)
