"""Memory between frames: what repeats, what follows, what is missing."""

import pytest

from daemon.table.frame_tracking import FRESH, REPEAT, Track, mark_of, track, track_resent
from protocols.catalog import devices
from protocols.device import SequenceRule
from protocols.instant import Instant
from protocols.readings import CommandReply, DeviceIdentity, Reading, ShoeStandby, ShoeStarted

RULE = devices()["angel_eye_ii_ex"].sequence
AT = Instant("boot", 0)


def after(
    last: str, got: str, *, seconds: float = 2.0, raw: str = "bb", said: Reading | None = None
) -> str:
    before = Track(last, mark_of("aa"), AT)
    _, verdict = track(RULE, before, AT.after(seconds), got, raw, said or ShoeStandby())
    return verdict.kind


@pytest.mark.parametrize(
    ("last", "got"), [("1", "2"), ("8", "9"), ("9", "1"), ("9", "0"), ("0", "1")]
)
def test_the_next_number_is_fresh_whichever_way_the_counter_wraps(last: str, got: str) -> None:
    assert after(last, got) == "fresh"


@pytest.mark.parametrize(("last", "got"), [("1", "3"), ("9", "2"), ("5", "4"), ("5", "1")])
def test_any_other_number_is_a_gap(last: str, got: str) -> None:
    assert after(last, got) == "gap"


def test_the_same_frame_within_a_second_is_a_repeat() -> None:
    assert after("4", "4", seconds=0.05, raw="aa") == "repeat"


def test_the_same_number_with_another_body_is_not_a_repeat() -> None:
    assert after("4", "4", seconds=0.05, raw="bb") == "gap"


def test_the_same_frame_much_later_is_a_gap_for_a_whole_cycle_may_be_lost() -> None:
    assert after("4", "4", seconds=30, raw="aa") == "gap"


@pytest.mark.parametrize(
    ("last", "got", "kind"),
    [("009", "010", "fresh"), ("999", "000", "fresh"), ("000", "001", "fresh"),
     ("009", "011", "gap"), ("999", "001", "gap"), ("010", "01", "gap")],
)  # fmt: skip
def test_a_number_may_have_several_digits(last: str, got: str, kind: str) -> None:
    every = tuple(f"{number:03d}" for number in range(1000))
    rule = SequenceRule(every, frozenset(("000",)), repeat_s=1.0)
    before = Track(last, mark_of("aa"), AT)
    assert track(rule, before, AT.after(2), got, "bb", ShoeStandby())[1].kind == kind


def test_a_repeat_leaves_the_track_as_it_was() -> None:
    last = Track("4", mark_of("aa"), AT)
    assert track(RULE, last, AT.after(0.1), "4", "aa", ShoeStandby()) == (last, REPEAT)


def test_a_shoe_that_starts_may_number_anew() -> None:
    assert after("7", "1", said=ShoeStarted()) == "fresh"


def test_a_device_without_numbers_is_always_fresh() -> None:
    assert track(None, None, AT, None, "aa", ShoeStandby()) == (None, FRESH)


def test_across_a_reboot_nothing_is_a_repeat() -> None:
    last = Track("4", mark_of("aa"), AT)
    _, verdict = track(RULE, last, Instant("another", 1), "4", "aa", ShoeStandby())
    assert verdict.kind == "gap"


# --- frames without a number that say that they are sent again ----------------------------


def resent(
    last: Track | None, raw: str, repeats: str | None, *, seconds: float = 2.0
) -> tuple[Track | None, str]:
    now, verdict = track_resent(5.0, last, AT.after(seconds), raw, repeats, ShoeStandby())
    return now, verdict.kind


FIRST = Track("", mark_of("aa"), AT)


def test_a_frame_sent_again_is_a_repeat_and_leaves_the_track_as_it_was() -> None:
    assert resent(FIRST, "ab", "aa") == (FIRST, "repeat")


def test_an_equal_frame_that_is_not_sent_again_is_fresh() -> None:
    assert resent(FIRST, "aa", None) == (Track("", mark_of("aa"), AT.after(2)), "fresh")


def test_a_frame_sent_again_whose_first_copy_never_came_is_fresh_once() -> None:
    second, kind = resent(FIRST, "bc", "bb")
    assert (second, kind) == (Track("", mark_of("bb"), AT.after(2)), "fresh")
    assert resent(second, "bc", "bb", seconds=4) == (second, "repeat")


def test_the_first_frame_may_be_one_sent_again() -> None:
    assert resent(None, "ab", "aa") == (Track("", mark_of("aa"), AT.after(2)), "fresh")


def test_long_after_its_equal_a_frame_sent_again_is_fresh() -> None:
    assert resent(FIRST, "ab", "aa", seconds=5.0)[1] == "repeat"
    assert resent(FIRST, "ab", "aa", seconds=5.1)[1] == "fresh"


def test_an_answer_between_a_frame_and_its_repeat_is_not_remembered() -> None:
    answers: list[Reading] = [CommandReply("ok"), DeviceIdentity("R00")]
    for answer in answers:
        assert track_resent(5.0, FIRST, AT.after(1), "cc", None, answer) == (FIRST, FRESH)


def test_a_track_is_as_long_for_every_frame_and_holds_none_of_it() -> None:
    """It is a part of the state, and the frame may have named a hidden card."""
    frames = ("aa", "05314480" * 20)
    kept = [track(RULE, None, AT, "1", raw, ShoeStandby())[0] for raw in frames]
    marks = [one.frame for one in kept if one is not None]
    assert [len(one) for one in marks] == [64, 64]
    assert marks[0] != marks[1]
