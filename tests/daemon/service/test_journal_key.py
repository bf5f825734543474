"""The journal's key: found, or made beside the journal, once; never guessed, never overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.load import BridgeConfig, load
from daemon.journal.errors import JournalFailed
from daemon.service import sealing_keys
from daemon.service.assembly import known
from daemon.service.journal_key import check_signing_key, own_key, signing_keys
from daemon.service.sealing_keys import BadKey

OLD, NEW = b"o" * 32, b"n" * 32


def configured(folder: Path, key: str = "", mode: str = "rehearsal") -> BridgeConfig:
    named = f', key = "{key}"' if key else ""
    text = f"""
        site = "oslo"
        journal = {{ path = "{folder}/journal.db"{named} }}
        bus = {{ kind = "stdout" }}
        [[table]]
        id = "BAC-1"
        mode = "{mode}"
        game = "baccarat"
        profile = "baccarat-dk"
        [[table.device]]
        role = "primary"
        device = "angel_eye_ii_ex"
        link = {{ kind = "serial_port", port = "/dev/serial/by-id/usb-shoe" }}
    """
    return load(text, known(), source="a test")


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    config = configured(tmp_path)
    first = signing_keys(config).public
    path = own_key(tmp_path / "journal.db")
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(path.read_bytes()) == 32
    assert signing_keys(config).public == first
    assert [one.name for one in tmp_path.iterdir()] == ["journal.db.key"]


def test_a_key_that_is_named_is_used_and_none_is_made(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text(f"{NEW.hex()}\n{OLD.hex()}\n")
    keys = signing_keys(configured(tmp_path, str(key)))
    assert len(keys.public) == 2
    assert keys.in_force == keys.public[0]
    assert not own_key(tmp_path / "journal.db").exists()


def test_a_named_key_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match=r"the journal key .* cannot be read"):
        signing_keys(configured(tmp_path, str(tmp_path / "nowhere")))
    assert list(tmp_path.iterdir()) == []


def test_a_credential_goes_before_a_key_beside_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "store").mkdir()
    monkeypatch.setattr(sealing_keys, "STORES", (tmp_path / "store",))
    beside = signing_keys(configured(tmp_path)).public
    (tmp_path / "store" / "pitwire-journal-key").write_bytes(NEW)
    assert signing_keys(configured(tmp_path)).public != beside


def test_a_folder_that_cannot_hold_one_is_told_as_the_journals_own(tmp_path: Path) -> None:
    with pytest.raises(JournalFailed, match="cannot be made"):
        signing_keys(configured(tmp_path / "nowhere"))


def test_check_warns_of_a_live_journal_whose_key_lies_beside_it(tmp_path: Path) -> None:
    assert check_signing_key(configured(tmp_path)) is None
    warning = check_signing_key(configured(tmp_path, mode="live"))
    assert "lies beside it" in (warning or "")
    assert list(tmp_path.iterdir()) == [], "a check changes nothing"
    key = tmp_path / "key"
    key.write_bytes(NEW)
    assert check_signing_key(configured(tmp_path, str(key), "live")) is None
    key.write_bytes(b"short")
    with pytest.raises(BadKey, match="no journal key"):
        check_signing_key(configured(tmp_path, str(key), "live"))
