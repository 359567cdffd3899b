# SPDX-License-Identifier: AGPL-3.0-or-later
"""The question of which platform a page is, and what that one says of it."""

from dataclasses import replace

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import Finding, FindingLevel, Landing, PlatformItem, Status
from carrel.platforms import catalogue
from carrel.platforms.catalogue import unsupported
from carrel.platforms.landing import no_page
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import reviewed, unread_blocks
from carrel.translation import tr

_HTML = ("", "text/html", "application/xhtml+xml")


def candidates(landing: Landing) -> list[tuple[Platform, str]]:
    """Return the platforms that may stand behind a page, the best first, with the evidence."""
    matches = ((platform, platform.match(landing)) for platform in catalogue.PLATFORMS)
    return [(platform, evidence) for platform, evidence in matches if evidence]


async def describe(landing: Landing, api: Api) -> tuple[PlatformItem, str]:
    """Return what the first platform that knows the page says of it, with the evidence.

    Raises IngestStop with what came of it, and with what was requested: where the page itself could
    not be read and no platform could be asked either, that is the page's own outcome.
    """
    remarks = []
    for platform, evidence in candidates(landing):
        before = len(api.findings)  # on the answers of those that it is not
        try:
            item = await platform.describe(landing, api)
            item = replace(item, findings=(*item.findings, *api.findings[before:]))
            return _finished(platform, item, landing), evidence
        except NotThisPlatform as mistaken:
            remarks.append(mistaken.remark)
        except IngestStop as stop:
            asked = platform.asked_for(landing)
            if landing.outcome is not None and _is_silence(stop):
                unreadable = _unreadable(landing)
                unreadable.asked = asked
                raise unreadable from stop
            stop.asked = asked
            raise
    if landing.outcome is not None:
        raise _unreadable(landing)
    if (kind := _type_of(landing)) not in _HTML and not unsupported(landing):
        raise no_page(landing.url, kind)
    words = filter(None, (_no_match(landing), unread_blocks(landing), *remarks))
    raise IngestStop(Status.NO_PLATFORM_MATCH, " ".join(words))


def _finished(platform: Platform, item: PlatformItem, landing: Landing) -> PlatformItem:
    item, place = reviewed(item), unsupported(landing)
    if unread := unread_blocks(landing):
        level = FindingLevel.WARNING if platform.tells_of_its_page_alone else FindingLevel.NOTE
        item = replace(item, findings=(*item.findings, Finding("json-ld-unread", unread, level)))
    if item.platform_status is not Status.EMPTY_MANIFEST:
        return item
    reasons = (
        item.platform_message,
        unread if platform.tells_of_its_page_alone else None,
        _not_yet(place) if place else None,
    )
    return replace(item, platform_message=" ".join(filter(None, reasons)))


def _no_match(landing: Landing) -> str:
    if place := unsupported(landing):
        return _not_yet(place)
    return tr(
        "Carrel knows no data platform behind {url}, and the page itself does not list its files.",
        url=landing.url,
    )


def _type_of(landing: Landing) -> str:
    return landing.headers.get("content-type", "").partition(";")[0].strip().lower()


def _not_yet(place: str) -> str:
    return tr("This is {place}, a platform that Carrel does not know yet.", place=place)


def _is_silence(stop: IngestStop) -> bool:
    """Return whether a platform gave no answer at all."""
    return (
        isinstance(stop, ApiStop)
        and stop.http_status is None
        and stop.status
        in (
            Status.PLATFORM_ERROR,
            Status.NETWORK_ERROR,
            Status.INVALID_HOST_RESOLUTION,
        )
    )


def _unreadable(landing: Landing) -> IngestStop:
    outcome = landing.outcome or Status.NO_PLATFORM_MATCH
    return IngestStop(outcome, landing.message or tr("{url} could not be read.", url=landing.url))
