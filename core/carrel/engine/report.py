# SPDX-License-Identifier: AGPL-3.0-or-later
"""The last step of an ingest: one result, to the WARCs, the index and the ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from carrel.archive import Archive
from carrel.capture.exchange import Exchange
from carrel.capture.stored import Damaged
from carrel.capture.warc_series import WarcSeries
from carrel.engine.held import marks_of
from carrel.errors import ArchiveError
from carrel.model import Capture, IngestFilesetResult, Status
from carrel.model.iso_time import iso_now
from carrel.model.unwritten import is_full
from carrel.strategies.capture_store import CaptureStore
from carrel.translation import tr

_DESCRIPTION = ("title", "creators", "license", "published", "doi", "platform_version")


def without_claims(
    result: IngestFilesetResult, status: Status, message: str
) -> IngestFilesetResult:
    """Return a result that claims nothing of what has not reached its place: files that were just
    fetched have this status and message instead."""
    files = tuple(
        replace(file, status=status, message=message)
        if file.is_kept and file.status is not Status.SUCCESS_EXISTING
        else file
        for file in result.files
    )
    outcome = result.outcome and replace(result.outcome, bundle=None)
    return replace(result, manifest=files, outcome=outcome, file_capture=None, landing=None)


class Report:
    """Brings a result to the archive. `landing` is the exchange of the landing page, if any.

    `is_written` says afterwards whether the archive has all of it.
    """

    def __init__(
        self,
        archive: Archive,
        result: IngestFilesetResult,
        evidence: Sequence[Exchange],
        landing: Exchange | None,
    ) -> None:
        self._archive, self._result = archive, result
        self._evidence, self._landing = evidence, landing
        self.is_written = False

    def write(
        self, capture_store: CaptureStore, series: WarcSeries, capture_of: Mapping[int, Capture]
    ) -> IngestFilesetResult:
        """Seal the WARCs, index them, write the ledger; return the result as it is then.

        In this order, so that none claims more than the one before. The series is let go last: what
        could not be completed is taken up from it. Blocks: for a worker thread.
        """
        try:
            self._store_evidence(capture_store)
            self._archive.keep(series, capture_store.captures)
        except (OSError, Damaged) as error:
            series.close()
            return self._nothing_kept(error)
        record_ids = {index: capture.record_id for index, capture in capture_of.items()}
        try:
            self._archive.ledger.ingests.finish(self._result, capture_store.captures, record_ids)
        except ArchiveError as error:
            return self._not_listed(error)
        self.is_written = True
        kept = {file.platform_url or "" for file in self._result.files if file.is_kept}
        series.discard(kept.union(capture_store.held_urls))
        return self._result

    def _store_evidence(self, capture_store: CaptureStore) -> None:
        """Store the landing page, the platform's answers and the result beside the payloads.

        Nothing is stored when nothing is new, nor the error page of an address that leads nowhere.
        A dataset that is not held yet is new, be all its bytes here with others; so is one that is
        described as it was not before, and one of which a record was found damaged: that may be the
        page.
        """
        is_reached = self._landing is not None
        has_news = bool(capture_store.captures) or (
            is_reached and not (self._result.hit and self._is_held_as_it_is())
        )
        if has_news:
            for exchange in self._evidence:
                capture = capture_store.store_exchange(exchange)
                if exchange is self._landing:
                    self._result = replace(self._result, landing=capture)
        self._result = replace(self._result, finished=iso_now())
        if has_news:
            url = f"urn:x-carrel:ingest:{self._result.ingest_id}"
            capture_store.store_document(url, self._result.to_json(), datetime.now(UTC))

    def _is_held_as_it_is(self) -> bool:
        """Say whether the dataset is held as it is described now, and nothing that it rests on is
        known to be damaged."""
        ledger = self._archive.ledger
        held = ledger.holding_of(marks_of(self._result))
        failures = ledger.fixity.failures(held) if held is not None else ()
        if held is None or not all(it.is_earlier or it.is_accompanying for it in failures):
            return False
        return _described(ledger.result(held) or {}) == _described(self._result.to_json())

    def _nothing_kept(self, error: OSError | Damaged) -> IngestFilesetResult:
        """Take back every claim: the WARCs did not reach their place."""
        status = Status.DISK_FULL if is_full(error) else Status.STORE_DAMAGED
        message = self._why_not_completed(error)
        unclaimed = without_claims(self._result, status, message)
        return replace(unclaimed, status=status, error_message=message, finished=iso_now())

    def _why_not_completed(self, error: OSError | Damaged) -> str:
        try:
            self._archive.check_place()
        except ArchiveError as gone:
            return tr("The WARCs could not be completed. {gone}", gone=gone)
        reason = getattr(error, "strerror", None) or error
        if not self._archive.warcs.is_dir():
            reason = tr("the folder {folder} is not there", folder=self._archive.warcs)
        return tr(
            "The WARCs could not be completed: {reason}. What was fetched is not lost: the next "
            "attempt resumes it.",
            reason=reason,
        )

    def _not_listed(self, error: ArchiveError) -> IngestFilesetResult:
        """Say that the ledger does not know what the WARCs hold."""
        message = tr(
            "The WARCs are complete, but the ledger does not list them yet: {error}", error=error
        )
        return replace(self._result, status=error.status, error_message=message, file_capture=None)


def _described(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a result says that a dataset was described as, and each of its files."""
    files = ((file.get("path"), file.get("declared")) for file in result.get("manifest") or ())
    named = {name: result.get(name) for name in _DESCRIPTION}
    return {**named, "files": sorted(files, key=str)}
