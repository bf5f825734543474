"""What a table server may ask over the bus, and a technician through the control socket."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from support.whole_rig import (
    BACCARAT,
    PITWIRE,
    SITE,
    Envelope,
    Rig,
    command,
    needs_nats,
    pitwire,
    until,
)

pytestmark = needs_nats
BAC = BACCARAT.table


def refusal(answer: Envelope) -> str:
    assert answer["answer"] == "refused", answer
    reason: str = answer["reason"]
    return reason


async def test_a_round_opens_only_when_it_can(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)

        async def refused(name: str, **fields: Any) -> str:
            return refusal(await rig.command(BAC, name, **fields))

        assert await refused("round.open", round_id="R-1") == "no_shoe"
        await rig.obeyed(BAC, "shoe.load", shoe_id="S-1", decks=8)
        assert await refused("shoe.load", shoe_id="S-2", decks=8) == "shoe_loaded"
        assert await refused("bets.close", round_id="R-1") == "wrong_round"
        await rig.obeyed(BAC, "round.open", round_id="R-1")
        assert await refused("round.open", round_id="R-2") == "round_open"
        assert await refused("shoe.close") == "round_open"
        assert await refused("bets.close", round_id="R-2") == "wrong_round"
        assert await refused("round.void", round_id="R-2", reason="x") == "wrong_round"
        await rig.obeyed(BAC, "bets.close", round_id="R-1")
        assert await refused("bets.close", round_id="R-1") == "wrong_phase"
        unknown = {"violation_id": "V99", "action": "accept", "who": "a", "why": "b"}
        assert await refused("violation.resolve", **unknown) == "unknown_violation"
        await rig.obeyed(BAC, "round.void", round_id="R-1", reason="misdeal")
        await rig.heard(BAC, "round.voided", round_id="R-1", reason="misdeal")
        rig.ports[BAC].unplug()
        await rig.heard(BAC, "device.disconnected")
        assert await refused("round.open", round_id="R-3") == "device_down"


async def test_the_same_id_gets_the_same_answer_over_a_restart_and_serves_nothing_else(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        load = command("shoe.load", shoe_id="S-1", decks=8, id="load")
        no = command("shoe.load", shoe_id="S-9", decks=8, id="no")
        first, second = await rig.send(BAC, load), await rig.send(BAC, no)
        assert first["answer"] == "accepted"
        assert refusal(second) == "shoe_loaded"
        for _ in range(2):
            assert await rig.send(BAC, load) == first
            assert await rig.send(BAC, no) == second
            other = command("shoe.load", shoe_id="S-1", decks=6, id="load")
            assert refusal(await rig.send(BAC, other)) == "id_reused"
            await rig.restart_daemon()
        assert rig.count(BAC, "shoe.loaded") == 1


async def test_the_id_of_a_round_is_used_once_also_over_a_restart(tmp_path: Path) -> None:
    """C7: a round that was void, or is long over, would have got another one's bets."""
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)

        async def answered(kind: str, **fields: object) -> str | None:
            answer = await rig.send(BAC, command(kind, **fields))
            return None if answer["answer"] == "accepted" else refusal(answer)

        assert await answered("shoe.load", shoe_id="S-1", decks=8) is None
        first = command("round.open", round_id="R-1", id="first")
        said = await rig.send(BAC, first)
        assert said["answer"] == "accepted"
        assert await answered("round.open", round_id="R-1") == "round_id_used"
        assert await answered("round.open", round_id="R-2") == "round_open"
        assert await answered("round.void", round_id="R-1", reason="a test") is None
        for _ in range(2):
            assert await answered("round.open", round_id="R-1") == "round_id_used"
            assert await rig.send(BAC, first) == said, "the same command has its answer"
            await rig.restart_daemon()
            await rig.connected(BAC)
        assert await answered("round.open", round_id="R-2") is None, "it never was one's"
        await until(lambda: rig.count(BAC, "round.opened") == 2, "the second round")


@pytest.mark.parametrize(
    ("payload", "names"),
    [
        (b"hello", "JSON"),
        (b"[1]", "JSON object"),
        (b'{"command": "round.open"}', "id:"),
        (command("round.open"), "round_id:"),
        (command("round.open", round_id="R", colour="red"), "colour:"),
        (command("round.open", round_id=7), "round_id:"),
        (command("shoe.load", shoe_id="S", decks="many"), "decks:"),
        (command("round.shut", round_id="R"), "command:"),
        (command("round.open", round_id="R", expires="tomorrow"), "expires:"),
        (command("round.open", round_id="R", expires="2026-01-01T00:00:00"), "expires:"),
        (command("violation.resolve", violation_id="V1", action="pray", who="", why=""), "action:"),
    ],
)
def test_what_is_no_command_is_refused_by_the_name_of_its_field(
    rig_of_the_module: "Shared", payload: bytes, names: str
) -> None:
    answer = rig_of_the_module.send(payload)
    assert refusal(answer) == "malformed"
    assert names in answer["detail"]


def test_a_command_that_comes_too_late_is_refused(rig_of_the_module: "Shared") -> None:
    late = command("shoe.load", shoe_id="S", decks=8, expires="2026-01-01T00:00:00+00:00")
    assert refusal(rig_of_the_module.send(late)) == "expired"


@pytest.mark.parametrize(
    ("authority", "user", "reason"),
    [
        ("supervise", "ann", "wrong_subject"),
        ("root", "ann", "wrong_subject"),
        ("play", "x" * 65, "malformed"),
        ("play", "ann\u202e", "malformed"),
    ],
)
def test_c7_a_command_is_obeyed_on_its_own_subject_alone_and_of_a_sender_with_a_name(
    rig_of_the_module: "Shared", authority: str, user: str, reason: str
) -> None:
    subject = f"pit-rehearsal.command.{SITE}.{BAC}.{authority}.{user}"
    payload = command("round.open", round_id="R-1")
    request = rig_of_the_module.rig.consumer.bus.request(subject, payload, timeout=10)
    assert refusal(json.loads(rig_of_the_module.loop.run(request).data)) == reason


class Shared:
    """One house for tests that leave no trace in it."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.Runner()
        self.rig = Rig(folder, seats=[BACCARAT])
        self.loop.run(self.rig.__aenter__())
        self.loop.run(self.rig.connected(BAC))

    def send(self, payload: bytes) -> Envelope:
        return self.loop.run(self.rig.send(BAC, payload))

    def close(self) -> None:
        self.loop.run(self.rig.__aexit__())
        self.loop.close()


@pytest.fixture(scope="module")
def rig_of_the_module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    shared = Shared(tmp_path_factory.mktemp("house"))
    yield shared
    shared.close()


@pytest.mark.parametrize("bets_closed_first", [True, False])
async def test_a_card_before_no_more_bets_waits_for_a_person_and_then_counts(
    tmp_path: Path, bets_closed_first: bool
) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.open("R-1")
        rig.draw("KS>player.1")
        raised = await rig.heard(BAC, "violation.raised", code="card_before_no_more_bets")
        assert raised["data"]["round_id"] == "R-1"
        assert "accept" in raised["data"]["resolutions"]
        assert rig.count(BAC, "card.dealt") == 0
        if bets_closed_first:
            await rig.obeyed(BAC, "bets.close", round_id="R-1")
        await rig.obeyed(
            BAC,
            "violation.resolve",
            violation_id=raised["data"]["violation_id"],
            action="accept",
            who="pit boss",
            why="all bets were down",
        )
        await rig.heard(BAC, "round.resumed", round_id="R-1")
        dealt = await rig.heard(BAC, "card.dealt", slot="player.1")
        assert (dealt["data"]["rank"], dealt["data"]["suit"]) == ("K", "S")
        status = (await rig.command(BAC, "table.status"))["status"]
        assert status["round"]["phase"] == "dealing"
        assert status["due"] == "banker.1"


async def test_status_shows_the_whole_open_round_over_a_restart(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.dealing("R-1")
        seqs = {}
        for code, slot in (("KS", "player.1"), ("5H", "banker.1")):
            rig.draw(f"{code}>{slot}")
            seqs[slot] = int((await rig.heard(BAC, "card.dealt", slot=slot))["sequence"])
        for _ in range(2):
            status = (await rig.command(BAC, "table.status"))["status"]
            now = status["round"]
            assert (now["round_id"], now["phase"]) == ("R-1", "dealing")
            assert (now["bets_closed_by"], now["boxes"], now["awaited"]) == ("command", None, [])
            assert now["cards"] == {
                "player.1": {"rank": "K", "suit": "S", "seq": seqs["player.1"]},
                "banker.1": {"rank": "5", "suit": "H", "seq": seqs["banker.1"]},
            }
            assert status["due"] == "player.2"
            assert status["mode"] == "rehearsal"
            await rig.restart_daemon()
            await rig.connected(BAC)


async def test_resend_repeats_what_was_said_from_a_seq_on(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.open("R-1")
        await rig.heard(BAC, "round.opened")
        last = len(rig.events(BAC))
        await rig.obeyed(BAC, "table.resend", from_seq=2)
        await rig.obeyed(BAC, "bets.close", round_id="R-1")
        await rig.heard(BAC, "round.bets_closed")
        assert rig.consumer.repeats == last - 1
        assert not rig.consumer.faults, "a repeat has the same body, and what is new follows"


async def test_the_control_socket_shows_and_commands(tmp_path: Path) -> None:
    async with Rig(tmp_path, seats=[BACCARAT]) as rig:
        await rig.connected(BAC)
        door = ("--socket", rig.socket)
        tail = await asyncio.create_subprocess_exec(
            *PITWIRE, "tail", *door, "--json", "--table", BAC, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert tail.stdout is not None
            await tailing(rig)
            load = ("send", BAC, "shoe.load", "shoe_id=S-1", "decks=8", *door)
            code, out, _ = await pitwire(*load, "--json")
            assert (code, json.loads(out)["answer"]) == (0, "accepted")
            code, out, _ = await pitwire(*load)
            assert (code, "shoe_loaded" in out) == (1, True)
            shown = json.loads(await tail.stdout.readline())
            assert shown == await rig.heard(BAC, "shoe.loaded")
        finally:
            tail.terminate()
            await tail.wait()
        code, out, _ = await pitwire("status", *door, "--json")
        (table,) = json.loads(out)["tables"]
        assert (code, table["table"], table["seq"]) == (0, BAC, len(rig.events(BAC)))
        code, out, _ = await pitwire("status", *door)
        assert (code, "angel_eye_ii_ex connected" in out) == (0, True)
        code, _, err = await pitwire("send", "BAC-9", "table.status", *door)
        assert (code, "BAC-9" in err) == (1, True)
        assert await rig.stop_daemon() == 0
        for verb in (("status",), ("tail",), ("send", BAC, "table.status")):
            code, out, err = await pitwire(*verb, *door, "--json")
            assert (code, out, json.loads(err)["exit"]) == (69, "", 69)


async def tailing(rig: Rig) -> None:
    """Wait until the tail's own connection is served."""
    sockets = Path("/proc/net/unix")
    await until(lambda: sockets.read_text().count(rig.socket) >= 2, "the tail is connected")
