"""The daemon as a service: exit codes, sd_notify, metrics, and starting with nothing there."""

import asyncio
import re
import signal
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from support.vocabulary import EVENT_KINDS, VIOLATIONS
from support.whole_rig import BACCARAT, ROULETTE, Rig, needs_nats, pitwire, unbroken, until

from daemon.devices.link_state import LinkState
from protocols.catalog import devices
from protocols.refusals import Refusal
from protocols.rejects import RejectReason
from protocols.simulator import PowerOn

BAC, ROU = BACCARAT.table, ROULETTE.table

WRONG = """
site = "Not A Site"
bus = { kind = "pigeon" }
journal = { path = "relative.db" }
[[table]]
id = "T-1"
game = "snap"
profile = "none"
[[table.device]]
role = "primary"
device = "toaster"
link = { kind = "serial_port" }
"""


async def test_a_wrong_configuration_ends_with_78_and_every_problem(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(WRONG)
    code, out, err = await pitwire("run", "--config", str(path))
    assert (code, out) == (78, "")
    for place in ("site", "pigeon", "journal.path", "snap", "toaster", "port"):
        assert place in err, place
    for line in err.splitlines():
        assert re.search(rf"{path}.*\d+", line), "each problem names the file and the line"


async def test_a_configuration_that_is_not_there_ends_with_78(tmp_path: Path) -> None:
    code, _, err = await pitwire("run", "--config", str(tmp_path / "none.toml"))
    assert code == 78
    assert "none.toml" in err


@contextmanager
def systemd(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A notify socket as systemd has one; what was told lands in the list."""
    told: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(folder / "notify"))
        loop = asyncio.get_running_loop()
        loop.add_reader(ear, lambda: told.extend(ear.recv(4096).decode().splitlines()))
        try:
            yield str(folder / "notify"), told
        finally:
            loop.remove_reader(ear)


@needs_nats
async def test_systemd_is_told_of_the_start_the_life_and_the_end(tmp_path: Path) -> None:
    with systemd(tmp_path) as (address, told):
        async with Rig(tmp_path, environment={"NOTIFY_SOCKET": address}) as rig:
            await until(lambda: "READY=1" in told, "READY=1")
            await until(lambda: told.count("WATCHDOG=1") >= 2, "WATCHDOG=1, twice")
            assert "STOPPING=1" not in told
            assert await rig.stop_daemon() == 0
            await until(lambda: "STOPPING=1" in told, "STOPPING=1")
            assert told.index("READY=1") < told.index("WATCHDOG=1") < told.index("STOPPING=1")
            for table in (BAC, ROU):
                await rig.heard(table, "table.stopped")


@needs_nats
async def test_ctrl_c_stops_in_the_same_good_order_as_systemd(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        assert rig.daemon is not None
        rig.daemon.send_signal(signal.SIGINT)
        assert await rig.daemon.wait() == 0
        await rig.heard(BAC, "table.stopped")
        await until(lambda: not Path(rig.socket).exists(), "the socket is gone")


@needs_nats
async def test_a_second_daemon_on_the_same_files_does_not_start(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        code, _, err = await pitwire("run", "--config", str(tmp_path / "pitwire.toml"))
        assert (code, "another daemon" in err) == (69, True)
        await rig.obeyed(BAC, "shoe.load", shoe_id="S-1", decks=8)


CLOSED: dict[str, set[str]] = {
    "table": {BAC, ROU},
    "device": set(devices()),
    "reason": {*Refusal, *RejectReason},
    "state": set(LinkState),
    "kind": set(EVENT_KINDS),
    "code": set(VIOLATIONS),
}


@needs_nats
async def test_metrics_are_served_and_no_label_is_ever_a_free_text(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    async with Rig(tmp_path, metrics=address) as rig:
        await rig.dealing("R-1")
        rig.draw("KS>player.1")
        await rig.heard(BAC, "card.dealt")
        await rig.send(BAC, b'{"id": "x", "command": "no such thing"}')
        rig.ports[BAC].unplug()
        await rig.heard(BAC, "violation.raised")
        text = await asyncio.to_thread(scrape, address)
    samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
    values = {(one.name, *sorted(one.labels.values())): one.value for one in samples}
    assert values["pitwire_events_total", BAC, "card.dealt"] == 1
    assert values["pitwire_violations_total", BAC, "device_lost"] == 1
    assert values["pitwire_refusals_total", BAC, "malformed"] == 1
    assert values["pitwire_device_connected", BAC, "angel_eye_ii_ex"] == 0
    assert values["pitwire_device_connected", ROU, "cammegh_ss2"] == 1
    assert values[("pitwire_bus_connected",)] == 1
    assert values[("pitwire_journal_ok",)] == 1
    for one in samples:
        for label, value in one.labels.items():
            if label != "le":
                assert value in CLOSED[label], (one.name, label, value)


def scrape(address: str) -> str:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
        return text


@needs_nats
async def test_b08_without_device_and_bus_it_runs_and_delivers_all_when_they_come(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT], plugged=False) as rig:
        door = ("--socket", rig.socket)
        await rig.heard(BAC, "device.disconnected")
        rig.kill_nats()
        await rig.kill_daemon()
        Path(rig.socket).unlink()
        await rig.start_daemon()
        await until(lambda: Path(rig.socket).exists(), "the daemon runs")
        code, out, _ = await pitwire("status", *door)
        assert (code, "NOT connected" in out, "absent" in out) == (0, True, True)
        code, _, _ = await pitwire("send", BAC, "shoe.load", "shoe_id=S-1", "decks=8", *door)
        assert code == 0, "the rules and the journal need no bus"
        async with rig.ports[BAC] as port:
            port.cue(PowerOn())
            await rig.start_nats()
            await rig.connected(BAC)
            kinds = rig.kinds(BAC)
            assert kinds[:3] == ["table.started", "lease.taken", "device.disconnected"]
            assert kinds.index("table.recovered") < kinds.index("shoe.loaded")
            await rig.obeyed(BAC, "round.open", round_id="R-1")
            await rig.heard(BAC, "round.opened")
        assert not rig.consumer.faults
    await unbroken(rig.journal)


@needs_nats
async def test_a7_a_table_without_a_history_waits_until_the_bus_has_said_whether_it_has_one(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT], bus=False) as rig:
        door = ("--socket", rig.socket)
        await until(lambda: Path(rig.socket).exists(), "the daemon runs")
        _, out, _ = await pitwire("status", *door)
        assert "NOT served yet: the bus has not said whether another daemon serves" in out
        code, out, err = await pitwire("send", BAC, "shoe.load", "shoe_id=S-1", "decks=8", *door)
        assert (code, "not_serving" in out + err) == (1, True)
        await rig.start_nats()
        await rig.connected(BAC)
        assert rig.events(BAC)[0]["data"]["reason"] == "first_start"
