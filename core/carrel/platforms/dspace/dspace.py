# SPDX-License-Identifier: AGPL-3.0-or-later
"""DSpace: which of its two interfaces answers, and what of."""

from carrel.errors import ApiStop, NotThisPlatform
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.about import About
from carrel.platforms.dspace import hal, rest
from carrel.platforms.dspace.address import Asked, asked, interfaces, version_of
from carrel.platforms.dspace.item import NAME, Told, item_of
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import not_there
from carrel.translation import tr

_FIRST_WITH_HAL = 7
_UNAUTHORIZED = 401


class DSpace(Platform):
    """DSpace, wherever a page says that it is one."""

    name = NAME
    about = About(title="DSpace", elsewhere=tr("the page names DSpace as its software"))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the item that the address names."""
        found = asked(landing)
        return AskedItem(self.name, found.host, found.name) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the deposited files of the item."""
        found = asked(landing)
        if found is None:
            raise NotThisPlatform(tr("The page does not say that it is an item of DSpace."))
        version = version_of(landing)
        try:
            found, told = await _told(found, landing, version, api)
        except ApiStop as stop:
            is_other = version is None and _is_unknown(stop)
            if is_other and not await _is_one_without_it(stop, found, landing, api):
                raise NotThisPlatform(str(stop)) from stop
            on_page = rest.on_page(landing, found, stop) if _is_unknown(stop) else None
            if on_page is None:
                what = tr("the item {name} at {host}", name=found.name, host=found.host)
                if landing.outcome is None and _is_no_interface(stop):
                    raise _as_switched_off(stop) from stop
                raise _as_refusal(not_there(stop, what)) from stop.__cause__
            told = on_page
        return item_of(found, told)


async def _is_one_without_it(stop: ApiStop, found: Asked, landing: Landing, api: Api) -> bool:
    """Return whether there is a DSpace, although the page does not say so, that lacks the item."""
    if stop.status is not Status.PLATFORM_404:
        return False
    for base in interfaces(found, landing):
        if await hal.runs_at(base, api):
            return True
    for base in rest.interfaces(found):
        if await rest.runs_at(base, api):
            return True
    return False


def _is_no_interface(stop: ApiStop) -> bool:
    """Return whether a 404 is the server's own page, and not what an interface says of an item."""
    kind = stop.headers.get("content-type", "")
    return stop.status is Status.PLATFORM_404 and bool(kind) and "json" not in kind


def _as_switched_off(stop: ApiStop) -> ApiStop:
    message = tr("The page is there, but its repository has no interface: {stop}", stop=stop)
    return ApiStop(Status.PLATFORM_HTTP_ERROR, message, stop.http_status, may_repeat=False)


def _as_refusal(stop: ApiStop) -> ApiStop:
    """Return a 401 as what it is at an interface, though it came as the server's own page."""
    if stop.http_status != _UNAUTHORIZED:
        return stop
    return ApiStop(Status.PLATFORM_RESTRICTED, str(stop), _UNAUTHORIZED, may_repeat=False)


def _is_unknown(stop: ApiStop) -> bool:
    """Return whether an address was no interface's, or said nothing that one would say."""
    return stop.status in (
        Status.PLATFORM_404,
        Status.PLATFORM_ERROR,
        Status.PLATFORM_HTTP_ERROR,
        Status.FORBIDDEN,
    )


async def _told(
    found: Asked, landing: Landing, version: int | None, api: Api
) -> tuple[Asked, Told]:
    """Return what the first interface says that is there: that of the version which the page names,
    else the newer first. Raises ApiStop with what the likeliest said."""
    new = [(hal.tell, base) for base in interfaces(found, landing)]
    old = [(rest.tell, base) for base in rest.interfaces(found)]
    has_hal = version is not None and version >= _FIRST_WITH_HAL
    is_old = version is not None and 0 < version < _FIRST_WITH_HAL
    tried = new if has_hal else old if is_old else [*new, *old]
    first: ApiStop | None = None
    for tell, base in dict.fromkeys(tried):
        try:
            return await tell(base, found, api)
        except ApiStop as stop:
            if not _is_unknown(stop):
                raise
            # 404 is more than silence, where only the answers tell what stands there.
            is_telling = version is None and stop.status is Status.PLATFORM_404
            first = stop if is_telling else first or stop
    raise first or ApiStop(Status.PLATFORM_ERROR, tr("{host} has no interface.", host=found.host))
