# SPDX-License-Identifier: AGPL-3.0-or-later
"""Platforms as packages should not have them."""

import sys
from typing import Any

from carrel.model import AskedItem, Landing, ManifestFile, PlatformItem
from carrel.platforms.about import About
from carrel.platforms.platform import Api, Platform


class Odd(Platform):
    """Any page at odd.example; `returned` is what it says of each."""

    name = "odd"
    about = About(title="Odd", hosts=frozenset({"odd.example"}))
    returned: Any = None

    def asked_for(self, landing: Landing) -> AskedItem | None:
        is_odd = landing.domain == "odd.example"
        return AskedItem(self.name, landing.domain, "1") if is_odd else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        return self.returned  # type: ignore[no-any-return]  # as others' platforms are not typed


class Fails(Odd):
    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        raise KeyError("tables")


class FailsToMatch(Odd):
    def asked_for(self, landing: Landing) -> AskedItem | None:
        raise ZeroDivisionError("no tide")


class OfAnotherName(Odd):
    returned = PlatformItem("zenodo", "odd.example", "1")


class OfOddFiles(Odd):
    returned = PlatformItem("odd", "odd.example", "1", (ManifestFile(path=None),))  # type: ignore[arg-type]


class Taken(Odd):
    name = "zenodo"


class Loud(Odd):
    name = "ODD!"


class TextForTuple(Odd):
    about = About(title="Odd", domains="odd.example")  # type: ignore[arg-type]


class WithWww(Odd):
    about = About(title="Odd", hosts=frozenset({"www.odd.example"}))


class NeedsArguments(Odd):
    def __init__(self, key: str) -> None:
        self.key = key


class Leaves(Odd):
    def __init__(self) -> None:
        sys.exit(3)


class NoPlatform:
    name = "odd"
