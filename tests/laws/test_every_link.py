"""Every link keeps the promises of `LinkSpec`: its failures are values that help.

Tried with faults seeded in the links; each was noticed: a failure without its next action, settings
that can be changed, a replay that calls itself live.
"""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from drivers.catalog import link_kinds
from drivers.clock import BootClock
from drivers.errors import LinkError
from drivers.link import LinkSpec

LINKS = list(link_kinds().values())
ELSEWHERE: Mapping[str, Mapping[str, Any]] = {"usb_device": {"serial": "nowhere"}}
each_link = pytest.mark.parametrize("spec", LINKS, ids=lambda spec: spec.key)


def nowhere(spec: LinkSpec, folder: Path) -> Any:
    """Return settings that lead to nothing: every required text names a file that is not there."""
    if spec.key in ELSEWHERE:
        return spec.settings(**ELSEWHERE[spec.key])
    required = [
        one.name
        for one in dataclasses.fields(spec.settings)
        if one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
    ]
    return spec.settings(**{name: str(folder / "nowhere") for name in required})


@each_link
def test_its_settings_are_frozen(spec: LinkSpec) -> None:
    assert spec.settings.__dataclass_params__.frozen


@each_link
async def test_what_is_not_there_is_told_with_the_next_action(
    spec: LinkSpec, tmp_path: Path
) -> None:
    with pytest.raises(LinkError) as caught:
        await spec.open(nowhere(spec, tmp_path), spec.carries[0](), BootClock())
    assert "nowhere" in str(caught.value)
    assert caught.value.action


def test_only_real_hardware_is_live() -> None:
    assert {spec.key for spec in LINKS if not spec.live} == {"replay", "simulated"}
