"""Messages of the contract as the product writes them: played by the demo's games and scenarios.

No process and no waiting; the same messages, to the byte, in every run. As a program it writes an
example of each message into the contract: `make schema`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, Final

from support.hidden_bench import HiddenTable, blackjack
from support.offline_game import OfflineGame, kind_of_event
from support.scenario import every_capture, every_scenario, play, play_capture

from daemon.demo.demo import GAMES
from daemon.runtime.codec import tombstone
from daemon.service import contract
from daemon.table.inputs import (
    BusLostEvents,
    ClockSet,
    DeviceSaid,
    LinkUp,
    Restarted,
    ServedByAnother,
    Serving,
    Stopping,
)
from drivers.capture import read_capture
from protocols.canonical import canonical
from protocols.readings import WheelFault

Message = tuple[str, bytes]
"""Its name in the contract, and its payload."""

ROUNDS: Final = 110
EXAMPLES: Final = Path(contract.__file__).with_name("examples.json")
STUCK_ROUNDS: Final = 201
"""Spins into one pocket until the watch over the wheel says so."""


@cache
def contract_messages() -> tuple[Message, ...]:
    """Return every message of the games, the scenarios, the captures and an odd shift."""
    games = [OfflineGame(seat, seed=7) for key, seat in GAMES.items() if key != "roulette"]
    for game in games:
        game.play(ROUNDS)
    return (
        *(message for game in [*games, _stuck_wheel(), _odd_shift()] for message in game.messages),
        *_recorded(),
        *_hidden_card(),
        ("status.away", canonical({"mode": "rehearsal", "state": "away", "table": "BAC-1"})),
    )


def _recorded() -> list[Message]:
    """What the scenarios and the devices' captures come to, and what the table server sent."""
    played = [*map(play, every_scenario()), *map(play_capture, every_capture())]
    sent = [
        (line.data["command"], canonical(line.data))
        for path in every_scenario()
        for line in read_capture(path).lines
        if isinstance(line.data, dict)
    ]
    events = [blob for one in played for blob in one.events]
    return [*sent, *((kind_of_event(json.loads(blob)), blob) for blob in events)]


def _stuck_wheel() -> OfflineGame:
    """A wheel whose ball falls into one pocket, and that is tested afterwards."""
    game = OfflineGame(GAMES["roulette"], seed=7)
    game.dealer._chance.choice = lambda pockets: pockets[17]  # type: ignore[method-assign] # chance that is none
    game.play(STUCK_ROUNDS)
    for code, meaning in ((0, "none"), (13, "sensor 3 stuck on")):
        reading = WheelFault(code, meaning)
        game.inbox.put(DeviceSaid("primary", "cammegh_ss2", reading, None, ""))
    return game


def _odd_shift() -> OfflineGame:
    """All that no round needs: another dealer, maintenance, a shoe that is counted, a restart."""
    game = OfflineGame(GAMES["baccarat"], seed=8)
    game.play(1)
    who = {"who": "anna", "why": "seen on the felt"}
    game.send("dealer.change", badge="D7")
    game.send("inspection.record", what="shoe", result="passed", who="anna", note="nothing found")
    game.send("burn", count=1, reason="discretion")
    game.send("maintenance.start", **who)
    game.send("maintenance.finish", **who)
    device = game.inbox.setup.devices["primary"].key
    game.inbox.put(LinkUp("primary", device, "/dev/ttyUSB0", 0, "0403:6001 A50285"))
    game.send("device.enrol", role="primary", **who)
    game.send("result.announce", round_id="R1", pocket="17")
    game.send("violation.resolve", violation_id="V9", action="accept", **who)
    game.send("shoe.verify.start", cards="all")
    game.send("shoe.verify.replace", removed="KS", added="KS", **who)
    game.send("shoe.verify.finish", names=["anna", "boris"])
    game.inbox.put(ClockSet(-0.4))
    game.inbox.put(Restarted("the daemon was ended without a stop", 118))
    owner = "pit-pc-7, process 812, journal /var/lib/pitwire/journal.db"
    game.inbox.put(ServedByAnother(owner.replace("7", "8", 1)))
    game.inbox.put(Serving(100412, owner))
    game.inbox.put(BusLostEvents("000000-replay", 3, "000000-replay", 11))
    _questions(game)
    game.inbox.put(Stopping("signal"))
    refused = tombstone(game.messages[-1][1], "1100000 bytes are more than the server takes")
    game.messages.append(("event.withheld", refused))
    return game


def _questions(game: OfflineGame) -> None:
    """What is answered before it reaches the table, and what is no command at all."""
    status: dict[str, Any] = {"id": "q1", "command": "table.status"}
    game.ask("table.status", status)
    game.send("table.resend", from_seq=1)
    game.send("round.void", round_id="R1", reason="nobody knows the fourth card")
    game.ask("table.status", {**status, "expires": "2000-01-01T00:00:00Z"})
    game.ask("table.status", status, retained=True)
    game.ask("", {"id": "q2", "command": "round.close"})
    game.ask("", ["no command"])


def _hidden_card() -> list[Message]:
    """A table with a device, in the middle of a round, with a card that lies face down."""
    table = HiddenTable(house=blackjack)
    table.obey("shoe.load", shoe_id="S1", decks=8)
    table.obey("round.open", round_id="R1", boxes=[1])
    table.obey("bets.close", round_id="R1")
    table.say("9S", "AD", "8C", "KH")
    table.obey("insurance.close", round_id="R1")
    table.obey("hole_card.peek", round_id="R1")
    return [("status", canonical(table.status()))]


# --- examples --------------------------------------------------------------------------------


def examples() -> dict[str, dict[str, Any]]:
    """Return the fullest example of each message; of an outcome and an answer, one of each kind."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, payload in contract_messages():
        message = json.loads(payload)
        kind = _kind_of_example(name, message)
        best = found[name].get(kind)
        if best is None or _fullness(message) > _fullness(best):
            found[name][kind] = message
    return found


def _kind_of_example(name: str, message: dict[str, Any]) -> str:
    match name:
        case "round.completed":
            return str(message["data"]["outcome"]["game"])
        case "answer":
            return str(message["answer"])
        case _:
            return name


def _fullness(message: Any) -> int:
    """Return how many values a message has that say something."""
    if isinstance(message, dict):
        return sum(map(_fullness, message.values()))
    if isinstance(message, list):
        return max(map(_fullness, message), default=0)
    return message is not None


if __name__ == "__main__":
    text = json.dumps(examples(), indent=1, sort_keys=True, ensure_ascii=False)
    EXAMPLES.write_text(text + "\n", encoding="utf-8")
