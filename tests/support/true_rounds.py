"""Rounds of cards as they are truly dealt, and the readers that see them.

The cards lie in a shuffled shoe. A dealer deals by the cards themselves, whatever a reader makes of
them: which slot is due, and who wins, says the oracle. The bytes are those of each protocol's own
simulator, which answers what it is told, as the device does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from oracle.baccarat import play

from protocols.cards import DECK, Card
from protocols.catalog import devices
from protocols.device import DeviceSpec
from protocols.line_damage import has_check, shows_loss
from protocols.readings import CardTarget
from protocols.shoes.beetek.layout import SEPARATORS
from protocols.shoes.dbc_profile import DbcProfileSettings
from protocols.shoes.feig_obid.layout import FeigObidSettings
from protocols.shoes.hid_pos import HidPosSettings
from protocols.shoes.line_profile import LineProfileSettings
from protocols.shoes.line_profile.example import EXAMPLE
from protocols.shoes.line_profile.profile import Frame, Host, Message
from protocols.shoes.zebra_ssi.layout import ZebraSsiSettings

VALUES: Final = {rank: place if place < 10 else 0 for place, rank in enumerate("A23456789TJQK", 1)}
RANKS: Final = "A23456789TJQK"
STATES_NO_FACE: Final = frozenset({"canopen_io_shoe"})
"""A shoe that says that cards pass, and not which."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A device of the law.

    decks    of a shoe that it can tell: a tag is of one card alone
    packets  how many a card takes, where the link carries packets
    spaces   bytes that stand between its frames and are part of none
    """

    device: str
    settings: Any
    decks: int = 8
    packets: int = 1
    spaces: bytes = b""

    @property
    def spec(self) -> DeviceSpec:
        """Return the device as its settings make it."""
        return devices()[self.device].under(self.settings)

    @property
    def sends_packets(self) -> bool:
        """Return whether the link itself checks what it carries: it may lose, and bends nothing."""
        unit: str = self.spec.wiring.unit
        return unit != "stream"

    @property
    def lets_pass(self) -> frozenset[str]:
        """Return what of a damage leaves no trace on this line: see `judged_rounds.Tally`."""
        misread = set() if has_check(self.spec) else {"misread"}
        lost = set() if shows_loss(self.spec) else {"doubled", "vanished"}
        return frozenset(misread | lost)


def _settings(device: str) -> Any:
    return devices()[device].settings()


BARE: Final = replace(
    EXAMPLE,
    frame=Frame(),
    check=None,
    message=(Message("card", "{card:2}"),),
    hands={},
    errors={},
    number=None,
    host=Host(),
    silence_s=0.0,
)
"""The example's shoe without check value, number and answers."""
NUMBERED: Final = replace(
    EXAMPLE, message=(Message("card", "C{number:1}{card:2}"),), hands={}, host=Host(), silence_s=0.0
)
"""The example's shoe without places and answers: its numbers alone show what is missing."""
ENROLMENT: Final = tuple(
    (f"E0040150000000{number:02X}", str(card)) for number, card in enumerate(DECK)
)
READERS: Final[Mapping[str, Reader]] = {
    "angel_eye_ii_ex": Reader("angel_eye_ii_ex", _settings("angel_eye_ii_ex")),
    "barcode_lines": Reader("barcode_lines", _settings("barcode_lines")),
    "beetek": Reader("beetek", _settings("beetek"), spaces=SEPARATORS),
    "dbc_profile": Reader("dbc_profile", _settings("dbc_profile")),
    "dbc_profile, not counted": Reader("dbc_profile", DbcProfileSettings(sequence="")),
    "feig_obid": Reader("feig_obid", FeigObidSettings(enrolment=ENROLMENT), decks=1),
    "hid_keyboard": Reader("hid_keyboard", _settings("hid_keyboard"), packets=6),
    "hid_pos": Reader("hid_pos", _settings("hid_pos")),
    "hid_pos, plain": Reader("hid_pos", HidPosSettings(layout="plain")),
    "line_profile": Reader("line_profile", _settings("line_profile")),
    "line_profile, bare": Reader("line_profile", LineProfileSettings(profile=BARE)),
    "line_profile, no places": Reader("line_profile", LineProfileSettings(profile=NUMBERED)),
    "zebra_ssi": Reader("zebra_ssi", _settings("zebra_ssi")),
    "zebra_ssi, no answers": Reader("zebra_ssi", ZebraSsiSettings(acknowledge=False)),
}
"""Every shoe of the catalog that states faces, and what a site may set of it that matters here."""


class Dealt(NamedTuple):
    """A card and where it truly lies; `target`, `place` for a shoe that states places."""

    slot: str
    card: Card
    target: CardTarget
    place: int


@dataclass(frozen=True, slots=True)
class TrueRound:
    """What was dealt, and who won."""

    cards: tuple[Dealt, ...]
    winner: str

    def agrees(self, outcome: Mapping[str, Any]) -> bool:
        """Tell whether a published outcome is of these cards."""
        stated = outcome.get("cards") or [outcome[key] for key in ("dragon", "tiger")]
        cards = {one["slot"]: one["rank"] + one["suit"] for one in stated}
        mine = {one.slot: str(one.card) for one in self.cards}
        return (cards, outcome["winner"]) == (mine, self.winner)


def shuffled(decks: int, random: Random) -> list[Card]:
    """Return a shoe; its first card is at the end."""
    shoe = list(DECK) * decks
    random.shuffle(shoe)
    return shoe


def deal_baccarat(shoe: list[Card]) -> TrueRound:
    """Deal a round of baccarat."""
    values = tuple(VALUES[card.rank] for card in shoe[: -6 - 1 : -1])
    used, winner = play(values)
    slots = ["player.1", "banker.1", "player.2", "banker.2"]
    player_draws = (values[0] + values[2]) % 10 < 6
    slots += ["player.3", "banker.3"][not player_draws :][: used - 4]
    return TrueRound(tuple(_place(slot, shoe.pop()) for slot in slots), winner)


def deal_dragon_tiger(shoe: list[Card]) -> TrueRound:
    """Deal a round of Dragon Tiger."""
    dragon, tiger = (
        _place("player.1", shoe.pop(), "dragon.1"),
        _place("banker.1", shoe.pop(), "tiger.1"),
    )
    higher = RANKS.index(dragon.card.rank) - RANKS.index(tiger.card.rank)
    return TrueRound((dragon, tiger), "dragon" if higher > 0 else "tiger" if higher < 0 else "tie")


Dealer: TypeAlias = Callable[[list[Card]], TrueRound]
DEALERS: Final[Mapping[str, Dealer]] = {
    "baccarat": deal_baccarat,
    "dragon_tiger": deal_dragon_tiger,
}


def _place(shoe_slot: str, card: Card, slot: str = "") -> Dealt:
    hand, _, place = shoe_slot.partition(".")
    target: CardTarget = "player" if hand == "player" else "banker"
    return Dealt(slot or shoe_slot, card, target, int(place))
