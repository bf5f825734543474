"""The sealing key: where it is found, how it is read, what each table derives from it."""

import base64
import subprocess
import sys
from pathlib import Path

import pytest
from nacl.public import PrivateKey, SealedBox

from config.load import load
from daemon.gamekit.commitments import Place
from daemon.service import sealing_keys
from daemon.service.assembly import known, setup_of
from daemon.service.sealing_keys import BadKey, find_key, read_keys, table_keys
from daemon.table.state import NO_KEY
from protocols.cards import DECK, Card

RAW = bytes(range(100, 132))
PLACE = Place("BJ-1", "000001-aa", "S1", "R1", "dealer.2", "b2:00")
SERVER = PrivateKey.from_seed(b"\x07" * 32)
PUBLIC = base64.b64encode(bytes(SERVER.public_key)).decode()


def key_file(folder: Path, content: bytes) -> Path:
    path = folder / "sealing-key"
    path.write_bytes(content)
    return path


# --- where it is found ---------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that stands for /etc/credstore."""
    folder = tmp_path / "credstore"
    folder.mkdir()
    monkeypatch.setattr(sealing_keys, "STORES", (folder,))
    return folder


def test_the_configured_file_goes_before_what_systemd_hands_over(tmp_path: Path) -> None:
    given = tmp_path / sealing_keys.CREDENTIAL
    given.write_bytes(RAW)
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert find_key("/etc/pitwire/key", environment) == Path("/etc/pitwire/key")
    assert find_key(None, environment) == given


def test_check_from_a_shell_sees_what_systemd_would_hand_over(store: Path) -> None:
    assert find_key(None, {}) is None
    (store / sealing_keys.CREDENTIAL).write_bytes(RAW)
    assert find_key(None, {}) == store / sealing_keys.CREDENTIAL


@pytest.mark.usefixtures("store")
def test_a_service_that_was_handed_nothing_has_no_key(tmp_path: Path) -> None:
    assert find_key(None, {"CREDENTIALS_DIRECTORY": str(tmp_path)}) is None


# --- how it is read ------------------------------------------------------------------------


@pytest.mark.parametrize("content", [RAW, RAW.hex().encode(), RAW.hex().upper().encode() + b"\n"])
def test_32_bytes_raw_or_in_hex_are_the_same_key(tmp_path: Path, content: bytes) -> None:
    ours = read_keys(key_file(tmp_path, content)).of("BJ-1").commitments.value
    assert ours == read_keys(key_file(tmp_path, RAW)).of("BJ-1").commitments.value


@pytest.mark.parametrize(
    "content", [b"", b"\n", RAW[:31], RAW + b"\n", RAW.hex()[:-1].encode(), b"g" * 64, b"\xff" * 64]
)
def test_anything_else_is_no_key_and_its_content_is_not_said(
    tmp_path: Path, content: bytes
) -> None:
    with pytest.raises(BadKey) as caught:
        read_keys(key_file(tmp_path, content))
    assert f"it has {len(content)} bytes" in caught.value.what
    assert "head -c 32 /dev/urandom" in caught.value.action
    assert caught.value.__cause__ is None
    assert not [word for word in content.split() if word.decode("latin-1") in str(caught.value)]


def test_a_key_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match="nowhere cannot be read: No such file"):
        read_keys(tmp_path / "nowhere")


def test_every_table_and_every_use_has_a_key_of_its_own(tmp_path: Path) -> None:
    keys = read_keys(key_file(tmp_path, RAW))
    tables = [keys.of(table) for table in ("BJ-1", "BJ-2")]
    derived = {one.commitments.value for one in tables}
    derived |= {one.value for table in tables for one in table.cipher._keys.values()}
    assert len(derived) == 4
    assert RAW not in derived


def test_no_repr_shows_a_key(tmp_path: Path) -> None:
    keys = read_keys(key_file(tmp_path, RAW))
    table = keys.of("BJ-1", PUBLIC)
    shown = repr([keys, table, vars(keys), vars(table.cipher)])
    for secret in (
        RAW,
        table.commitments.value,
        *(one.value for one in table.cipher._keys.values()),
    ):
        assert secret.hex() not in shown
        assert repr(secret) not in shown


# --- sealed to the table server --------------------------------------------------------------


@pytest.mark.parametrize("card", DECK, ids=str)
def test_an_ordinary_sealed_box_opens_it(tmp_path: Path, card: Card) -> None:
    lock = read_keys(key_file(tmp_path, RAW)).of("BJ-1", PUBLIC).lock
    assert lock is not None
    locked = lock(card, PLACE, 17)
    assert SealedBox(SERVER).decrypt(base64.b64decode(locked)) == str(card).encode()
    assert len(locked) == 68  # base64 of 32 + 16 + 2 bytes, whatever the card


def test_it_is_the_same_again_and_another_box_for_anything_else(tmp_path: Path) -> None:
    keys = read_keys(key_file(tmp_path, RAW))
    lock, other = keys.of("BJ-1", PUBLIC).lock, keys.of("BJ-2", PUBLIC).lock
    assert lock is not None
    assert other is not None
    king, two = Card("K", "S"), Card("2", "S")
    elsewhere = Place("BJ-1", "000001-aa", "S1", "R2", "dealer.2", "b2:00")
    boxes = [
        lock(king, PLACE, 17), lock(king, PLACE, 17), lock(two, PLACE, 17), lock(king, PLACE, 18),
        lock(king, elsewhere, 17), other(king, PLACE, 17),
    ]  # fmt: skip
    assert boxes[0] == boxes[1]
    # the throw-away key is another one each time: no two cards lie under one key stream
    assert len({base64.b64decode(box)[:32] for box in boxes}) == 5


@pytest.mark.parametrize("public", [base64.b64encode(bytes(32)).decode()])
def test_a_key_that_anybody_could_open_is_refused(tmp_path: Path, public: str) -> None:
    with pytest.raises(BadKey, match="no X25519 public key"):
        read_keys(key_file(tmp_path, RAW)).of("BJ-1", public)


# --- a whole configuration -------------------------------------------------------------------

CONFIG = """
site = "house"
{sealing}
[bus]
kind = "stdout"
[[table]]
id = "BAC-1"
mode = "rehearsal"
game = "baccarat"
profile = "baccarat-gr"
[[table.device]]
role = "primary"
device = "angel_eye_ii_ex"
link = {{ kind = "simulated", device = "angel_eye_ii_ex" }}
"""


def test_a_table_gets_its_keys_or_none_at_all(tmp_path: Path, store: Path) -> None:
    path = key_file(tmp_path, RAW)
    with_key = load(CONFIG.format(sealing=f'[sealing]\nkey = "{path}"'), known(), source="x")
    without = load(CONFIG.format(sealing=""), known(), source="x")
    assert not list(store.iterdir())
    assert table_keys(without) == {}
    assert setup_of(without.tables[0]).key is NO_KEY
    # in a process of its own: it can never be dumped again, and this one may want to be
    program = (
        "import ctypes, sys; from daemon.service.sealing_keys import table_keys;"
        "from daemon.service.assembly import known;"
        "from config.load import load; config = load(sys.stdin.read(), known(), source='x');"
        "print(list(table_keys(config)), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        input=CONFIG.format(sealing=f'[sealing]\nkey = "{path}"'),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "['BAC-1'] 0\n"
    keys = read_keys(path).of("BAC-1")
    assert setup_of(with_key.tables[0], keys).key is keys.commitments
