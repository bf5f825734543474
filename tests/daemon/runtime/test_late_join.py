"""A table server that comes late, at any moment of a round, knows all that one knows who listened.

The round has an insurance, a peek, two splits, a double and a double in the dark. Failed on the
code before: the status had the cards, and of boxes, hands, insurance and questions nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from support.hidden_bench import KEYS, HiddenTable

from daemon.runtime.codec import parse_event, parse_play
from daemon.service.assembly import one_table, setup_of
from daemon.service.sealing_keys import TableKeys
from daemon.table.state import TableSetup
from protocols.events import PlayState
from protocols.play_fold import NOTHING_TOLD, after
from protocols.shoes.angel_eye_ii_ex import DEVICE

RULES: Final = {
    "double": "first_two_and_split",
    "double_dark": True,
    "splits_allowed": 3,
    "split_aces_once": False,
}
PLAY: Final = ("round", "violations", "decided", "spin", "maintenance", "dealer")


def house(keys: TableKeys | None) -> TableSetup:
    """Return a house that splits three times, and doubles after it and in the dark."""
    table = one_table("blackjack", "blackjack-lv", DEVICE.key, round_control="server", rules=RULES)
    return setup_of(table, keys)


@dataclass
class Listener:
    """A table server: what it has heard, and what the status was after each input.

    statuses  what `table.status` said, and how many events there were then
    """

    table: HiddenTable
    statuses: list[tuple[dict[str, Any], int]] = field(default_factory=list)

    def look(self) -> dict[str, Any]:
        """Ask for the status, as it goes over the bus."""
        status: dict[str, Any] = json.loads(json.dumps(self.table.status()))
        self.statuses.append((status, len(self.table.blobs)))
        return status

    def say(self, *cards: str) -> None:
        """Let cards leave the shoe."""
        for card in cards:
            self.table.say(card)
            self.look()

    def obey(self, name: str, **fields: Any) -> dict[str, Any]:
        """Send a command that is obeyed; return the round as the status has it then."""
        answer = self.table.obey(name, **fields)
        assert answer["answer"] == "accepted", (name, fields, answer)
        status = self.look()
        assert status["seq"] == answer["seq"]
        return status["round"] or {}

    def decide(self, box: int, hand: int, action: str, **more: Any) -> dict[str, Any]:
        """Let a player decide."""
        fields = {"round_id": "R1", "box": box, "hand": hand, "action": action, **more}
        return self.obey("decision", **fields)

    def known(self, begins: PlayState, after_event: int, until: int) -> PlayState:
        """Return what a consumer knows that begins so and hears the events from there on."""
        play = begins
        for blob in self.table.blobs[after_event:until]:
            play = after(play, parse_event(blob), int(json.loads(blob)["sequence"]))
        return play


def hand(now: dict[str, Any], box: int, number: int) -> dict[str, Any]:
    """Return a hand of the round."""
    return next(one for one in now["hands"] if (one["box"], one["hand"]) == (box, number))


def asked(now: dict[str, Any]) -> list[tuple[str, int | None, int | None]]:
    """Return what the round waits for: the command, box and hand."""
    return [(one["command"], one["box"], one["hand"]) for one in now["awaited"]]


@pytest.fixture(scope="module")
def listener() -> Listener:
    """Play the round, and look at the status after every input."""
    one = Listener(HiddenTable(KEYS, house))
    one.obey("shoe.load", shoe_id="S1", decks=8)
    now = one.obey("round.open", round_id="R1", boxes=[3, 1, 2])
    assert (now["boxes"], now["phase"], now["bets_closed_by"]) == ([1, 2, 3], "betting", None)
    assert one.obey("bets.close", round_id="R1")["bets_closed_by"] == "command"
    one.say("8S", "5C", "9H", "AD", "8H", "6C", "9C", "7S")
    now = one.look()["round"]
    assert now["insurance"] == "open"
    assert ("insurance.close", None, None) in asked(now)
    assert now["cards"]["dealer.2"]["commitments"] is not None
    assert one.decide(1, 1, "insurance")["insured"] == [1]
    assert one.obey("insurance.close", round_id="R1")["insurance"] == "closed"
    now = one.obey("hole_card.peek", round_id="R1")
    assert now["cards"]["dealer.2"]["peeked"] == {"is_ten": False}
    assert asked(now)[0] == ("decision", 1, 1)
    assert "split" in now["awaited"][0]["actions"]
    now = one.decide(1, 1, "split")
    assert now["cards"]["box1.hand2.card1"]["rank"] == "8"
    assert hand(now, 1, 2)["split"] is True
    one.say("TH", "8D")
    one.decide(1, 1, "stand")
    one.decide(1, 2, "split")
    one.say("3C", "TC")
    now = one.decide(1, 2, "double")
    assert (hand(now, 1, 2)["doubled"], hand(now, 1, 2)["card_due"]) == (True, "up")
    assert now["awaited"] == []
    one.say("9D")
    assert hand(one.look()["round"], 1, 2)["end"] == "doubled"
    one.decide(1, 3, "stand")
    now = one.decide(2, 1, "double", dark=True)
    assert hand(now, 2, 1)["card_due"] == "down"
    one.say("TD")
    now = one.decide(3, 1, "stand")
    assert [(one["box"], one["hand"], one["end"]) for one in now["hands"]] == [
        (1, 1, "stood"),
        (1, 2, "doubled"),
        (1, 3, "stood"),
        (2, 1, "doubled"),
        (3, 1, "stood"),
    ]
    assert ("card.reveal", "dealer.2") in [(a["command"], a["slot"]) for a in now["awaited"]]
    one.obey("card.reveal", round_id="R1", slot="dealer.2")
    assert one.obey("card.reveal", round_id="R1", slot="box2.hand1.card3") == {}
    return one


def test_the_status_is_at_every_moment_the_fold_of_the_events(listener: Listener) -> None:
    for status, heard in listener.statuses:
        folded = listener.known(NOTHING_TOLD, 0, heard)
        assert parse_play({name: status[name] for name in PLAY}) == folded


def test_who_comes_late_at_any_moment_lacks_nothing_afterwards(listener: Listener) -> None:
    for place, (status, heard) in enumerate(listener.statuses):
        begins = parse_play({name: status[name] for name in PLAY})
        for _, later in listener.statuses[place:]:
            assert listener.known(begins, heard, later) == listener.known(NOTHING_TOLD, 0, later)


def test_a_restart_at_any_moment_changes_nothing_of_it(listener: Listener) -> None:
    for status, heard in listener.statuses:
        records = list(listener.table.records)
        last = next(
            place for place, one in enumerate(records) if one.seq == status["seq"] and one.blob
        )
        again = HiddenTable(KEYS, house, records[: last + 1])
        assert again.inbox.play == listener.known(NOTHING_TOLD, 0, heard)


def test_nothing_in_the_status_tells_a_card_that_lies_face_down(listener: Listener) -> None:
    for status, heard in listener.statuses:
        events = [json.loads(blob)["type"] for blob in listener.table.blobs[:heard]]
        if status["round"] and "pitwire.card.revealed.v1" not in events:
            hidden = {
                slot: card
                for slot, card in status["round"]["cards"].items()
                if slot in ("dealer.2", "box2.hand1.card3")
            }
            assert all("rank" not in card and "suit" not in card for card in hidden.values())
