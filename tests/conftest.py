"""A test that hangs is a failed test: each `async def test_…` has a deadline."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Sequence
from typing import ParamSpec

import pytest

DEADLINE_S = 60.0
SLOW_DEADLINE_S = 300.0  # a test marked `slow`

P = ParamSpec("P")


def bounded(test: Callable[P, Awaitable[None]], deadline_s: float) -> Callable[P, Awaitable[None]]:
    @functools.wraps(test)
    async def within_the_deadline(*args: P.args, **kwargs: P.kwargs) -> None:
        async with asyncio.timeout(deadline_s):
            await test(*args, **kwargs)

    return within_the_deadline


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and asyncio.iscoroutinefunction(item.obj):
            slow = item.get_closest_marker("slow") is not None
            item.obj = bounded(item.obj, SLOW_DEADLINE_S if slow else DEADLINE_S)
