# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that need not be fetched: a record of this ingest or of an earlier one holds them."""

from collections.abc import Collection

from carrel.capture.digests import algorithms_for
from carrel.model import Capture, Fixity, ManifestFile, Status
from carrel.strategies.capture_store import stored_fixity
from carrel.strategies.comparison import compare, is_provable
from carrel.strategies.kept import Kept
from carrel.strategies.strategy import Work


class AlreadyKept:
    """Finds the records that hold files. Reads them: for worker threads, which may share it.

    `captured` are those of the dataset's addresses of which the archive has any record.
    """

    def __init__(self, work: Work, captured: Collection[str]) -> None:
        self._work, self._captured = work, captured

    def by_this_ingest(self, entry: ManifestFile) -> Kept | None:
        """Return the file if this ingest, before it was interrupted, had fetched it."""
        held = entry.platform_url and self._work.capture_store.held(entry.platform_url)
        if not held or not held.fixity.digests.keys() >= {*algorithms_for(entry.declared.digests)}:
            return None  # other digests are published by now than were computed then
        return self._in_record(entry, Status.SUCCESS, held.capture, held.fixity)

    def earlier(self, entry: ManifestFile) -> Kept | None:
        """Return the file if an intact capture of its address has the declared bytes.

        What no digest can prove counts if an earlier attempt of the same job kept it.
        """
        if entry.platform_url is None or not self._is_looked_for(entry):
            return None
        archive, algorithms = self._work.archive, algorithms_for(entry.declared.digests)
        for capture in archive.ledger.captures.at(entry.platform_url):
            stored = stored_fixity(archive, capture, algorithms)
            kept = stored and self._in_record(entry, Status.SUCCESS_EXISTING, capture, stored)
            if kept:
                return kept
        return None

    def _is_looked_for(self, entry: ManifestFile) -> bool:
        work = self._work
        return (
            entry.platform_url in self._captured
            and (is_provable(entry.declared) or entry.platform_url in work.kept_earlier)
            and entry.path not in work.found_damaged
            and work.looks_for_existing
            and not work.is_cancelled()
        )

    def _in_record(
        self, entry: ManifestFile, status: Status, capture: Capture, stored: Fixity
    ) -> Kept | None:
        """Return the file if stored bytes are it, they or what their coding undone is."""
        capture_store, observed = self._work.capture_store, stored
        if compare(entry.declared, stored) is not None:
            decoded = capture_store.decoded(capture, algorithms_for(entry.declared.digests))
            if decoded is None or compare(entry.declared, decoded) is not None:
                return None
            observed = decoded
        name = None if entry.is_named else capture_store.file_name(capture)
        return Kept(entry, status, observed, capture, served_name=name)
