# SPDX-License-Identifier: AGPL-3.0-or-later
"""The last that is asked: the record of the DOI by which a page was reached.

It names the files where the page does not, tells what is no dataset from what is, and describes
what nothing else describes. It is asked where the page says too little, never instead of it.
"""

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    FindingLevel,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.manifest import UNNAMED
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About
from carrel.platforms.addresses import (
    DOI_HOSTS,
    addresses,
    host_in_address,
    read_address,
    web_address,
)
from carrel.platforms.doi_record import kinds
from carrel.platforms.doi_record.record import Record, record_of
from carrel.platforms.entries import unique_paths
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform
from carrel.translation import tr

_RESOLVER = "doi.org"


class DoiRecord(Platform):
    """What DataCite or Crossref has registered for a DOI."""

    name = "doi"
    about = About(title="DOI record", elsewhere=tr("a DOI led to the page"))

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the DOI by which the page was reached, unless the resolver led nowhere."""
        if host_in_address(landing.url) in DOI_HOSTS:
            return None
        doi = next((address.doi for address in addresses(landing) if address.doi), None)
        return AskedItem(self.name, _RESOLVER, doi) if doi else None

    def match(self, landing: Landing) -> str | None:
        """Return that a DOI led here, or that the site is known for what is no dataset."""
        if asked := self.asked_for(landing):
            return tr("{doi} led to the page", doi=asked.platform_id)
        host = host_in_address(landing.url)
        return kinds.without_files_at(host) or kinds.viewed_at(host)

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files that the record of the DOI names.

        Raises IngestStop (`not-a-dataset`, `platform-scope`) for what is no dataset, and
        NotThisPlatform, with what the record says for a remark, if it names no files.
        """
        host, asked = host_in_address(landing.url), self.asked_for(landing)
        try:
            record = await _asked_record(asked.platform_id, api) if asked else None
        except NotThisPlatform:
            _refuse_other_things(host, None)  # the site alone may tell
            raise
        _refuse_other_things(host, record)
        if asked is None or record is None:
            raise NotThisPlatform(tr("No record of a DOI describes this page."))
        if not record.content_urls:
            raise NotThisPlatform(tr("The record names no files."), remark=in_words(record))
        return _item(asked.platform_id, record)


async def _asked_record(doi: str, api: Api) -> Record | None:
    try:
        return await record_of(doi, api)
    except ApiStop as stop:
        remark = tr("The record of the DOI could not be read: {stop}", stop=stop)
        raise NotThisPlatform(str(stop), remark=remark) from stop


def _refuse_other_things(host: str, record: Record | None) -> None:
    """Raise IngestStop for what is known to be no dataset, by its record or its site."""
    kind = record.kind if record else ""
    named = f" ({_cited(record)})" if record and record.title else ""
    if what := kinds.WITHOUT_FILES.get(kind) or kinds.without_files_at(host):
        subject = tr("This DOI") if record else tr("This address")
        message = tr(
            "{subject} names {what}{named}; it has no files.",
            subject=subject,
            what=what,
            named=named,
        )
        raise IngestStop(Status.NOT_A_DATASET, message)
    if what := kinds.GROUPS.get(kind):
        message = tr("This DOI names {what}{named}, not one dataset.", what=what, named=named)
        raise IngestStop(Status.PLATFORM_SCOPE, message)
    if what := kinds.OTHER_WORKS.get(kind) or kinds.viewed_at(host):
        subject = tr("This DOI") if record else tr("This address")
        message = tr(
            "{subject} names {what}{named}, not a dataset.",
            subject=subject,
            what=what,
            named=named,
        )
        raise IngestStop(Status.NOT_A_DATASET, message)


def in_words(record: Record) -> str:
    """Return what a record says, in a sentence."""
    details = [record.published, record.license, *record.sizes[:2], *record.formats[:2]]
    known = ", ".join(shown(text) for text in details if text)
    return tr(
        "{agency} describes it as {cited}{details}.",
        agency=record.agency,
        cited=_cited(record),
        details=f" ({known})" if known else "",
    )


def _cited(record: Record) -> str:
    title = f"“{shown(record.title)}”" if record.title else record.kind or tr("something untitled")
    return ", ".join(filter(None, (title, shown(record.publisher or ""))))


def _item(doi: str, record: Record) -> PlatformItem:
    manifest, renamed = unique_paths(
        (_entry(url, number), str(number)) for number, url in enumerate(record.content_urls, 1)
    )
    message = tr(
        "The page does not list its files; these are named in the record of the DOI "
        "({agency}): {names}. Whether they are all is not known.",
        agency=record.agency,
        names=shortlist([entry.path for entry in manifest]),
    )
    return described(
        AskedItem(DoiRecord.name, _RESOLVER, doi),
        source=f"https://{_RESOLVER}/{doi}",
        platform_version=record.version,
        manifest=manifest,
        title=record.title,
        creators=record.creators,
        license=record.license,
        published=record.published,
        publisher=record.publisher,
        doi=doi,
        findings=(Finding("listed-by-doi-record", message, FindingLevel.WARNING), *renamed),
    )


def _entry(url: str, number: int) -> ManifestFile:
    address = read_address(url)
    name = address.parts[-1] if address and address.parts else f"file-{number}"
    return ManifestFile(path=name, platform_url=web_address("", url), extra=UNNAMED)
