"""docs/hidden-cards.md: its formula is ours, its example is true, its lines run as they stand."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from daemon.gamekit.commitments import Concealed, Vault
from daemon.service.sealing_keys import SealingKeys
from protocols.cards import DECK, Card

PAGE = (Path(__file__).parents[3] / "docs/hidden-cards.md").read_text("utf-8")
KEY = bytes(range(32))
RECORD = 214


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def example() -> list[dict[str, Any]]:
    decoder, text, events = json.JSONDecoder(), block("json").strip(), []
    while text:
        event, end = decoder.raw_decode(text)
        events.append(event)
        text = text[end:].strip()
    return events


SEALED, PEEKED, REVEALED = example()


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """Return what the page's own lines define."""
    names: dict[str, Any] = {}
    exec(compile(block("python"), "docs/hidden-cards.md", "exec"), names)  # noqa: S102 - our own page, run as its reader would
    return names


def test_the_example_is_what_a_table_publishes_with_the_key_00_to_1f() -> None:
    keys = SealingKeys([Concealed(KEY)]).of("BJ-1")
    vault = Vault(keys.commitments.value, "BJ-1", SEALED["epoch"], RECORD)
    place = vault.place("S-17", "R-1041", "dealer.2", SEALED["profile"])
    one = vault.seal(Card("K", "S"), place, 4)
    nonces, told = one.nonces.value, REVEALED["data"]
    assert [one.commitments.card, one.commitments.ten, one.commitments.ace] == [
        SEALED["data"]["commitments"][name] for name in ("card", "ten", "ace")
    ]
    assert [nonces.card, nonces.ten, nonces.ace] == [
        told["card_nonce"], told["ten_nonce"], told["ace_nonce"]
    ]  # fmt: skip
    assert PEEKED["data"]["nonce"] == nonces.ten


def test_the_pages_lines_accept_the_example(page: dict[str, Any]) -> None:
    assert page["peek_is_true"](SEALED, PEEKED)
    assert page["reveal_is_true"](SEALED, REVEALED)


def test_they_refuse_every_other_card_and_answer(page: dict[str, Any]) -> None:
    for card in DECK:
        other = copy.deepcopy(REVEALED)
        other["data"].update(rank=card.rank, suit=card.suit)
        assert page["reveal_is_true"](SEALED, other) == (card == Card("K", "S"))
    denied = copy.deepcopy(PEEKED)
    denied["data"]["answer"] = False
    assert not page["peek_is_true"](SEALED, denied)


@pytest.mark.parametrize("part", ["source", "epoch", "profile"])
def test_they_refuse_the_reveal_of_another_envelope(page: dict[str, Any], part: str) -> None:
    assert not page["reveal_is_true"]({**SEALED, part: SEALED[part] + "x"}, REVEALED)


@pytest.mark.parametrize("part", ["round_id", "slot", "shoe_id"])
def test_they_refuse_the_reveal_of_another_place(page: dict[str, Any], part: str) -> None:
    elsewhere = {**SEALED, "data": {**SEALED["data"], part: "elsewhere"}}
    assert not page["reveal_is_true"](elsewhere, REVEALED)


def test_a_burned_card_has_no_round(page: dict[str, Any]) -> None:
    keys = SealingKeys([Concealed(KEY)]).of("BJ-1")
    vault = Vault(keys.commitments.value, "BJ-1", SEALED["epoch"], RECORD)
    one = vault.seal(Card("2", "H"), vault.place("S-17", "", "burn.1", SEALED["profile"]), 1)
    data = {"slot": "burn.1", "shoe_id": "S-17", "commitments": {"card": one.commitments.card}}
    value = page["commitment"]({**SEALED, "data": data}, "card", "2H", one.nonces.value.card)
    assert value == one.commitments.card


def test_the_page_says_how_a_tables_key_is_derived() -> None:
    person = b"pitwire/commits"
    derived = hashlib.blake2b(b"BJ-1", key=KEY, digest_size=32, person=person).digest()
    assert derived == SealingKeys([Concealed(KEY)]).of("BJ-1").commitments.value
    assert f"`{person.decode()}`" in PAGE
