# SPDX-License-Identifier: AGPL-3.0-or-later
"""archiveorg-file, -fileset, -fileset-bundled: an item on archive.org, after our own collection.

The files are first kept in the archive's own WARCs, by the strategies that do so: fetching, proving
and evidence go one way only. From their records they are then brought into the item. What the item
has already is left alone, and what it has otherwise is never overwritten.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from carrel.capture.bundles.bundle import HEAD_BYTES, format_of
from carrel.capture.stored import Damaged
from carrel.credentials import Keys
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import (
    Capture,
    Finding,
    FindingLevel,
    Fixity,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Status,
    StrategyResult,
)
from carrel.model.result import ARCHIVEORG_ITEM
from carrel.strategies.bundled import BundledArchiver
from carrel.strategies.comparison import compare
from carrel.strategies.item_delivery import Delivery, conflict
from carrel.strategies.item_listing import Listing, Standing
from carrel.strategies.item_metadata import (
    TEST_COLLECTION,
    PlannedItem,
    planned_item,
    unsafe_paths,
    without_unsafe,
)
from carrel.strategies.outcome import ENDS_ALL, shortfall, worst
from carrel.strategies.staged_upload import Outcome, StagedUpload
from carrel.strategies.strategy import FileEvents, StrategyArchiver, Work
from carrel.strategies.web import WebArchiver
from carrel.translation import tr

_KEYS_PAGE = "https://archive.org/account/s3.php"
_OWN = "archiveorg"


class ArchiveOrgArchiver:
    """Keeps a dataset in the archive, and in an item on archive.org.

    `until_listed` is how long the item's own list of files is waited for, about eight minutes
    unless it is said otherwise.
    """

    def __init__(
        self, strategy: IngestStrategy, work: Work, until_listed: RetryPolicy | None = None
    ) -> None:
        self._strategy, self._work, self._until_listed = strategy, work, until_listed
        self._events = _HeldBack(work.events)
        self._keeper = _keeper(strategy, replace(work, events=self._events))
        self._bundle_path: str | None = None
        self._collections: tuple[str, ...] = ()  # that the item is in, if it is there

    async def check_existing(self, item: PlatformItem) -> StrategyResult | None:
        """Return a result if the item has every file with its size and a digest of it.

        Raises IngestStop: credentials-required; mismatch-existing for an item about something
        else; error-archiveorg-upload when archive.org does not tell.
        """
        await self._keys()
        plan = self._plan(item)
        listing = await self._listing(item, plan)
        if self._is_bundled:
            return await self._existing_bundle(item, plan, listing)
        if not _has_all(listing, item.manifest):
            return None
        files = [_as_listed(entry, listing.files[entry.path]) for entry in item.manifest]
        return self._result(plan, files)

    async def process(self, item: PlatformItem) -> StrategyResult:
        """Keep the files in the archive, then bring those that are kept into the item.

        Raises IngestStop as `check_existing` does, before anything is fetched.
        """
        keys = await self._keys()
        plan = self._plan(item)
        listing = await self._listing(item, plan)
        if not self._is_bundled:
            if conflicts := _conflicts(plan, listing, item.manifest):
                return self._result(plan, conflicts)
            _refuse_itself(item, plan, listing)
            item = replace(item, manifest=without_unsafe(item.manifest, plan.name))
        kept = await self._keeper.process(item)
        return await self._brought(plan, kept, keys)

    @property
    def _is_bundled(self) -> bool:
        return self._strategy is IngestStrategy.ARCHIVEORG_FILESET_BUNDLED

    async def _keys(self) -> Keys:
        credentials = self._work.credentials
        keys = await asyncio.to_thread(credentials.archiveorg)
        if keys is None:
            trouble = await asyncio.to_thread(credentials.unusable)
            how = trouble or tr("Store them with “carrel credentials set archive.org”.")
            message = tr(
                "An item on archive.org needs your keys ({keys_page}). {how}",
                keys_page=_KEYS_PAGE,
                how=how,
            )
            raise IngestStop(Status.CREDENTIALS_REQUIRED, message)
        return keys

    def _plan(self, item: PlatformItem) -> PlannedItem:
        work = self._work
        settings = work.archive.settings.archiveorg
        return planned_item(item, settings, work.options, landing_url=work.landing_url)

    def _delivery(self, plan: PlannedItem) -> Delivery:
        return Delivery(self._work, plan, self._until_listed)

    async def _listing(self, item: PlatformItem, plan: PlannedItem) -> Listing:
        """Return what the item has. Raises IngestStop if it is about something else."""
        listing = await self._delivery(plan).listing()
        is_chosen = self._work.options.item_name is not None or _is_itself(item, plan)
        if difference := listing.stranger(plan, is_chosen=is_chosen):
            message = tr(
                "The item {name} on archive.org is not of this dataset: {difference}. "
                "Nothing was uploaded; choose another item name.",
                name=plan.name,
                difference=difference,
            )
            raise IngestStop(Status.MISMATCH_EXISTING, message)
        self._refuse_real_item(plan, listing)
        self._collections = listing.collections
        return listing

    def _refuse_real_item(self, plan: PlannedItem, listing: Listing) -> None:
        """Raise IngestStop for an item that is no test, where the settings only allow tests."""
        is_test = TEST_COLLECTION in plan.metadata["collection"]
        if is_test and listing.collections and TEST_COLLECTION not in listing.collections:
            message = tr(
                "The item {name} on archive.org is in {collections}, but the "
                "settings allow tests only ([archiveorg] test = true). Nothing was uploaded; "
                "choose another item name, or change the setting.",
                name=plan.name,
                collections=listing.collections[0],
            )
            raise IngestStop(Status.MISMATCH_EXISTING, message)

    async def _existing_bundle(
        self, item: PlatformItem, plan: PlannedItem, listing: Listing
    ) -> StrategyResult | None:
        """Return a result if our bundle is whole, and in the item with what was fetched beside."""
        kept = await self._keeper.check_existing(item)
        if kept is None or not kept.status.is_success:
            return None
        files = list(kept.manifest)
        parcels = await asyncio.to_thread(self._parcels, plan, kept, files)
        standings = {listing.standing(each.path, each.fixity) for each in parcels}
        if standings != {Standing.SAME}:
            return None
        return self._result(plan, files, kept)

    async def _brought(self, plan: PlannedItem, kept: StrategyResult, keys: Keys) -> StrategyResult:
        files = list(kept.manifest)
        ending = next((file.status for file in files if file.status in ENDS_ALL), None)
        if ending is not None or self._work.is_cancelled():
            status = Status.CANCELLED if self._work.is_cancelled() else Status.NOT_PROCESSED
            outcome = Outcome(
                status, tr("It was not uploaded to archive.org: the ingest ended first.")
            )
            _settle(files, range(len(files)), outcome)
            return self._result(plan, files, kept)
        parcels = await asyncio.to_thread(self._parcels, plan, kept, files)
        outcomes = await self._delivery(plan).bring(parcels, keys) if parcels else []
        for parcel, outcome in zip(parcels, outcomes, strict=True):
            _settle(files, parcel.indexes, outcome)
        return self._result(plan, files, kept)

    def _parcels(
        self, plan: PlannedItem, kept: StrategyResult, files: list[ManifestFile]
    ) -> list[StagedUpload]:
        """Return what is to stand in the item; files that cannot be sent get their outcome."""
        bundled = [index for index, file in enumerate(files) if _is_in_bundle(kept, file)]
        parcels = []
        if kept.bundle is not None and bundled:
            try:
                self._bundle_path = self._path_of(plan, kept.bundle)
                parcels.append(self._parcel(self._bundle_path, kept.bundle, bundled))
            except (Damaged, OSError) as error:
                message = tr(
                    "The bundle cannot be read again from the archive: {error}.", error=error
                )
                _settle(files, bundled, Outcome(Status.STORE_DAMAGED, message))
        singly = [
            index for index, file in enumerate(files) if file.is_kept and index not in set(bundled)
        ]
        paths = [*(parcel.path for parcel in parcels), *(files[index].path for index in singly)]
        refused = unsafe_paths(plan.name, paths)
        for at, index in enumerate(singly, len(parcels)):
            capture = self._work.capture_of[index]
            if at in refused:
                _settle(files, [index], Outcome(Status.UNSAFE_PATH, refused[at]))
            elif found := compare(files[index].declared, capture.fixity):
                message = tr(
                    "It arrived only in an encoded form, which cannot be uploaded as the file: "
                    "{message}",
                    message=found.message,
                )
                _settle(files, [index], Outcome(Status.TRANSFER_ENCODING_ERROR, message))
            else:
                parcels.append(self._parcel(files[index].path, capture, [index]))
        return parcels

    def _parcel(self, path: str, capture: Capture, indexes: Sequence[int]) -> StagedUpload:
        blocks = partial(self._work.capture_store.payload, capture)
        return StagedUpload(path, capture, blocks, tuple(indexes))

    def _path_of(self, plan: PlannedItem, bundle: Capture) -> str:
        """Return the bundle's path in the item. Raises Damaged and OSError."""
        kind = format_of(_start(self._work.capture_store.payload(bundle)))
        return f"{plan.name}.{kind or 'bundle'}"

    def _result(
        self,
        plan: PlannedItem,
        files: Sequence[ManifestFile],
        kept: StrategyResult | None = None,
    ) -> StrategyResult:
        self._events.tell_rest(files)
        bad = [file for file in files if not file.is_kept]
        status = _status(files, bad, kept, is_single=self._is_single)
        is_sent = any(file.is_kept and "bundle_member" in file.extra for file in files)
        return StrategyResult(
            self._strategy,
            status,
            tuple(files),
            file_capture=self._work.capture_of.get(0) if self._is_single and not bad else None,
            error_message=shortfall(files, bad) if bad else None,
            bundle=kept.bundle if kept else None,
            archiveorg_item_name=plan.name,
            archiveorg_bundle_path=self._bundle_path if is_sent else None,
            findings=(*(kept.findings if kept else ()), *self._findings(plan, files)),
        )

    def _findings(self, plan: PlannedItem, files: Sequence[ManifestFile]) -> Iterator[Finding]:
        if not any(file.is_kept for file in files):
            return
        # An item that was there stays in its collections, whatever the settings say.
        collections = self._collections or plan.metadata["collection"]
        where = tr(
            "The files are in {url} ({collections}).",
            url=plan.url,
            collections=", ".join(collections),
        )
        yield Finding(ARCHIVEORG_ITEM, where)
        if TEST_COLLECTION in collections:
            message = tr("This is a test: archive.org removes the item after about thirty days.")
            yield Finding("archiveorg-test", message, FindingLevel.WARNING)

    @property
    def _is_single(self) -> bool:
        return self._strategy is IngestStrategy.ARCHIVEORG_FILE


class _HeldBack:
    """Passes on what is told of files, but that one is kept: it is not yet in the item."""

    def __init__(self, events: FileEvents) -> None:
        self._events = events
        self._told: set[int] = set()
        self.started, self.progress = events.started, events.progress
        self.turned_to = events.turned_to

    def waiting(self, index: int, reason: str, *, is_passing: bool = False) -> None:
        self._events.waiting(index, reason, is_passing=is_passing)

    def finished(self, index: int, file: ManifestFile) -> None:
        if not file.is_kept:
            self._told.add(index)
            self._events.finished(index, file)

    def tell_rest(self, files: Sequence[ManifestFile]) -> None:
        """Tell the end of every file of which none was told."""
        for index, file in enumerate(files):
            if index not in self._told:
                self._told.add(index)
                self._events.finished(index, file)


def _keeper(strategy: IngestStrategy, work: Work) -> StrategyArchiver:
    """Return the strategy that keeps the files in the archive itself."""
    if strategy is IngestStrategy.ARCHIVEORG_FILESET_BUNDLED:
        return BundledArchiver(work)
    is_single = strategy is IngestStrategy.ARCHIVEORG_FILE
    return WebArchiver(IngestStrategy.WEB_FILE if is_single else IngestStrategy.WEB_FILESET, work)


def _is_itself(item: PlatformItem, plan: PlannedItem) -> bool:
    """Say whether the dataset is this very item on archive.org."""
    return item.platform_name == _OWN and plan.name == item.platform_id


def _refuse_itself(item: PlatformItem, plan: PlannedItem, listing: Listing) -> None:
    """Raise IngestStop when an item that is not ours would have to be completed from itself."""
    if _is_itself(item, plan) and not _has_all(listing, item.manifest):
        message = tr(
            "This dataset is the item {name} on archive.org itself. Choose a strategy that "
            "archives it here, or another item name.",
            name=plan.name,
        )
        raise IngestStop(Status.NO_STRATEGY_HELPER, message)


def _has_all(listing: Listing, manifest: Sequence[ManifestFile]) -> bool:
    return all(
        entry.status is None and listing.standing(entry.path, entry.declared) is Standing.SAME
        for entry in manifest
    )


def _conflicts(
    plan: PlannedItem, listing: Listing, manifest: Sequence[ManifestFile]
) -> list[ManifestFile]:
    """Return the manifest with outcomes if the item shows other bytes than are published, else [].

    Then nothing need be fetched: what shall become of it is for the person to say.
    """
    standings = [listing.standing(entry.path, entry.declared) for entry in manifest]
    if Standing.OTHER not in standings:
        return []
    left = tr(
        "It was not fetched: the item {name} has other files under names of this dataset.",
        name=plan.name,
    )
    outcomes: Mapping[Standing, Status] = {Standing.OTHER: Status.MISMATCH_EXISTING}
    files = []
    for entry, standing in zip(manifest, standings, strict=True):
        if entry.status is not None:
            files.append(entry)
        elif standing is Standing.SAME:
            files.append(_as_listed(entry, listing.files[entry.path]))
        else:
            status = outcomes.get(standing, Status.NOT_PROCESSED)
            message = conflict(plan.name, entry.path) if standing is Standing.OTHER else left
            files.append(replace(entry, status=status, message=message))
    return files


def _as_listed(entry: ManifestFile, listed: Fixity) -> ManifestFile:
    """Return the entry of a file that the item has already."""
    return replace(entry, status=Status.SUCCESS_EXISTING, observed=listed)


def _is_in_bundle(kept: StrategyResult, file: ManifestFile) -> bool:
    return kept.bundle is not None and file.is_kept and "bundle_member" in file.extra


def _settle(files: list[ManifestFile], indexes: Sequence[int] | range, outcome: Outcome) -> None:
    """Give kept files the outcome of their parcel."""
    for index in indexes:
        if not files[index].is_kept:
            continue
        if outcome.status.is_success:
            files[index] = replace(files[index], status=outcome.status)
        else:
            message = tr("{message} It is archived here nevertheless.", message=outcome.message)
            files[index] = replace(files[index], status=outcome.status, message=message)


def _status(
    files: Sequence[ManifestFile],
    bad: Sequence[ManifestFile],
    kept: StrategyResult | None,
    *,
    is_single: bool,
) -> Status:
    """Return what the dataset ends in: what asks for a decision first, then what was not kept."""
    if any(file.status is Status.MISMATCH_EXISTING for file in bad):
        return Status.MISMATCH_EXISTING
    if bad and kept is not None and not kept.status.is_success:
        return kept.status
    if bad:
        return worst(bad)
    if all(file.status is Status.SUCCESS_EXISTING for file in files):
        return Status.SUCCESS_EXISTING
    return Status.SUCCESS_FILE if is_single else Status.SUCCESS


def _start(blocks: Iterator[bytes]) -> bytes:
    """Return as much of a payload as tells what it is."""
    start = bytearray()
    for block in blocks:
        start += block
        if len(start) >= HEAD_BYTES:
            break
    return bytes(start)
