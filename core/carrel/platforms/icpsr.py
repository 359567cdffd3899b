# SPDX-License-Identifier: AGPL-3.0-or-later
"""ICPSR and openICPSR: studies whose files only people with an account there get.

There is no interface, and a page shows the first folder alone: a listing from it would not be
whole.
"""

import re

from carrel.errors import IngestStop, NotThisPlatform
from carrel.model import AskedItem, Landing, PlatformItem, Status
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, addresses, nearest
from carrel.platforms.items import described
from carrel.platforms.nodes import dataset_of
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import account_needed, closed
from carrel.platforms.schemaorg import describe_node
from carrel.translation import tr

_OPEN = "openicpsr.org"
_STUDIES = "icpsr.umich.edu"
_DOI = re.compile(r"10\.3886/(E|ICPSR)(\d{1,7})(?:\.?V(\d{1,4}))?", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,7}")
_VERSION = re.compile(r"[Vv](\d{1,4})")


class Icpsr(Platform):
    """ICPSR and openICPSR."""

    name = "icpsr"
    about = About(title="ICPSR", hosts=frozenset({_OPEN, _STUDIES}))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the project or study that the address names."""
        found = nearest(landing, _read)
        return AskedItem(self.name, found[0], found[1]) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the page says of the study, closed for want of an account."""
        asked = self.asked_for(landing)
        if asked is None:
            raise NotThisPlatform(tr("No address on the way to this page is a study of ICPSR."))
        # The DOI of a version can lead to the page of the study.
        told = [one for each in addresses(landing) if (one := _read(each))]
        version = next((one[2] for one in told if one[2]), None)
        if landing.outcome is Status.NOT_FOUND:
            message = tr("ICPSR has no page of {identity}.", identity=asked.platform_id)
            raise IngestStop(Status.PLATFORM_404, message)
        dataset = dataset_of(landing) if landing.outcome is None else None
        about, biblio = describe_node(dataset) if dataset else None, landing.html_biblio
        doi = next((each.doi for each in addresses(landing) if each.doi), None)
        item = described(
            asked,
            source=landing.url,
            platform_version=version,
            title=(about.title if about else None) or biblio.get("title"),
            creators=(about.creators if about else ()) or tuple(biblio.get("contrib_names") or ()),
            license=about.license if about else None,
            published=(about.published if about else None) or biblio.get("release_date"),
            doi=doi or biblio.get("doi"),
            description=about.description if about else None,
        )
        message = tr(
            "ICPSR gives the files of {identity} only to people with an account, through its own "
            "page: log in there and download them.",
            identity=asked.platform_id,
        )
        return closed(item, account_needed(message))


def _read(address: Address) -> tuple[str, str, str | None] | None:
    """Return host, number and version that an address names."""
    if address.doi:
        match = _DOI.fullmatch(address.doi)
        host = _OPEN if match and match[1].upper() == "E" else _STUDIES
        return (host, match[2], match[3]) if match else None
    parts = address.parts
    if address.host not in (_OPEN, _STUDIES) or not {"project", "studies"}.intersection(parts):
        return None
    number = next((part for part in parts if _NUMBER.fullmatch(part)), None)
    versions = (_VERSION.fullmatch(part) for part in parts)
    version = next((match[1] for match in versions if match), None)
    return (address.host, number.lstrip("0") or "0", version) if number else None
