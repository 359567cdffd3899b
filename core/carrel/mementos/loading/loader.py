# SPDX-License-Identifier: AGPL-3.0-or-later
"""Loading: from the row of an index to its record, wherever it is said to be.

A row that names a file is read from a WARC where there is a place for WARCs, and never silently
replaced by what an archive replays. Everything that goes wrong is NotLoaded: another row may do.
"""

import asyncio
from collections.abc import Callable

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import Live, ResourceConfig
from carrel.mementos.loading.live import load_live
from carrel.mementos.loading.match import check
from carrel.mementos.loading.places import LocalFile, NotThere, Place, Places
from carrel.mementos.loading.ranges import Stretch, open_local, open_remote, stretch_of
from carrel.mementos.loading.record import Record, ResourceRequest
from carrel.mementos.loading.replays import load_replay
from carrel.mementos.loading.revisits import Find, Revisit, has_original, is_in_warc
from carrel.mementos.loading.timeouts import Timeouts
from carrel.mementos.web import Web
from carrel.model import Memento, SourceType
from carrel.translation import tr

_TIMEOUTS, _GET = Timeouts(), ResourceRequest()
_REPLAYED = (SourceType.MEMENTO, SourceType.CDX)


class Loader:
    """Loads what the rows of one step stand for. Lives on one loop.

    `find` asks the step's own index for the originals of revisits.
    """

    def __init__(
        self,
        web: Web,
        resources: tuple[ResourceConfig, ...],
        *,
        find: Find,
        may_reach_private: bool = False,
        timeouts: Timeouts = _TIMEOUTS,
    ) -> None:
        self._web, self._find, self._timeouts = web, find, timeouts
        self._places = Places(resources)
        self._may_fetch = any(isinstance(each, Live) for each in resources)
        self._may_reach_private = may_reach_private

    async def load(
        self,
        memento: Memento,
        request: ResourceRequest = _GET,
        *,
        failed: dict[str, str] | None = None,
    ) -> Record:
        """Return the record of a row, to be closed. Raises NotLoaded.

        `request` is what a live server is sent. `failed` are files that are nowhere and archives
        that do not answer, with the reason, as earlier rows of one and the same question found out;
        they are not tried again, and those of this row are added.
        """
        failed = {} if failed is None else failed
        is_stored = is_in_warc(memento) or has_original(memento)
        if is_stored and self._places:
            return await self._from_warc(memento, failed)
        if not memento.live_url or not self._may_fetch:
            raise self._nowhere(memento, is_stored=is_stored)
        if memento.source_type is SourceType.LIVE:
            return await load_live(
                self._web,
                memento,
                request,
                self._timeouts,
                may_reach_private=self._may_reach_private,
            )
        if memento.source_type in _REPLAYED:
            return await load_replay(self._web, memento, self._timeouts, failed)
        raise self._nowhere(memento, is_stored=is_stored)

    async def load_here(self, memento: Memento) -> Record:
        """Return the record that a row names, as it stands in a file of this machine: no one else
        is asked. Raises NotLoaded."""
        if not is_in_warc(memento):
            raise self._nowhere(memento, is_stored=False)
        return await self._open(stretch_of(memento), memento, {}, only_here=True)

    async def _from_warc(self, memento: Memento, failed: dict[str, str]) -> Record:
        async def open_at(stretch: Stretch, row: Memento | None) -> Record:
            return await self._open(stretch, row, failed)

        record = await open_at(stretch_of(memento), memento) if is_in_warc(memento) else None
        if record is not None and record.field("WARC-Type") != "revisit":
            return record
        try:
            return await Revisit(memento, record, self._find, open_at).whole()
        except BaseException:
            if record is not None:
                record.close()
            raise

    async def _open(
        self,
        stretch: Stretch,
        row: Memento | None,
        failed: dict[str, str],
        *,
        only_here: bool = False,
    ) -> Record:
        """Return the record at a stretch from the first place that has it, of this machine if
        `only_here`. Raises NotLoaded."""
        name = stretch.name
        key = self._places.named(name)
        if key in failed:
            raise NotLoaded(name, failed[key])
        problems: list[NotLoaded] = []
        async for place in self._places.of(name, problems):
            if only_here and not isinstance(place, LocalFile):
                continue
            try:
                return await self._open_place(place, stretch, row)
            except NotLoaded as error:
                problems.append(error)
        message = _told(name, problems)
        if all(isinstance(each, NotThere) for each in problems):
            failed[key] = message
        raise NotLoaded(name, message)

    async def _open_place(self, place: Place, stretch: Stretch, row: Memento | None) -> Record:
        if isinstance(place, LocalFile):
            record = await _in_thread(lambda: open_local(place, stretch))
        else:
            record = await open_remote(self._web, place, stretch, self._timeouts)
        try:
            if row is not None:
                check(record, row, stretch.name)
        except NotLoaded:
            record.close()
            raise
        return record

    def _nowhere(self, memento: Memento, *, is_stored: bool) -> NotLoaded:
        name = memento.fields.get("filename", "") if is_stored else memento.source
        if is_stored:
            lack = tr("its index names a file, but no location of WARCs is configured")
        elif memento.live_url:
            lack = tr("it has to be fetched, but the collection's resource has no $live")
        else:
            lack = tr("its index says neither in which file it is nor where it can be fetched")
        shown = memento.url[:300]
        return NotLoaded(
            name, tr("The capture of {shown} cannot be loaded: {lack}.", shown=shown, lack=lack)
        )


async def _in_thread(opening: Callable[[], Record]) -> Record:
    """Return a record that is opened in a worker thread; no one else's when no one waits for it."""
    task = asyncio.create_task(asyncio.to_thread(opening))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_close_result)
        raise


def _close_result(task: asyncio.Task[Record]) -> None:
    if not task.cancelled() and task.exception() is None:
        task.result().close()


def _told(name: str, problems: list[NotLoaded]) -> str:
    """Return why no place had a file: that it is damaged says more than that it is not there."""
    telling = [each for each in problems if not isinstance(each, NotThere)] or problems
    sentences = dict.fromkeys(str(each) for each in telling)
    return " ".join(sentences) or tr("“{name}” is in none of the lists of WARCs.", name=name)
