# SPDX-License-Identifier: AGPL-3.0-or-later
"""PANGAEA, the data publisher for Earth and environmental science.

Its pages describe their datasets in schema.org's words, which it also gives without the page. They
name the ways to download, not the files: a table as text, or a zip of what is no table. Neither has
a size or a checksum.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from carrel.errors import ApiStop, NotThisPlatform
from carrel.model import AskedItem, Finding, Landing, ManifestFile, PlatformItem, Status
from carrel.platforms import json_ld
from carrel.platforms.about import About, TokenUse
from carrel.platforms.addresses import addresses, read_address
from carrel.platforms.distributions import distributions
from carrel.platforms.nodes import Node, dataset_of, first_text, is_free
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import closed, not_there, restricted
from carrel.platforms.schemaorg import dataset_findings, describe_node, described_item
from carrel.translation import tr

_HOST = "doi.pangaea.de"
_HOSTS = frozenset({_HOST, "pangaea.de", "doi.org", "dx.doi.org"})
_DOI = re.compile(r"10\.1594/PANGAEA\.(\d{1,9})", re.IGNORECASE)
# How its conditions of access begin where there are any.
_CLOSED = re.compile(r"(?:access )?(?:restricted|rights|moratorium|login|embargo)", re.IGNORECASE)
# What `?format=` gives, and the ending under which it is offered.
_ENDINGS = {"textfile": "tab", "zip": "zip"}


class Pangaea(Platform):
    """PANGAEA."""

    name = "pangaea"
    about = About(
        title="PANGAEA",
        hosts=frozenset({_HOST, "pangaea.de"}),
        domains=("pangaea.de",),
        token=TokenUse(hosts=(_HOST,)),
    )

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset that the address names."""
        number = _number(landing)
        return AskedItem(self.name, _HOST, f"10.1594/PANGAEA.{number}") if number else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the page says of its dataset, or what PANGAEA says of it without the page."""
        asked, number = self.asked_for(landing), _number(landing)
        if asked is None or number is None:
            raise NotThisPlatform(tr("No address on the way to this page is PANGAEA's."))
        page, dataset = landing, dataset_of(landing) if landing.outcome is None else None
        if dataset is None:
            page = await _described(asked, landing, api)
            dataset = dataset_of(page)
        if dataset is None:
            message = tr("{url} describes no dataset.", url=page.url)
            raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
        return _item(asked, number, page, dataset)


def _number(landing: Landing) -> str | None:
    for address in addresses(landing):
        name = "/".join(address.parts[:2])
        if address.host in _HOSTS and (match := _DOI.fullmatch(name)):
            return match[1]
    return None


async def _described(asked: AskedItem, landing: Landing, api: Api) -> Landing:
    """Return the page with the description that PANGAEA gives apart from it."""
    url = f"https://{_HOST}/{asked.platform_id}?format=metadata_jsonld"
    try:
        text = await api.text(url, accept="application/ld+json")
    except ApiStop as stop:
        what = tr("the dataset {doi} at PANGAEA", doi=asked.platform_id)
        raise not_there(stop, what) from stop.__cause__
    page = f"https://{_HOST}/{asked.platform_id}"
    # Without the way here: that may be a download, which is a file and not the page.
    return Landing(page, (page,), 200, json_ld=json_ld.parse(text).objects)


def _item(asked: AskedItem, number: str, landing: Landing, dataset: Node) -> PlatformItem:
    found = distributions(dataset, landing)
    findings = tuple(dataset_findings(dataset, found, landing))
    about = describe_node(dataset)
    files = [one for one in found if one.is_file]
    item = described_item(asked.platform_name, landing, dataset, about, files, findings)
    item = replace(
        item,
        platform_domain=asked.platform_domain,
        platform_id=asked.platform_id,
        doi=asked.platform_id,
        manifest=tuple(_named(entry, number) for entry in item.manifest),
        findings=tuple(_fitting(item.findings)),
    )
    if _is_closed(dataset):
        message = tr(
            "PANGAEA gives the data of {doi} only to those it admits: log in on its page to ask.",
            doi=asked.platform_id,
        )
        return closed(item, restricted(message))
    return item


def _is_closed(dataset: Node) -> bool:
    """Return whether the data is not for everybody; PANGAEA says "unrestricted" where it is."""
    if (free := is_free(dataset)) is not None:
        return not free
    return bool(_CLOSED.match(first_text(dataset.get("conditionsOfAccess")) or ""))


def _named(entry: ManifestFile, number: str) -> ManifestFile:
    """Return a file under the name with which PANGAEA sends it: `PANGAEA.836178.tab`."""
    address = read_address(entry.platform_url or "")
    ending = _ENDINGS.get(address.query.get("format", "")) if address else None
    if ending is None:
        return entry
    extra = {name: value for name, value in entry.extra.items() if name != "is_unnamed"}
    return replace(entry, path=f"PANGAEA.{number}.{ending}", extra=extra)


def _fitting(findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """Yield the findings that hold here: names are known, and what is not free is closed."""
    return (one for one in findings if one.code not in ("names-unknown", "not-free"))
