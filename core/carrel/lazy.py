# SPDX-License-Identifier: AGPL-3.0-or-later
"""Names that a package offers and that are loaded when they are requested (PEP 562).

A command loads what it needs and nothing else: half of the time of a short one goes into loading.
"""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def offering(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package that offers the names of these modules: its own, or
    others by their full names.

    Raises ValueError for a name that is a module's, too: once loaded, the module would be found.
    """
    places = {name: module for module, names in modules.items() for name in names}
    if unclear := places.keys() & modules.keys():
        raise ValueError(f"{package} has modules of the same names: {sorted(unclear)}")

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = places[name]
        module = place if place.startswith("carrel.") else f"{package}.{place}"
        value = getattr(importlib.import_module(module), name)
        setattr(sys.modules[package], name, value)  # asked for once
        return value

    return load
