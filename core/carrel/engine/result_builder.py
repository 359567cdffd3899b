# SPDX-License-Identifier: AGPL-3.0-or-later
"""The result of an ingest while it comes about: every step adds what it learnt."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from carrel import __version__
from carrel.engine.report import without_claims
from carrel.errors import IngestStop
from carrel.model import (
    Finding,
    FindingLevel,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    Status,
    StrategyResult,
)
from carrel.model.iso_time import iso_now
from carrel.model.result import FILES_LEFT_OUT, FORESEEN, NEEDS_TOKEN, RESTRICTED_FILES
from carrel.strategies.outcome import reasons, remarks, shortfall
from carrel.translation import tr

log = logging.getLogger(__name__)


class ResultBuilder:
    """What is known of an ingest by now, as its result would have it."""

    def __init__(self, request: IngestRequest, ingest_id: str) -> None:
        self.result = IngestFilesetResult(
            request=request,
            status=Status.NOT_PROCESSED,
            hops=(request.base_url,),
            ingest_id=ingest_id,
            started=iso_now(),
            carrel_version=__version__,
        )

    def note(self, **fields: object) -> None:
        """Set fields of the result, by their names."""
        self.result = replace(self.result, **fields)  # type: ignore[arg-type]  # checked by name

    def add_findings(self, *findings: Finding) -> None:
        """Add findings to those that there are."""
        self.note(findings=(*self.result.findings, *findings))

    def note_stop(self, stop: IngestStop) -> None:
        """Note why the ingest ends here; a finding that says the same is dropped."""
        message = str(stop)
        others = tuple(each for each in self.result.findings if each.message != message)
        self.note(status=stop.status, error_message=message, findings=others, asked=stop.asked)

    def note_fault(self, error: Exception) -> None:
        """Note a fault of our own, and say so in the log."""
        log.error("%s: a bug in Carrel: %s", self.result.request.base_url, error)
        log.debug("It happened here:", exc_info=error)
        message = f"{type(error).__name__}: {error}"
        self.note(status=Status.INTERNAL_ERROR, error_message=message, file_capture=None)

    def note_outcome(self, outcome: StrategyResult) -> None:
        """Note what the strategy came to, in place of what was foreseen of it."""
        overtaken = set(FORESEEN)
        if all(file.is_kept for file in outcome.manifest):  # closed ones had been archived before
            overtaken.add(NEEDS_TOKEN)
        self.note(
            findings=tuple(it for it in self.result.findings if it.code not in overtaken),
            status=outcome.status,
            manifest=outcome.manifest,
            file_capture=outcome.file_capture,
            outcome=outcome,
            error_message=outcome.error_message,
            stage=None if outcome.status.is_success else outcome.status.meaning.stage,
        )
        self.add_findings(*outcome.findings, *remarks(outcome.manifest))
        self._shortfall()

    def note_foreseen(self, files: Sequence[ManifestFile], hindrance: IngestStop | None) -> None:
        """Note what can be archived if every transfer goes well.

        `files` have an outcome where it shows already, `hindrance` is what is in the way of all.
        Where a platform gives some files to everybody and others not, a preview succeeds, and a
        finding names the others: an ingest archives what is open, and ends in what the rest lacks.
        """
        if hindrance is not None:
            self.note(status=hindrance.status, error_message=str(hindrance))
            return
        self.note(status=Status.SUCCESS, manifest=tuple(files))
        closed = [file for file in files if file.status is not None]
        if closed:
            message = tr("Not downloadable: {reasons}", reasons=reasons(closed))
            if len(closed) == len(files) or len(closed) > self._closed_by_platform():
                self.note(status=closed[0].status, error_message=message)
                return
            # It names those that the platform restricts, and says why.
            others = (it for it in self.result.findings if it.code != RESTRICTED_FILES)
            self.note(findings=(*others, Finding(FILES_LEFT_OUT, message, FindingLevel.WARNING)))
        self._shortfall()

    def note_waiting(self) -> None:
        """Note that what was fetched is not in its place, for want of room, and waits."""
        waits = tr("It arrived, and stays in staging until there is room and the ingest resumes.")
        files = self.result.files
        self.result = without_claims(self.result, Status.DISK_FULL, waits)
        if self.result.files != files:
            bad = [file for file in self.result.files if not file.is_kept]
            self.note(error_message=shortfall(files, bad))

    def _closed_by_platform(self) -> int:
        """Return how many files the platform itself does not give to everybody."""
        item = self.result.item
        return sum(file.status is not None for file in item.manifest) if item else 0

    def _shortfall(self) -> None:
        """Take back a success if the platform has more than it listed."""
        item = self.result.item
        if item is not None and item.shortfall is not None and self.result.hit:
            self.note(status=Status.PLATFORM_ERROR, error_message=item.shortfall, file_capture=None)
