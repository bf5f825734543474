"""Finds every LINK in `links/`; refuses duplicates and misnamed modules."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from drivers import links
from drivers.link import LinkSpec


@cache
def link_kinds() -> Mapping[str, LinkSpec]:
    """Return every kind of link by key. Raises TypeError when a module breaks the convention."""
    kinds: dict[str, LinkSpec] = {}
    for module in pkgutil.iter_modules(links.__path__):
        spec = getattr(importlib.import_module(f"{links.__name__}.{module.name}"), "LINK", None)
        if not isinstance(spec, LinkSpec) or spec.key != module.name or spec.key in kinds:
            raise TypeError(
                f"drivers.links.{module.name} must export LINK, a LinkSpec whose key is the"
                f" module's own name"
            )
        kinds[spec.key] = spec
    return MappingProxyType(kinds)
