"""A key's line is found by its path."""

from __future__ import annotations

import pytest

from config.places import Path, Places, where

TEXT = '''\
site = "a # [b]"   # [comment]
text = """
[no.header]
no_key = 1
"""
list = [
    "one",
    { inner = 1 },
]

[log]
level = "info"

[[table]]
id = "1"
[[table.device]]
role = "x"
[[table.device]]
role = "y"
link.port = "z"

[[table]]
"quoted id" = '2'
[[table.device]]
role = "w"
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("site",), 1),
        (("list", 1, "inner"), 6),
        (("log",), 11),
        (("log", "level"), 12),
        (("table", 0, "id"), 15),
        (("table", 0, "device", 0, "role"), 17),
        (("table", 0, "device", 1, "role"), 19),
        (("table", 0, "device", 1, "link", "port"), 20),
        (("table", 1, "quoted id"), 23),
        (("table", 1, "device", 0, "role"), 25),
        (("table", 1, "device", 0, "missing"), 24),
        (("no", "header"), None),
        (("absent",), None),
    ],
)
def test_a_value_is_on_its_own_line_or_on_that_of_what_holds_it(
    path: Path, line: int | None
) -> None:
    assert Places(TEXT).line(path) == line


def test_a_path_is_written_as_people_write_it() -> None:
    assert where(("table", 0, "device", 1, "link", "port")) == "table[0].device[1].link.port"
