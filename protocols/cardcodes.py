"""How card labels are spelled: the public schemes and a house's own map, as tables.

Every table is complete (each of the 52 cards has a code) and unique (a code names one card), or
it is refused when the settings are read. What a label says is never computed from its letters:
`A` is the ace in most schemes and the spades in one, `C` clubs or a cut card, `D` diamonds.

    scheme            example       says
    rank_suit         KD TH 10H     rank first, ten as T or 10
    suit_rank         DK HT H10     suit first, ten as T or 10
    suit_number       D12 A01       suit first, two digits; A is the spades, D12 the queen
    number_suit       12|f          1 to 13, then h spades, r hearts, m clubs, f diamonds
    filler_suit_rank  01HX          two characters that say nothing, suit, rank with X for the ten
    suit_rank_deck    S21 D103      suit, rank with 10, deck 1 to 8; read from the end
    number_52         1 13 14       1 to 52: spades from ace to king, hearts, clubs, diamonds

Source: mappings in public table systems, one or two of each; verify against the house's labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from protocols.cards import DECK, RANKS, SUITS, Card, Rank, Suit, find_card
from protocols.readings import CardDrawn, CardUnread, CutCardSeen

Scheme = Literal[
    "rank_suit",
    "suit_rank",
    "suit_number",
    "number_suit",
    "filler_suit_rank",
    "suit_rank_deck",
    "number_52",
]
CardMap: TypeAlias = tuple[tuple[str, str], ...]
"""A house's own table: pairs of a label's code and a card (`KD`, `TH`). Several codes may name one
card, as where each card of a shoe has a label of its own."""
LabelReading: TypeAlias = CardDrawn | CardUnread | CutCardSeen

SHOWN_MAX: Final = 32
"""How many characters of an unknown code are shown."""


@dataclass(frozen=True, slots=True)
class CardCodes:
    """A complete, unique table of codes.

    skip   characters before the code that say nothing of the card
    decks  what may stand as the last character, after the code: the deck's number
    """

    cards: Mapping[str, Card]
    skip: int = 0
    decks: str = ""

    def find(self, label: str) -> Card | None:
        """Return the card that a label names, or None."""
        code = label[self.skip :]
        if self.decks:
            if code[-1:] not in self.decks or not code:
                return None
            code = code[:-1]
        return self.cards.get(code)

    def fragile(self) -> tuple[str, str] | None:
        """Return a card's label and another card's that is left of it when a part is lost.

        Lost can be one character, or the beginning. None where no label is another's rest.
        """
        for code, card in self.cards.items():
            for deck in self.decks or ("",):
                label = "0" * self.skip + code + deck
                rests = [label[:at] + label[at + 1 :] for at in range(len(label))]
                for rest in (*rests, *(label[at:] for at in range(1, len(label)))):
                    if self.find(rest) not in (None, card):
                        return label, rest
        return None

    def spell(self, card: Card) -> str:
        """Return a label for the card: its first code, of the first deck."""
        code = next(code for code, named in self.cards.items() if named == card)
        return "0" * self.skip + code + self.decks[:1]


def complete(pairs: Iterable[tuple[str, Card]]) -> Mapping[str, Card]:
    """Return the pairs as a table. Raises ValueError naming the code or the cards at fault."""
    cards: dict[str, Card] = {}
    for code, card in pairs:
        if not code:
            raise ValueError(f"the code of {card} is empty")
        if code in cards:
            raise ValueError(f"the code {code!r} is there twice: for {cards[code]} and {card}")
        cards[code] = card
    if missing := [str(card) for card in DECK if card not in cards.values()]:
        raise ValueError(f"no code for {', '.join(missing)}")
    return MappingProxyType(cards)


def house_codes(card_map: CardMap) -> CardCodes:
    """Return a house's own table. Raises ValueError where it is incomplete or ambiguous."""
    pairs: list[tuple[str, Card]] = []
    for code, name in card_map:
        card = find_card(name)
        if card is None:
            raise ValueError(f"{name!r} is no card: rank then suit, as KD or TH")
        pairs.append((code, card))
    return CardCodes(complete(pairs))


@dataclass(frozen=True, slots=True)
class Labels:
    """What a scanned label can say: a card, no read, the cut card.

    no_read   what the scanner sends when it could not read a card
    cut_card  labels of the cut card
    """

    codes: CardCodes
    no_read: tuple[str, ...] = ()
    cut_card: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for token in (*self.no_read, *self.cut_card):
            if not token or (card := self.codes.find(token)) is not None:
                what = f"the code of {card}" if token else "empty"
                raise ValueError(f"the token {token!r} is {what}: a token names no card")
        if both := set(self.no_read) & set(self.cut_card):
            raise ValueError(f"{min(both)!r} cannot be both a no-read and a cut card token")

    def read(self, label: str) -> LabelReading:
        """Return what a label says. A code that no card has is a card that nobody knows."""
        card = self.codes.find(label)
        if card is not None:
            return CardDrawn(card)
        if label in self.cut_card:
            return CutCardSeen()
        if label in self.no_read:
            return CardUnread("no read")
        return CardUnread(f"no card has the code {label[:SHOWN_MAX]!a}")


def labels(
    scheme: Scheme, card_map: CardMap, no_read: tuple[str, ...], cut_card: tuple[str, ...]
) -> Labels:
    """Return the labels of a site: its own map where there is one, else the scheme's table.

    Raises ValueError where the map is incomplete or ambiguous, or a token names a card.
    """
    codes = house_codes(card_map) if card_map else SCHEMES[scheme]
    return Labels(codes, no_read, cut_card)


def _spelled(
    form: str, ranks: Iterable[tuple[str, Rank]], suits: Iterable[tuple[str, Suit]]
) -> Mapping[str, Card]:
    suits = tuple(suits)
    return complete(
        (form.format(rank=rank_text, suit=suit_text), Card(rank, suit))
        for rank_text, rank in ranks
        for suit_text, suit in suits
    )


def _ten_as(text: str) -> tuple[tuple[str, Rank], ...]:
    return tuple((text if rank == "T" else rank, rank) for rank in RANKS)


def _numbers(form: str) -> tuple[tuple[str, Rank], ...]:
    return tuple((form.format(number), rank) for number, rank in enumerate(RANKS, 1))


_LETTERS: Final = tuple((suit, suit) for suit in SUITS)
_SPADES_FIRST: Final[tuple[Suit, ...]] = ("S", "H", "C", "D")
_ANY_TEN: Final = (*_ten_as("T"), ("10", "T"))

SCHEMES: Final[Mapping[Scheme, CardCodes]] = {
    "rank_suit": CardCodes(_spelled("{rank}{suit}", _ANY_TEN, _LETTERS)),
    "suit_rank": CardCodes(_spelled("{suit}{rank}", _ANY_TEN, _LETTERS)),
    "suit_number": CardCodes(
        _spelled(
            "{suit}{rank}", _numbers("{:02d}"), (("A", "S"), ("H", "H"), ("C", "C"), ("D", "D"))
        )
    ),
    "number_suit": CardCodes(
        _spelled("{rank}|{suit}", _numbers("{}"), (("h", "S"), ("r", "H"), ("m", "C"), ("f", "D")))
    ),
    "filler_suit_rank": CardCodes(_spelled("{suit}{rank}", _ten_as("X"), _LETTERS), skip=2),
    "suit_rank_deck": CardCodes(
        _spelled("{suit}{rank}", _ten_as("10"), _LETTERS), decks="12345678"
    ),
    "number_52": CardCodes(
        complete(
            (str(number), Card(rank, suit))
            for number, (suit, rank) in enumerate(product(_SPADES_FIRST, RANKS), 1)
        )
    ),
}
"""Every public scheme that a label can be printed in, each complete and unique."""
