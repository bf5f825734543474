"""Who opens a node of ours is noticed, though it is not seen who."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.pty_rig import opened, plugged_in

from drivers.discovery.inotify_opens import OpenCounter


async def test_wheel_08_whoever_opens_the_port_later_is_counted_until_it_is_closed() -> None:
    with plugged_in() as box:
        before = os.open(box.path, os.O_RDONLY | os.O_NOCTTY)
        port = await opened(box.path)
        openings = OpenCounter(box.path)
        counts = [openings.others()]
        os.close(before)
        counts.append(openings.others())
        # by the descriptor that we have: the port is exclusive, except for root
        other = os.open(f"/proc/self/fd/{port._fd}", os.O_RDONLY) if os.geteuid() == 0 else -1
        box.say(b"bytes are no openings")
        counts.append(openings.others())
        if other >= 0:
            os.close(other)
        counts.append(openings.others())
        openings.close()
        await port.aclose()
    assert counts == [0, 0, int(os.geteuid() == 0), 0]


def test_a_node_that_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        OpenCounter(str(tmp_path / "gone"))
