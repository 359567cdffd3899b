# SPDX-License-Identifier: AGPL-3.0-or-later
"""The question of which platform a page is, and what that one says of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Finding, FindingLevel, Landing, PlatformItem, Status
from carrel.platforms import catalogue
from carrel.platforms.addresses import host_in_address
from carrel.platforms.catalogue import unsupported
from carrel.platforms.landing import no_page
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import opened, reviewed, unread_blocks
from carrel.translation import tr

_TOLD_APART = (Status.NOT_A_DATASET, Status.PLATFORM_SCOPE)
_HTML = ("", "text/html", "application/xhtml+xml")


def candidates(
    landing: Landing, platforms: Sequence[Platform] | None = None
) -> Iterator[tuple[Platform, str]]:
    """Yield the platforms that may stand behind a page, the best first, with the evidence: of all
    that there are, unless some are given."""
    for platform in catalogue.platforms() if platforms is None else platforms:
        if evidence := platform.match(landing):
            yield platform, evidence


async def describe(
    landing: Landing, api: Api, platforms: Sequence[Platform] | None = None
) -> tuple[PlatformItem, str]:
    """Return what the first platform that knows the page says of it, with the evidence.

    Raises IngestStop with what came of it, and with what was requested: where the page itself could
    not be read and no platform could be asked either, that is the page's own outcome.
    """
    remarks: list[str] = []
    empty: tuple[PlatformItem, str] | None = None
    for platform, evidence in candidates(landing, platforms):
        before = len(api.findings)  # on the answers of those that it is not
        try:
            item = await platform.describe(landing, api)
            item = replace(item, findings=(*item.findings, *api.findings[before:]))
            item = opened(item, platform.about.token, api.has_token)
            item = _finished(platform, item, landing)
            if not _says_too_little(platform, item):
                return item, evidence
            empty = empty or (item, evidence)
        except NotThisPlatform as mistaken:
            remarks.append(mistaken.remark)
        except IngestStop as stop:
            if empty is not None and stop.status not in _TOLD_APART:
                remarks.append(str(stop))
                continue
            asked = platform.asked_for(landing)
            if _is_lost(landing) and _is_silence(stop):
                unreadable = _unreadable(landing)
                unreadable.asked = asked
                raise unreadable from stop
            stop.asked = asked or _group(platform, landing, stop)
            raise
    if empty is not None:
        return _with_remarks(empty[0], remarks), empty[1]
    if landing.outcome is not None:
        raise _unreadable(landing, remarks)
    if (kind := landing.mimetype) not in _HTML and not unsupported(landing):
        raise no_page(landing.url, kind)
    words = filter(None, (_no_match(landing), unread_blocks(landing), *remarks))
    raise IngestStop(Status.NO_PLATFORM_MATCH, " ".join(words))


def _group(platform: Platform, landing: Landing, stop: IngestStop) -> AskedItem | None:
    """Return whose page it is that groups datasets, None for what else has no identifier."""
    if stop.status is not Status.PLATFORM_SCOPE:
        return None
    return AskedItem(platform.name, host_in_address(landing.url), "")


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
        "Carrel knows no data platform behind {url}, and the page itself names no files of a "
        "dataset.",
        url=landing.url,
    )


def _not_yet(place: str) -> str:
    return tr("This is {place}, a platform that Carrel does not know yet.", place=place)


def _is_lost(landing: Landing) -> bool:
    """Return whether the page could not be read; an address that leads to a file has none."""
    return landing.outcome not in (None, Status.WRONG_MIMETYPE)


def _is_silence(stop: IngestStop) -> bool:
    """Return whether a platform gave no answer at all."""
    return (
        isinstance(stop, ApiStop)
        and stop.http_status is None
        and stop.status
        in (
            Status.PLATFORM_ERROR,
            Status.NETWORK_ERROR,
            Status.CERTIFICATE_UNKNOWN,
            Status.INVALID_HOST_RESOLUTION,
        )
    )


def _says_too_little(platform: Platform, item: PlatformItem) -> bool:
    """Return whether a page that speaks for itself names no file: others may know more."""
    return platform.tells_of_its_page_alone and item.platform_status is Status.EMPTY_MANIFEST


def _with_remarks(item: PlatformItem, remarks: Sequence[str]) -> PlatformItem:
    words = " ".join(filter(None, (item.platform_message, *remarks)))
    return replace(item, platform_message=words or None)


def _unreadable(landing: Landing, remarks: Sequence[str] = ()) -> IngestStop:
    outcome = landing.outcome or Status.NO_PLATFORM_MATCH
    words = landing.message or tr("{url} could not be read.", url=landing.url)
    return IngestStop(outcome, " ".join(filter(None, (words, *remarks))))
