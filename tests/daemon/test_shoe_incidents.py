"""What went wrong with shoes in the field, played from bytes and commands (integrity.md 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shoe_line import kind

from daemon.known import one_table, setup_of
from daemon.offline import Replay
from daemon.records import Transaction
from drivers.capture import read_capture
from protocols.catalog import devices

CAPTURES = Path(__file__).parents[1] / "captures"
FIVE = {"2S": 1, "9H": 1, "TH": 1, "KD": 1, "AC": 1}


class Played:
    """A capture with its commands, played through one table: what it published and wrote down."""

    def __init__(self, name: str, house: str = "baccarat-dk", **rules: Any) -> None:
        self.blobs: list[bytes] = []
        self.notes: list[dict[str, Any]] = []
        capture = read_capture(CAPTURES / f"{name}.capture")
        device, game = name.partition("/")[0], house.partition("-")[0]
        spec = devices()[device]
        config = one_table(game, house, device, round_control="server", rules=rules)
        self.replay = Replay(setup_of(config), spec, spec.settings(), self.blobs.append, self)
        self.replay.run(capture)

    def append(self, transaction: Transaction, done: Any) -> None:
        notes = [one.blob for one in transaction.records if one.kind == "note"]
        self.notes += [json.loads(one) for one in notes]
        done()

    def found(self, *kinds: str) -> list[dict[str, Any]]:
        events = [json.loads(blob) for blob in self.blobs]
        return [one["data"] for one in events if kind(one) in kinds]

    @property
    def kinds(self) -> list[str]:
        """Return what happened after the table opened."""
        return [kind(json.loads(blob)) for blob in self.blobs][2:]

    @property
    def codes(self) -> list[str]:
        return [one["code"] for one in self.found("violation.raised")]


@pytest.mark.parametrize("verify", ["required", "optional"])
def test_two_decks_short_of_five_cards_are_found_before_the_first_round(verify: str) -> None:
    table = Played("barcode_lines/two_decks_short_of_five_cards", verify=verify)
    assert table.replay.tally.refused == []
    assert table.kinds == [
        "shoe.loaded",
        "shoe.verify_started",
        "shoe.composition_failed",
        *["shoe.card_replaced"] * 5,
        "shoe.verified",
    ]
    (failed,) = table.found("shoe.composition_failed")
    assert (failed["expected"], failed["accounted"], failed["missing"]) == (104, 99, FIVE)
    (verified,) = table.found("shoe.verified")
    assert (verified["cards"], verified["replaced"]) == (104, 5)
    assert verified["names"] == ["anna", "boris"]
    assert verified["took_s"] == pytest.approx(99 * 0.7 + 2 + 34 + 5 * 0.7 + 2)


def test_fifty_two_with_a_foreign_card_are_no_deck() -> None:
    table = Played("barcode_lines/foreign_card_count_52")
    (unread,) = table.found("card.unread")
    assert unread == {"slot": None, "reason": "no card has the code '0X0'"}
    (failed,) = table.found("shoe.composition_failed")
    assert (failed["cards"], failed["unread"], failed["missing"]) == (51, 1, {"KC": 1})


def test_the_cut_card_is_no_dealers_up_card() -> None:
    table = Played("barcode_lines/cut_card_as_up_card", "blackjack-lv")
    slots = [(one["slot"], one["rank"] + one["suit"]) for one in table.found("card.dealt")]
    assert slots[0][1] == "9S"
    assert ("dealer.1", "7D") in slots
    (seen,) = table.found("shoe.cut_card_seen")
    assert (seen["cards_out"], seen["cards_left"]) == (1, 415)


def test_unshuffled_decks_are_noticed_in_the_second_round() -> None:
    table = Played("angel_eye_ii_ex/unshuffled_decks")
    assert table.codes == ["factory_order"]
    (alarm,) = table.found("violation.raised")
    assert (alarm["round_id"], alarm["read"]) == ("R2", "8S")
    assert [one["outcome"]["winner"] for one in table.found("round.completed")] == ["banker"]


def test_a_card_that_was_put_back_is_told_by_the_shoe_and_by_the_count() -> None:
    table = Played("angel_eye_ii_ex/card_put_back")
    assert table.codes == ["card_reversed", "impossible_card"]
    assert table.found("round.voided")[0]["round_id"] == "R1"
    assert table.found("violation.raised")[1]["detail"] == (
        "5C has left this shoe 2 times: it holds 1 decks"
    )
