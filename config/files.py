"""Settings in files of their own: the operator names a path, the device is given what is there.

What is in such a file is a part of the settings, and so of their digest: a file that was changed
shows. A field of a device's settings is such a file by its metadata: `{"file": "toml"}` is read as
TOML, `{"file": "dbc"}` as a DBC.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any, Final, TypeAlias, get_type_hints

from config.complaints import Findings
from config.dbc import DbcError, read_dbc
from config.errors import Problem
from config.places import Path
from config.raw import parse


def with_files(
    kind: type[Any], data: Mapping[str, Any], path: Path, folder: FilePath, findings: Findings
) -> Mapping[str, Any] | None:
    """Return settings with what is in a file for each path of one; None with every problem added.

    Paths are seen from `folder`.
    """
    filled, before = dict(data), len(findings.problems)
    hints = get_type_hints(kind)
    for name, form in _files(kind).items():
        if not isinstance(data.get(name), str):
            continue
        try:
            content = (folder / data[name]).read_bytes()
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            what = f'the file "{data[name]}" cannot be read: {why}'
            expected = f"expected a path, absolute or seen from {folder}"
            findings.problem((*path, name), what, expected)
            continue
        filled[name] = _READERS[form](hints[name], data[name], content, findings)
    return filled if len(findings.problems) == before else None


def files_of(kind: type[Any]) -> list[str]:
    """Return the names of the settings that are in files of their own."""
    return list(_files(kind))


def _files(kind: type[Any]) -> Mapping[str, str]:
    """Return the form of each file among the settings, by its name."""
    fields = dataclasses.fields(kind)
    return {field.name: field.metadata["file"] for field in fields if "file" in field.metadata}


def _toml(kind: type[Any], file: str, content: bytes, findings: Findings) -> Any:
    text = content.decode("utf-8", "replace")
    sheet = Findings(text, file)
    tree = parse(text, sheet)
    if tree is not None:
        sheet.check(kind, tree, ())
    findings.problems += sheet.problems
    return tree


def _dbc(_kind: type[Any], file: str, content: bytes, findings: Findings) -> Any:
    try:
        return [dataclasses.asdict(message) for message in read_dbc(content)]
    except DbcError as error:
        problem = Problem("", error.line, error.what, error.expected, None, file)
        findings.problems.append(problem)
        return None


_Reader: TypeAlias = Callable[[Any, str, bytes, Findings], Any]

_READERS: Final[Mapping[str, _Reader]] = {"toml": _toml, "dbc": _dbc}
