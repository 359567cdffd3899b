# SPDX-License-Identifier: AGPL-3.0-or-later
"""Identifying the formats of what is held: when it was archived, and of what was there before.

What was identified is noted a few files at a time, so that an interrupted run is resumed where it
was; the archive is held for writing only while that is done.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING

from carrel.access.copies import Copies
from carrel.access.formats.apart import Identifier
from carrel.access.formats.arriving import Arriving
from carrel.access.formats.availability import why_unavailable
from carrel.access.holding_files import HoldingFile, holding_files
from carrel.archive import Archive
from carrel.errors import CarrelError, FormatsUnavailable, NoAccessCopy
from carrel.hosts.pauses import Cancelled
from carrel.model.formats import Format, FormatAmount, FormatKey, FormatRisk
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.access.proof import Attend

log = logging.getLogger(__name__)
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be identified, as its record is damaged or missing."""

    ingest_id: str
    file: str
    reason: str


@dataclass(slots=True)
class FormatRun:
    """What a run identified: how many distinct contents, of how many holdings; what is `unread`."""

    holdings: int = 0
    identified: int = 0
    unread: list[Unread] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RiskyFile:
    """A file whose format needs attention, with the holding that it is in."""

    title: str
    ingest_id: str
    file: str
    format: Format


class FormatIdentification:
    """Identifies files of an archive, for any thread. All of it blocks.

    Its process and its folder are there from when they are needed until it is closed, and again
    afterwards. Raises FormatsUnavailable, ArchiveError and OSError.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._copies, self._identifier = Copies(), Identifier()
        self.arriving = Arriving(self._copies, self._identifier)

    def __enter__(self) -> "FormatIdentification":
        if why := why_unavailable():
            raise FormatsUnavailable(why)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove the folder."""
        self.arriving.close()
        self._identifier.close()
        self._copies.close()

    def identify(
        self,
        ingest_id: str,
        run: FormatRun,
        attend: "Attend" = lambda count: None,
        *,
        again: bool = False,
    ) -> None:
        """Identify what an attempt keeps and is not identified yet; `again` all of it.

        `attend` is told of the bytes read; what it raises ends the work.
        """
        lacking = self._lacking(ingest_id, again=again)
        found = self.arriving.found(lacking, attend)
        run.identified += len(found)
        files = [held for key, held in lacking.items() if key not in found]
        try:
            if files:
                self._read(files, found, run, attend)
        finally:
            self._note(found)
        run.holdings += bool(lacking)

    def _read(
        self,
        files: Sequence[HoldingFile],
        found: dict[FormatKey, Format],
        run: FormatRun,
        attend: "Attend",
    ) -> None:
        """Identify what is only in records, and note it; the last of it stays in `found`."""
        from carrel.access.formats.identifying import Identifying  # few read records for it

        identifying = Identifying(self._archive, self._copies, self._identifier, attend)
        for held, outcome in identifying.identified(files):
            if isinstance(outcome, NoAccessCopy):
                run.unread.append(Unread(held.ingest_id, held.file.path, str(outcome)))
            elif key := held.format_key:
                found[key] = outcome
                run.identified += 1
            if len(found) >= _BATCH:
                self._note(found)

    def after_ingest(self, ingest_id: str, is_ended: Callable[[], bool]) -> None:
        """Identify what an ingest has just archived; what cannot be is left to “carrel formats”.

        Ends soon once `is_ended`. How the ingest ended is not changed: its bytes are archived.
        """

        def attend(count: int) -> None:
            if is_ended():
                raise Cancelled

        run = FormatRun()
        try:
            self.identify(ingest_id, run, attend)
        except Cancelled:
            return
        except (CarrelError, OSError) as error:
            log.warning(tr("%s: not all formats were identified: %s"), ingest_id, error)
        for each in run.unread:
            log.warning(tr("%s: the format was not identified: %s"), ingest_id, each.reason)

    def _lacking(self, ingest_id: str, *, again: bool) -> dict[FormatKey, HoldingFile]:
        """Return the files of an attempt that are not identified, one of each content."""
        known = () if again else self._archive.ledger.formats.known(ingest_id)
        wanted: dict[FormatKey, HoldingFile] = {}
        for held in holding_files(self._archive.ledger, ingest_id):
            key = held.format_key
            if key is not None and key not in known:
                wanted.setdefault(key, held)
        return wanted

    def _note(self, found: dict[FormatKey, Format]) -> None:
        if found:
            with self._archive.ledger_for_writing() as ledger:
                ledger.formats.note(found)
            found.clear()


def holdings_to_identify(archive: Archive, *, again: bool = False) -> Sequence[str]:
    """Return the attempts that keep holdings of which not all is identified; `again` all of them.

    Those with files in other archives, which are not identified, are among them.
    """
    known = archive.ledger.formats
    return known.listed() if again else known.not_identified()


def identify_all(
    archive: Archive,
    ingest_ids: Sequence[str],
    tell: Callable[[int, int], None] = lambda done, total: None,
    *,
    again: bool = False,
) -> FormatRun:
    """Identify what attempts keep; `tell` is told how many of them are done, and of how many."""
    run = FormatRun()
    with FormatIdentification(archive) as formats:
        for number, ingest_id in enumerate(ingest_ids):
            tell(number, len(ingest_ids))
            formats.identify(ingest_id, run, again=again)
    tell(len(ingest_ids), len(ingest_ids))
    return run


def totals(archive: Archive) -> Sequence[FormatAmount]:
    """Return how much is held of each format, most files first."""
    return archive.ledger.formats.totals()


def risky_files(archive: Archive, risk: FormatRisk, most: int) -> Sequence[RiskyFile]:
    """Return the first files whose formats need attention for one reason."""
    return [
        RiskyFile(row["title"], row["ingest_id"], row["path"], found)
        for row, found in archive.ledger.formats.risky(risk, most)
    ]
