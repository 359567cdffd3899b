# SPDX-License-Identifier: AGPL-3.0-or-later
"""Platforms that installed packages add, by the entry point group `carrel.platforms`.

They are other people's code. One that cannot be used is left out, with the reason; what goes wrong
in one while it is asked is an outcome that names it, and never a fault of Carrel's.
"""

import logging
import re
from collections.abc import Collection
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from carrel.errors import ControlFlow, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.model.prose import shown
from carrel.platforms.declared import fault_of_item, fault_of_platform
from carrel.platforms.platform import Api, Platform
from carrel.translation import tr

log = logging.getLogger(__name__)

GROUP = "carrel.platforms"
_LONGEST_FAULT = 300
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry point that gives no platform: its name, its package with the version, and why."""

    entry_point: str
    package: str
    reason: str


@dataclass(frozen=True, slots=True)
class Added:
    """What installed packages add."""

    platforms: tuple["AddedPlatform", ...]
    left_out: tuple[LeftOut, ...]


class AddedPlatform(Platform):
    """A platform out of a package, which may fail in any way. `package` has its version."""

    def __init__(self, platform: Platform, package: str) -> None:
        self._platform, self.package = platform, package
        self.name, self.about = platform.name, platform.about
        self.tells_of_its_page_alone = platform.tells_of_its_page_alone

    def match(self, landing: Landing) -> str | None:
        """Return its evidence; None also where it fails, which the log tells."""
        try:
            evidence = self._platform.match(landing)
        except ControlFlow:
            raise
        except Exception as error:
            log.warning("%s", self._failure(error))
            log.debug("in match", exc_info=True)
            return None
        return evidence if isinstance(evidence, str) else None

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return what it takes the address for; None also where it fails."""
        try:
            found = self._platform.asked_for(landing)
        except ControlFlow:
            raise
        except Exception:
            log.debug("in asked_for", exc_info=True)
            return None
        return found if isinstance(found, AskedItem) else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what it says of the dataset.

        Raises IngestStop (`platform-error`), naming the platform, for whatever else it does.
        """
        try:
            item = await self._platform.describe(landing, api)
            fault = fault_of_item(item, self)
        except (IngestStop, NotThisPlatform, ControlFlow):
            raise
        except Exception as error:
            log.debug("in describe", exc_info=True)
            raise IngestStop(Status.PLATFORM_ERROR, self._failure(error)) from error
        if fault is not None:
            raise IngestStop(Status.PLATFORM_ERROR, self._failure(fault))
        return item

    def _failure(self, error: Exception | str) -> str:
        return tr(
            "{title}, which the package {package} adds to Carrel, failed: {fault}",
            title=self.about.title,
            package=self.package,
            fault=error if isinstance(error, str) else _in_words(error),
        )


def added_beside(names: Collection[str]) -> Added:
    """Return what installed packages add to the platforms that have these names."""
    taken = set(names)
    platforms: list[AddedPlatform] = []
    left_out: list[LeftOut] = []
    for point in _entry_points():
        package = _package(point)
        found = _loaded(point, taken)
        if isinstance(found, Platform):
            taken |= {found.name, *found.about.other_titles}
            platforms.append(AddedPlatform(found, package))
        else:
            log.info("%s of %s is left out: %s", point.name, package, found)
            left_out.append(LeftOut(point.name, package, found))
    return Added(tuple(platforms), tuple(left_out))


def _entry_points() -> list[EntryPoint]:
    try:
        found = entry_points(group=GROUP)
    except Exception as error:  # any installed package's, however it is broken
        log.warning("the entry points of installed packages cannot be read: %s", _in_words(error))
        return []
    return sorted(found, key=lambda point: (_package(point), point.name))


def _package(point: EntryPoint) -> str:
    try:
        return f"{point.dist.name} {point.dist.version}" if point.dist else "?"
    except Exception:  # as above
        return "?"


def _loaded(point: EntryPoint, taken: Collection[str]) -> Platform | str:
    """Return the platform, or in words why it cannot be used."""
    try:
        platform = _made(point.load())
        fault = fault_of_platform(platform) or _fault_of_name(platform, taken)
    except (Exception, SystemExit) as error:
        return _in_words(error)
    return platform if fault is None else fault


def _made(found: Any) -> Any:
    """Return an instance of what an entry point names: a class, or one already."""
    return found() if isinstance(found, type) and issubclass(found, Platform) else found


def _fault_of_name(platform: Platform, taken: Collection[str]) -> str | None:
    for name in (platform.name, *platform.about.other_titles):
        if not _NAME.fullmatch(name):
            return tr(
                "its name “{name}” is not made of lower-case letters, digits, “.”, “_” and “-”",
                name=shown(name),
            )
        if name in taken:
            return tr("another platform has the name “{name}” already", name=name)
    return None


def _in_words(error: BaseException) -> str:
    """Return an exception on one line."""
    words = " ".join(str(error).split())
    kind = type(error).__name__
    return shown(f"{kind}: {words}" if words else kind, _LONGEST_FAULT)
