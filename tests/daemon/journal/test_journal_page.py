"""The page on the journal: what it says to run is run, on an export and on a forged one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.durable import KEYS, events, opened

from daemon.journal.export import export

PAGE = Path(__file__).parents[3] / "docs/journal.md"
(SCRIPT,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


async def exported(folder: Path) -> list[bytes]:
    async with opened(folder / "journal.db") as it:
        await it.write(*events(1, 20), *events(1, 3, "B"))
    async with opened(folder / "journal.db") as it:
        return [*export(it.journal)]


def run(folder: Path, lines: list[bytes]) -> subprocess.CompletedProcess[str]:
    (folder / "export.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    words = [sys.executable, "-c", SCRIPT, str(folder / "export.jsonl")]
    return subprocess.run(words, capture_output=True, text=True, check=False)


async def test_an_export_is_checked_by_the_lines_on_the_page(tmp_path: Path) -> None:
    ran = run(tmp_path, await exported(tmp_path))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("23 records, signed at ")
    assert KEYS.in_force in ran.stdout


@pytest.mark.parametrize("at", [5, -2, -1], ids=["a record", "the last record", "the checkpoint"])
async def test_they_find_what_is_missing_or_forged(tmp_path: Path, at: int) -> None:
    lines = await exported(tmp_path)
    assert run(tmp_path, [one for one in lines if one is not lines[at]]).returncode == 1
    forged = json.loads(lines[at])
    key = "checkpoint" if at == -1 else "blob"
    forged[key] = forged[key].replace("1", "2", 1)
    lines[at] = json.dumps(forged).encode()
    assert run(tmp_path, lines).returncode == 1
