"""A card shoe that tells each card in one CAN message, as its DBC says and the house maps it.

The settings name the message, and the signals in it that hold rank, suit, event, target and count.
What a value of a signal stands for is a pair: the value as the DBC's own text for it, or as its
number, then the word. A value without a pair is not understood, and one out of the signal's
declared limits is rejected, but for rank and suit: a card that nobody can name is unread. A
message of another length than the declared one is rejected whole.

Source: the house's DBC. No public document shows the messages of any card shoe: what stands here
when nothing is set is an example of our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, TypeVar

from protocols.can_signals import CanMessage, CanSignal
from protocols.cards import RANKS, SUITS, Card, Rank, Suit
from protocols.readings import CardTarget

_T = TypeVar("_T")

ShoeEvent = Literal["drawn", "burned", "cut_card", "unread", "error", "started"]


def _signal_of(
    name: str, bits: int, shift: int, order: Literal["little", "big"], most: int, *texts: str
) -> CanSignal:
    """Return an unsigned signal with the texts of its values from nought on."""
    named = tuple(enumerate(texts))
    return CanSignal(name, bits, shift, order, signed=False, least=0, most=most, texts=named)


_EVENTS: Final = ("drawn", "burned", "cut card", "no read", "jam", "started")
EXAMPLE: Final = (
    CanMessage(
        0x285,
        "CARD",
        6,
        (
            _signal_of("Count", 8, 0, "little", 255),
            _signal_of("Event", 4, 8, "little", 5, *_EVENTS),
            _signal_of("Target", 4, 12, "little", 2, "any", "player", "banker"),
            _signal_of("Rank", 4, 28, "big", 13),
            _signal_of("Suit", 4, 24, "big", 4, "none", "spades", "hearts", "diamonds", "clubs"),
            _signal_of("TimeMs", 24, 24, "little", 0xFFFFFF),
        ),
    ),
)
"""What `config/examples/shoe.dbc` says."""
COUNT_BITS_MAX: Final = 16
ERROR_BASE: Final = 100
"""An error's code is this plus the event's value: low codes mean something on another shoe."""


@dataclass(frozen=True, slots=True)
class DbcProfileSettings:
    """What the house's shoe says. Raises ValueError where the pairs and the DBC do not fit.

    dbc       the messages of the database; a configuration names its file
    message   the message that tells a card
    rank      its signal for the rank, and pairs for all thirteen
    suit      its signal for the suit, and pairs for all four
    event     its signal for what has happened, empty where every message is a card drawn; pairs
    target    its signal for the hand the card goes to, empty where none is told; pairs
    sequence  its signal that counts the messages, empty where there is none
    """

    dbc: tuple[CanMessage, ...] = field(default=EXAMPLE, metadata={"file": "dbc"})
    message: str = "CARD"
    rank: str = "Rank"
    ranks: tuple[tuple[str, Rank], ...] = tuple(
        (str(number), rank) for number, rank in enumerate(RANKS, 1)
    )
    suit: str = "Suit"
    suits: tuple[tuple[str, Suit], ...] = (
        ("spades", "S"),
        ("hearts", "H"),
        ("diamonds", "D"),
        ("clubs", "C"),
    )
    event: str = "Event"
    events: tuple[tuple[str, ShoeEvent], ...] = (
        ("drawn", "drawn"),
        ("burned", "burned"),
        ("cut card", "cut_card"),
        ("no read", "unread"),
        ("jam", "error"),
        ("started", "started"),
    )
    target: str = "Target"
    targets: tuple[tuple[str, CardTarget], ...] = (("player", "player"), ("banker", "banker"))
    sequence: str = "Count"

    def __post_init__(self) -> None:
        layout_of(self)


class Layout:
    """The settings, looked up in the DBC. Made by `layout_of`."""

    def __init__(self, settings: DbcProfileSettings) -> None:
        self.message = _message(settings.dbc, settings.message)
        self.rank = _signal(self.message, settings.rank)
        self.suit = _signal(self.message, settings.suit)
        self.event = _signal(self.message, settings.event) if settings.event else None
        self.target = _signal(self.message, settings.target) if settings.target else None
        self.sequence = _signal(self.message, settings.sequence) if settings.sequence else None
        ranks = _values(self.rank, settings.ranks)
        suits = _values(self.suit, settings.suits)
        _whole(self.rank, ranks, RANKS)
        _whole(self.suit, suits, SUITS)
        self.cards: Mapping[tuple[int, int], Card] = {
            (rank, suit): Card(ranks[rank], suits[suit]) for rank in ranks for suit in suits
        }
        self.events = _values(self.event, settings.events) if self.event else {}
        self.targets = _values(self.target, settings.targets) if self.target else {}
        if self.sequence is not None:
            _counts(self.sequence)


@cache
def layout_of(settings: DbcProfileSettings) -> Layout:
    """Return the layout of a house's messages. Raises ValueError where settings and DBC differ."""
    return Layout(settings)


def _message(messages: tuple[CanMessage, ...], name: str) -> CanMessage:
    for message in messages:
        if message.name == name:
            return message
    known = ", ".join(sorted(message.name for message in messages)) or "none at all"
    raise ValueError(f"the DBC has no message {name!r}; it has {known}")


def _signal(message: CanMessage, name: str) -> CanSignal:
    signal = next((signal for signal in message.signals if signal.name == name), None)
    if signal is None:
        known = ", ".join(signal.name for signal in message.signals) or "none at all"
        raise ValueError(f"{message.name} has no signal {name!r}; it has {known}")
    if signal.refused:
        raise ValueError(f"the signal {name} {signal.refused}: that is not understood")
    return signal


def _values(signal: CanSignal, pairs: tuple[tuple[str, _T], ...]) -> Mapping[int, _T]:
    """Return what each number of a signal stands for."""
    numbers = {text: number for number, text in signal.texts}
    meanings: dict[int, _T] = {}
    for text, meaning in pairs:
        if text not in numbers and not text.isdecimal():
            known = ", ".join(map(repr, numbers)) or "numbers alone"
            raise ValueError(f"{signal.name} has no value {text!r}; it has {known}")
        number = numbers[text] if text in numbers else int(text)
        if not signal.least <= number <= signal.most:
            raise ValueError(f"{signal.name} is never {number}: {signal.least} to {signal.most}")
        if number in meanings:
            raise ValueError(f"the value {number} of {signal.name} has two meanings")
        meanings[number] = meaning
    return meanings


def _whole(signal: CanSignal, values: Mapping[int, _T], every: tuple[_T, ...]) -> None:
    """Raise ValueError unless each of `every` is the meaning of exactly one value."""
    meanings = list(values.values())
    if wrong := [str(meaning) for meaning in every if meanings.count(meaning) != 1]:
        raise ValueError(f"{signal.name}: not one value each for {', '.join(wrong)}")


def _counts(signal: CanSignal) -> None:
    whole = (signal.least, signal.most) == (0, (1 << signal.bits) - 1)
    if not whole or not 1 < signal.bits <= COUNT_BITS_MAX:
        bits = f"2 to {COUNT_BITS_MAX} bits"
        raise ValueError(f"{signal.name} cannot count: it does not run through all of {bits}")
