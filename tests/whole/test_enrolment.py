"""A real daemon that reads only enrolled devices, over a restart; and a technician who enrols."""

from pathlib import Path

from support.whole_rig import Rig, needs_nats, pitwire

from daemon.demo.demo import GAMES
from protocols.simulator import PowerOn

SEAT = GAMES["sic_bo"]
TABLE = SEAT.table


@needs_nats
async def test_an_unknown_device_waits_for_a_person_and_is_known_after_a_restart(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, seats=[SEAT])
    plain = rig.configuration
    required = 'game = "sic_bo"\nenrolment = true'
    rig.configuration = lambda: plain().replace('game = "sic_bo"', required)  # type: ignore[method-assign] # a rig of its own
    async with rig:
        fault = await rig.heard(TABLE, "device.faulted", condition="not_enrolled")
        assert "it is not enrolled" in fault["data"]["detail"]
        answer = await rig.command(TABLE, "round.open", round_id="R-1")
        assert (answer["answer"], answer["reason"]) == ("refused", "not_enrolled")
        words = ("send", TABLE, "device.enrol", "role=primary", "who=A. Smith", "why=installed")
        code, out, _ = await pitwire(*words, "--socket", rig.socket)
        assert (code, "unidentified" in out) == (1, True), "a pty says nothing of what is on it"
        rig.cue(TABLE, PowerOn())
        await rig.heard(TABLE, "device.identified")
        code, out, _ = await pitwire("status", "--socket", rig.socket)
        assert "not_enrolled" in out
        assert "if it belongs to this table: `pitwire send" in out
        code, out, _ = await pitwire(*words, "--socket", rig.socket)
        assert (code, out) == (0, f"{TABLE}: device.enrol accepted\n")
        enrolled = await rig.heard(TABLE, "device.enrolled", who="A. Smith")
        assert enrolled["data"]["known_by"] == "says simulated shaker 1"
        await rig.heard(TABLE, "device.recovered", condition="not_enrolled")
        await rig.restart_daemon()
        await rig.heard(TABLE, "table.recovered", differs=None)
        await rig.connected(TABLE)
        await rig.obeyed(TABLE, "round.open", round_id="R-1")
        assert rig.count(TABLE, "device.faulted") == 2, "one for no name, one for a new one"
