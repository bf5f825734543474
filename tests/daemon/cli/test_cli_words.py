"""What several verbs say when something is missing: what, where, and what to do next."""

import errno
import os

import pytest

from daemon.cli.control_client import no_daemon
from daemon.cli.options import find_device, note_another_device, read_settings
from protocols.catalog import devices


@pytest.mark.parametrize("number", [errno.ENOENT, errno.ECONNREFUSED])
def test_no_daemon_names_the_socket_and_where_to_look(number: int) -> None:
    said = no_daemon("/run/x.sock", OSError(number, os.strerror(number)))
    assert said.startswith(f"no daemon at /run/x.sock: {os.strerror(number)}; ")
    assert "systemctl status pitwire" in said


def test_a_socket_that_this_user_may_not_open_is_not_told_as_no_daemon() -> None:
    said = no_daemon("/run/x.sock", PermissionError(errno.EACCES, "Permission denied"))
    assert "no daemon" not in said
    assert "group pitwire" in said


def test_a_device_misspelled_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        find_device("angle_eye_ii_ex")
    assert caught.value.code == 2
    assert "did you mean angel_eye_ii_ex?" in capsys.readouterr().err


def test_a_setting_misspelled_is_refused_and_never_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        read_settings(devices()["line_profile"], ["profil=pine-shoe.toml"])
    assert caught.value.code == 2
    assert "no setting 'profil'; did you mean profile?" in capsys.readouterr().err


def test_a_described_device_without_its_description_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    read_settings(devices()["line_profile"], None)
    assert "name yours: -s profile=FILE" in capsys.readouterr().err


def test_a_file_read_as_another_device_than_it_names_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    note_another_device({}, "beetek")
    note_another_device({"device": "beetek"}, "beetek")
    assert capsys.readouterr().err == ""
    note_another_device({"device": "cammegh_ss2"}, "beetek")
    assert "is of cammegh_ss2 by its own words" in capsys.readouterr().err
