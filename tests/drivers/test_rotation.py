"""Capture files of a bounded size: what cannot be written is said as such."""

from pathlib import Path

import pytest

from drivers.capture_model import CaptureError
from drivers.rotation import RotatingCapture


def test_a_name_that_no_file_can_have_is_a_capture_error(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="File name too long"):
        RotatingCapture(tmp_path / ("x" * 300), {}, 1000, 5)


def test_what_was_there_before_is_kept_and_older_files_stay_where_there_was_none(
    tmp_path: Path,
) -> None:
    file, older = tmp_path / "a.capture", tmp_path / "a.capture.1"
    older.write_text("older")
    RotatingCapture(file, {"device": "first"}, 1000, 5).close()
    assert older.read_text() == "older"
    RotatingCapture(file, {"device": "second"}, 1000, 5).close()
    assert "first" in older.read_text()
    assert (tmp_path / "a.capture.2").read_text() == "older"
