"""`pitwire replay --speed`: the same events, in the capture's own time."""

from pathlib import Path

from support.verb_rig import Verb
from support.whole_rig import pitwire

CAPTURE = Path(__file__).parents[1] / "captures" / "cammegh_ss2" / "three_spins.capture"
WORDS = ("replay", str(CAPTURE), "--game", "roulette", "--device", "cammegh_ss2", "--json")


async def test_a_paced_replay_says_the_same() -> None:
    code, fast, _ = await pitwire(*WORDS)
    paced_code, paced, _ = await pitwire(*WORDS, "--speed", "1000")
    assert (code, paced_code) == (0, 0)
    assert paced == fast
    assert "pitwire.spin.landed.v1" in fast


async def test_it_waits_for_what_has_not_come_yet() -> None:
    async with Verb(*WORDS, "--speed", "0.001") as verb:
        await verb.line("table.started")
        await verb.line("device.connected")
        assert await verb.stop() == 130, "half a second of the file lasts minutes"
