"""`protocols.replace`: what dataclasses.replace does, and no faster where it would differ."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

import pytest

from protocols.replace import replace

T = TypeVar("T")


@dataclass(frozen=True)
class Plain(Generic[T]):
    one: int
    two: T
    many: tuple[int, ...] = ()


@dataclass(frozen=True)
class Longer(Plain[str]):
    three: int = 3


@dataclass(frozen=True, slots=True)
class Slotted:
    one: int
    two: str


@dataclass(frozen=True)
class BehindSlots(Slotted):
    three: int = 3


@dataclass(frozen=True)
class Derived:
    one: int
    twice: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.one)


@dataclass(frozen=True)
class Remembering:
    one: int

    @cached_property
    def twice(self) -> int:
        return 2 * self.one


@pytest.mark.parametrize(
    "state",
    [
        Plain(1, "x"),
        Longer(1, "x", (1, 2), 4),
        Slotted(1, "x"),
        BehindSlots(1, "x", 4),
        Derived(1),
        Remembering(1),
    ],
)
def test_it_is_what_dataclasses_replace_gives(state: Any) -> None:
    before = repr(state)
    copy = replace(state, one=5)
    assert copy == dataclasses.replace(state, one=5)
    assert type(copy) is type(state)
    assert copy.one == 5
    assert repr(state) == before
    assert replace(state) == state


def test_what_follows_from_a_field_follows_from_the_new_one() -> None:
    remembering = Remembering(1)
    assert remembering.twice == 2
    assert replace(remembering, one=5).twice == 10
    assert replace(Derived(1), one=5).twice == 10


@pytest.mark.parametrize("state", [Plain(1, "x"), Slotted(1, "x")])
def test_a_field_that_is_not_there_is_refused(state: Any) -> None:
    with pytest.raises(TypeError, match="four"):
        replace(state, four=4)


def test_the_copy_is_frozen_too() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(Plain(1, "x"), one=2).one = 3
