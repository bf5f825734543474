"""Whether a node may be opened, and what a technician is told where not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drivers.discovery.access import trouble_with


def test_what_may_be_opened_has_no_trouble(tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.touch()
    assert trouble_with(str(node)) is None


def test_what_has_no_node_says_so(tmp_path: Path) -> None:
    found = trouble_with(str(tmp_path / "none"))
    assert found is not None
    assert "no node" in found.what


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize(
    ("group", "action"),
    [(20, "add the user to group dialout"), (0, "install the udev rules")],
    ids=["dialout", "root"],
)
def test_a_user_outside_the_group_is_told_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: int, action: str
) -> None:
    node = tmp_path / "node"
    node.touch(0o660)
    os.chown(node, 0, group)
    monkeypatch.setattr(os, "access", lambda *_: False)  # as the kernel answers somebody else
    found = trouble_with(str(node))
    assert found is not None
    assert "may not open" in found.what
    assert found.action.startswith(action)
