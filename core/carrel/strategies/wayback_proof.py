# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which capture in the Wayback Machine holds the bytes of a file, proven by reading it back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from carrel.capture.arrival import Fetched
from carrel.capture.exchange import Exchange
from carrel.capture.wayback.index import IndexAnswer, IndexRow, WaybackIndex
from carrel.capture.wayback.raw import Onward, RawCaptures, Watch
from carrel.errors import IngestStop
from carrel.model import Fixity, ManifestFile, Status
from carrel.strategies.comparison import difference, is_provable
from carrel.translation import tr

# So many captures are read back at most, and so many redirects followed, each so far.
_BODIES, _REDIRECTS, _DEPTH = 3, 2, 5
_FIRST_ERROR = 400
# What a redirect led to was captured about when the redirect was.
_TOGETHER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Proven:
    """A capture that was read back; `address` is where its raw bytes are.

    `is_published` says that the bytes are those that were published; else they are those that the
    index names. `evidence` are the answers of the index on which this rests.
    """

    row: IndexRow
    address: str
    observed: Fixity
    is_published: bool
    evidence: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for: a file (with all that is known of its bytes in `declared`).

    `since` (14 digits) leaves out older captures. Without it, those that the index shows to be
    other bytes are left out too.
    """

    entry: ManifestFile
    watch: Watch
    since: str | None = None

    @property
    def sha1(self) -> str | None:
        digest = self.entry.declared.digests.get("sha1")
        return digest.lower() if digest else None


class Prover:
    """Looks captures up and reads them back. Threads may share it."""

    def __init__(self, index: WaybackIndex, raw: RawCaptures) -> None:
        self._index, self._raw = index, raw

    def find(self, search: Search, url: str) -> Proven | None:
        """Return a capture of `url` that holds the file, None if the index knows of none that may.

        Redirects are followed as they were captured. Blocks. Raises Cancelled, and IngestStop:
        cdx-error when the index does not answer, else why the newest capture is not the file.
        """
        return self._find(search, url, None, (url,), ())

    def at(self, search: Search, url: str, timestamp: str) -> Proven:
        """Return the capture of this time, which the index need not know. Raises as `find`."""
        row = IndexRow(timestamp, url, "", None, None)
        proven = self._prove(search, row, ())
        if isinstance(proven, Onward):
            message = tr(
                "The capture of {timestamp} leads to {url}.", timestamp=timestamp, url=proven.url
            )
            raise IngestStop(Status.WAYBACK_ERROR, message)
        return proven

    def _find(
        self,
        search: Search,
        url: str,
        near: str | None,
        way: tuple[str, ...],
        evidence: tuple[Exchange, ...],
    ) -> Proven | None:
        answer = self._index.captures(url)
        evidence = (*evidence, answer.exchange)
        failures: list[IngestStop] = []
        onward: list[tuple[IndexRow, Onward]] = []
        for row in _candidates(search, answer, near):
            try:
                proven = self._prove(search, row, evidence)
            except IngestStop as stop:
                failures.append(stop)
                continue
            if isinstance(proven, Proven):
                return proven
            onward.append((row, proven))
        for row, following in onward:
            if following.url in way or len(way) > _DEPTH:
                continue
            try:
                found = self._find(
                    search, following.url, row.timestamp, (*way, following.url), evidence
                )
            except IngestStop as stop:
                failures.append(stop)
                continue
            if found is not None:
                return found
        if not failures and near is None:
            failures += _error_pages(search, answer)
        if failures:
            raise failures[0]
        return None

    def _prove(
        self, search: Search, row: IndexRow, evidence: tuple[Exchange, ...]
    ) -> Proven | Onward:
        """Return a capture that is the file. Raises IngestStop for one that is not."""
        fetched = self._raw.read(row, search.entry.declared, search.watch)
        if isinstance(fetched, Onward):
            return fetched
        found = difference(search.entry, fetched)
        if found is not None:
            message = tr(
                "The capture of {timestamp} is not this file: {message}",
                timestamp=row.timestamp,
                message=found.message,
            )
            raise IngestStop(found.status, message)
        is_published = is_provable(search.entry.declared)
        if not is_published:
            _refuse_unlike_index(row, fetched)
        address = self._raw.address(row.timestamp, row.url)
        return Proven(row, address, fetched.fixity, is_published, evidence)


def _refuse_unlike_index(row: IndexRow, fetched: Fetched) -> None:
    """Raise IngestStop unless the bytes are those that the index names, in either form."""
    forms = [form for form in (fetched.fixity, fetched.decoded) if form is not None]
    if row.sha1 is not None and row.sha1 in [form.digests["sha1"] for form in forms]:
        return
    fault = tr("has no digest for it") if row.sha1 is None else tr("has another digest for it")
    message = tr(
        "The capture of {timestamp} could not be verified: the index {fault}.",
        timestamp=row.timestamp,
        fault=fault,
    )
    raise IngestStop(Status.WAYBACK_ERROR, message)


def _candidates(search: Search, answer: IndexAnswer, near: str | None) -> Iterator[IndexRow]:
    """Yield the captures that are worth reading, the most promising first, then redirects."""
    rows: Sequence[IndexRow] = answer.rows
    if near is not None:
        rows = _near(rows, near, is_bounded=not is_provable(search.entry.declared))
    elif search.since is not None:
        rows = [row for row in rows if row.timestamp >= search.since]
    payloads = [row for row in rows if row.may_hold_payload]
    if search.sha1 is not None:
        same = [row for row in payloads if row.sha1 == search.sha1]
        # The index may name the digest of a body with its transfer coding still in it.
        others = [row for row in payloads if row.sha1 != search.sha1]
        payloads = same if search.since is None else [*same, *others]
    yield from _distinct(payloads)[:_BODIES]
    yield from [row for row in rows if row.is_redirect][:_REDIRECTS]


def _error_pages(search: Search, answer: IndexAnswer) -> Iterator[IngestStop]:
    """Yield what is wrong with captures that were just made: the server sent no file."""
    for row in answer.rows:
        is_new = search.since is not None and row.timestamp >= search.since
        if is_new and row.status_code is not None and row.status_code >= _FIRST_ERROR:
            message = tr(
                "The capture of {timestamp} is not the file, but an error page (HTTP "
                "{status_code}).",
                timestamp=row.timestamp,
                status_code=row.status_code,
            )
            yield IngestStop(Status.WAYBACK_ERROR, message)


def _distinct(rows: Sequence[IndexRow]) -> list[IndexRow]:
    """Return the first row of each digest: further ones hold the same bytes.

    A capture goes before a revisit of it: it says of itself what it answered.
    """
    firsts: dict[str, IndexRow] = {}
    for row in rows:
        key = row.sha1 or row.timestamp
        if key not in firsts or (firsts[key].is_revisit and not row.is_revisit):
            firsts[key] = row
    return list(firsts.values())


def _near(rows: Sequence[IndexRow], timestamp: str, *, is_bounded: bool) -> list[IndexRow]:
    """Return rows by their distance from a moment; if bounded, only those of the same day."""
    moment = _moment(timestamp)
    by_distance = sorted(
        (abs(_moment(row.timestamp) - moment), place) for place, row in enumerate(rows)
    )
    limit = _TOGETHER if is_bounded else timedelta.max
    return [rows[place] for distance, place in by_distance if distance <= limit]


def _moment(timestamp: str) -> datetime:
    """Return 14 digits as a moment; those that are none, as some indexes have, as the earliest."""
    try:
        return datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def with_known(entry: ManifestFile, known: Fixity) -> ManifestFile:
    """Return the entry with what is known of its bytes beside what was declared."""
    size = known.size if entry.declared.size is None else entry.declared.size
    return replace(entry, declared=Fixity(size, {**known.digests, **entry.declared.digests}))
