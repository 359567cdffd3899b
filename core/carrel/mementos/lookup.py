# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looking up: a collection's steps in their order, the sources of a step all at once.

A step goes on to the next while nothing is found; loading goes on while nothing can be loaded. One
bad or slow source never spoils the others, and each is reported.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from urllib.parse import urljoin, urlsplit

from carrel.errors import NothingLoaded, NotLoaded, QueryError, SourceTrouble
from carrel.hosts.inside import is_inside
from carrel.mementos.loading.loader import Loader
from carrel.mementos.loading.record import Record, ResourceRequest, http_fields, http_status
from carrel.mementos.merge import merged, plain_question
from carrel.mementos.query import Order, Query, query_for
from carrel.mementos.reader_threads import reading
from carrel.mementos.sources.source import FindsDigests, Rows, Source
from carrel.mementos.throttle import ArchiveThrottle
from carrel.model import Memento, SourceReport, SourceState, SourceType
from carrel.translation import tr

# Sources that hear from us which address is requested.
_TOLD = (SourceType.CDX, SourceType.MEMENTO)
_NOT_ASKED = tr("Not queried: the address is inside your own network and is not sent to anyone.")
Tell = Callable[[SourceReport, Sequence[Memento]], None]
# Of one resource, so many captures are tried before it counts as one that cannot be had.
_MOST_TRIED = 100
_SPARE = 20
# A source that has as many rows as were asked for may have no more: only the next one tells.
_ONE_MORE = 1
# Sources whose rows may name a WARC, in which the original of a revisit can be.
_IN_WARCS = (SourceType.FILE, SourceType.LEDGER, SourceType.REDIS, SourceType.CDX)


@dataclass(slots=True)
class Answer:
    """Rows as they are requested, still to be read (in a worker thread: reading may block)."""

    rows: Iterator[Memento]
    asked: "Sequence[_Asking]" = ()

    def stop(self) -> None:
        """Have whoever reads the rows come to an end, from any thread: no one wants them."""
        for each in self.asked:
            each.is_stopped = True

    @property
    def reports(self) -> Sequence[SourceReport]:
        """What each source had to say: all of it once the rows are read."""
        return [each.report() for each in self.asked]

    @property
    def errors(self) -> Mapping[str, str]:
        """What went wrong or is missing, by source."""
        return {each.source: each.message for each in self.reports if each.message}


@dataclass(frozen=True, slots=True)
class Resource:
    """A record, the row it was found by, and what failed on the way, by source or file.

    `passed_over` are the captures that were to be had before it and could not be, each with why.
    """

    record: Record
    memento: Memento
    errors: Mapping[str, str]
    passed_over: Sequence[tuple[Memento, str]] = ()


class OpenStep:
    """The sources of one step, opened, and the loader of their records."""

    def __init__(
        self,
        sources: Sequence[Source],
        timeout_s: float,
        throttle: ArchiveThrottle,
        make_loader: Callable[["OpenStep"], Loader],
    ) -> None:
        self.sources = sources
        self._timeout_s, self._throttle = timeout_s, throttle
        self.loader = make_loader(self)

    async def ask(self, query: Query, tell: Tell | None = None, *, folds: bool = True) -> Answer:
        """Ask the sources that a question is for, all at once, each within the time of the step.

        With `tell` each answer is read whole and told as soon as it is there. `folds` says whether
        copies of a capture in several sources become one row.
        """
        asked = await self.asked(query, tell)
        return Answer(_rows(asked, query, folds=folds), asked)

    async def asked(
        self, query: Query, tell: Tell | None = None, *, is_whole: bool = False
    ) -> "Sequence[_Asking]":
        """Ask as `ask` does, and return what was asked; `is_whole` reads each answer to its end."""
        asked = [_Asking(each) for each in self.sources if _is_asked(each, query)]
        plain = _with_spare(plain_question(query))
        is_whole = is_whole or tell is not None
        await asyncio.gather(*(self._ask(each, plain, tell, is_whole=is_whole) for each in asked))
        return asked

    async def captures_of(self, url: str, timestamp: str) -> Sequence[Memento]:
        """Return the captures of a URL that stand in WARCs of this step, the closest first."""
        names = frozenset(each.name for each in self.sources if each.kind in _IN_WARCS)
        query = query_for(url, closest=timestamp, limit=_MOST_TRIED)
        return await _read(await self.ask(replace(query, only=names)), _MOST_TRIED)

    async def with_digest(self, digest: str) -> Sequence[Memento]:
        """Return records of local sources with this payload digest, whatever their URL."""
        return await reading(self._with_digest, digest)

    def _with_digest(self, digest: str) -> list[Memento]:
        found: list[Memento] = []
        for source in self.sources:
            if isinstance(source, FindsDigests):
                found += islice(source.find_digest(digest), _MOST_TRIED)
        return found

    async def _ask(
        self, asking: "_Asking", query: Query, tell: Tell | None, *, is_whole: bool
    ) -> None:
        source = asking.source
        if tell:
            tell(asking.report(), ())
        if _is_nobodys_business(source, query.url):
            asking.trouble = SourceTrouble(SourceState.REFUSED, _NOT_ASKED)
            asking.is_kept_private = True
            if tell:
                tell(asking.report(), ())
            return
        try:
            self._throttle.check(source.address, self._timeout_s)
            async with asyncio.timeout(self._timeout_s):
                asking.answer = await source.rows(query)
            self._throttle.answered(source.address)
            if is_whole:
                await reading(asking.read_whole, query.limit - _ONE_MORE)
        except TimeoutError:
            words = tr(
                "{name} did not answer in time ({timeout_s:g} s).",
                name=source.name,
                timeout_s=self._timeout_s,
            )
            self._failed(asking, SourceTrouble(SourceState.TIMED_OUT, words))
        except SourceTrouble as trouble:
            self._failed(asking, trouble)
        finally:
            asking.took_s = time.monotonic() - asking.began
        if tell:
            tell(asking.report(), asking.whole or ())

    def _failed(self, asking: "_Asking", trouble: SourceTrouble) -> None:
        asking.trouble = trouble
        if trouble.state is not SourceState.RESTING:
            self._throttle.failed(asking.source.address, trouble, self._timeout_s)


class _Asking:
    """One source that is asked one question."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.began, self.took_s = time.monotonic(), 0.0
        self.answer: Rows | None = None
        self.trouble: SourceTrouble | None = None
        self.whole: list[Memento] | None = None
        self.is_stopped = self.is_kept_private = self.is_cut = False
        self._count = 0

    def rows(self) -> Iterator[Memento]:
        """Yield the rows; a source that fails while it is read ends there and is reported so."""
        if self.answer is None:
            return
        try:
            for row in self.answer.rows:
                if self.is_stopped:
                    return
                self._count += 1
                yield row
        except SourceTrouble as trouble:
            self.trouble = trouble

    def read_whole(self, most: int) -> None:
        """Read what there is, so that it can be told."""
        rows = list(islice(self.rows(), most + _ONE_MORE))
        self.whole, self.is_cut = rows[:most], len(rows) > most
        self._count = 0
        self.answer = self.answer and replace(self.answer, rows=self.whole)

    def report(self) -> SourceReport:
        """Return how far the source is."""
        count = len(self.whole) if self.whole is not None else self._count
        timestamps = [row.timestamp for row in self.whole or ()]
        return SourceReport(
            self.source.name,
            self.source.kind,
            self._state(count),
            count=count,
            message=str(self.trouble or (self.answer and self.answer.missing) or ""),
            took_s=self.took_s,
            skipped=self.answer.skipped if self.answer else 0,
            until=self.trouble.until if self.trouble else None,
            answered_at=self.answer.answered_at if self.answer else None,
            first=min(timestamps, default=""),
            last=max(timestamps, default=""),
            is_kept_private=self.is_kept_private,
            is_cut=self.is_cut,
        )

    def _state(self, count: int) -> SourceState:
        if self.trouble is not None:
            return self.trouble.state
        if self.answer is None:
            return SourceState.ASKED
        return SourceState.ANSWERED if count else SourceState.NONE


class OpenCollection:
    """A collection that can be asked. `opened` are files of the person's: they are asked beside
    each step, and do not keep the next one from being asked.
    """

    def __init__(
        self,
        name: str,
        steps: Sequence[OpenStep],
        title: str = "",
        opened: OpenStep | None = None,
    ) -> None:
        self.name, self.steps, self.title = name, steps, title
        self._opened = opened

    @property
    def sources(self) -> Sequence[Source]:
        return [source for step in self._turns for source in step.sources]

    @property
    def _turns(self) -> Sequence[OpenStep]:
        """The steps, and at last what was opened by itself."""
        return [*self.steps, self._opened] if self._opened else self.steps

    async def find(self, query: Query, tell: Tell | None = None) -> Answer:
        """Return what the first step has that has anything. Raises QueryError."""
        self._check_names(query)
        opened = await self._ask_opened(query, tell)
        asked = [*opened]
        for step in self._turns:
            answer = await self._ask(step, opened, query, tell)
            first = await _read(answer, 1)
            asked += answer.asked
            if first:
                return Answer(chain(first, answer.rows), asked)
        return Answer(iter(()), asked)

    async def load(self, query: Query, request: ResourceRequest) -> Resource:
        """Return the first record that can be had, step by step and row by row.

        Raises NothingLoaded, and QueryError.
        """
        self._check_names(query)
        opened = await self._ask_opened(query)
        reports = Answer(iter(()), opened)
        errors, left_out = dict(reports.errors), dict(_left_out(reports.reports))
        failed: dict[str, str] = {}
        passed_over: list[tuple[Memento, str]] = []
        for step in self._turns:
            # Copies in other archives are not folded here: each may be the one that can be had.
            answer = await self._ask(step, opened, query, folds=False)
            rows = await _read(answer, _MOST_TRIED)
            errors.update(answer.errors)
            left_out.update(_left_out(answer.reports))
            for row in rows:
                try:
                    record = await self._loader(row, step).load(row, request, failed=failed)
                    await _refuse_loop(record, row, query)
                    return Resource(record, row, errors, _others(row, passed_over))
                except NotLoaded as error:
                    errors[error.name] = str(error)
                    passed_over.append((row, str(error)))
        raise NothingLoaded({**left_out, **errors})

    async def _ask_opened(self, query: Query, tell: Tell | None = None) -> "Sequence[_Asking]":
        return await self._opened.asked(query, tell, is_whole=True) if self._opened else ()

    async def _ask(
        self,
        step: OpenStep,
        opened: "Sequence[_Asking]",
        query: Query,
        tell: Tell | None = None,
        *,
        folds: bool = True,
    ) -> Answer:
        """Return what a step has, if it has anything with what was `opened`."""
        if step is self._opened:
            return Answer(_rows(opened, query, folds=folds))
        asked = await step.asked(query, tell, is_whole=bool(opened))
        answer = Answer(_rows(asked, query, folds=folds), asked)
        if opened and await _read(answer, 1):
            # All of them were read whole, so that their rows can be read again.
            return Answer(_rows([*opened, *asked], query, folds=folds), asked)
        return answer

    def _loader(self, row: Memento, step: OpenStep) -> Loader:
        """Return what loads a row of a step, or of what was opened beside it."""
        opened = self._opened
        if opened and any(source.name == row.source for source in opened.sources):
            return opened.loader
        return step.loader

    async def load_row(self, row: Memento, request: ResourceRequest = ResourceRequest()) -> Record:
        """Return the record of a row that this collection gave. Raises NotLoaded."""
        return await self._loader_of(row).load(row, request)

    async def load_here(self, row: Memento) -> Record:
        """Return the record of such a row where it is in a file of this machine. Raises
        NotLoaded."""
        return await self._loader_of(row).load_here(row)

    def _loader_of(self, row: Memento) -> Loader:
        for step in self._turns:
            if any(source.name == row.source for source in step.sources):
                return step.loader
        raise NotLoaded(
            row.source,
            tr("There is no source “{source}” in “{name}”.", source=row.source, name=self.name),
        )

    def _check_names(self, query: Query) -> None:
        known = {source.name for source in self.sources}
        unknown = ((query.only or frozenset()) | query.without) - known
        if unknown:
            names = ", ".join(sorted(unknown))[:200]
            raise QueryError(
                tr(
                    "“{name}” has no source {names}; it has {known}.",
                    name=self.name,
                    names=names,
                    known=", ".join(known),
                )
            )


def _rows(asked: "Sequence[_Asking]", query: Query, *, folds: bool) -> Iterator[Memento]:
    return merged([each.rows() for each in asked], query, folds=folds)


def _with_spare(query: Query) -> Query:
    """Return a question for more rows: of those equally close, the last may be the best; and one
    beyond these tells whether there are more."""
    is_close = query.order is Order.CLOSEST and query.is_exact
    return replace(query, limit=query.limit + (_SPARE if is_close else 0) + _ONE_MORE)


async def _read(answer: Answer, most: int) -> list[Memento]:
    """Return the first rows of an answer; reading ends when no one waits for it any more."""
    try:
        return await reading(list, islice(answer.rows, most))
    except asyncio.CancelledError:
        answer.stop()
        raise


def _others(
    found: Memento, passed_over: Sequence[tuple[Memento, str]]
) -> Sequence[tuple[Memento, str]]:
    """Return those that are no copies of the capture that was found, each capture once."""
    once = {_capture(row): (row, why) for row, why in reversed(passed_over)}
    once.pop(_capture(found), None)
    return list(reversed(once.values()))


def _capture(row: Memento) -> tuple[str, str, str]:
    return row.url, row.timestamp, row.fields.get("digest", "")


def _left_out(reports: Sequence[SourceReport]) -> Mapping[str, str]:
    """Return what is not valid in the sources' indexes: what is wanted may be among it."""
    words = tr("{count} rows of its index are not valid and were left out.")
    return {each.source: words.format(count=each.skipped) for each in reports if each.skipped}


async def _refuse_loop(record: Record, row: Memento, query: Query) -> None:
    """Raise NotLoaded for a capture that redirects to the very URL that was requested.

    Captures of http and https, with www and without, share a key: who follows the one would come
    back to it forever.
    """
    if row.source_type is SourceType.LIVE or not http_status(record.http_head).startswith("3"):
        return
    location = http_fields(record.http_head).get("location", "")
    try:
        target = urljoin(row.url, location)
        leads_back = bool(location) and _bare(target) == _bare(query.url)
    except ValueError:
        return
    if leads_back:
        await reading(record.close)
        words = tr(
            "The capture of {timestamp} redirects to {url} itself.",
            timestamp=row.timestamp,
            url=query.url[:300],
        )
        raise NotLoaded(row.fields.get("filename") or row.source, words)


def _bare(url: str) -> str:
    """Return a URL as a browser asks for it: with its path, without its fragment."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    return parts._replace(
        scheme=parts.scheme.lower(),
        netloc=parts.netloc.lower(),
        path=parts.path or "/",
        fragment="",
    ).geturl()


def _is_nobodys_business(source: Source, url: str) -> bool:
    """Say whether asking would tell someone outside about an address inside our own network."""
    asked_for = url if "://" in url else f"http://{url}"
    return source.kind in _TOLD and is_inside(asked_for) and not is_inside(source.address)


def _is_asked(source: Source, query: Query) -> bool:
    if query.only is not None and source.name not in query.only:
        return False
    return source.name not in query.without
