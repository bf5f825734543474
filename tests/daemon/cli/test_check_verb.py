"""`pitwire check`: what it remarks of rules that no book states."""

import json
from pathlib import Path

from typer.testing import CliRunner

from config.load import builtin_profiles
from daemon.cli.main import app

RUN = CliRunner()
CONFIG = """
site = "riga-1"
[bus]
kind = "stdout"
[journal]
path = "{folder}/journal.db"
[control]
socket = "{folder}/control.sock"
[[table]]
id = "ROU-1"
mode = "rehearsal"
game = "roulette"
profile = "{profile}"
{rules}
[[table.device]]
role = "primary"
device = "cammegh_ss2"
link = {{ kind = "serial_port", port = "/dev/serial/by-id/x" }}
"""


def written(folder: Path, profile: str, rules: str = "") -> str:
    """Return the path of a configuration that has one table."""
    file = folder / "pitwire.toml"
    file.write_text(CONFIG.format(folder=folder, profile=profile, rules=rules))
    return str(file)


def test_r18_a_rule_that_the_operator_overrides_is_a_remark_and_no_problem(tmp_path: Path) -> None:
    file = written(tmp_path, "roulette-dk", "rules = { min_revolutions = 4.0 }")
    told = RUN.invoke(app, ["check", file])
    assert told.exit_code == 0, told.output
    assert told.stderr == (
        f"remark: {file}:14: table[0].rules.min_revolutions: 4.0 is the operator's own; profile"
        " roulette-dk has 3.0 (DK roulette 3.1.1)\n"
    )
    (remark,) = json.loads(RUN.invoke(app, ["check", file, "--json"]).stdout)["remarks"]
    assert remark["where"] == "table[0].rules.min_revolutions"


def test_r18_an_own_profile_that_says_not_where_its_values_are_from_is_a_remark(
    tmp_path: Path,
) -> None:
    house = builtin_profiles()["roulette-dk"]
    (tmp_path / "house.toml").write_text(house.replace('min_revolutions = "DK roulette 3.1.1"', ""))
    told = RUN.invoke(app, ["check", written(tmp_path, "house.toml")])
    assert told.exit_code == 0, told.output
    assert "profile house.toml" in told.stderr
    assert "so each is the operator's own: min_revolutions;" in told.stderr


def test_r18_a_shipped_profile_has_nothing_to_remark(tmp_path: Path) -> None:
    told = RUN.invoke(app, ["check", written(tmp_path, "roulette-dk")])
    assert (told.exit_code, told.stderr) == (0, "")
