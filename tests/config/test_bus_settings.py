"""What is said of a [bus] section before anything is opened."""

from __future__ import annotations

import pytest

from config.load import BridgeConfig, ConfigError, load
from daemon.runtime.catalog import buses
from daemon.service.assembly import known

REST = """
[[table]]
id = "ROU-1"
game = "roulette"
profile = "roulette-lv"
[[table.device]]
role = "primary"
device = "cammegh_ss2"
link = { kind = "serial_port", port = "/dev/serial/by-id/usb-one" }
"""


def loaded(*lines: str) -> BridgeConfig:
    text = 'site = "oslo"\n[bus]\n' + "\n".join(lines) + REST
    return load(text, known(), source="-")


@pytest.mark.parametrize(
    ("lines", "key", "what"),
    [
        (['url = "nats://127.0.0.1"'], "url", "is no address of a broker"),
        (['url = "mqtt://"'], "url", "is no address of a broker"),
        (['url = "mqtt://here:port"'], "url", "is no address of a broker"),
        (['url = "mqtt://here/topic"'], "url", "is no address of a broker"),
        (['url = "mqtt://me:secret@here"'], "url", "a password does not belong into this file"),
        (['password_file = "/p"'], "password_file", "a password without a user"),
        (['user = "a/b"'], "user", "cannot contain / + #"),
        (['ca_file = "/ca"'], "ca_file", "mqtt:// is plain text"),
        (['cert_file = "/c"'], "cert_file", "mqtt:// is plain text"),
        (['url = "mqtts://here"', 'key_file = "/k"'], "key_file", "a key and no certificate"),
    ],
)
def test_what_cannot_work_on_mqtt_is_refused_at_its_key(
    lines: list[str], key: str, what: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded('kind = "mqtt"', *lines)
    (problem,) = caught.value.problems
    assert problem.where == f"bus.{key}"
    assert what in problem.what
    assert "secret" not in problem.sentence("-").replace('"mqtt://me:secret@here"', "")


@pytest.mark.parametrize(
    ("lines", "warned"),
    [
        (['kind = "mqtt"'], ()),
        (['kind = "mqtt"', 'url = "mqtt://[::1]:1883"'], ()),
        (['kind = "mqtt"', 'url = "mqtts://broker.example"'], ()),
        (
            ['kind = "mqtt"', 'url = "mqtt://broker.example"'],
            ("every event cross the network readable by anybody: use mqtts://",),
        ),
        (
            ['kind = "mqtt"', 'url = "mqtt://10.0.0.9"', 'user = "me"', 'password_file = "/p"'],
            ("the password and every event cross the network readable by anybody: use mqtts://",),
        ),
        (['kind = "nats_jetstream"', 'servers = ["tls://nats.example"]'], ()),
        (
            ['kind = "nats_jetstream"', 'servers = ["nats://me:secret@10.0.0.9:4222"]'],
            (
                (
                    "the password of nats://10.0.0.9:4222 stands in this file:"
                    " use user and password_file"
                ),
                (
                    "what goes to nats://10.0.0.9:4222 may cross the network readable by anybody:"
                    " use tls://"
                ),
            ),
        ),
    ],
)
def test_what_is_unwise_is_warned_of(lines: list[str], warned: tuple[str, ...]) -> None:
    bus = loaded(*lines).bus
    assert tuple(buses()[bus.kind].warns(bus.settings)) == warned


def test_mqtt_says_what_it_cannot_promise() -> None:
    lacks = " ".join(buses()["mqtt"].lacks)
    for what in ("stored stream", "repeats", "no lease", "disk"):
        assert what in lacks
