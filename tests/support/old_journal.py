"""The journal that pitwire 0.1 wrote, and what is needed to take it up: fixtures/journal-0.1."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from support.bridge_process import PITWIRE, BridgeProcess, Json, Port, running, until
from support.table_bench import SUPERVISED

HERE: Final = Path(__file__).parents[1] / "fixtures" / "journal-0.1"
TABLES: Final = ("BAC-1", "BAC-2", "BJ-1", "ROU-1", "SIC-1")
COMMANDED: Final = ("BAC-1", "BAC-2", "BJ-1")
"""In the rest of their rounds commands and cards take turns."""
REPLAYED: Final = ("ROU-1", "SIC-1")
"""In the rest of their rounds the device alone speaks."""
NOTHING: Final[Mapping[str, str]] = {}
SPEED: Final = 10.0
"""The `time_scale` of its configuration."""
EARLY: Final = {"command_id": "early", "round_id": "R-0"}
"""A command that was refused in the first run. Its id cannot be used again."""
_OF_THE_GAME: Final = (
    "table", "game", "mode", "epoch", "seq", "record", "state", "round", "shoe", "due",
    "violations", "read_while_held", "profile", "profile_key",
)  # fmt: skip
OF_THE_RUN: Final = ("where", "profile", "differs")


def prepare(
    folder: Path, journal: Path = HERE / "journal.db", replayed: Sequence[str] = ()
) -> None:
    """Copy the journal and what belongs to it to where a bridge can run on it.

    replayed  tables whose device is not at a port: the bridge plays the rest of their round itself
    """
    shutil.copyfile(journal, folder / "journal.db")
    configure(folder)
    supervised(folder)
    text = (folder / "pitwire.toml").read_text("utf-8")
    for table in replayed:
        port = f'kind = "serial_port", port = "{folder}/{table}.tty"'
        assert port in text
        text = text.replace(port, f'kind = "replay", file = "{rest_of(table)}"')
    (folder / "pitwire.toml").write_text(text, "utf-8")


def configure(folder: Path) -> None:
    """Write the configuration and the key of these tables for a bridge that runs here."""
    text = (HERE / "pitwire.toml").read_text("utf-8")
    (folder / "pitwire.toml").write_text(text.replace("@FOLDER@", str(folder)), "utf-8")
    shutil.copyfile(HERE / "sealing-key", folder / "sealing-key")


def supervised(folder: Path) -> None:
    """Let each house leave a malfunction to its supervisor, as every house did in version 0.1."""
    path = folder / "pitwire.toml"
    text = path.read_text("utf-8")
    rules = (
        "rules = { " + ", ".join(f'{name} = "{rule}"' for name, rule in SUPERVISED.items()) + " }"
    )
    path.write_text(text.replace("[[table.device]]", f"{rules}\n[[table.device]]"), "utf-8")


def rest_of(table: str) -> Path:
    """Return the capture of the rest of a table's open round."""
    return HERE / "rest" / f"{table}.capture"


def goes_on(
    folder: Path,
    reported_last: Mapping[str, Json],
    pitwire: Sequence[str] = PITWIRE,
    accepted: Mapping[str, str] = NOTHING,
    differing: Sequence[str] = (),
) -> Json:
    """Take the journal up in this folder and play the rest of every round.

    Return what a command of the first run is answered now, and what each table tells from the
    restart to the end of its round.

    accepted   by table: the violation that holds its end, and that a supervisor accepts
    differing  tables whose replay gives other commitments: a supervisor accepts that first
    """
    prepare(folder, replayed=REPLAYED)
    with ExitStack() as stack:
        ports = {table: Port(folder / f"{table}.tty") for table in COMMANDED}
        for port in ports.values():
            stack.callback(port.close)
        bridge = stack.enter_context(running(folder, pitwire))
        answer = bridge.command("BAC-1", "round.open", **EARLY)
        for table in differing:
            accept_difference(bridge, table, reported_last[table]["seq"])
        for table, port in ports.items():
            until(lambda table=table: bridge.connected(table), f"{table} is connected")  # type: ignore[misc] # a bound default
            play_rest(bridge, table, port)
        events = {}
        for table in TABLES:
            after = reported_last[table]["seq"]
            if table in accepted:
                accept(bridge, table, accepted[table], after)
            bridge.heard(table, "round.completed", after_seq=after)
            events[table] = until_round_ends(bridge.events(table, after))
    return {"same_id_again": answer, "events": events}


def accept(bridge: BridgeProcess, table: str, code: str, after_seq: int) -> None:
    """Wait for a violation, then accept it and whatever else holds the table."""
    bridge.heard(table, "violation.raised", after_seq=after_seq, code=code)

    def resumed() -> bool:
        for violation in bridge.status(table)["violations"]:
            decision = {"action": "accept", "who": "anna", "why": "seen"}
            bridge.command(
                table, "violation.resolve", violation_id=violation["violation_id"], **decision
            )
        return bridge.status(table)["round"] is None

    until(resumed, f"{table} goes on")


def accept_difference(bridge: BridgeProcess, table: str, after_seq: int) -> None:
    """Accept that the replay of a table's records gives other events."""
    raised = bridge.heard(table, "violation.raised", after_seq=after_seq, code="recovery_differs")
    number = raised["data"]["violation_id"]
    decision = {"violation_id": number, "action": "accept", "who": "anna", "why": "other rules"}
    bridge.obeyed(table, "violation.resolve", **decision)


def until_round_ends(envelopes: Iterable[Json]) -> list[Json]:
    """Return what is told up to the first round that ends."""
    events: list[Json] = []
    for envelope in envelopes:
        events.append(told(envelope))
        if envelope["type"] == "pitwire.round.completed.v1":
            break
    return events


def reported(status: Mapping[str, Any]) -> Json:
    """Return what a table's status says of its game: not of links, clock and code."""
    return {key: status[key] for key in _OF_THE_GAME}


def told(envelope: Mapping[str, Any]) -> Json:
    """Return what an event says whenever and wherever it is said.

    The name of the link is where the test runs, the digest that of the rules of today.
    """
    data = {key: value for key, value in envelope["data"].items() if key not in OF_THE_RUN}
    return {"type": envelope["type"], "subject": envelope.get("subject"), "data": data}


def play_rest(bridge: BridgeProcess, table: str, port: Port) -> None:
    """Let the device say what it said; send each command when its turn comes.

    A command is sent until it is accepted: the bytes before it may still be on their way. The
    bytes after it wait for its answer.
    """
    for line in rest_of(table).read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        _, sign, text = line.split(" ", 2)
        if sign == "@":
            fields = json.loads(text)
            if "violation_id" in fields:  # a hold of the restart has taken a number
                held = until(lambda: bridge.status(table)["violations"], f"{table} is held")
                fields["violation_id"] = held[0]["violation_id"]
            bridge.obeyed(table, fields.pop("command"), **fields)
        else:
            port.write(bytes.fromhex(text))
