"""A command's fields as they are typed: read by their type, and every problem told at once."""

from typing import Any

import pytest

from daemon.cli.command_fields import TABLE_COMMANDS, describe_commands, read_fields
from daemon.runtime.command_payload import ParsedCommand, parse_command
from protocols.canonical import canonical

TYPED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "dealer.change": (("badge=4711",), {"badge": "4711"}),
    "round.open": (("round_id=R-1", "boxes=1,2"), {"round_id": "R-1", "boxes": [1, 2]}),
    "shoe.load": (("shoe_id=7", "decks=8"), {"shoe_id": "7", "decks": 8}),
    "shoe.verify.finish": (("names=Ann, Bo",), {"names": ["Ann", "Bo"]}),
    "burn": (("count=2", "reason=misdeal"), {"count": 2, "reason": "misdeal"}),
    "decision": (
        ("round_id=R-1", "box=1", "hand=1", "action=double", "dark=yes"),
        {"round_id": "R-1", "box": 1, "hand": 1, "action": "double", "dark": True},
    ),
    "violation.resolve": (
        ("violation_id=V3", "action=correct", "who=Ann", "why=seen = heard", "dice=[4, 4, 2]"),
        {
            "violation_id": "V3",
            "action": "correct",
            "who": "Ann",
            "why": "seen = heard",
            "dice": [4, 4, 2],
        },
    ),
    "table.status": ((), {}),
}


@pytest.mark.parametrize("name", TYPED)
def test_a_value_is_read_by_the_type_of_its_field(name: str) -> None:
    pairs, expected = TYPED[name]
    assert read_fields(name, pairs) == (expected, [])


@pytest.mark.parametrize("name", TYPED)
def test_the_daemon_takes_what_was_read(name: str) -> None:
    values, _ = read_fields(name, TYPED[name][0])
    call = {"id": "1", "expires": "2030-01-01T00:00:00Z", "command": name, **values}
    assert isinstance(parse_command(canonical(call)), ParsedCommand)


def test_every_problem_is_told_at_once() -> None:
    _, problems = read_fields("decision", ("box=x", "action=hitt", "colour=red", "dark"))
    assert problems == [
        "box=x: expected box=NUMBER",
        "action=hitt: expected action=hit|stand|double|split|surrender|insurance|even_money",
        "decision has no field 'colour'; there are: round_id, box, hand, action, hand_cards, dark",
        "'dark': expected FIELD=VALUE",
        "missing: round_id=TEXT",
        "missing: hand=NUMBER",
    ]


def test_a_command_misspelled_is_answered_with_the_nearest() -> None:
    assert read_fields("round.opn", ()) == (
        {},
        ["no command 'round.opn'; did you mean round.open?"],
    )


def test_a_field_misspelled_is_answered_with_the_nearest() -> None:
    _, problems = read_fields("shoe.load", ("shoe_id=7", "deck=8"))
    assert problems == ["shoe.load has no field 'deck'; did you mean decks?"]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("dice=4,4,7", "dice=1-6,1-6,1-6"),
        ("dice=4,4", "dice=1-6,1-6,1-6"),
        ("dice=[4,", "dice=1-6,1-6,1-6"),
        ("action=", "action=void|burn|accept|correct"),
    ],
)
def test_a_wrong_value_is_answered_with_what_may_be_typed(pair: str, expected: str) -> None:
    _, problems = read_fields("violation.resolve", ("violation_id=V1", "who=A", "why=B", pair))
    assert f"{pair}: expected {expected}" in problems


def test_every_command_is_described_with_required_fields_first_without_brackets() -> None:
    text = "\n".join(describe_commands())
    assert all(f"{name} " in text for name in TABLE_COMMANDS)
    assert "violation_id=TEXT" in text
    assert "[card=TEXT]" in text
