"""The files of systemd/: accepted by systemd itself, and of one mind with the configuration."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from config.schema import ControlFile, JournalFile
from daemon.service import journal_key
from daemon.service.sealing_keys import CREDENTIAL

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNIT = (SYSTEMD / "pitwire.service").read_text()
DIRECTIVES = [tuple(line.split("=", 1)) for line in UNIT.splitlines() if re.match(r"\w+=", line)]

needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)
needs_sysusers = pytest.mark.skipif(
    shutil.which("systemd-sysusers") is None, reason="systemd-sysusers is not installed"
)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Return a copy of the unit that starts a program which this machine has."""
    copy = tmp_path / "pitwire.service"
    copy.write_text(UNIT.replace("ExecStart=/opt/pitwire/bin/pitwire", "ExecStart=/bin/true"))
    return copy


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


def values(name: str) -> list[str]:
    return [value for key, value in DIRECTIVES if key == name]


@needs_analyze
def test_systemd_finds_nothing_to_say_about_the_unit(unit: Path) -> None:
    # Its exit code is 0 even for directives that do not exist: only silence is approval.
    done = run("systemd-analyze", "verify", unit)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_analyze
def test_systemd_would_say_so_if_a_directive_did_not_exist(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in run("systemd-analyze", "verify", unit).stderr


@needs_analyze
def test_the_unit_is_exposed_by_less_than_two_of_ten(unit: Path) -> None:
    done = run("systemd-analyze", "security", "--offline=yes", "--threshold=20", unit)
    assert done.returncode == 0, done.stdout[-200:]


@needs_sysusers
def test_sysusers_makes_the_user_and_the_groups(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    done = run("systemd-sysusers", f"--root={tmp_path}", SYSTEMD / "pitwire.sysusers.conf")
    assert done.returncode == 0, done.stderr
    groups = {
        line.split(":")[0]: line.split(":")[3]
        for line in (tmp_path / "etc/group").read_text().splitlines()
    }
    assert groups == {"pitwire": "", "pitwire-admin": "", "dialout": "pitwire"}
    assert (tmp_path / "etc/passwd").read_text().rstrip().endswith("/usr/sbin/nologin")


def test_every_directive_has_its_reason_above_it() -> None:
    lines = UNIT.splitlines()
    bare = [
        line
        for before, line in pairwise(lines)
        if re.match(r"\w+=", line) and not before.startswith("#") and "=" not in before
    ]
    assert bare == ["Description=pitwire: card shoes and roulette wheels to the table server"]


def test_a_wrong_configuration_is_not_started_again_and_anything_else_is() -> None:
    assert values("Restart") == ["always"]
    assert values("RestartPreventExitStatus") == ["78"]
    assert values("StartLimitIntervalSec") == ["0"]


def test_the_directories_it_may_write_are_those_of_the_default_configuration() -> None:
    assert JournalFile().path.startswith(f"/var/lib/{values('StateDirectory')[0]}/")
    assert ControlFile().socket.startswith(f"/run/{values('RuntimeDirectory')[0]}/")


def test_every_driver_behind_an_allowed_device_class_is_loaded_before_the_start() -> None:
    # A class that the kernel does not know yet at the start is refused until the next start.
    at_boot = [
        line
        for line in (SYSTEMD / "pitwire.modules-load.conf").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert at_boot == ["usbserial", "cdc_acm"]
    services = " ".join(f"modprobe@{module}.service" for module in at_boot)
    assert values("Wants") == [services]
    assert services in values("After")
    assert {"char-ttyUSB rw", "char-ttyACM rw"} <= set(values("DeviceAllow"))


def test_the_sealing_key_is_handed_over_where_there_is_one_and_is_in_no_core_dump() -> None:
    # Without a path: systemd looks into its stores, and starts the unit where nothing is found.
    assert values("LoadCredential") == [CREDENTIAL, journal_key.CREDENTIAL]
    assert values("LimitCORE") == ["0"]


def test_the_boot_id_stays_readable() -> None:
    # /proc/sys/kernel/random/boot_id is not a process's file: ProcSubset=pid would hide it.
    assert values("ProcSubset") == []


def test_usb_stays_reachable() -> None:
    assert values("PrivateDevices") == []
    assert {"AF_NETLINK", "AF_CAN"} <= set(values("RestrictAddressFamilies")[0].split())


def test_b26_b29_udev_rules_name_ports_quicken_ftdi_and_keep_modem_manager_away() -> None:
    rules = [
        line
        for line in (SYSTEMD / "60-pitwire.rules").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    form = re.compile(r'[A-Z]+(\{[\w./]+\})?\s*(==|!=|\+=|=)"[^"]*"')
    assert all(form.fullmatch(part) for rule in rules for part in rule.split(", "))
    text = "\n".join(rules)
    assert 'DRIVER=="ftdi_sio", ATTR{latency_timer}="1"' in text
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in text
    # Ports of one adapter have one path (B29).
    assert 'ENV{.PITWIRE_PORT}="-port$attr{port_number}"' in text
    assert 'SYMLINK+="pitwire/$env{ID_PATH}$env{.PITWIRE_PORT}"' in text
    labels = set(re.findall(r'LABEL="(\w+)"', text))
    assert set(re.findall(r'GOTO="(\w+)"', text)) == labels
