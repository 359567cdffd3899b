# SPDX-License-Identifier: AGPL-3.0-or-later
"""All platforms in the order of their evidence, and the question of which one a page is."""

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import Landing, PlatformItem, Status
from carrel.platforms.archiveorg import ArchiveOrg
from carrel.platforms.dataverse import Dataverse
from carrel.platforms.figshare import Figshare
from carrel.platforms.inveniordm import InvenioRdm
from carrel.platforms.platform import Api, Platform
from carrel.platforms.schemaorg import SchemaOrg
from carrel.platforms.signposting import Signposting

PLATFORMS: tuple[Platform, ...] = (
    Dataverse(),
    InvenioRdm(),
    Figshare(),
    ArchiveOrg(),
    SchemaOrg(),
    Signposting(),
)


def candidates(landing: Landing) -> list[tuple[Platform, str]]:
    """Return the platforms that may stand behind a page, the best first, with the evidence."""
    matches = ((platform, platform.match(landing)) for platform in PLATFORMS)
    return [(platform, evidence) for platform, evidence in matches if evidence]


async def describe(landing: Landing, api: Api) -> tuple[PlatformItem, str]:
    """Return what the first platform that knows the page says of it, with the evidence.

    Raises IngestStop with what came of it: where the page itself could not be read and no platform
    could be asked either, that is the page's own outcome.
    """
    for platform, evidence in candidates(landing):
        try:
            return await platform.describe(landing, api), evidence
        except NotThisPlatform:
            continue
        except ApiStop as stop:
            if landing.outcome is not None and stop.http_status is None and _is_silence(stop):
                raise _unreadable(landing) from stop
            raise
    if landing.outcome is not None:
        raise _unreadable(landing)
    raise IngestStop(
        Status.NO_PLATFORM_MATCH,
        f"No data platform that Carrel knows stands behind {landing.url}, and the page itself does "
        "not tell its files.",
    )


def _is_silence(stop: ApiStop) -> bool:
    return stop.status in (
        Status.PLATFORM_ERROR,
        Status.NETWORK_ERROR,
        Status.INVALID_HOST_RESOLUTION,
    )


def _unreadable(landing: Landing) -> IngestStop:
    outcome = landing.outcome or Status.NO_PLATFORM_MATCH
    return IngestStop(outcome, landing.message or f"{landing.url} could not be read.")
