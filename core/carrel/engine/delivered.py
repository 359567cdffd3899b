# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests that came in messages, each answered by one attempt, however often its message comes.

The ledger has a delivery before its attempt begins. One that ended is answered from the ledger; one
that was interrupted goes on from staging; one that killed this process again and again is closed.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from carrel import __version__
from carrel.archive import Archive
from carrel.capture.annotations import INGEST_URN
from carrel.capture.throttle import Throttle
from carrel.capture.warc_series import is_sealed
from carrel.engine.ingest_formats import IngestFormats
from carrel.engine.ingest_ids import new_ingest_id
from carrel.ledger.deliveries import Coordinates, Delivery
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest, Status
from carrel.model.events import Emit
from carrel.model.iso_time import iso_now
from carrel.model.job import HINDRANCES
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.ingest import Ingest, Tools

# So often an attempt may begin and leave no result.
MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a delivery: its stored result, or None if it was put aside with this status.

    `file_result` is that of a dataset of one file. `has_failed` says that it left no result of its
    own, so often that this one was written in its place.
    """

    status: Status
    result: Mapping[str, Any] | None = None
    file_result: Mapping[str, Any] | None = None
    has_failed: bool = False
    was_known: bool = False


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Where the record of a result is: the name of its WARC, the offset in it, and its id."""

    warc: str
    offset: int
    record_id: str


class Delivered:
    """The deliveries of one archive. For one loop."""

    def __init__(
        self, archive: Archive, tools: "Callable[[], Tools]", throttle: Throttle, emit: Emit
    ) -> None:
        self._archive, self._tools, self._emit = archive, tools, emit
        self._throttle = throttle
        self._formats = IngestFormats(archive)
        self._active: dict[Coordinates, Ingest] = {}
        self._ended = asyncio.Event()

    def be_one_of(self, machines: int, name: str) -> None:
        """Work as one of so many machines, by this name, from now on: it stands in the names of
        WARCs, and the hosts that all machines ask are asked at one pace together."""
        settings = self._archive.settings
        self._archive.settings = replace(settings, warc=replace(settings.warc, host=name))
        self._throttle.take_share(machines)

    def rests_until(self, host: str) -> float:
        """Return until when (seconds since 1970) a host wants no requests; 0 if it takes them, or
        refuses them at once."""
        state = self._throttle.limiter.state(host)
        is_pause = state.refused_as is None and state.rests_until > self._throttle.limiter.seconds()
        return state.rests_until if is_pause else 0.0

    async def accept(self, at: Coordinates, request: IngestRequest, worker: str) -> Delivery:
        """Return the delivery of a message, a new one if it never came before."""
        known = await asyncio.to_thread(self._archive.ledger.deliveries.get, at)
        return known or Delivery(at, new_ingest_id(), worker, request)

    async def answer(self, delivery: Delivery) -> Answered:
        """Ingest what is requested unless that was done; return how it ended. Raises ArchiveError.

        One that was put aside, because it was told to or the archive could not take it, is no try.
        """
        if stored := await asyncio.to_thread(self._stored, delivery):
            return stored
        if delivery.tries >= MOST_TRIES and not await self._is_sealed(delivery):
            return await asyncio.to_thread(self._close, delivery, self._given_up(delivery))
        begun = await asyncio.to_thread(self._archive.ledger.deliveries.begin, delivery)
        from carrel.engine.ingest import Ingest  # as by the queue

        ingest = Ingest(
            self._tools(),
            begun.request,
            IngestOptions(),
            self._emit,
            begun.ingest_id,
            heed_ends=self._formats.heed,
        )
        self._active[begun.at] = ingest
        try:
            return await self._run(begun, ingest)
        finally:
            del self._active[begun.at]
            self._ended.set()
            if not self._active:
                await self._formats.rest()

    def suspend(self, partitions: Sequence[tuple[str, int]] | None = None) -> None:
        """Ask the attempts for these partitions of topics, or all, to stop and wait in staging."""
        for at, ingest in self._active.items():
            if partitions is None or (at.topic, at.partition) in partitions:
                ingest.suspend()

    async def stop(self) -> None:
        """Suspend all that runs, and wait until it has stopped."""
        while self._active:
            self._ended.clear()
            self.suspend()
            await self._ended.wait()

    async def left_behind(self) -> Sequence[Delivery]:
        """Return the deliveries that neither ended nor run."""
        deliveries = await asyncio.to_thread(self._archive.ledger.deliveries.open)
        return [each for each in deliveries if each.at not in self._active]

    async def let_go(self, delivery: Delivery) -> None:
        """Close a delivery that another worker has answered; what is in staging goes.

        One that came to its end but for the ledger comes to it: what it archived is true.
        """
        if await self._is_sealed(delivery):
            await self.answer(delivery)
            return
        message = tr("Another worker of the fleet answered this request.")
        result = _result(delivery, Status.CANCELLED, message)
        await asyncio.to_thread(self._close, delivery, result)

    def result_record(self, ingest_id: str) -> RecordPlace | None:
        """Return where the record of a result is, None if the attempt wrote none. Blocks."""
        captures = self._archive.ledger.captures.all(ingest_id)
        url = f"{INGEST_URN}{ingest_id}"
        for name in dict.fromkeys(each.filename for each in reversed(captures)):
            start = max(each.offset for each in captures if each.filename == name)
            if not (self._archive.warcs / name).is_file():
                continue  # it was packed since
            for place, address in self._records(name, start):
                if address == url:
                    return place
        return None

    def _records(self, name: str, start: int) -> Iterator[tuple[RecordPlace, str]]:
        from warcio.archiveiterator import ArchiveIterator  # only for results of enormous size

        with (self._archive.warcs / name).open("rb") as file:
            file.seek(start)
            records = ArchiveIterator(file)
            for record in records:
                headers = record.rec_headers
                place = RecordPlace(
                    name, start + records.get_record_offset(), headers["WARC-Record-ID"]
                )
                yield place, headers.get_header("WARC-Target-URI") or ""

    async def _run(self, delivery: Delivery, ingest: "Ingest") -> Answered:
        result = await ingest.run()
        if not ingest.is_suspended:
            await self._formats.identify(ingest)
            return await asyncio.to_thread(self._read, delivery)
        if result.status is Status.CANCELLED or result.status in HINDRANCES:
            await asyncio.to_thread(self._archive.ledger.deliveries.put_aside, delivery)
        elif delivery.tries >= MOST_TRIES and not await self._is_sealed(delivery):
            return await asyncio.to_thread(self._close, delivery, result, has_failed=False)
        return Answered(result.status)

    async def _is_sealed(self, delivery: Delivery) -> bool:
        staged = self._archive.staging / delivery.ingest_id
        return await asyncio.to_thread(is_sealed, staged, self._archive.warcs)

    def _stored(self, delivery: Delivery) -> Answered | None:
        if not self._archive.ledger.has_ended(delivery.ingest_id):
            return None
        return self._read(delivery, was_known=True)

    def _read(self, delivery: Delivery, *, was_known: bool = False) -> Answered:
        ledger = self._archive.ledger
        result = ledger.result(delivery.ingest_id) or {}
        file_result = ledger.deliveries.file_result(delivery.ingest_id)
        status = Status(result["status"])
        has_failed = status is Status.INTERNAL_ERROR and delivery.tries >= MOST_TRIES
        return Answered(status, result, file_result, has_failed, was_known)

    def _close(
        self, delivery: Delivery, result: IngestFilesetResult, *, has_failed: bool = True
    ) -> Answered:
        """Give an attempt this result, and remove what it left in staging."""
        ledger, body = self._archive.ledger, result.to_json()
        ledger.ingests.start(delivery.ingest_id, delivery.request, result.started or iso_now())
        ledger.ingests.close_interrupted(delivery.ingest_id, body, result.finished or iso_now())
        staged = self._archive.staging / delivery.ingest_id
        if staged.is_dir():
            shutil.rmtree(staged)
        return Answered(result.status, body, has_failed=has_failed)

    def _given_up(self, delivery: Delivery) -> IngestFilesetResult:
        message = tr(
            "The program ended {count} times while it worked on this, and left no result. It is "
            "not tried again by itself.",
            count=delivery.tries,
        )
        return _result(delivery, Status.INTERNAL_ERROR, message)


def _result(delivery: Delivery, status: Status, message: str) -> IngestFilesetResult:
    now = iso_now()
    return IngestFilesetResult(
        delivery.request,
        status,
        hops=(delivery.request.base_url,),
        error_message=message,
        ingest_id=delivery.ingest_id,
        started=now,
        finished=now,
        carrel_version=__version__,
    )
