"""Finds every GAME in `games/` and every BUS in `buses/`; refuses misnamed modules."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType, ModuleType
from typing import TypeVar

from daemon import buses as bus_folder
from daemon import games as game_folder
from daemon.delivery.bus import BusSpec
from daemon.gamekit.spec import AnyGame, Game

_Found = TypeVar("_Found", AnyGame, BusSpec)


@cache
def games() -> Mapping[str, AnyGame]:
    """Return every game by key. Raises TypeError when a module breaks the convention."""
    return _scan(game_folder, "GAME", Game)  # type: ignore[type-abstract] # for isinstance alone


@cache
def buses() -> Mapping[str, BusSpec]:
    """Return every bus by key. Raises TypeError when a module breaks the convention."""
    return _scan(bus_folder, "BUS", BusSpec)


def _scan(folder: ModuleType, constant: str, kind: type[_Found]) -> Mapping[str, _Found]:
    found: dict[str, _Found] = {}
    for module in pkgutil.iter_modules(folder.__path__):
        spec = getattr(importlib.import_module(f"{folder.__name__}.{module.name}"), constant, None)
        if not isinstance(spec, kind) or spec.key != module.name:
            raise TypeError(
                f"{folder.__name__}.{module.name} must export {constant}, a {kind.__name__} whose"
                f" key is the module's own name"
            )
        found[spec.key] = spec
    return MappingProxyType(found)
