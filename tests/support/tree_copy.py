"""A copy of this tree to put something into, and Python on it."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copy_of_the_tree(folder: Path) -> Path:
    tree = folder / "tree"
    made = shutil.ignore_patterns("__pycache__", "node_modules", "dist")
    for room in ("protocols", "drivers", "config", "daemon", "tests", "docs", "clients"):
        shutil.copytree(ROOT / room, tree / room, ignore=made)
    for name in ("pyproject.toml", "README.md", "Makefile"):
        shutil.copy(ROOT / name, tree / name)
    return tree


async def python(tree: Path, *words: str) -> tuple[int, str]:
    """Run Python on the copy; return its exit code and all that it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        *words,
        cwd=tree,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        # What this run of pytest was told is not for one inside it.
        env={**os.environ, "PYTHONPATH": str(tree), "PYTEST_ADDOPTS": ""},
    )
    out, _ = await process.communicate()
    return process.returncode or 0, out.decode()
