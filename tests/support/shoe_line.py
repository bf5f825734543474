"""A baccarat table at the end of a shoe's line: telegrams in, the journal's events out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from support.notation import drawn, place, written
from support.table_bench import SUPERVISED

from daemon.runtime.inbox import Appender
from daemon.service.assembly import one_table, setup_of
from daemon.service.offline_replay import OfflineReplay
from drivers.capture_model import CaptureLine
from protocols.readings import Winner
from protocols.shoes.angel_eye_ii_ex import DEVICE, AngelEyeSettings
from protocols.shoes.angel_eye_ii_ex.layout import FACE_BYTES, TARGET_BITS, WINNER_BITS, report

ALWAYS = "2100-01-01T00:00:00Z"


class Line:
    """One table, one Angel Eye. `say` and `obey` return the events that they caused."""

    def __init__(
        self,
        house: str = "baccarat-dk",
        control: str = "server",
        journal: Appender | None = None,
        *,
        game: str = "baccarat",
        shoe: bool = True,
    ) -> None:
        self.blobs: list[bytes] = []
        config = one_table(game, house, DEVICE.key, round_control=control, rules=SUPERVISED)
        self.replay = OfflineReplay(
            setup_of(config), DEVICE, AngelEyeSettings(), self.blobs.append, journal
        )
        self.seconds = 0.0
        self.number = 0
        self.commands = 0
        if shoe and control == "server":
            self.obey("shoe.load", shoe_id="S1", decks=8)

    # --- the shoe ---------------------------------------------------------------------------

    def telegram(self, code: str, data: bytes = b"") -> bytes:
        """Return the next report of the shoe; its number counts on."""
        self.number = (self.number + 1) % 10
        return report(str(self.number), code, data)

    def card(self, text: str, code: str = "D") -> bytes:
        """Return the report of a card, `8S>player.1`; its number counts on."""
        return self.telegram(code, card_data(text))

    def hear(self, *chunks: bytes, apart: float = 0.05) -> list[dict[str, Any]]:
        """Let bytes arrive."""
        before = len(self.blobs)
        for chunk in chunks:
            self.seconds += apart
            self.replay.play(CaptureLine(self.seconds, "device", chunk))
        return [json.loads(blob) for blob in self.blobs[before:]]

    def draw(self, *cards: str, report: str = "D") -> list[dict[str, Any]]:
        """Let cards leave the shoe; `report`: the letter of its reports."""
        return [event for text in cards for event in self.hear(self.card(text, report))]

    def say(self, code: str, data: bytes = b"") -> list[dict[str, Any]]:
        return self.hear(self.telegram(code, data))

    def error(self, number: int, *, blocking: bool = True) -> list[dict[str, Any]]:
        return self.say("E", bytes([(0xC0 if blocking else 0x80) | number]))

    def cleared(self, number: int) -> list[dict[str, Any]]:
        return self.say("e", bytes([0x80 | number]))

    def verdict(self, winner: Winner, pairs: int = 0) -> list[dict[str, Any]]:
        return self.hear(self.verdict_frame(winner, pairs))

    def verdict_frame(self, winner: Winner, pairs: int = 0) -> bytes:
        return self.telegram("G", bytes([0x80 | WINNER_BITS[winner] << 4 | pairs]))

    def lose(self) -> None:
        """A telegram is sent and does not arrive."""
        self.number = (self.number + 1) % 10

    # --- the table server -------------------------------------------------------------------

    def obey(self, command: str, **fields: Any) -> list[dict[str, Any]]:
        before, refused = len(self.blobs), len(self.replay.tally.refused)
        self.send(command, **fields)
        assert self.replay.tally.refused[refused:] == [], command
        return [json.loads(blob) for blob in self.blobs[before:]]

    def refusal(self, command: str, **fields: Any) -> str | None:
        """Return why a command is refused, None if it is not."""
        refused = len(self.replay.tally.refused)
        self.send(command, **fields)
        return next(iter(self.replay.tally.refused[refused:]), None)

    def send(self, command: str, **fields: Any) -> None:
        self.commands += 1
        call = {"id": f"c{self.commands}", "expires": ALWAYS, "command": command, **fields}
        self.replay.play(CaptureLine(self.seconds, "command", call))

    def deal(self, *cards: str, round_id: str = "R1") -> list[dict[str, Any]]:
        """Open a round, close its bets and let cards leave the shoe."""
        heard = self.obey("round.open", round_id=round_id)
        return heard + self.obey("bets.close", round_id=round_id) + self.draw(*cards)

    def resolve(self, action: str, card: str | None = None) -> list[dict[str, Any]]:
        """Decide on the oldest open violation."""
        return self.obey("violation.resolve", **self.decision(action, card))

    def decision(self, action: str, card: str | None = None) -> dict[str, Any]:
        first = self.replay.inbox.state.open[0].violation_id
        said = {
            "violation_id": first,
            "action": action,
            "who": "anna",
            "why": "seen",
            "second_who": "bert",
        }
        return said if card is None else {**said, "card": card}

    # --- what came of it --------------------------------------------------------------------

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(blob) for blob in self.blobs]

    @property
    def held_by(self) -> list[str]:
        """Return the code of every violation that holds the table."""
        return [one.violation.code for one in self.replay.inbox.state.open]

    @property
    def codes(self) -> list[str]:
        """Return the code of every violation so far."""
        return [one["data"]["code"] for one in self.events if kind(one) == "violation.raised"]

    @property
    def faults(self) -> list[str]:
        return [one["data"]["condition"] for one in self.events if kind(one) == "device.faulted"]

    @property
    def outcomes(self) -> list[dict[str, Any]]:
        """Return how every completed round ended."""
        return [one["data"]["outcome"] for one in self.events if kind(one) == "round.completed"]

    @property
    def winners(self) -> list[str]:
        return [outcome["winner"] for outcome in self.outcomes]


def card_report(number: int, text: str, code: str = "D") -> bytes:
    """Return the report of a card, `8S>player.1`; `code`: `D` dealt, `R` given to another place."""
    return report(str(number % 10), code, card_data(text))


def card_data(text: str) -> bytes:
    """Return what the report of a card says after its code."""
    target, index = place(text.partition(">")[2])
    return bytes([0x80 | TARGET_BITS[target] << 4 | (index or 0), FACE_BYTES[drawn(text).card]])


def kind(event: dict[str, Any]) -> str:
    word: str = event["type"]
    return word.removeprefix("pitwire.").removesuffix(".v1")


def kinds(events: Iterable[dict[str, Any]]) -> list[str]:
    return [kind(one) for one in events]


def dealt(events: Iterable[dict[str, Any]]) -> list[str]:
    """Return the cards that were dealt, written as `8S>player.1`."""
    return [written(one["data"]) for one in events if kind(one) == "card.dealt"]
