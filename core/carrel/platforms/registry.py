# SPDX-License-Identifier: AGPL-3.0-or-later
"""All platforms in the order of their evidence, and the question of which one a page is."""

import re
from collections.abc import Mapping
from dataclasses import replace

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import Finding, FindingLevel, Landing, PlatformItem, Status
from carrel.platforms.addresses import addresses
from carrel.platforms.archiveorg import ArchiveOrg
from carrel.platforms.cernopendata import CernOpenData
from carrel.platforms.dataverse import Dataverse
from carrel.platforms.figshare import Figshare
from carrel.platforms.inveniordm import InvenioRdm
from carrel.platforms.landing import no_page
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import reviewed, unread_blocks
from carrel.platforms.schemaorg import SchemaOrg
from carrel.platforms.signposting import Signposting

PLATFORMS: tuple[Platform, ...] = (
    Dataverse(),
    CernOpenData(),
    InvenioRdm(),
    Figshare(),
    ArchiveOrg(),
    SchemaOrg(),
    Signposting(),
)

_DATAONE = "a page of a member of DataONE"
# Host and first folder (none for any page but the home page) → what stands there. Hosts of DataONE
# members: J535D165/datahugger config.py f7eb0df6, without those that are platforms of their own.
UNSUPPORTED: Mapping[tuple[str, str], str] = {
    ("adc.arm.gov", ""): _DATAONE,
    ("arcticdata.io", "catalog"): "a dataset in the Arctic Data Center of DataONE",
    ("b2share.eudat.eu", "records"): "a dataset on B2SHARE",
    ("catalog.data.gov", "dataset"): "a dataset on Data.gov",
    ("data.ess-dive.lbl.gov", ""): _DATAONE,
    ("data.mendeley.com", "datasets"): "a dataset on Mendeley Data",
    ("data.piscoweb.org", ""): _DATAONE,
    ("data.pndb.fr", ""): _DATAONE,
    ("datadryad.org", "dataset"): "a dataset on Dryad",
    ("datadryad.org", "resource"): "a dataset on Dryad",
    ("datadryad.org", "stash"): "a dataset on Dryad",
    ("dataone.org", "datasets"): "a dataset in DataONE",
    ("doi.pangaea.de", ""): "a dataset on PANGAEA",
    ("gbif.org", "dataset"): "a dataset on GBIF",
    ("gbif.org", "occurrence"): "a page of GBIF",
    ("github.com", ""): "a page of GitHub",
    ("goa.nceas.ucsb.edu", ""): _DATAONE,
    ("huggingface.co", "datasets"): "a dataset on Hugging Face",
    ("hydroshare.org", "resource"): "a dataset on HydroShare",
    ("icpsr.umich.edu", ""): "a page of ICPSR",
    ("iys.hakai.org", ""): _DATAONE,
    ("kaggle.com", "datasets"): "a dataset on Kaggle",
    ("knb.ecoinformatics.org", ""): "a page of the KNB in DataONE",
    ("opc.dataone.org", ""): _DATAONE,
    ("openicpsr.org", "openicpsr"): "a dataset on openICPSR",
    ("openneuro.org", "datasets"): "a dataset on OpenNeuro",
    ("osf.io", ""): "a page of OSF",
    ("pasta.lternet.edu", ""): "a page of the EDI repository",
    ("portal.edirepository.org", ""): "a page of the EDI repository",
    ("scidb.cn", ""): "a page of Science Data Bank",
    ("sciencebase.gov", "catalog"): "a dataset on ScienceBase",
    ("seanoe.org", "data"): "a dataset on SEANOE",
    ("search.dataone.org", "view"): "a dataset in DataONE",
    ("usap-dc.org", ""): "a page of the U.S. Antarctic Program Data Center",
}
_SOFTWARE = {"ckan": "a CKAN portal", "dspace": "a DSpace repository"}
_GENERATOR = re.compile(
    r"<meta[^>]{0,99}\bname=[\"']generator[\"'][^>]{0,99}\bcontent=[\"'](ckan|dspace)\b",
    re.IGNORECASE,
)
_HTML = ("", "text/html", "application/xhtml+xml")


def candidates(landing: Landing) -> list[tuple[Platform, str]]:
    """Return the platforms that may stand behind a page, the best first, with the evidence."""
    matches = ((platform, platform.match(landing)) for platform in PLATFORMS)
    return [(platform, evidence) for platform, evidence in matches if evidence]


async def describe(landing: Landing, api: Api) -> tuple[PlatformItem, str]:
    """Return what the first platform that knows the page says of it, with the evidence.

    Raises IngestStop with what came of it, and with what was asked for: where the page itself could
    not be read and no platform could be asked either, that is the page's own outcome.
    """
    remarks = []
    for platform, evidence in candidates(landing):
        before = len(api.findings)  # on the answers of those that it is not
        try:
            item = await platform.describe(landing, api)
            item = replace(item, findings=(*item.findings, *api.findings[before:]))
            return _finished(item, landing), evidence
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
    if (kind := _type_of(landing)) not in _HTML and not _unsupported(landing):
        raise no_page(landing.url, kind)
    words = filter(None, (_no_match(landing), unread_blocks(landing), *remarks))
    raise IngestStop(Status.NO_PLATFORM_MATCH, " ".join(words))


def _finished(item: PlatformItem, landing: Landing) -> PlatformItem:
    item, place = reviewed(item), _unsupported(landing)
    is_of_page = item.platform_name in (SchemaOrg.name, Signposting.name)
    if unread := unread_blocks(landing):
        level = FindingLevel.WARNING if is_of_page else FindingLevel.NOTE
        item = replace(item, findings=(*item.findings, Finding("json-ld-unread", unread, level)))
    if item.platform_status is not Status.EMPTY_MANIFEST:
        return item
    reasons = (
        item.platform_message,
        unread if is_of_page else None,
        _not_yet(place) if place else None,
    )
    return replace(item, platform_message=" ".join(filter(None, reasons)))


def _no_match(landing: Landing) -> str:
    if place := _unsupported(landing):
        return _not_yet(place)
    return (
        f"Carrel knows no data platform behind {landing.url}, and the page itself does not list "
        "its files."
    )


def _type_of(landing: Landing) -> str:
    return landing.headers.get("content-type", "").partition(";")[0].strip().lower()


def _not_yet(place: str) -> str:
    return f"This is {place}, a platform that Carrel does not know yet."


def _unsupported(landing: Landing) -> str | None:
    """Return what the page is and where, as in "a dataset on Dryad", None if that is not known."""
    for address in addresses(landing):
        for (host, folder), place in UNSUPPORTED.items():
            is_inside = len(address.parts) > 1 and address.parts[0] == folder
            if address.host == host and (is_inside or (not folder and address.parts)):
                return place
    software = _GENERATOR.search(landing.html)
    return f"a page of {_SOFTWARE[software[1].lower()]}" if software else None


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
    return IngestStop(outcome, landing.message or f"{landing.url} could not be read.")
