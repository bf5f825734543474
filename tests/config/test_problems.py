"""A bad file is refused with every problem, each where it is, with what would be right."""

from __future__ import annotations

import contextlib
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from config.errors import ConfigError, Problem
from config.load import Known, load

Problems = Callable[[str], tuple[Problem, ...]]

# One edit of the good file; the problem that it makes: at which key, on the line that begins how,
# what is said, and which name is suggested.
CASES = [
    ('id = "R-01"\n', "", "table[0].id", "[[table]]", '"id" is missing', None),
    ("[[table.device]]", "[[table.devise]]", "table[0].devise", "[[table.devise]]", "is unknown",
     "device"),
    ('"riga-1"', '"Riga.1"', "site", "site", '"Riga.1" is not possible', None),
    ('"roulette"', '"roulete"', "table[0].game", "game", 'no game "roulete"', "roulette"),
    ("-lv", "-lw", "table[0].profile", "profile", "no profile of roulette", "roulette-lv"),
    ("min_revolutions", "min_revolution", "table[0].rules.min_revolution", "rules", "is unknown",
     "min_revolutions"),
    ("min_revolutions = 4", "min_revolutions = 0", "table[0].rules", "rules", "at least 1", None),
    ('"primary"', '"primery"', "table[0].device[0].role", "role", "not possible", "primary"),
    ('"primary"', '"witness"', "table[0]", "[[table]]", "no device is the primary", None),
    ("cammegh_ss2", "cammegh-ss2", "table[0].device[0].device", "device", "no device",
     "cammegh_ss2"),
    ('"cammegh_ss2"\nsettings = { pockets = 38 }', '"angel_eye"', "table[0].device[0].device",
     "device", "is a shoe, this game reads a wheel", None),
    ('"angel_eye"', '"wedge"', "table[1].device[0].link.kind", "link",
     '"serial_port" does not carry "wedge", which is wired by USB', None),
    ("= 38", "= 36", "table[0].device[0].settings.pockets", "settings", "36 is not", None),
    ("pockets", "pocket", "table[0].device[0].settings.pocket", "settings", "is unknown",
     "pockets"),
    ("serial_port", "serialport", "table[0].device[0].link.kind", "link", "no kind of link",
     "serial_port"),
    ("port = ", "prt = ", "table[0].device[0].link.prt", "link", "is unknown", "port"),
    ('"nats_jetstream"', '"nats"', "bus.kind", "kind", "no kind of bus", "nats_jetstream"),
    ("servers = ", "server = ", "bus.server", "server", "is unknown", "servers"),
    ('"device"\n', '"device"\nwitness_wait = 2.0\n', "table[1].witness_wait", "witness_wait",
     "there is no witness to wait for", None),
    ('"device"\n', '"device"\nwitness_wait = -1\n', "table[1].witness_wait", "witness_wait",
     "-1 is", None),
    (":9464", ":94640", "metrics.listen", "listen", "not possible", None),
    ('"device"\n', '"devices"\n', "table[1].round_control", "round_control", "not possible",
     "device"),
    ("baud = 9600", "baud = 9600.0", "table[1].device[0].link.baud", "link", "9600.0 is", None),
    ("BAC-07", "R-01", "table[1].id", 'id = "R-01"', "already the id of table[0]", None),
    ("_A2", "_A1", "table[1].device[0].link.port", "link", "already used by", None),
    ("\n", "\ntime_scale = 2\n", "time_scale", "time_scale", "R-01, BAC-07 is live", None),
    ("min_revolutions = 4", "spin_timeout_s = nan", "table[0].rules.spin_timeout_s", "rules",
     "not finite", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "where", "begins", "what", "nearest"),
    CASES,
    ids=[f"{case[2]} {case[4]}" for case in CASES],
)
def test_one_fault_is_told_with_its_place_its_line_and_the_nearest_name(
    old: str,
    new: str,
    where: str,
    begins: str,
    what: str,
    nearest: str | None,
    good: str,
    problems: Problems,
) -> None:
    assert old in good
    text = good.replace(old, new, 1)
    (one,) = [problem for problem in problems(text) if what in problem.what]
    assert (one.where, one.nearest) == (where, nearest)
    assert one.line is not None
    assert text.splitlines()[one.line - 1].startswith(begins)


def test_every_problem_is_told_at_once_in_the_order_of_the_file(problems: Problems) -> None:
    found = problems(
        """
site = "x"
[bus]
kind = "mqqt"
[log]
level = "loud"
[[table]]
game = "roulette"
profile = "nobody"
[[table.device]]
role = "primary"
device = "cammegh_ss2"
settings = { pockets = 12 }
link = { kind = "serial_port" }
"""
    )
    assert [one.where for one in found] == [
        "bus.kind",
        "log.level",
        "table[0].id",
        "table[0].profile",
        "table[0].device[0].settings.pockets",
        "table[0].device[0].link.port",
    ]
    assert [one.line for one in found] == [4, 6, 7, 9, 13, 14]


def test_the_error_says_it_all_as_lines_for_people(good: str, known: Known) -> None:
    with pytest.raises(ConfigError) as caught:
        load(good.replace('"primary"', '"primery"', 1), known, source="/etc/pitwire.toml")
    assert str(caught.value).splitlines()[-1] == (
        '/etc/pitwire.toml:18: table[0].device[0].role: "primery" is not possible here;'
        ' expected one of: hole, primary, witness; did you mean "primary"?'
    )


def test_a_text_that_is_no_toml_is_told_with_its_line(problems: Problems) -> None:
    (one,) = problems('site = "riga-1"\n[bus\n')
    assert (one.where, one.line) == ("", 2)


def test_an_empty_file_is_told_what_it_must_say(problems: Problems) -> None:
    assert [one.where for one in problems("")] == ["site", "bus", "table"]


def test_a_link_that_is_not_real_hardware_may_not_feed_a_live_table(
    good: str, problems: Problems
) -> None:
    port = 'kind = "serial_port", port = "/dev/serial/by-id/usb-FTDI_A1-if00-port0"'
    (one,) = problems(good.replace(port, 'kind = "replay", file = "night.capture"'))
    assert one.where == "table[0].device[0].link.kind"
    assert "not real hardware, and the table is live" in one.what
    assert "serial_port, tcp_serial" in one.expected


def test_a_second_device_of_one_role_is_refused(good: str, problems: Problems) -> None:
    second = '[[table.device]]\nrole = "primary"\ndevice = "angel_eye"\n'
    link = 'link = { kind = "tcp_serial", host = "nport", port = 4001 }\n'
    (one,) = problems(good + second + link)
    assert one.where == "table[1].device[1].role"
    assert "second primary" in one.what


def test_two_names_of_one_port_are_one_port(good: str, problems: Problems, tmp_path: Path) -> None:
    node = tmp_path / "ttyS9"
    node.touch()
    link = tmp_path / "by-id"
    link.symlink_to(node)
    text = good.replace("/dev/serial/by-id/usb-FTDI_A1-if00-port0", str(node))
    (one,) = problems(text.replace("/dev/serial/by-id/usb-FTDI_A2-if00-port0", str(link)))
    assert "already used by table[0].device[0]" in one.what


def test_a_usb_device_feeds_one_table(good: str, problems: Problems) -> None:
    wedge = 'device = "wedge"\nlink = { kind = "usb_device", vendor = 0x0c2e, serial = "A1" }'
    serial = 'device = "angel_eye"\nlink = { kind = "serial_port", port = "'
    head, found, _ = good.partition(serial)
    assert found
    table = head.rpartition("[[table]]\n")[2]
    second = "[[table]]\n" + table.replace("BAC-07", "BAC-08") + wedge
    (one,) = problems(f"{head}{wedge}\n{second}\n")
    assert one.where == "table[2].device[0].link.kind"
    assert one.what == "USB 0c2e A1 is already used by table[1].device[0]"


def test_one_port_of_one_serial_server_is_used_once(good: str, problems: Problems) -> None:
    link = 'link = { kind = "tcp_serial", host = "nport", port = 4001 }'
    lines = [link if line.startswith("link") else line for line in good.splitlines()]
    (one,) = problems("\n".join(lines))
    assert "nport:4001 is already used" in one.what


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("pockets = 37\n", "", "rules.pockets", '"pockets" is missing'),
        ('rim_event = "after_bets"\n', "", "rules", '"rim_event" is missing'),
        ("pockets", "pokets", "rules.pokets", "is unknown"),
        ("min_revolutions = 3", "min_revolutions = true", "rules.min_revolutions", "true is not"),
        ('game = "roulette"', 'game = "baccarat"', "game", 'rules of "baccarat"'),
        ("title", "titel", "title", "is missing"),
        ("[rules]", "[rules", "", "no TOML"),
    ],
)
def test_a_fault_in_a_profile_is_told_in_the_profile(
    old: str, new: str, where: str, what: str, good: str, known: Known, tmp_path: Path
) -> None:
    (tmp_path / "house.toml").write_text(known.profiles["roulette-lv"].replace(old, new, 1))
    text = good.replace('"roulette-lv"', '"house.toml"')
    with pytest.raises(ConfigError) as caught:
        load(text, known, source=str(tmp_path / "pitwire.toml"))
    assert (where, "profile house.toml") in [
        (one.where, one.file) for one in caught.value.problems if what in one.what
    ]


def test_a_profile_that_is_not_there_is_told(good: str, problems: Problems) -> None:
    (one,) = problems(good.replace('"roulette-lv"', '"nowhere/house.toml"'))
    assert one.where == "table[0].profile"
    assert "cannot be read" in one.what


def toml(value: Any) -> str:
    """Return a value as inline TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    return json.dumps(value)


def replaced(value: Any, other: Any) -> Iterator[Any]:
    """Yield the value with each of its parts, in turn, replaced by another value."""
    yield other
    parts = list(value.items() if isinstance(value, dict) else enumerate(value))
    for key, part in parts if isinstance(value, dict | list) else ():
        for one in replaced(part, other) if isinstance(part, dict | list) else [other]:
            copy: Any = value.copy()
            copy[key] = one
            yield copy


@pytest.mark.parametrize(
    "other", [1, -0.5, "x", True, [], [1], [[]], {}, {"kind": 1}, [{"id": []}]]
)
def test_a_value_of_any_type_at_any_place_is_a_problem_and_no_accident(
    other: Any, good: str, known: Known
) -> None:
    for tree in replaced(tomllib.loads(good), other):
        if not isinstance(tree, dict):
            continue
        text = "\n".join(f"{key} = {toml(one)}" for key, one in tree.items())
        with contextlib.suppress(ConfigError):
            assert load(text, known, source="x").digest
