"""Settings that are in files of their own: what is there becomes the setting, and its digest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from config.load import BridgeConfig, ConfigError, Known, KnownDevice, load
from protocols.can_signals import CanMessage, CanSignal
from protocols.wiring import SerialWiring

DBC = """VERSION ""
BU_: SHOE
BO_ 645 CARD: 1 SHOE
 SG_ Card : 0|8@1+ (1,0) [0|52] "" SHOE
VAL_ 645 Card 0 "none" ;
"""
SETTINGS = "settings = { pockets = 38 }"


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    speed: int = 1


@dataclass(frozen=True, slots=True)
class FiledSettings:
    database: tuple[CanMessage, ...] = field(default=(), metadata={"file": "dbc"})
    sheet: Sheet = field(default=Sheet("ours"), metadata={"file": "toml"})
    pockets: int = 37


@pytest.fixture
def filed(known: Known, good: str, tmp_path: Path) -> tuple[Known, str, Path]:
    """Return names, a good file whose wheel has file settings, and the folder of that file."""
    wheel = KnownDevice(FiledSettings, "wheel", SerialWiring)
    assert SETTINGS in good
    rehearsed = good.replace('id = "R-01"', 'id = "R-01"\nmode = "rehearsal"')
    return replace(known, devices={**known.devices, "cammegh_ss2": wheel}), rehearsed, tmp_path


def loaded(filed: tuple[Known, str, Path], settings: str) -> BridgeConfig:
    known, good, folder = filed
    text = good.replace(SETTINGS, f"settings = {{ {settings} }}")
    return load(text, known, source=str(folder / "pitwire.toml"))


def test_a_path_stands_for_what_is_there(filed: tuple[Known, str, Path]) -> None:
    (filed[2] / "shoe.dbc").write_text(DBC)
    (filed[2] / "sheet.toml").write_text('name = "theirs"\nspeed = 3\n')
    config = loaded(filed, 'database = "shoe.dbc", sheet = "sheet.toml"')
    settings = config.tables[0].devices[0].settings
    card = CanSignal("Card", 8, 0, "little", False, 0, 52, ((0, "none"),))  # noqa: FBT003 - unsigned
    assert settings == FiledSettings((CanMessage(645, "CARD", 1, (card,)),), Sheet("theirs", 3))


def test_a_file_that_changes_changes_the_digest(filed: tuple[Known, str, Path]) -> None:
    path = filed[2] / "shoe.dbc"
    digests = set()
    for text in (DBC, DBC.replace("52", "53"), DBC, f"{DBC}\n"):
        path.write_text(text)
        digests.add(loaded(filed, f'database = "{path}"').digest)
    assert len(digests) == 2


def test_without_a_path_the_default_stands(filed: tuple[Known, str, Path]) -> None:
    assert loaded(filed, "pockets = 38").tables[0].devices[0].settings == FiledSettings(pockets=38)


def test_every_fault_of_every_file_is_told_with_its_place(filed: tuple[Known, str, Path]) -> None:
    (filed[2] / "sheet.toml").write_text('\nspeed = "fast"\n')
    with pytest.raises(ConfigError) as caught:
        loaded(filed, 'database = "nowhere.dbc", sheet = "sheet.toml"')
    first, *others = caught.value.problems
    assert first.where == "table[0].device[0].settings.database"
    assert "nowhere.dbc" in first.what
    assert str(filed[2]) in first.expected
    assert {(one.file, one.line) for one in others} == {("sheet.toml", None), ("sheet.toml", 2)}


def test_a_file_that_is_no_toml_is_told(filed: tuple[Known, str, Path]) -> None:
    (filed[2] / "sheet.toml").write_text("no toml")
    with pytest.raises(ConfigError, match=r"sheet\.toml:1: this is no TOML"):
        loaded(filed, 'sheet = "sheet.toml"')


def test_a_dbc_that_cannot_be_is_told_with_its_file_and_line(
    filed: tuple[Known, str, Path],
) -> None:
    (filed[2] / "shoe.dbc").write_text(DBC.replace("0|8@", "0-8@"))
    with pytest.raises(ConfigError, match=r"shoe\.dbc:4: this is no DBC: unexpected at column 14"):
        loaded(filed, 'database = "shoe.dbc"')
