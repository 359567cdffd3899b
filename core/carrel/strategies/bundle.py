# SPDX-License-Identifier: AGPL-3.0-or-later
"""A platform's bundle: fetched and stored as one capture, or found in the archive, and opened."""

import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import BinaryIO

from carrel.capture.arrival import Fetched, Order
from carrel.capture.bundles.bundle import archive_bytes, format_within, members_of
from carrel.capture.bundles.members import Allowance, Member, Reading, Refused, UnreadableBundle
from carrel.capture.client import Cancelled
from carrel.capture.digests import Digester, algorithms_for
from carrel.capture.exchange import CannotDecode
from carrel.capture.stored import Damaged, payload_blocks
from carrel.capture.transfer import Dropped, fetch
from carrel.errors import IngestStop
from carrel.hosts.inside import leads_inside
from carrel.hosts.retry import RetryPolicy
from carrel.model import (
    Capture,
    Finding,
    FindingLevel,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    total_size,
    unknown_sizes,
)
from carrel.model.counts import count_of
from carrel.model.prose import shown
from carrel.strategies.accounting import (
    NOTES_PATH,
    Account,
    account,
    omissions,
    published_sizes,
)
from carrel.strategies.comparison import difference, is_provable
from carrel.strategies.dropped import dropped
from carrel.strategies.outcome import unwritten
from carrel.strategies.progress import Progress
from carrel.strategies.strategy import Work
from carrel.translation import tr

log = logging.getLogger(__name__)

_NAMED_AT_MOST = 20
_NOTES_MAX_BYTES = 1024 * 1024
# Heads of members, texts that platforms add, and small files of which no one told the size.
_SLACK_BYTES = 64 * 1024 * 1024
_FEWEST_MEMBERS_LISTED = 10_000
# What an archive puts around a small file: a zip its heads and name, a tar whole blocks.
_HEADS_BYTES = 2048


@dataclass(frozen=True, slots=True)
class Opened:
    """What a bundle gave: an entry for each file, in the manifest's order, with its outcome.

    `capture` is None when there is no bundle; `is_new` says that it was fetched by this ingest.
    `is_usable` is False where no file could be had from it.
    """

    files: tuple[ManifestFile, ...]
    capture: Capture | None = None
    findings: tuple[Finding, ...] = ()
    is_new: bool = True
    is_usable: bool = True


class Bundles:
    """The bundles of one dataset. Everything here blocks: for worker threads."""

    def __init__(self, work: Work, is_cancelled: Callable[[], bool]) -> None:
        self._work, self._is_cancelled = work, is_cancelled

    def take(self, item: PlatformItem) -> Opened:
        """Return what the platform's bundle gives today. Runs in a worker thread."""
        for index, entry in enumerate(item.manifest):
            if entry.status is None:
                self._work.events.started(index)
        try:
            capture = self._stored(item)
        except IngestStop as stop:
            return _unusable(item, stop.status, str(stop))
        except Cancelled as stopped:
            message = tr("The ingest was stopped before it was archived.")
            unusable = _unusable(item, Status.CANCELLED, message)
            if not isinstance(stopped, Dropped):
                return unusable
            again = (
                dropped(each, stopped.received) if each.status is Status.CANCELLED else each
                for each in unusable.files
            )
            return replace(unusable, files=tuple(again))
        except OSError as error:
            return _unusable(item, *_unwritten(error))
        try:
            return self._opened(item, capture, Status.SUCCESS)
        except (IngestStop, Damaged) as error:
            status = error.status if isinstance(error, IngestStop) else Status.STORE_DAMAGED
            return _unusable(item, status, str(error), capture)
        except Cancelled:
            message = tr(
                "The ingest was stopped before the bundle was checked against the manifest."
            )
            return _unusable(item, Status.CANCELLED, message, capture)
        except OSError as error:
            return _unusable(item, *_unwritten(error), capture)

    def _stored(self, item: PlatformItem) -> Capture:
        """Fetch the bundle and store it. Raises IngestStop, Cancelled and OSError."""
        work, url = self._work, item.web_bundle_url or ""
        if held := work.capture_store.held(url):
            return held.capture  # fetched before this ingest was interrupted
        if leads_inside(work.landing_url, url):
            message = tr("{url} is inside a private network; it was not fetched.", url=url)
            raise IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message)
        progress = _BundleProgress(work, item)
        order = Order(
            url=url,
            progress=progress.received,
            found=progress.found,
            reserve=progress.reserve,
            is_cancelled=self._is_cancelled,
            waits=progress.waits,
        )
        try:
            network = work.archive.settings.network
            patience = RetryPolicy(tries=network.attempts, longest_pause_s=network.longest_pause_s)
            fetched = fetch(work.client, work.series, order, patience)
        except BaseException:
            progress.come_to_nothing()
            raise
        try:
            entry = _bundle_entry(item, fetched)
        except BaseException:
            if fetched.part is not None:
                fetched.part.discard()
            progress.come_to_nothing()
            raise
        progress.phase(Stage.STORE)
        return work.capture_store.store(entry, work.landing_url, fetched)

    def earlier(self, item: PlatformItem) -> Opened | None:
        """Return what an earlier capture of the same bundle holds, None if nothing is of use."""
        if not self._work.looks_for_existing:
            return None
        for capture in self._earlier_captures(item):
            try:
                opened = self._opened(item, capture, Status.SUCCESS_EXISTING)
            except (Damaged, IngestStop) as error:
                log.info("the bundle of %s is of no use any more: %s", capture.timestamp, error)
                continue
            except OSError as error:
                log.warning("the bundle in %s cannot be opened: %s", capture.filename, error)
                continue
            except Cancelled:
                return None
            # If most is lacking, the dataset is another by now, and so will its bundle be.
            if sum(file.is_kept for file in opened.files) * 2 >= len(opened.files):
                return replace(opened, is_new=False)
        return None

    def _earlier_captures(self, item: PlatformItem) -> Iterator[Capture]:
        """Yield the records that hold what came from the bundle's address, newest first."""
        ledger = self._work.archive.ledger
        for result in ledger.holdings.listed(item.platform_id):
            bundle = result.get("fileset_bundle")
            if bundle and result.get("platform_bundle_url") == item.web_bundle_url:
                meta = bundle["file_meta"]
                yield from reversed(ledger.captures.holding(meta["sha256hex"], meta["size_bytes"]))

    def _opened(self, item: PlatformItem, capture: Capture, status: Status) -> Opened:
        """Return what a stored bundle holds, its members matched with the manifest.

        `status` is what a file that it holds gets. Of an earlier bundle only what is proven counts.
        Raises Damaged, IngestStop, Cancelled and OSError.
        """
        allowance = Allowance(self._most_bytes(item), self._is_cancelled)
        members: list[Member] = []
        broken: str | None = None
        with self._spooled(capture, allowance) as file:
            try:
                for member in members_of(file, _reading(item, allowance)):
                    members.append(member)
            except UnreadableBundle as error:
                broken = str(error)
        found = account(item.manifest, members)
        notes = _notes(item, members)
        files = tuple(
            _outcome(entry, index, found, capture, status, notes.get(index))
            for index, entry in enumerate(item.manifest)
        )
        findings = _bundle_findings(item, found, broken)
        return Opened(files, capture, findings)

    @contextmanager
    def _spooled(self, capture: Capture, allowance: Allowance) -> Iterator[BinaryIO]:
        """Give a stored bundle as a seekable file, which is gone afterwards whatever happens.

        Its bytes are proven once more on the way.
        """
        digester = Digester(("sha256",))
        try:
            with tempfile.TemporaryFile(dir=self._work.series.staging) as file:
                blocks = _fed(self._work.capture_store.payload(capture), digester)
                try:
                    for block in archive_bytes(blocks, allowance):
                        self._wait_for_room()
                        file.write(block)
                except (CannotDecode, Refused) as error:
                    message = tr(
                        "The content coding of the bundle cannot be decoded: {error}.", error=error
                    )
                    raise IngestStop(Status.BUNDLE_INCOMPLETE, message) from error
                if digester.fixity().digests["sha256"] != capture.sha256:
                    raise Damaged(tr("the stored bytes of {url} have changed", url=capture.url))
                yield file
        finally:
            digester.close()

    def _wait_for_room(self) -> None:
        """Go on when the disk has room. Raises Cancelled."""
        if self._is_cancelled():
            raise Cancelled
        self._work.archive.room.wait(self._is_cancelled, lambda free: None)

    def _most_bytes(self, item: PlatformItem) -> int:
        """Return to how many bytes the bundle may inflate before something is wrong with it."""
        if not unknown_sizes(item.manifest):
            return total_size(item.manifest) * 2 + _SLACK_BYTES
        asked = self._work.options.max_total_size
        limit = self._work.archive.settings.limits.max_total_size
        return (limit if asked is None else asked) + _SLACK_BYTES


class _BundleProgress(Progress):
    """Tells how a bundle comes on by the files in it.

    No one knows which file arrives before the bundle is opened; they are told of in the manifest's
    order, so that the sum is true.
    """

    def __init__(self, work: Work, item: PlatformItem) -> None:
        total = total_size(item.manifest)
        is_known = not unknown_sizes(item.manifest)
        first = next((at for at, entry in enumerate(item.manifest) if entry.status is None), 0)
        super().__init__(
            work, first, total + _HEADS_BYTES * len(item.manifest) if is_known else None
        )
        self._set_aside = 0 if is_known else total
        work.budget.take(-self._set_aside)
        self._files = [
            (index, entry.size)
            for index, entry in enumerate(item.manifest)
            if entry.size and entry.status is None
        ]
        self._at = self._before = 0

    def phase(self, phase: Stage) -> None:
        if self._received < self._before:
            for index, size in self._files[: self._at]:
                self._work.events.progress(index, 0, size, phase)
            self._at = self._before = 0
        while self._at < len(self._files):
            index, size = self._files[self._at]
            received = min(size, self._received - self._before)
            found = min(received, max(0, self._found - self._before))
            self._work.events.progress(index, received, size, phase, found=found)
            if received < size:
                return
            self._at, self._before = self._at + 1, self._before + size

    def come_to_nothing(self) -> None:
        """Give back what was taken, and set aside again what the single files may need."""
        self.give_back()
        self._work.budget.take(self._set_aside)


def _bundle_entry(item: PlatformItem, fetched: Fetched) -> ManifestFile:
    """Return an entry for the bundle itself. Raises IngestStop for what is no archive."""
    kind = format_within(_payload_of(fetched))
    name = f"{item.archiveorg_item_name or 'dataset'}.{kind}"
    if kind is not None:
        return ManifestFile(name, item.web_bundle_url)
    expected = ManifestFile(tr("the bundle"), item.web_bundle_url, mimetype="application/zip")
    found = difference(expected, fetched)
    if found is None and fetched.fixity.size == 0:
        raise IngestStop(
            Status.EMPTY_BLOB,
            tr("{web_bundle_url} delivered nothing.", web_bundle_url=item.web_bundle_url),
        )
    if found is None:
        message = tr(
            "What {web_bundle_url} delivered is neither a ZIP nor a tar file.",
            web_bundle_url=item.web_bundle_url,
        )
        raise IngestStop(Status.BUNDLE_INCOMPLETE, message)
    is_page = found.status is Status.WRONG_MIMETYPE
    raise IngestStop(Status.BUNDLE_INCOMPLETE if is_page else found.status, found.message)


def _payload_of(fetched: Fetched) -> Iterator[bytes]:
    """Yield the payload of what was just fetched, from memory or from its part on disk."""
    if fetched.part is None:
        return iter((bytes(fetched.exchange.body),))
    return payload_blocks(fetched.part.path, fetched.part.offset, fetched.part.length)


def _fed(blocks: Iterable[bytes], digester: Digester) -> Iterator[bytes]:
    for block in blocks:
        digester.feed(block)
        yield block


def _reading(item: PlatformItem, allowance: Allowance) -> Reading:
    sizes = published_sizes(item.manifest)
    declared = {name for entry in item.manifest for name in entry.declared.digests}
    paths = {entry.path for entry in item.manifest}

    def size_of(path: str) -> int | None:
        return sizes.get(path, sizes.get(path.partition("/")[2]))

    return Reading(
        allowance=allowance,
        algorithms=algorithms_for(sorted(declared)),
        size_of=size_of,
        keeps=lambda path: _NOTES_MAX_BYTES if path == NOTES_PATH not in paths else 0,
        most_members=max(_FEWEST_MEMBERS_LISTED, 4 * len(item.manifest)),
    )


def _notes(item: PlatformItem, members: Sequence[Member]) -> dict[int, str]:
    """Return what the bundle itself says of each file, by index."""
    text = next((member.content for member in members if member.path == NOTES_PATH), b"")
    return dict(omissions(text.decode("utf-8", "replace"), item.manifest))


def _outcome(
    entry: ManifestFile,
    index: int,
    found: Account,
    capture: Capture,
    status: Status,
    note: str | None,
) -> ManifestFile:
    """Return the entry of a file with what the bundle made of it."""
    match = found.matches.get(index)
    said = tr(" The bundle says: “{note}”", note=note) if note else ""
    if match is None and entry.status is not None:
        return replace(entry, message=f"{entry.message or entry.status}{said}")
    if match is None:
        lack = found.lacks[index]
        observed = lack.member.fixity if lack.member else None
        message = f"{lack.difference.message}{said}"
        return replace(entry, status=lack.difference.status, message=message, observed=observed)
    if status is Status.SUCCESS_EXISTING and not is_provable(entry.declared):
        message = tr(
            "It cannot be proven that {name} in the bundle is unchanged.",
            name=shown(match.member.name),
        )
        return replace(entry, status=Status.BUNDLE_INCOMPLETE, message=message)
    return replace(
        entry,
        status=status,
        observed=match.member.fixity,
        extra={**entry.extra, "bundle_member": match.member.name},
        terminal_url=capture.url,
        terminal_dt=capture.timestamp,
        message=match.message,
    )


def _unusable(
    item: PlatformItem, status: Status, message: str, capture: Capture | None = None
) -> Opened:
    """Return that nothing came of the bundle; every file that is not closed ends so for now."""
    files = tuple(
        entry if entry.status is not None else replace(entry, status=status, message=message)
        for entry in item.manifest
    )
    told = tr("The platform's bundle could not be used: {message}", message=message)
    finding = Finding("bundle-unusable", told, FindingLevel.WARNING)
    return Opened(files, capture, (finding,), is_usable=False)


def _bundle_findings(item: PlatformItem, found: Account, broken: str | None) -> tuple[Finding, ...]:
    return tuple(
        Finding(code, message, level) for code, message, level in _things_found(item, found, broken)
    )


def _things_found(
    item: PlatformItem, found: Account, broken: str | None
) -> Iterator[tuple[str, str, FindingLevel]]:
    manifest = item.manifest
    lacking = [manifest[at].path for at in sorted(found.lacks) if manifest[at].status is None]
    if lacking:
        message = tr(
            "The bundle lacks {lacking:,} of {files}, as published: ",
            lacking=len(lacking),
            files=count_of(manifest, "file"),
        )
        yield "bundle-incomplete", message + named(lacking), FindingLevel.WARNING
    if broken is not None:
        message = tr("The bundle cannot be read to its end: {broken}.", broken=broken)
        yield "bundle-broken", message, FindingLevel.WARNING
    if found.refused:
        names = [f"{shown(member.name)} ({member.why})" for member in found.refused]
        message = tr("{members} of the bundle refused: ", members=count_of(names, "member"))
        yield "refused-members", message + named(names), FindingLevel.WARNING
    extras = [member.name for member in found.extras if not member.content]
    if extras:
        message = tr(
            "{members} of the bundle not listed by the platform: ",
            members=count_of(extras, "member"),
        )
        yield "extra-members", message + named(extras), FindingLevel.WARNING
    if any(member.content for member in found.extras):
        message = tr(
            "The repository's bundle contains a manifest: {notes_path}.", notes_path=NOTES_PATH
        )
        yield "bundle-notes", message, FindingLevel.NOTE


def named(names: Sequence[str]) -> str:
    more = (
        tr(" and {names:,} more", names=len(names) - _NAMED_AT_MOST)
        if len(names) > _NAMED_AT_MOST
        else ""
    )
    return ", ".join(map(shown, names[:_NAMED_AT_MOST])) + more + "."


def _unwritten(error: OSError) -> tuple[Status, str]:
    status, what = unwritten(error)
    return status, tr("{what} while the bundle was written or opened.", what=what)
