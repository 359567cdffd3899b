# SPDX-License-Identifier: AGPL-3.0-or-later
"""Figshare with its portals, and 4TU's Djehuty, which answers in the same way.

Names of files are not unique there: of several with one name, all but the first stand in a folder
named after their id. A file can be a mere link to another site; it is listed, never fetched.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from carrel.credentials import TokenKind
from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    FindingLevel,
    Fixity,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.counts import count_of
from carrel.model.prose import shortlist, shown
from carrel.platforms.about import About, KnownLimit, OaiRecords, TokenUse
from carrel.platforms.addresses import addresses, bare_doi, read_address, web_address
from carrel.platforms.entries import (
    contradictions,
    digests,
    joined,
    unique_paths,
    unreadable_checksums,
)
from carrel.platforms.figshare import hosts
from carrel.platforms.figshare.address import Asked, article_of, asked
from carrel.platforms.figshare.answers import Article, Collection, File
from carrel.platforms.figshare.files import Listing, files_of
from carrel.platforms.items import item_meta, item_name, plain_text
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.platforms.shapes import as_text
from carrel.translation import tr

_UNCLEAR = frozenset({Status.PLATFORM_ERROR, Status.PLATFORM_HTTP_ERROR})


class Figshare(Platform):
    """Figshare, its portals under any domain, and Djehuty."""

    name = "figshare"
    about = About(
        title="Figshare",
        other_titles={"djehuty": "Djehuty"},
        hosts=hosts.PORTALS | {hosts.DJEHUTY},
        domains=(hosts.DOMAIN,),
        token=TokenUse(TokenKind.FIGSHARE, hosts=("api.figshare.com",)),
        limits=tuple(
            KnownLimit(host, 3600, None, "2026-02", "docs.figshare.com: one request a second")
            for host in (hosts.DOMAIN, "figsh.com")
        ),
        oai_records=OaiRecords(re.compile(r"article/(\d+)"), "https://{}/articles/{}"),
    )

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is Figshare's."""
        found = asked(landing)
        if found is None:
            return None
        if found.is_certain:
            return tr(
                "{host} runs {words}",
                host=found.host,
                words="Djehuty" if found.is_djehuty else "Figshare",
            )
        return tr("the address at {host} looks like a Figshare item", host=found.host)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the item or collection that the address names, None if it names none."""
        found = asked(landing)
        identity = found and (found.article or found.collection)
        return AskedItem(_name(found), found.host, identity) if found and identity else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what Figshare says of the item."""
        found = asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is a Figshare item."))
        if found.article is None:
            return await _other_page(found, landing, api)
        try:
            article = await _article(found, api)
        except ApiStop as stop:
            if not found.is_certain:
                raise NotThisPlatform(tr("Figshare has no such item: {stop}", stop=stop)) from stop
            if stop.status is not Status.PLATFORM_RESTRICTED:
                raise not_there(stop, _words(found)) from stop.__cause__
            return closed(_item(found, Article(), Listing()), restricted(str(stop)))
        if not found.is_certain and not _is_same(article, found, landing):
            raise NotThisPlatform(
                tr(
                    "Figshare's item {article} is not one at {host}.",
                    article=found.article,
                    host=found.host,
                )
            )
        why = _closure(article, found)
        if why and not article.files:
            return closed(_item(found, article, Listing()), why)
        listing = await files_of(article, found, api)
        if not listing.files:
            message = tr(
                "The item {article} at {host} has no public files.",
                article=found.article,
                host=found.host,
            )
            why = nothing_there(message)
        return closed(_item(found, article, listing), why)


async def _article(found: Asked, api: Api) -> Article:
    """Return the item in the version that was requested.

    Where that cannot be had for a fault of the server's, the current one does if it is the same.
    """
    url = f"{found.api}/v2/articles/{found.article}"
    if not found.version:
        return await api.read(url, Article)
    try:
        return await api.read(f"{url}/versions/{found.version}", Article)
    except ApiStop as stop:
        if stop.status not in _UNCLEAR or stop.http_status is None:
            raise
        try:
            current = await api.read(url, Article)
        except ApiStop:
            raise stop from None
        if str(current.version) != found.version:
            raise
        return current


def _is_same(article: Article, found: Asked, landing: Landing) -> bool:
    """Return whether Figshare's item is the one at an address outside Figshare."""
    page = read_address(article.url_public_html or "")
    if page and page.host == found.host:
        return True
    dois = {address.doi.lower() for address in addresses(landing) if address.doi}
    doi = (bare_doi(article.doi) or "").lower()
    return bool(doi) and any(one == doi or doi.startswith(f"{one}.v") for one in dois)


async def _other_page(found: Asked, landing: Landing, api: Api) -> PlatformItem:
    """Return what an address that is no item's names anyway: a collection, or the item that a
    private link shows. Raises IngestStop where it names neither."""
    if found.is_private_link:
        return _private_item(found, landing)
    answer = await _collection(found, api)
    if not found.is_certain and answer.title is None and answer.articles_count is None:
        raise NotThisPlatform(
            tr(
                "Figshare knows no collection {collection} at {host}.",
                collection=found.collection,
                host=found.host,
            )
        )
    what = found.other or tr("no item")
    if answer.articles_count is not None:
        what = tr("a collection of {articles_count:,} items", articles_count=answer.articles_count)
    message = tr(
        "This address at {host} is {what}, not a single item: paste the item's own address.",
        host=found.host,
        what=what,
    )
    if found.collection is None:
        raise IngestStop(Status.PLATFORM_SCOPE, message)
    item = PlatformItem(
        platform_name=_name(found),
        platform_domain=found.host,
        platform_id=found.collection,
        title=answer.title,
        doi=bare_doi(answer.doi),
    )
    return closed(item, Closure(Status.PLATFORM_SCOPE, message))


async def _collection(found: Asked, api: Api) -> Collection:
    if found.collection is None:
        return Collection()
    try:
        return await api.read(f"{found.api}/v2/collections/{found.collection}", Collection)
    except ApiStop:
        return Collection()  # its title is worth telling, not worth failing for


def _private_item(found: Asked, landing: Landing) -> PlatformItem:
    why = restricted(
        tr(
            "This is a private link at {host}: its content is not published. Ask its authors "
            "for the public address or DOI.",
            host=found.host,
        )
    )
    doi = landing.html_biblio.get("doi")
    number = article_of(doi)
    if number is None:
        raise IngestStop(why.status, why.message)
    article = Article(id=number, doi=doi, title=landing.html_biblio.get("title"))
    return closed(_item(found, article, Listing()), why)


def _words(found: Asked) -> str:
    version = tr("version {version} of ", version=found.version) if found.version else ""
    return tr(
        "{version}the item {article} at {host}",
        version=version,
        article=found.article,
        host=found.host,
    )


def _closure(article: Article, found: Asked) -> Closure | None:
    item = tr("The item {id} at {host}", id=article.id or found.article, host=found.host)
    if article.is_public is False:
        return restricted(tr("{item} is not public.", item=item))
    if article.is_confidential:
        return restricted(
            tr(
                "{item} is confidential{because}.",
                item=item,
                because=_because(article.confidential_reason),
            )
        )
    # Of what is closed Djehuty tells nothing else, not even its number.
    is_withheld = not (article.id or article.uuid) and bool(article.embargo_type)
    if article.is_embargoed or is_withheld:
        return restricted(tr("{item} is {embargo}.", item=item, embargo=_embargo(article)))
    if article.download_disabled:
        return restricted(
            tr("{item} cannot be downloaded: its owner has switched downloads off.", item=item)
        )
    if not article.files and article.is_metadata_record:
        return nothing_there(
            tr(
                "{item} is metadata only{because}.",
                item=item,
                because=_because(article.metadata_reason),
            )
        )
    if not article.files and not article.size:
        return nothing_there(tr("{item} is public but lists no files.", item=item))
    return None


def _because(reason: str | None) -> str:
    text = plain_text(reason)
    return f": {text.rstrip('.')}" if text else ""


def _embargo(article: Article) -> str:
    because = _because(article.embargo_title or article.embargo_reason)
    if not article.embargo_date:
        return tr("under embargo, with no date at which it ends{because}", because=because)
    return tr(
        "under embargo until {embargo_date}{because}",
        embargo_date=article.embargo_date[:10],
        because=because,
    )


def _item(found: Asked, article: Article, listing: Listing) -> PlatformItem:
    files = listing.files
    page = read_address(article.url_public_html or "")
    # Figshare's own interface tells of items in every portal.
    host = page.host if page and found.host == "figshare.com" else found.host
    identity = (article.uuid if found.is_djehuty else None) or article.id or found.article or ""
    version = None if article.version is None else str(article.version)
    pairs = [
        (_entry(file, number, article), file.key or str(number))
        for number, file in enumerate(files, 1)
    ]
    manifest, renamed = unique_paths(pairs)
    license_name = (article.license.name or article.license.url) if article.license else None
    creators = tuple(author.full_name for author in article.authors if author.full_name)
    return PlatformItem(
        platform_name=_name(found),
        platform_domain=host,
        platform_id=identity,
        manifest=manifest,
        platform_version=version,
        asked_version=found.version,
        title=article.title,
        creators=creators,
        license=license_name,
        published=article.published_date,
        doi=bare_doi(article.doi),
        web_bundle_url=_bundle_url(found, version),
        archiveorg_item_name=item_name(host, identity, f"v{version}" if version else None),
        archiveorg_item_meta=item_meta(
            date=(article.published_date or "")[:10],
            source=article.url_public_html,
            doi=bare_doi(article.doi),
            title=article.title,
            creator=list(creators),
            description=plain_text(article.description),
            license=(article.license.url if article.license else None) or license_name,
            version=version,
        ),
        findings=(
            *_version_findings(found, version),
            *_address_findings(found, identity),
            *listing.findings,
            *_file_findings(files),
            *renamed,
        ),
        shortfall=listing.shortfall,
    )


def _name(found: Asked) -> str:
    return "djehuty" if found.is_djehuty else "figshare"


def _bundle_url(found: Asked, version: str | None) -> str | None:
    if found.is_djehuty or not version:
        return None
    return f"https://ndownloader.figshare.com/articles/{found.article}/versions/{version}"


def _entry(file: File, number: int, article: Article) -> ManifestFile:
    name = file.name or f"file-{file.key or number}"
    url = web_address("https://figshare.com/", file.download_url)
    if url is None and file.id:
        url = f"https://ndownloader.figshare.com/files/{file.id}"
    size = None if file.is_link else file.size
    extra = {"file_id": file.key, "content_size": None if file.is_link else file.odd_size}
    linked = tr("Figshare has only a link to {url}.", url=url or tr("another site"))
    return ManifestFile(
        path=_path(file, name, article),
        platform_url=url,
        declared=Fixity(size, _digests(file)),
        mimetype=file.mimetype or None,
        extra={name: value for name, value in extra.items() if value},
        status=Status.LINK_ONLY if file.is_link else None,
        message=linked if file.is_link else None,
    )


def _path(file: File, name: str, article: Article) -> str:
    folder = (as_text((article.folder_structure or {}).get(file.key)) or "").strip("/")
    if not folder:
        return name
    return folder if folder.rpartition("/")[2] == name else f"{folder}/{name}"


def _digests(file: File) -> Mapping[str, str]:
    return joined(*_checksums(file))[0].digests


def _checksums(file: File) -> tuple[Fixity, Fixity]:
    """Return what Figshare computed over the bytes that it has, and what came with the upload."""
    computed, supplied = digests("md5", file.computed_md5), digests("md5", file.supplied_md5)
    return Fixity(None, computed), Fixity(None, supplied)


def _has_bad_checksum(file: File) -> bool:
    computed, supplied = _checksums(file)
    is_odd = file.odd_computed_md5 or file.odd_supplied_md5
    return bool(
        is_odd
        or (file.computed_md5 and not computed.digests)
        or (file.supplied_md5 and not supplied.digests)
    )


def _version_findings(found: Asked, version: str | None) -> Iterator[Finding]:
    if found.version is None and version:
        message = tr(
            "No version was requested; the current one is version {version}.", version=version
        )
        yield Finding("current-version", message)
    if found.version and version and found.version != version:
        message = tr(
            "Version {found} was requested; the platform returned {requested}.",
            found=found.version,
            requested=version,
        )
        yield Finding("other-version", message, FindingLevel.WARNING)


def _address_findings(found: Asked, identity: str) -> Iterator[Finding]:
    if found.file:
        message = tr(
            "The address names the file {file}; the whole item {identity} is described.",
            file=shown(found.file),
            identity=identity,
        )
        yield Finding("file-of-dataset", message)


def _file_findings(files: Sequence[File]) -> Iterator[Finding]:
    linked = [file.name or file.key for file in files if file.is_link]
    if linked:
        message = tr(
            "{files} the platform only links to: {linked}.",
            files=count_of(linked, "file"),
            linked=shortlist(linked),
        )
        yield Finding("linked-files", message, FindingLevel.WARNING)
    unread = [file.name or file.key for file in files if _has_bad_checksum(file)]
    yield from unreadable_checksums(unread)
    yield from contradictions(
        [(file.name or file.key, joined(*_checksums(file))[1]) for file in files]
    )
