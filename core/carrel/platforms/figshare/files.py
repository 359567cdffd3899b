# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a Figshare item: its own list holds the first ten, pages tell of the others."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from carrel.errors import ApiStop
from carrel.model import Finding, FindingLevel, Status
from carrel.model.counts import count_of
from carrel.platforms.figshare.address import Asked
from carrel.platforms.figshare.answers import Article, File, FileList
from carrel.platforms.platform import Api
from carrel.translation import tr

_OWN_LIST = 10
_PAGE_SIZE = 1000
_PAGES = 100


@dataclass(frozen=True, slots=True)
class Listing:
    """The files that are listed, why they are known not to be all, and what is odd about them."""

    files: tuple[File, ...] = ()
    shortfall: str | None = None
    findings: tuple[Finding, ...] = ()


async def files_of(article: Article, found: Asked, api: Api) -> Listing:
    """Return every file; what the item's own list leaves out is requested page by page.

    The current version is also told without its number, and some servers answer only so.
    """
    files = list(article.files)
    # Links and empty files add nothing to the size: that alone cannot tell that ten are all.
    if not (_is_short(article, files) or len(files) == _OWN_LIST):
        return Listing(article.files)
    stop: ApiStop | None = None
    async for url in _addresses(article, found, api):
        try:
            await _gather(files, url, article, api)
            return _told(article, tuple(files), None)
        except ApiStop as error:
            stop = stop or error
            if error.http_status is None:
                break  # no one answers there, whatever is asked
    return _told(article, tuple(files), stop)


async def _addresses(article: Article, found: Asked, api: Api) -> AsyncIterator[str]:
    item = f"{found.api}/v2/articles/{found.article}"
    if found.version:
        yield f"{item}/versions/{found.version}/files"
        if await _is_current(item, found.version, api):
            yield f"{item}/files"
        return
    yield f"{item}/files"
    if article.version is not None:
        yield f"{item}/versions/{article.version}/files"


async def _is_current(item: str, version: str, api: Api) -> bool:
    try:
        return str((await api.read(item, Article)).version) == version
    except ApiStop:
        return False  # not known to be: another version's files must not stand in


async def _gather(files: list[File], url: str, article: Article, api: Api) -> None:
    """Add to the files what the pages at this address have beyond them; what came before a page
    fails is kept."""
    known, seen = {file.place for file in files}, set[tuple[str, str | None, str | None]]()
    for number in range(1, _PAGES + 1):
        page = _file_list(await api.json(f"{url}?page={number}&page_size={_PAGE_SIZE}"))
        told = {file.place: file for file in page}
        files += (file for place, file in told.items() if place not in known)
        # A server may give less than was requested: what is missing tells whether to go on. What
        # is known from elsewhere does not, only what this address said before.
        is_last = len(page) < _PAGE_SIZE and not _is_short(article, files)
        if is_last or told.keys() <= seen:
            break
        known |= told.keys()
        seen |= told.keys()


def _file_list(answer: Any) -> tuple[File, ...]:
    try:
        return FileList.model_validate({"files": answer}).files
    except ValueError as error:
        message = tr("Figshare's list of files is not a list.")
        raise ApiStop(Status.PLATFORM_ERROR, message, 200) from error


def _sum(files: Sequence[File]) -> int:
    return sum(file.size or 0 for file in files)


def _is_short(article: Article, files: Sequence[File]) -> bool:
    return article.size is not None and article.size > _sum(files)


def _told(article: Article, files: tuple[File, ...], stop: ApiStop | None) -> Listing:
    """Return the files, with what is known to be missing or may be."""
    listed = tr("the {files} that Figshare lists", files=count_of(files, "file"))
    if _is_short(article, files):
        message = tr(
            "The item has {size} bytes, but {listed} add up to {sum}: the list is not complete.",
            size=article.size,
            listed=listed,
            sum=_sum(files),
        )
    elif stop is not None:
        message = tr(
            "There may be more than {listed}: its next page could not be requested.", listed=listed
        )
    else:
        return Listing(files)
    message += f" {stop}" if stop else ""
    is_sure = _is_short(article, files) and all(file.size is not None for file in files)
    finding = Finding("incomplete-listing", message, FindingLevel.WARNING)
    return Listing(files, message if is_sure else None, (finding,))
