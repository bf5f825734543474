"""Finds every DEVICE in `shoes/`, `wheels/`, `dice/`; refuses duplicates and misnamed modules."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from protocols import dice, shoes, wheels
from protocols.device import DeviceSpec


@cache
def devices() -> Mapping[str, DeviceSpec]:
    """Return every device by key. Raises TypeError when a module breaks the convention."""
    specs: dict[str, DeviceSpec] = {}
    for folder in (shoes, wheels, dice):
        for module in pkgutil.iter_modules(folder.__path__):
            spec = getattr(
                importlib.import_module(f"{folder.__name__}.{module.name}"), "DEVICE", None
            )
            if not isinstance(spec, DeviceSpec) or spec.key != module.name or spec.key in specs:
                raise TypeError(
                    f"{folder.__name__}.{module.name} must export DEVICE, a DeviceSpec whose key is"
                    f" the module's own name"
                )
            specs[spec.key] = spec
    return MappingProxyType(specs)
