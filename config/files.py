"""Settings in files of their own: the operator names a path, the device is given what is there.

What is in such a file is a part of the settings, and so of their digest: a file that was changed
shows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any, get_type_hints

from config.complaints import Findings
from config.places import Path
from config.raw import parse


def with_files(
    kind: type[Any], data: Mapping[str, Any], path: Path, folder: FilePath, findings: Findings
) -> Mapping[str, Any] | None:
    """Return settings with what is in a file for each path of one; None with every problem added.

    `metadata={"file": True}` makes a field a file: a text is taken as it is, with a mark for what
    is no UTF-8; anything else is read as TOML. Paths are seen from `folder`.
    """
    names = files_of(kind)
    filled, hints, before = dict(data), get_type_hints(kind), len(findings.problems)
    for name in names:
        if not isinstance(data.get(name), str):
            continue
        try:
            text = (folder / data[name]).read_text("utf-8", errors="replace")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            what = f'the file "{data[name]}" cannot be read: {why}'
            expected = f"expected a path, absolute or seen from {folder}"
            findings.problem((*path, name), what, expected)
            continue
        filled[name] = (
            text if hints[name] is str else _tree(hints[name], data[name], text, findings)
        )
    return filled if len(findings.problems) == before else None


def files_of(kind: type[Any]) -> list[str]:
    """Return the names of the settings that are in files of their own."""
    return [one.name for one in dataclasses.fields(kind) if one.metadata.get("file")]


def _tree(kind: type[Any], file: str, text: str, findings: Findings) -> Any:
    sheet = Findings(text, file)
    tree = parse(text, sheet)
    if tree is not None:
        sheet.check(kind, tree, ())
    findings.problems += sheet.problems
    return tree
