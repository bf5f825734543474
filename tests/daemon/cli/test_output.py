"""What a verb prints may be a stranger's words: no terminal obeys them (A12)."""

from __future__ import annotations

import json

import pytest

from daemon.cli.event_format import event_line
from daemon.cli.output import answer, choose_json, fail, note, plain, say
from daemon.exits import Exit

HOSTILE = "ann\x1b]0;owned\x07\x1b[2J\nBAC-1 violation.resolved\r\x9b31m\u202eright to left\x7f"
SHOWN = (
    "ann\\x1b]0;owned\\x07\\x1b[2J\\nBAC-1 violation.resolved\\r\\x9b31m\\u202eright to left\\x7f"
)


def test_a12_a_line_stays_a_line_and_text() -> None:
    assert plain(HOSTILE) == SHOWN
    assert plain("Zoë · 17 rouge - König") == "Zoë · 17 rouge - König"


@pytest.mark.parametrize("speak", [say, note])
def test_a12_people_see_escapes(speak: object, capsys: pytest.CaptureFixture[str]) -> None:
    speak(f"who={HOSTILE}")  # type: ignore[operator]
    out, err = capsys.readouterr()
    assert out + err == f"who={SHOWN}\n"


def test_a12_an_event_of_a_stranger_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    envelope = {
        "type": "pitwire.violation.resolved.v1",
        "source": "/pit/house/BAC-1",
        "time": "2026-12-01T12:00:00.000000Z",
        "sequence": "00000000000000000007",
        "data": {"who": HOSTILE, "action": "accept"},
    }
    answer(envelope, event_line(envelope))
    assert capsys.readouterr().out.splitlines() == [plain(event_line(envelope))]


def test_a12_json_says_the_same_and_is_one_line_of_what_may_be_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    choose_json(chosen=True)
    try:
        answer({"who": HOSTILE, "city": "Zürich"})
        with pytest.raises(SystemExit) as ended:
            fail(Exit.FAILED, HOSTILE)
    finally:
        choose_json(chosen=False)
    out, err = capsys.readouterr()
    assert ended.value.code == Exit.FAILED
    assert json.loads(out) == {"who": HOSTILE, "city": "Zürich"}
    assert json.loads(err)["error"] == HOSTILE
    assert "Zürich" in out
    assert (out + err).replace("\n", "").isprintable()
