"""What plays of hidden cards are made of: the register, and pieces of a round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from support.secrecy_bench import Glass, House

SECRETS: Final = ("KS", "TH", "9H", "AS")
"""A picture, a ten, a nine, an ace; the labels of two differ in length (`10H`, `9H`)."""
NOISE: Final = b"\xff\x00\xfe\x80"
DEALER: Final = "dealer.2"


@dataclass(frozen=True)
class Play:
    """shows: the violations that it comes to · turned: whether the card is turned in the end."""

    house: House
    do: Callable[[Glass, str], None]
    secrets: tuple[str, ...] = SECRETS
    shows: tuple[str, ...] = ()
    turned: bool = True


PLAYS: Final[dict[str, Play]] = {}


def play(
    *houses: House,
    secrets: tuple[str, ...] = SECRETS,
    shows: tuple[str, ...] = (),
    turned: bool = True,
) -> Callable[[Callable[[Glass, str], None]], Callable[[Glass, str], None]]:
    """Keep a play, for each of these houses."""

    def keep(do: Callable[[Glass, str], None]) -> Callable[[Glass, str], None]:
        for at, house in enumerate(houses):
            name = do.__name__ + (f"_{at + 1}" if len(houses) > 1 else "")
            PLAYS[name] = Play(house, do, secrets, shows, turned)
        return do

    return keep


# --- pieces of a round -----------------------------------------------------------------------


def _opened(t: Glass, *boxes: int, decks: int = 8) -> None:
    t.obey("shoe.load", shoe_id="S1", decks=decks)
    t.draw(*("4C",) * t.inbox.state.game.burns_due)
    t.obey("round.open", round_id="R1", **({"boxes": boxes} if boxes else {}))
    t.obey("bets.close", round_id="R1")


def _hole_reader(t: Glass) -> bool:
    return "hole" in t.house.readers


def _hole_card(t: Glass, secret: str) -> None:
    t.draw(f"{secret}>{DEALER}", role="hole" if _hole_reader(t) else "primary")


def _first_deal(t: Glass, up: str = "7D") -> None:
    """One box of eleven points; the hole card is due."""
    _opened(t, 1)
    t.draw("5C>box1.1", f"{up}>dealer.1", "6C>box1.2")


def _dealt(t: Glass, secret: str, up: str = "7D") -> None:
    _first_deal(t, up)
    _hole_card(t, secret)


def _decide(t: Glass, action: str, box: int = 1, **more: object) -> None:
    t.obey("decision", round_id="R1", box=box, hand=1, action=action, **more)


def _turn(t: Glass, slot: str = DEALER) -> None:
    t.obey("card.reveal", round_id="R1", slot=slot)


def _go_on(t: Glass) -> None:
    """Let a supervisor accept whatever holds the table."""
    while t.inbox.state.held:
        t.resolve("accept")


def _played_out(t: Glass) -> None:
    _decide(t, "hit")
    t.draw("3C>box1.3")
    _decide(t, "stand")
    _turn(t)


def _opened_after_burns(t: Glass) -> None:
    t.obey("shoe.load", shoe_id="S1", decks=6)
    t.draw("4C>burn", "3C>burn", "8C>burn")
    t.obey("round.open", round_id="R1", boxes=[1])
