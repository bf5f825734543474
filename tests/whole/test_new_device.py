"""`pitwire new-device`: what it writes keeps the laws as it stands, in a copy of this tree."""

from pathlib import Path

import pytest
from support.tree_copy import copy_of_the_tree, python
from support.whole_rig import pitwire

KINDS = {"acme_shoe_2": "shoe", "acme_wheel": "wheel", "acme_dice": "dice"}


@pytest.mark.slow
async def test_devices_as_written_keep_every_law(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path)
    for key, kind in KINDS.items():
        code, out = await python(tree, "-m", "daemon.cli.main", "new-device", key, "--kind", kind)
        assert code == 0, out
        assert "pytest -q tests/laws tests/protocols -k " + key in out
    # What `capture` marks and what `decode` prints is a golden scenario as it stands.
    first = tree / "tests/captures/acme_shoe_2/first.capture"
    written = first.read_text()
    first.write_text(written.replace("0d 0a\n", "0d 0a stale\n", 1))
    decode = ("decode", "acme_shoe_2", str(first), "--json")
    code, out = await python(tree, "-m", "daemon.cli.main", *decode)
    assert code == 0, out
    first.with_suffix(".expect").write_text(out)
    tests = ("tests/laws/test_every_decoder.py", "tests/protocols/test_golden.py")
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, "-k", " or ".join(KINDS))
    code, out = await python(tree, *words)
    assert code == 0, out[-3000:]
    assert "deselected" in out
    code, out = await python(tree, "-m", "daemon.cli.main", "devices", "--kinds")
    assert code == 0
    assert KINDS.keys() <= {line.split()[0] for line in out.splitlines()}


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (("Acme", "--kind", "shoe"), 2, "small letters, digits and _"),
        (("lambda", "--kind", "shoe"), 2, "small letters, digits and _"),
        (("beetek", "--kind", "shoe"), 2, "there is already a device beetek"),
        (("acme", "--kind", "shoe"), 2, "is no checkout of pitwire"),
        (("acme", "--kind", "slot"), 2, "slot"),
    ],
)
async def test_what_cannot_be_written_is_a_plain_sentence(
    tmp_path: Path, words: tuple[str, ...], code: int, part: str
) -> None:
    found, out, err = await pitwire("new-device", *words, "--tree", str(tmp_path))
    assert (found, out) == (code, "")
    assert part in err


async def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "protocols/dice").mkdir(parents=True)
    (tmp_path / "tests/captures").mkdir(parents=True)
    words = ("new-device", "acme", "--kind", "dice", "--tree", str(tmp_path))
    assert (await pitwire(*words))[0] == 0
    code, _, err = await pitwire(*words)
    assert (code, "is already there" in err) == (1, True)
