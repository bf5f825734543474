"""A good file becomes values; nothing is left to look up."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from config.load import BridgeConfig, ConfigError, Known, load

Loaded = Callable[[str], BridgeConfig]


def test_a_good_file_becomes_instances_of_the_settings_that_it_names(
    good: str, loaded: Loaded, known: Known
) -> None:
    config = loaded(good)
    wheel, shoe = config.tables
    assert (config.site, config.time_scale) == ("riga-1", 1.0)
    assert config.bus.settings == known.buses["nats_jetstream"](
        ("nats://10.0.0.1:4222", "nats://10.0.0.2:4222")
    )
    assert wheel.devices[0].settings == known.devices["cammegh_ss2"].settings(pockets=38)
    assert wheel.devices[0].link_kind == "serial_port"
    assert shoe.devices[0].link == known.links["serial_port"].settings(
        "/dev/serial/by-id/usb-FTDI_A2-if00-port0", 9600
    )
    assert shoe.profile == known.games["baccarat"].profile(8, frozenset({"misdeal", "shuffle"}))
    assert [warning.where for warning in config.warnings] == ["table[1].round_control"]


def test_r16_no_more_bets_is_not_proven_at_a_live_table_whose_device_opens_the_rounds(
    good: str, loaded: Loaded
) -> None:
    (warning,) = loaded(good).warnings
    assert warning.where == "table[1].round_control"
    assert '"no more bets" came before is not proven' in warning.what
    assert warning.expected == 'better round_control = "server"'
    assert loaded(good.replace('round_control = "device"', "")).warnings == ()
    rehearsal = good.replace(
        'round_control = "device"', 'round_control = "device"\nmode = "rehearsal"'
    )
    assert loaded(rehearsal).warnings == ()


def test_what_a_file_leaves_out_has_the_documented_default(good: str, loaded: Loaded) -> None:
    config = loaded(good.replace('[metrics]\nlisten = "127.0.0.1:9464"', ""))
    assert config.journal == "/var/lib/pitwire/journal.db"
    assert config.control == "/run/pitwire/control.sock"
    assert config.metrics is None
    assert (config.log.level, config.log.format) == ("info", "json")
    assert (config.tables[0].mode, config.tables[0].round_control) == ("live", "server")


@pytest.mark.parametrize(
    ("listen", "address"),
    [("127.0.0.1:9464", ("127.0.0.1", 9464)), ("[::1]:0", ("::1", 0)), ("", None)],
)
def test_the_metrics_address_is_split(
    listen: str, address: tuple[str, int] | None, good: str, loaded: Loaded
) -> None:
    assert loaded(good.replace("127.0.0.1:9464", listen)).metrics == address


def test_a_table_overrides_single_rules_of_its_profile(
    good: str, loaded: Loaded, known: Known
) -> None:
    table = loaded(good).tables[0]
    assert table.profile == known.games["roulette"].profile(37, 4)
    assert table.profile_key == "roulette-lv"


def test_the_profile_digest_is_of_the_canonical_json_of_the_rules_that_apply(
    good: str, loaded: Loaded
) -> None:
    canonical = b'{"min_revolutions":4,"pockets":37,"rim_event":"after_bets","spin_timeout_s":null}'
    expected = "b2:" + hashlib.blake2b(canonical, digest_size=32).hexdigest()
    assert loaded(good).tables[0].profile_digest == expected


def test_rules_that_differ_have_digests_that_differ(good: str, loaded: Loaded) -> None:
    other = good.replace("min_revolutions = 4", "min_revolutions = 5")
    assert loaded(good).tables[0].profile_digest != loaded(other).tables[0].profile_digest


def test_the_digest_of_a_file_ignores_how_it_is_written_and_sees_every_change(
    good: str, loaded: Loaded
) -> None:
    assert loaded(good).digest == loaded("# a comment\n" + good).digest
    assert loaded(good).digest != loaded(good.replace("usb-FTDI_A2", "usb-FTDI_A3")).digest


def test_a_profile_of_the_house_is_read_from_beside_the_file(
    good: str, known: Known, tmp_path: Path
) -> None:
    (tmp_path / "house.toml").write_text(known.profiles["roulette-lv"].replace("37", "38"))
    text = good.replace('"roulette-lv"', '"house.toml"')
    table = load(text, known, source=str(tmp_path / "pitwire.toml")).tables[0]
    assert (table.profile.pockets, table.profile_key) == (38, "house.toml")


def test_a_port_named_by_the_kernel_is_taken_with_a_warning(good: str, loaded: Loaded) -> None:
    text = good.replace("/dev/serial/by-id/usb-FTDI_A1-if00-port0", "/dev/ttyUSB0")
    _, warning = loaded(text).warnings
    assert warning.where == "table[0].device[0].link.port"
    assert warning.line is not None
    assert text.splitlines()[warning.line - 1].startswith("link")
    assert "by-id" in warning.expected


def test_a_name_that_two_adapters_would_share_is_taken_with_a_warning(
    good: str, loaded: Loaded
) -> None:
    # CH340 adapters have no serial number (node-serialport 329): by-id points to the last one.
    text = good.replace("usb-FTDI_A1-if00-port0", "usb-1a86_USB_Serial-if00-port0")
    _, warning = loaded(text).warnings
    assert "by-path" in warning.expected


def test_a_rehearsal_may_run_fast_and_on_recordings(good: str, loaded: Loaded) -> None:
    link = 'link = { kind = "replay", file = "night.capture", speed = 2 }'
    lines = [link if line.startswith("link") else line for line in good.splitlines()]
    text = "time_scale = 20\n" + "\n".join(lines).replace("game =", 'mode = "rehearsal"\ngame =')
    config = loaded(text)
    assert config.time_scale == 20
    assert {table.mode for table in config.tables} == {"rehearsal"}
    assert config.tables[0].devices[0].link.speed == 2.0


def test_a_result_waits_for_the_witness_of_those_tables_that_ask_for_it(
    good: str, loaded: Loaded
) -> None:
    assert [table.witness_wait_s for table in loaded(good).tables] == [0.0, 0.0]
    asked = good.replace('id = "BAC-07"', 'id = "BAC-07"\nwitness_wait = 2')
    asked += """
[[table.device]]
role = "witness"
device = "angel_eye"
link = { kind = "serial_port", port = "/dev/serial/by-id/second" }
"""
    assert [table.witness_wait_s for table in loaded(asked).tables] == [0.0, 2.0]


def test_enrolment_is_for_those_tables_that_ask_for_it(good: str, loaded: Loaded) -> None:
    assert [table.enrolment for table in loaded(good).tables] == [False, False]
    asked = good.replace('id = "BAC-07"', 'id = "BAC-07"\nenrolment = true')
    assert [table.enrolment for table in loaded(asked).tables] == [False, True]
    assert loaded(asked).digest != loaded(good).digest


def test_no_value_is_guessed_from_a_value_of_another_type(good: str, known: Known) -> None:
    with pytest.raises(ConfigError):
        load(good.replace("pockets = 38", 'pockets = "38"'), known, source="pitwire.toml")


def test_r18_a_rule_that_a_table_overrides_is_told_as_the_operators_own(
    good: str, loaded: Loaded
) -> None:
    (remark,) = [one for one in loaded(good).remarks if one.where.startswith("table")]
    assert remark.where == "table[0].rules.min_revolutions"
    assert remark.line is not None
    assert "min_revolutions = 4" in good.splitlines()[remark.line - 1]
    assert remark.what == "4 is the operator's own"
    assert remark.expected == "profile roulette-lv has 3 (LV roulette 3.1.1)"


def test_r18_a_rule_that_is_overridden_with_the_value_it_has_is_not_told(
    good: str, loaded: Loaded
) -> None:
    remarks = loaded(good.replace("min_revolutions = 4", "min_revolutions = 3")).remarks
    assert [one for one in remarks if one.where.startswith("table")] == []


def test_r18_a_profile_that_says_not_where_its_values_are_from_is_taken_and_told_once(
    good: str, loaded: Loaded
) -> None:
    (remark,) = [one for one in loaded(good).remarks if one.where == "clauses"]
    assert remark.file == "profile baccarat-lv"
    assert remark.what.endswith("so each is the operator's own: burn_reasons, decks")
