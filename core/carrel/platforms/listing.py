# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading a listing that comes in pages: to its end, or not at all."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from carrel.errors import ApiStop, IngestStop
from carrel.model import Status
from carrel.model.prose import shown_address
from carrel.platforms.platform import Api
from carrel.translation import tr

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a listing: its rows, the address of the page that follows, None for the last, and
    how many rows there are on all pages, if that is told."""

    rows: Sequence[T]
    following: str | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """All rows of a listing. `shortfall` says how many the platform counts beyond them, None if it
    counts no more: it goes to the item (`PlatformItem.shortfall`)."""

    rows: tuple[T, ...]
    shortfall: str | None = None


async def listed(
    first: str, read: Callable[[str], Awaitable[Page[T]]], api: Api, *, counts_files: bool = True
) -> Listing[T]:
    """Return the rows of all pages, read one after the other from the address of the first.

    Raises IngestStop (`too-many-files`) where the rows are files, and more of them than the person
    takes, before further pages are read; ApiStop (`platform-error`) for a listing that leads in a
    circle; and whatever stops `read`, saying how far it came.
    """
    rows: list[T] = []
    seen: set[str] = set()
    url: str | None = first
    total: int | None = None
    while url is not None:
        if url in seen:
            message = tr(
                "The listing at {url} leads back to a page that was read before.",
                url=shown_address(first),
            )
            raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
        seen.add(url)
        try:
            page = await read(url)
        except ApiStop as stop:
            raise _interrupted(stop, len(rows), total) from stop
        rows += page.rows
        total, url = page.total if page.total is not None else total, page.following
        if url is not None and counts_files:
            refuse_count(max(total or 0, len(rows)), api)
    return Listing(tuple(rows), _shortfall(first, len(rows), total))


def refuse_count(count: int, api: Api) -> None:
    """Raise IngestStop (`too-many-files`) for more files than the person takes: before a listing is
    read that would take many requests."""
    if count > api.most_files:
        message = tr(
            "{count} files or more are beyond the limit of {most_files}; "
            "the rest of the listing was not read.",
            count=f"{count:,}",
            most_files=f"{api.most_files:,}",
        )
        raise IngestStop(Status.TOO_MANY_FILES, message)


def _interrupted(stop: ApiStop, count: int, total: int | None) -> ApiStop:
    if not count:
        return stop
    of = "" if total is None else tr(" of {total}", total=f"{total:,}")
    message = tr(
        "{stop} The listing was not read to its end: {count}{of} entries had been read.",
        stop=stop,
        count=f"{count:,}",
        of=of,
    )
    return ApiStop(
        stop.status,
        message,
        stop.http_status,
        may_repeat=stop.may_repeat,
        retry_after_s=stop.retry_after_s,
        headers=stop.headers,
    )


def _shortfall(url: str, count: int, total: int | None) -> str | None:
    if total is None or total <= count:
        return None
    return tr(
        "The listing at {url} counts {total} entries but names {count}.",
        url=shown_address(url),
        total=f"{total:,}",
        count=f"{count:,}",
    )
