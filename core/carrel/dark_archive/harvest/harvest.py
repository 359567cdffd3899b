# SPDX-License-Identifier: AGPL-3.0-or-later
"""One run over one source, from its number to its report."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from carrel.dark_archive.harvest.absences import conclude
from carrel.dark_archive.harvest.full_texts import ask_for_full_texts
from carrel.dark_archive.harvest.group import Group
from carrel.dark_archive.harvest.run import Run, Terms
from carrel.dark_archive.harvest.templates import TemplatesRead
from carrel.dark_archive.sources import Source
from carrel.dark_archive.store_session import StoreSession
from carrel.errors import OlderData
from carrel.model.dark import RunBegan, RunEnded, RunSource, ScopeRead
from carrel.model.dark_views import STOPPED, RunReport, TellRun
from carrel.model.iso_time import iso_time
from carrel.translation import tr

# Numbers of runs are seconds, and a large run has several: so far they may be ahead.
_AHEAD_S = 86_400


class Gathering:
    """A run that is about to be made."""

    def __init__(
        self,
        keeping: StoreSession,
        source: Source,
        terms: Terms,
        tell: TellRun,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._keeping, self._source, self._terms = keeping, source, terms
        self._tell, self._is_cancelled = tell, is_cancelled

    def run(self) -> RunReport:
        """Make the run and return how it ended. Blocks: for a worker thread.

        One that is stopped keeps what it has and concludes nothing about what it did not see.
        Raises UsageError for data older than what was read, and ArchiveError.
        """
        self._refuse_older()
        run = self._begin()
        try:
            is_whole = TemplatesRead(run).read()
            is_stopped = not is_whole and self._is_cancelled()
            if is_whole and not run.is_backfill:
                conclude(run)
                _count_unnamed(run)
                is_stopped = not self._ask_for_full_texts(run)
        except BaseException:
            run.group.discard()
            raise
        if is_stopped:
            run.counts[STOPPED] = 1
        return self._end(run, is_whole=is_whole)

    def _ask_for_full_texts(self, run: Run) -> bool:
        """Ask for the full texts that are due, if any are wanted; say whether none is left."""
        if self._terms.asker is None:
            return True
        # A run that is killed from here on has determined its losses.
        run.group.add(ScopeRead(run.group.run, self._counts(run)))
        run.group.commit()
        return ask_for_full_texts(run, self._terms.asker)

    def _counts(self, run: Run) -> Mapping[str, int]:
        return dict(sorted({**run.counts, **_repaired(run), **_unseen_parts(run)}.items()))

    def _refuse_older(self) -> None:
        """Refuse data that are older than what was read, which would be logged backwards."""
        date = self._source.date
        if self._source.source is not RunSource.TARBALL or date is None:
            return
        last = self._keeping.ledger.lookups.last_source_tist(self._terms.scope)
        if last is not None and date < last:
            why = tr(
                "{reference} is older than the last harvest. Read normally, everything newer would "
                "seem lost. Read old tarballs oldest first.",
                reference=self._source.reference,
            )
            advice = tr("To add this one anyway, without reporting losses, give --backfill NAME.")
            raise OlderData(why, advice)

    def _moment(self) -> int:
        """Return the time that the source speaks for: its own date, if it is a tarball."""
        now = int(self._keeping.now().timestamp())
        if self._source.source in (RunSource.TARBALL, RunSource.BACKFILL):
            return now if self._source.date is None else self._source.date
        return now

    def _begin(self) -> Run:
        tist, moment = self._keeping.next_tist(), self._moment()
        began = RunBegan(
            tist,
            self._terms.scope,
            self._source.source,
            self._source.reference,
            moment,
            self._keeping.wall_clock(),
            self._source.date,
        )
        self._keeping.commit([began])
        run = Run(
            self._keeping,
            self._source,
            self._terms,
            Group(self._keeping, tist, self._terms.batch_objects),
            moment=moment,
            tell=self._tell,
            is_cancelled=self._is_cancelled,
        )
        self._name_clock(run)
        return run

    def _name_clock(self, run: Run) -> None:
        """Say that an earlier run is dated in the future: what this one records comes after it, and
        bears a date behind its."""
        ahead_s = run.group.run - int(self._keeping.now().timestamp())
        if ahead_s < _AHEAD_S:
            return
        dated = iso_time(datetime.fromtimestamp(run.group.run, UTC))
        words = tr(
            "An earlier run is dated in the future: this computer's clock was ahead then, or is "
            "behind now. Each run is dated after the one before, so this one is dated {dated}.",
            dated=dated,
        )
        run.found(words)

    def _end(self, run: Run, *, is_whole: bool) -> RunReport:
        counts, tist = self._counts(run), run.group.run
        wall_clock = self._keeping.wall_clock()
        remarks = tuple(run.remarks)
        run.group.add(
            RunEnded(tist, is_whole, wall_clock, counts, self._source.date, remarks, run.unlisted)
        )
        run.group.commit()
        return RunReport(
            tist,
            self._terms.scope,
            is_whole,
            counts,
            run.remarks,
            run.unlisted,
            unread=len(self._source.unread) + len(run.closed) + run.unreadable,
            seen=run.seen,
            unseen=run.unseen,
            is_stopped=STOPPED in counts,
        )


def _repaired(run: Run) -> Mapping[str, int]:
    count = run.group.repaired
    return {"copies repaired": count} if count else {}


def _unseen_parts(run: Run) -> Mapping[str, int]:
    count = len(run.source.unread)
    return {"parts not read": count} if count else {}


def _count_unnamed(run: Run) -> None:
    """Count the full texts that a template named before this run, and none does now."""
    if count := run.lookups.unnamed_since(run.group.run):
        run.counts["full texts no longer named"] = count
