# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports of full texts: the dark archive writes the WARCs, the room of mementos indexes them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from carrel.archive import Archive
from carrel.dark_archive.export import Exporting, Indexed
from carrel.dark_archive.place import store_root
from carrel.dark_archive.store_session import StoreSession
from carrel.errors import UsageError
from carrel.mementos.warc.indexer import index_files
from carrel.mementos.warc.stretches import Options
from carrel.model.counts import more_faults
from carrel.model.dark_views import ExportOrder, ExportReport, TellRun
from carrel.translation import tr


def export(
    archive: Archive, order: ExportOrder, tell: TellRun, is_cancelled: Callable[[], bool]
) -> ExportReport:
    """Write what an order is about to its folder. Blocks: for a worker thread.

    Raises UsageError, also for an archive or series that is not known, and ArchiveError.
    """
    ledger = archive.ledger.dark
    if ledger.is_empty:
        raise UsageError(
            tr("{path} has no dark archive yet; there is nothing to export.", path=archive.path)
        )
    asked = ":".join(filter(None, (order.archive, order.series)))
    if asked and not ledger.questions.has_series(order.archive, order.series):
        raise UsageError(tr("No template of {asked} was ever read here.", asked=asked))
    with StoreSession.open(store_root(archive.path), ledger) as keeping:
        warc = archive.settings.warc
        return Exporting(keeping, order, warc, index_warcs, tell, is_cancelled).run()


def index_warcs(warcs: Sequence[Path], path: Path) -> Indexed:
    """Index files, and compare each payload with its digest on the way."""
    done = index_files(warcs, path, options=Options(verify=True))
    problems = [str(each) for each in done.problems]
    more = [more_faults(done.unlisted)] if done.unlisted else []
    return Indexed(done.lines, [*problems, *more])
