"""The package as it is installed: what is in the wheel, whose the rooms are, that it runs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("protocols", "drivers", "config", "daemon")
OWNERS = """
from importlib.metadata import packages_distributions
owners = packages_distributions()
rooms = ("protocols", "drivers", "config", "daemon")
print(*[",".join(sorted(set(owners[room]))) for room in rooms])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def python(installed: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", *words],
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_it_holds_the_four_rooms_and_nothing_else(installed: Path) -> None:
    found = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert found == set(ROOMS)


def test_it_holds_every_profile_and_says_that_it_is_typed(installed: Path) -> None:
    for path in (ROOT / "config" / "profiles").glob("*.toml"):
        assert (installed / "config" / "profiles" / path.name).read_bytes() == path.read_bytes()
    assert all((installed / room / "py.typed").exists() for room in ROOMS)


def test_each_room_belongs_to_pitwire_alone(installed: Path) -> None:
    """A stranger's package of the same name would silently replace our files."""
    assert python(installed, "-c", OWNERS).split() == ["pitwire"] * 4


def test_its_command_runs_from_anywhere(installed: Path) -> None:
    assert "Exit codes" in python(installed, "-m", "daemon.cli.main", "--help")
