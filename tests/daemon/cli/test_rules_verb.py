"""`pitwire rules`: what a profile enforces, for people and for programs."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from config.load import builtin_profiles
from daemon.cli.main import app

RUN = CliRunner()
PROFILES = Path(__file__).parents[3] / "config" / "profiles"


@pytest.mark.parametrize("profile", sorted(builtin_profiles()))
def test_every_profile_says_what_it_enforces(profile: str) -> None:
    told = RUN.invoke(app, ["rules", profile])
    assert told.exit_code == 0, told.output
    assert re.search(r"^digest b2:[0-9a-f]{64}$", told.output, re.MULTILINE)
    sentences = re.findall(r"^ *\d+\. (.+)$", told.output, re.MULTILINE)
    assert sentences
    assert all(one[0].isupper() or one[0].isdigit() for one in sentences)
    assert all(one.endswith(".") for one in sentences)


@pytest.mark.parametrize("profile", sorted(builtin_profiles()))
def test_every_sentence_of_a_profile_says_where_it_is_from(profile: str) -> None:
    told = json.loads(RUN.invoke(app, ["rules", profile, "--json"]).stdout)
    assert len(told["clauses"]) == len(told["says"])
    assert [
        says for says, clause in zip(told["says"], told["clauses"], strict=True) if not clause
    ] == []


@pytest.mark.parametrize(
    ("profile", "sentence", "clause"),
    [
        ("baccarat-dk", "The cut card lies 7 cards", "DK baccarat 1.3.1, 3.3.4"),
        ("baccarat-gr", "6 cards are burned after", "GR baccarat 3.4"),
        (
            "blackjack-ru",
            "Any box may surrender",
            "RU blackjack surrender; ours: an insured box may",
        ),
        ("roulette-lv", "The ball runs against", "LV roulette 3.1.1"),
        ("dragon-tiger", "The higher rank wins", "ours: general knowledge, the ace is low"),
    ],
)
def test_the_clause_stands_behind_its_sentence(profile: str, sentence: str, clause: str) -> None:
    lines = RUN.invoke(app, ["rules", profile]).output.splitlines()
    at = next(number for number, line in enumerate(lines) if f". {sentence}" in line)
    assert lines[at + 1].strip() == clause


def test_r16_the_rules_say_what_is_lost_where_the_device_opens_the_rounds() -> None:
    told = json.loads(RUN.invoke(app, ["rules", "baccarat-dk", "--json"]).stdout)
    (said,) = (one for one in told["says"] if 'round_control = "device"' in one)
    assert '"no more bets" came before is not proven' in said
    assert told["clauses"][told["says"].index(said)] == "DK baccarat 2.1.6, 3.4.2"
    alone = json.loads(RUN.invoke(app, ["rules", "blackjack-dk", "--json"]).stdout)["says"]
    assert not any("round_control" in one for one in alone)  # its rounds wait for decisions


def test_a_profile_without_clauses_says_what_it_enforces_all_the_same(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_text((PROFILES / "sic-bo.toml").read_text().partition("[clauses]")[0])
    told = json.loads(RUN.invoke(app, ["rules", str(own), "--json"]).stdout)
    assert told["says"]
    assert set(told["clauses"]) == {None, "the operator's own"}
    assert set(told["from"].values()) == {"the operator's own"}


@pytest.mark.parametrize("profile", sorted(builtin_profiles()))
def test_r18_every_value_is_told_with_where_it_is_from(profile: str) -> None:
    told = json.loads(RUN.invoke(app, ["rules", profile, "--json"]).stdout)
    stated = {name for name, value in told["rules"].items() if value is not None}
    assert set(told["from"]) == stated
    assert "the operator's own" not in told["from"].values()
    lines = RUN.invoke(app, ["rules", profile]).output.splitlines()
    for name, source in told["from"].items():
        at = next(number for number, line in enumerate(lines) if line.startswith(f"  {name} = "))
        assert lines[at + 1].strip() == source


def test_a_house_without_a_hole_card_says_so_and_one_with_it_says_when_it_is_asked() -> None:
    russian, danish = (
        json.loads(RUN.invoke(app, ["rules", f"blackjack-{house}", "--json"]).stdout)
        for house in ("ru", "dk")
    )
    assert "The dealer takes no second card before the boxes are done." in russian["says"]
    assert any("Under an ace the hole card is asked once" in one for one in danish["says"])
    assert (russian["rules"]["decks"], danish["rules"]["decks"]) == (6, None)
    assert "card_without_decision" in danish["violations"]
    assert "invalid_spin" not in danish["violations"]


def test_a_changed_rule_changes_the_sentence_and_the_digest(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    written = (PROFILES / "blackjack-gr.toml").read_text()
    own.write_text(written.replace('soft_17 = "stand"', 'soft_17 = "draw"'))
    ours, theirs = (
        json.loads(RUN.invoke(app, ["rules", one, "--json"]).stdout)
        for one in (str(own), "blackjack-gr")
    )
    assert any("draws to a soft 17" in one for one in ours["says"])
    assert not any("draws to a soft 17" in one for one in theirs["says"])
    assert ours["digest"] != theirs["digest"]


def test_a_profile_that_is_none_is_named_with_those_that_there_are() -> None:
    told = RUN.invoke(app, ["rules", "nonsense"])
    assert told.exit_code == 2
    assert told.stderr.startswith("pitwire: nonsense is no profile: baccarat-dk")


def test_a_file_with_a_mistake_is_told_with_its_line(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    written = (PROFILES / "blackjack-gr.toml").read_text()
    own.write_text(written.replace('soft_17 = "stand"', 'soft_17 = "maybe"'))
    told = RUN.invoke(app, ["rules", str(own)])
    assert told.exit_code == 78
    assert "soft_17" in told.stderr


def test_blackjack_says_which_reader_shows_what_a_dealer_does_wrong() -> None:
    told = RUN.invoke(app, ["rules", "blackjack-lv"]).output
    assert "Two boxes get their cards of the first deal in the wrong order" in told
    assert "identity: never · position: this card (card_out_of_turn) · hole: never" in told
    assert "dealers do wrong" not in RUN.invoke(app, ["rules", "baccarat-lv"]).output
