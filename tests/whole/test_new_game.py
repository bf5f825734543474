"""A game is one file that exports GAME: a made-up one, put into a copy of this tree, is played.

Its violation, its outcome, its rules and its demo table come with it; no other file names it. A
house that plays it is a profile, as for every game.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.tree_copy import ROOT, copy_of_the_tree, python
from support.whole_rig import needs_nats

pytestmark = pytest.mark.slow
PITWIRE = ("-m", "daemon.cli.main")
KEY = "red_or_black"


def command(at: float, number: int, name: str, **fields: Any) -> str:
    told = {"command": name, "id": f"c{number}", "expires": "2100-01-01T00:00:00Z", **fields}
    return f"{at:.6f} @ {json.dumps(told)}\n"


def label(at: float, code: str) -> str:
    return f"{at:.6f} < {(code.encode() + bytes((13, 10))).hex(' ')}\n"


ROUNDS = (
    "# Device: barcode_lines\n# Provenance: synthetic\n"
    + command(0.0, 1, "shoe.load", shoe_id="S1", decks=8)
    + command(1.0, 2, "round.open", round_id="R1")
    + command(2.0, 3, "bets.close", round_id="R1")
    + label(3.0, "KD")
    + command(4.0, 4, "round.open", round_id="R2")
    + command(5.0, 5, "bets.close", round_id="R2")
    + label(6.0, "QS")
    + command(7.0, 6, "violation.resolve", violation_id="V1", action="accept", who="ann", why="y")
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = copy_of_the_tree(tmp_path_factory.mktemp("new_game"))
    shutil.copy(ROOT / "tests/support/red_or_black.py", tree / f"daemon/games/{KEY}.py")
    profile = (ROOT / "config/profiles/dragon-tiger.toml").read_text()
    own = profile.replace('game = "dragon_tiger"', f'game = "{KEY}"')
    (tree / "config/profiles/red-or-black.toml").write_text(own)
    (tree / "rounds.capture").write_text(ROUNDS)
    return tree


async def pitwire(tree: Path, *words: str) -> str:
    code, out = await python(tree, *PITWIRE, *words)
    assert code == 0, out
    return out


async def test_its_rounds_are_dealt_with_its_outcome_and_its_violation(tree: Path) -> None:
    words = ("replay", "rounds.capture", "--game", KEY, "--device", "barcode_lines", "--json")
    out = await pitwire(tree, *words)
    events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    told = [(one["type"].removeprefix("pitwire.")[:-3], one["data"]) for one in events]
    outcomes = [data["outcome"] for kind, data in told if kind == "round.completed"]
    assert [(one["game"], one["colour"]) for one in outcomes] == [(KEY, "red"), (KEY, "black")]
    assert outcomes[0]["card"] == {"slot": "player.1", "rank": "K", "suit": "D"}
    (raised,) = [data for kind, data in told if kind == "violation.raised"]
    assert (raised["code"], raised["read"], raised["holds"]) == ("queen_of_spades", "QS", True)
    assert raised["resolutions"] == ["void", "accept"]
    held = [kind for kind, _ in told if kind in ("round.held", "round.resumed")]
    assert held == ["round.held", "round.resumed"]


async def test_its_rules_and_its_violation_are_printed(tree: Path) -> None:
    out = await pitwire(tree, "rules", "red-or-black")
    assert "One card is dealt; its colour wins." in out
    assert "queen_of_spades: The queen of spades is taken out before play." in out
    assert "queen_of_spades" not in await pitwire(tree, "rules", "baccarat-lv")


async def test_the_contract_has_its_outcome(tree: Path) -> None:
    contract = json.loads(await pitwire(tree, "schema"))
    outcomes = contract["components"]["schemas"]["Outcome"]["oneOf"]
    assert {"$ref": "#/components/schemas/RedOrBlackOutcome"} in outcomes


@needs_nats
async def test_the_demo_plays_it(tree: Path) -> None:
    words = ("demo", "--game", KEY, "--rounds", "1", "--speed", "30", "--json")
    events = [
        json.loads(line) for line in (await pitwire(tree, *words)).splitlines() if "{" in line
    ]
    outcomes = [one for one in events if one["type"] == "pitwire.round.completed.v1"]
    assert {(one["source"], one["data"]["outcome"]["game"]) for one in outcomes} == {
        ("/pit/house/RB-1", KEY)
    }


async def test_it_keeps_the_laws_of_every_game(tree: Path) -> None:
    laws = ("tests/laws/test_every_game.py", "-k", KEY)
    code, out = await python(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *laws)
    assert code == 0, out[-3000:]
    assert "deselected" in out
