# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bytes of one record: a stretch of a file here, or of one that a web server has."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import httpx

from carrel.errors import NotLoaded
from carrel.hosts.inside import leads_inside
from carrel.mementos.loading.addresses import joined, web_parts
from carrel.mementos.loading.heads import as_sent
from carrel.mementos.loading.places import LocalFile, NotThere, RemoteFile
from carrel.mementos.loading.proof import proven
from carrel.mementos.loading.record import Record, ResourceRequest
from carrel.mementos.loading.record_end import until_record_ends
from carrel.mementos.loading.spooled_body import SpooledBody
from carrel.mementos.loading.timeouts import Timeouts, answer_of, body_of, told_as
from carrel.mementos.warc.record_opener import open_record
from carrel.mementos.warc.wacz import Wacz
from carrel.mementos.web import Web
from carrel.model import Memento
from carrel.translation import tr

_PIECE_BYTES = 256 * 1024
# A store that knows no ranges is read up to here before the record that is wanted.
_MOST_SKIPPED_BYTES = 64 * 1024**2
# A record that says to be longer is read only as far as it goes.
_TRUSTED_BYTES = 8 * 1024**2
_MOST_DIGITS = 18
_MOST_HOPS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(?:\d{1,18}|\*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a record stands in the file `name`; `length` is None where the index has none."""

    name: str
    offset: int
    length: int | None

    def range_header(self) -> str:
        last = "" if self.length is None else str(self.offset + self.length - 1)
        return f"bytes={self.offset}-{last}"


def stretch_of(memento: Memento, prefix: str = "") -> Stretch:
    """Return where a row says that its record stands; `prefix` is `orig.` for its original's.

    Raises NotLoaded for numbers that are not valid.
    """
    fields = memento.fields
    name = fields.get(f"{prefix}filename", "")
    offset = _number(fields.get(f"{prefix}offset", ""))
    if offset is None:
        shown = fields.get(f"{prefix}offset", "")[:60] or "none"
        raise NotLoaded(
            name,
            tr(
                "The index gives no location within “{name}” (offset: {shown}).",
                name=name,
                shown=shown,
            ),
        )
    return Stretch(name, offset, _number(fields.get(f"{prefix}length", "")) or None)


def open_local(place: LocalFile, stretch: Stretch) -> Record:
    """Return the record at a place of this machine. Blocks. Raises NotThere and NotLoaded."""
    if not place.path.is_file():
        raise NotThere(stretch.name, tr("There is no file {path}.", path=place.path))
    return proven(lambda: _open_file(place, stretch))


def _open_file(place: LocalFile, stretch: Stretch) -> Record:
    if place.member:
        wacz = Wacz(place.path)
        return wacz.open_member(place.member, stretch.offset, stretch.length)
    try:
        file = place.path.open("rb")
    except OSError as error:
        message = tr(
            "The file {path} cannot be opened: {strerror}.",
            path=place.path,
            strerror=error.strerror or error,
        )
        raise NotThere(stretch.name, message) from error
    try:
        size = file.seek(0, 2)
        if stretch.offset >= size:
            raise NotLoaded(stretch.name, _past_end(str(place.path), stretch, size))
        file.seek(stretch.offset)
        return closing(open_record(_stretch(file, stretch), stretch.name), file.close)
    except BaseException:
        file.close()
        raise


async def open_remote(web: Web, place: RemoteFile, stretch: Stretch, timeouts: Timeouts) -> Record:
    """Return the record at a place of a web server. Raises NotThere and NotLoaded."""
    spool = SpooledBody(stretch.name)
    try:
        await _fetch(web, place.url, stretch, spool, timeouts)
        record = await asyncio.to_thread(proven, lambda: open_record(spool.pieces(), stretch.name))
        return closing(record, spool.close)
    except BaseException:
        spool.close()
        raise


def closing(record: Record, close: Callable[[], None]) -> Record:
    """Return the record; closing it closes what it is read from, too."""
    own = record.close

    def close_both() -> None:
        own()
        close()

    record.close = close_both
    return record


def _stretch(file: BinaryIO, stretch: Stretch) -> Iterator[bytes]:
    left = stretch.length
    while left is None or left > 0:
        try:
            piece = file.read(_PIECE_BYTES if left is None else min(left, _PIECE_BYTES))
        except OSError as error:
            message = tr(
                "“{name}” cannot be read: {strerror}.",
                name=stretch.name,
                strerror=error.strerror or error,
            )
            raise NotLoaded(stretch.name, message) from error
        if not piece:
            return
        left = None if left is None else left - len(piece)
        yield piece


async def _fetch(
    web: Web, url: str, stretch: Stretch, spool: SpooledBody, timeouts: Timeouts
) -> None:
    """Fetch a stretch, wherever the store says that it is."""
    headers = (("Range", stretch.range_header()), ("Accept-Encoding", "identity"))
    request = ResourceRequest(headers=headers)
    for _ in range(_MOST_HOPS):
        with told_as(stretch.name, url):
            async with answer_of(web, url, request, "memento", timeouts) as answer:
                if answer.status_code not in _REDIRECTS:
                    await spool.take(_wanted(answer, url, stretch, timeouts))
                    return
                url = _next(url, answer, stretch.name)
    raise NotThere(stretch.name, tr("{url} has too many redirects.", url=url))


def _wanted(
    answer: httpx.Response, url: str, stretch: Stretch, timeouts: Timeouts
) -> AsyncIterator[bytes]:
    """Return the bytes of the stretch out of an answer. Raises NotThere and NotLoaded."""
    pieces = _cut(body_of(answer, timeouts), _skipped(answer, url, stretch), stretch.length)
    if stretch.length is None or stretch.length > _TRUSTED_BYTES:
        return until_record_ends(pieces)
    return pieces


def _skipped(answer: httpx.Response, url: str, stretch: Stretch) -> int:
    """Return how many bytes of an answer stand before the stretch. Raises what `_wanted` does."""
    match answer.status_code:
        case 206 if _starts_at(answer.headers.get("content-range", "")) == stretch.offset:
            return 0
        case 206:
            given = answer.headers.get("content-range", "none")[:100]
            problem = tr("{url} sent another range than requested ({given}).", url=url, given=given)
        case 200 if stretch.offset <= _MOST_SKIPPED_BYTES:
            return stretch.offset
        case 200:
            problem = tr(
                "{url} does not support ranges, and the record is far into the file.", url=url
            )
        case 416:
            problem = tr(
                "{url} ends before byte {offset}, where the record should begin.",
                url=url,
                offset=stretch.offset,
            )
        case status:
            raise NotThere(stretch.name, tr("{url} answered {status}.", url=url, status=status))
    raise NotLoaded(stretch.name, problem)


def _starts_at(content_range: str) -> int | None:
    found = _CONTENT_RANGE.fullmatch(content_range.strip())
    return int(found[1]) if found else None


async def _cut(
    pieces: AsyncIterator[bytes], skipped: int, length: int | None
) -> AsyncIterator[bytes]:
    """Yield what stands behind so many bytes, so many of it (None for all)."""
    left = length
    async for piece in pieces:
        wanted = piece[skipped:]
        skipped = max(0, skipped - len(piece))
        if left is not None:
            wanted = wanted[:left]
            left -= len(wanted)
        if wanted:
            yield wanted
        if left == 0:
            return


def _next(url: str, answer: httpx.Response, name: str) -> str:
    """Return where a store redirects to. Raises NotThere."""
    target = joined(url, as_sent(answer, "location"))
    if web_parts(target) is None or leads_inside(url, target):
        raise NotThere(
            name,
            tr("{url} redirects to “{target}”, a blocked address.", url=url, target=target[:200]),
        )
    return target


def _number(text: str) -> int | None:
    """Return a number that may be true of a file, None for everything else."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else None


def _past_end(where: str, stretch: Stretch, size: int) -> str:
    return tr(
        "{where} has {size} bytes, and the index says that the record begins at {offset}.",
        where=where,
        size=size,
        offset=stretch.offset,
    )
