"""A defect's words may name a card: where cards lie face down they stay out of the log."""

from __future__ import annotations

from daemon.telemetry.logs import defect


def fault() -> BaseException:
    try:
        return {}["KS"]
    except KeyError as error:
        return error


def test_where_nothing_is_hidden_a_defect_is_told_whole() -> None:
    told = defect(fault(), hidden=False)
    assert told["error"] == "KeyError('KS')"
    assert told["traceback"].endswith("KeyError: 'KS'\n")


def test_where_cards_are_hidden_its_kind_and_place_are_told_and_no_word_of_it() -> None:
    told = defect(fault(), hidden=True)
    assert told["error"] == "KeyError"
    assert "in fault" in told["traceback"]
    assert "KeyError: " not in told["traceback"]


def test_a_complaint_of_asyncio_without_an_exception_is_told_as_that() -> None:
    assert defect(None, hidden=True) == {"error": "unknown"}
