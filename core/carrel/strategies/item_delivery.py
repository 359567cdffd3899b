# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bringing kept payloads into an item on archive.org, until its own list says that they are there.

One after the other: before each is sent the item is looked at once more, so that what stands there
is never replaced. archive.org lists a file some time after it took it; the list is requested with
patience, and what it does not show in the end is no success.
"""

import asyncio
import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from carrel.capture.client import Cancelled
from carrel.capture.exchange import Exchange
from carrel.credentials import Keys
from carrel.errors import IngestStop
from carrel.hosts.retry import Attempt, RetryPolicy
from carrel.model import Stage, Status
from carrel.strategies.item_listing import Listing, Standing, read_listing
from carrel.strategies.item_metadata import PlannedItem
from carrel.strategies.staged_upload import Outcome, StagedUpload
from carrel.strategies.strategy import Work
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.strategies.item_upload import Uploader

log = logging.getLogger(__name__)

# About eight minutes each, in growing pauses of two minutes at most.
_UNTIL_LISTED = RetryPolicy(tries=11)
_WHILE_OVERLOADED = RetryPolicy(tries=9, first_pause_s=2.0)
_FIRST_PAUSE_S = 2.0
_DIGESTS = frozenset({"md5", "sha1"})


class Delivery:
    """The way of one dataset into its item.

    `until_listed` is how long the item's list is waited for.
    """

    def __init__(self, work: Work, plan: PlannedItem, until_listed: RetryPolicy | None) -> None:
        self._work, self._plan = work, plan
        self._settings = work.archive.settings
        self._until_listed = until_listed or _UNTIL_LISTED
        self._abandoned = threading.Event()
        self._latest: Exchange | None = None

    async def listing(self) -> Listing:
        """Return what the item has now. Raises IngestStop (error-archiveorg-upload)."""
        return await read_listing(
            self._work.client,
            self._settings.archiveorg.url,
            self._plan.name,
            keep=self._keep_latest,
            is_cancelled=self._is_cancelled,
        )

    async def bring(self, parcels: Sequence[StagedUpload], keys: Keys) -> list[Outcome]:
        """Bring the parcels into the item and return what became of each, in their order.

        Where the item has something else under one of the names, nothing at all is sent.
        """
        try:
            listing = await self.listing()
        except IngestStop as stop:
            return [Outcome(stop.status, str(stop)) for _ in parcels]
        outcomes = self._conflicts(listing, parcels)
        if outcomes:
            return outcomes
        outcomes = await self._send_all(parcels, keys)
        if any(outcome.status.is_success for outcome in outcomes):
            outcomes = await self._read_back(parcels, outcomes)
        return outcomes

    def _conflicts(self, listing: Listing, parcels: Sequence[StagedUpload]) -> list[Outcome]:
        """Return what the parcels end in if any of them is in conflict with the item, else []."""
        standings = [listing.standing(parcel.path, parcel.fixity) for parcel in parcels]
        if all(standing in (Standing.ABSENT, Standing.SAME) for standing in standings):
            return []
        name = self._plan.name
        untouched = tr(
            "It was not uploaded: the item {name} has other files under names of this dataset.",
            name=name,
        )
        means = {
            Standing.SAME: Outcome(Status.SUCCESS_EXISTING),
            Standing.ABSENT: Outcome(Status.NOT_PROCESSED, untouched),
        }
        return [
            means.get(standing) or Outcome(Status.MISMATCH_EXISTING, conflict(name, parcel.path))
            for standing, parcel in zip(standings, parcels, strict=True)
        ]

    async def _send_all(self, parcels: Sequence[StagedUpload], keys: Keys) -> list[Outcome]:
        uploader = await asyncio.to_thread(self._uploader, keys)
        size_hint = sum(parcel.capture.size for parcel in parcels)
        outcomes: list[Outcome] = []
        try:
            for parcel in parcels:
                if self._is_cancelled():
                    outcomes.append(_stopped(parcel))
                elif _is_hopeless(outcomes):
                    message = tr(
                        "{path} was not uploaded: archive.org accepted none of the files "
                        "before it.",
                        path=parcel.path,
                    )
                    outcomes.append(Outcome(Status.NOT_PROCESSED, message))
                else:
                    outcomes.append(await self._send(parcel, uploader, size_hint))
        except BaseException:
            self._abandoned.set()
            raise
        finally:
            uploader.close()
        return outcomes

    def _uploader(self, keys: Keys) -> "Uploader":
        from carrel.strategies.item_upload import Uploader

        return Uploader(self._settings, keys, self._plan, self._is_cancelled)

    async def _send(self, parcel: StagedUpload, uploader: "Uploader", size_hint: int) -> Outcome:
        patience = RetryPolicy(self._settings.network.attempts, _FIRST_PAUSE_S)
        for attempt in patience.attempts():
            try:
                return await self._send_once(parcel, uploader, size_hint, attempt)
            except Cancelled:
                return _stopped(parcel)
            except IngestStop as stop:
                if self._is_cancelled():
                    return _stopped(parcel)
                if not attempt.may_repeat(stop):
                    return Outcome(stop.status, str(stop))
                await self._pause(parcel, attempt, stop, uploader)
        raise AssertionError("the last attempt may not repeat")

    async def _send_once(
        self, parcel: StagedUpload, uploader: "Uploader", size_hint: int, attempt: Attempt
    ) -> Outcome:
        """Send a payload if the item lacks it. Raises IngestStop and Cancelled."""
        standing = (await self.listing()).standing(parcel.path, parcel.fixity)
        if standing is Standing.SAME:
            is_ours = attempt.number > 0
            return Outcome(Status.SUCCESS if is_ours else Status.SUCCESS_EXISTING)
        if standing is not Standing.ABSENT:
            message = conflict(self._plan.name, parcel.path)
            return Outcome(Status.MISMATCH_EXISTING, message)
        size = parcel.capture.size

        def told(count: int) -> None:
            self._work.events.progress(parcel.indexes[0], count, size, Stage.STORE)

        await asyncio.to_thread(uploader.put, parcel, told, size_hint)
        return Outcome(Status.SUCCESS)

    async def _pause(
        self, parcel: StagedUpload, attempt: Attempt, stop: IngestStop, uploader: "Uploader"
    ) -> None:
        """Wait before the next try, and on as long as archive.org asks for patience."""
        self._work.events.waiting(parcel.indexes[0], str(stop))
        await attempt.pause(stop, self._is_cancelled)
        for further in _WHILE_OVERLOADED.attempts():
            if self._is_cancelled() or not await asyncio.to_thread(uploader.is_overloaded):
                return
            busy = IngestStop(Status.ERROR_ARCHIVEORG_UPLOAD, tr("archive.org is overloaded."))
            self._work.events.waiting(parcel.indexes[0], str(busy))
            await further.pause(busy, self._is_cancelled)

    async def _read_back(
        self, parcels: Sequence[StagedUpload], outcomes: Sequence[Outcome]
    ) -> list[Outcome]:
        """Return the outcomes as the item's own list bears them out, and keep that list."""
        pairs = list(zip(parcels, outcomes, strict=True))
        sent = [parcel for parcel, outcome in pairs if outcome.status is Status.SUCCESS]
        try:
            listing = await self._settled_listing(sent)
        except IngestStop as stop:
            return [
                Outcome(
                    stop.status,
                    tr(
                        "{path} was uploaded, but could not be checked in the item: {stop}",
                        path=parcel.path,
                        stop=stop,
                    ),
                )
                if outcome.status.is_success
                else outcome
                for parcel, outcome in pairs
            ]
        await self._keep_evidence()
        return [
            self._borne_out(listing, parcel, outcome) if outcome.status.is_success else outcome
            for parcel, outcome in pairs
        ]

    async def _settled_listing(self, sent: Sequence[StagedUpload]) -> Listing:
        """Return the item's list when it shows all that was sent, or when patience ends.

        Raises IngestStop (error-archiveorg-upload) if archive.org does not tell to the end.
        """
        for attempt in self._until_listed.attempts():
            try:
                listing = await self.listing()
                missing = [parcel for parcel in sent if not _is_told(listing, parcel)]
                stop = IngestStop(Status.ERROR_ARCHIVEORG_UPLOAD, tr("not listed yet"))
            except IngestStop as failed:
                if self._is_cancelled() or not attempt.may_repeat(failed):
                    raise
                stop, missing = failed, list(sent)
            else:
                if not missing or self._is_cancelled() or not attempt.may_repeat(stop):
                    return listing
            reason = tr(
                "archive.org accepted {missing:,} files that it does not list yet.",
                missing=len(missing),
            )
            for parcel in missing[:1]:
                self._work.events.waiting(parcel.indexes[0], reason)
            await attempt.pause(stop, self._is_cancelled)
        raise AssertionError("the last attempt may not repeat")

    def _borne_out(self, listing: Listing, parcel: StagedUpload, outcome: Outcome) -> Outcome:
        path, wanted = parcel.path, parcel.fixity
        is_old = outcome.status is Status.SUCCESS_EXISTING
        if listing.holds(path, wanted) or (
            is_old and listing.standing(path, wanted) is Standing.SAME
        ):
            return outcome
        if listing.standing(path, wanted) is Standing.OTHER:
            listed = listing.files[path]
            told = ", ".join(f"{name} {value}" for name, value in listed.to_json().items())
            message = tr(
                "{path} was uploaded, but archive.org lists it with other bytes: {told}.",
                path=path,
                told=told,
            )
        elif elsewhere := listing.elsewhere(path, wanted):
            message = tr(
                "{path} was uploaded, but archive.org lists it as “{elsewhere}”.",
                path=path,
                elsewhere=elsewhere,
            )
        elif self._is_cancelled():
            message = tr(
                "{path} was uploaded, but the ingest was stopped before archive.org listed it.",
                path=path,
            )
            return Outcome(Status.CANCELLED, message)
        else:
            message = tr(
                "{path} was uploaded, but archive.org does not list it yet; check again later.",
                path=path,
            )
        return Outcome(Status.ERROR_ARCHIVEORG_UPLOAD, message)

    async def _keep_evidence(self) -> None:
        """Store the item's list, as archive.org gave it at last, beside the payloads."""
        if self._latest is None:
            return
        try:
            await asyncio.to_thread(self._work.capture_store.store_exchange, self._latest)
        except OSError as error:
            log.warning("the list of files of %s is not kept: %s", self._plan.name, error)

    def _keep_latest(self, exchange: Exchange) -> None:
        self._latest = exchange

    def _is_cancelled(self) -> bool:
        return self._abandoned.is_set() or self._work.is_cancelled()


def conflict(name: str, path: str) -> str:
    """Return the sentence for a path under which an item has something else."""
    return tr(
        "The item {name} has another file named {path}; it was not changed.", name=name, path=path
    )


def _is_hopeless(outcomes: Sequence[Outcome]) -> bool:
    """Say whether to send more would end the same way, and only annoy: without keys that are
    taken, or when two in a row were not."""
    last = [outcome.status for outcome in outcomes[-2:]]
    if Status.CREDENTIALS_REQUIRED in last or Status.NOT_PROCESSED in last:
        return True
    return last == [Status.ERROR_ARCHIVEORG_UPLOAD] * 2


def _is_told(listing: Listing, parcel: StagedUpload) -> bool:
    """Say whether the list tells all of a file that it can be compared by."""
    listed = listing.files.get(parcel.path)
    return listed is not None and listed.size is not None and listed.digests.keys() >= _DIGESTS


def _stopped(parcel: StagedUpload) -> Outcome:
    message = tr("The ingest was stopped before {path} was in the item.", path=parcel.path)
    return Outcome(Status.CANCELLED, message)
