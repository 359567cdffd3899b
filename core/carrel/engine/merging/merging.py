# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive merge`: the story of it, which reads from top to bottom.

Killed at any moment, the merged archive has whole attempts, whose WARCs are there and were read;
the same command goes on with those that it lacks.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from carrel.access.cut_off import words_of_ends
from carrel.archive import LEDGER_NAME, Archive
from carrel.engine.importing.imported import Progress, Tell
from carrel.engine.merging.copies import copy, link
from carrel.engine.merging.dark import merge_dark, plan_dark
from carrel.engine.merging.loose import (
    doubles,
    is_repeated,
    loose_warcs,
    not_merged,
    other_collections,
    repeated,
    same_as,
)
from carrel.engine.merging.mending import Mending, ToMend, warcs_to_mend
from carrel.engine.merging.merged import Merged, MergedSource
from carrel.engine.merging.placing import Placing
from carrel.engine.merging.records import Fault
from carrel.engine.merging.register import Register
from carrel.engine.merging.source import SourceArchive, opened, refuse_unfit
from carrel.engine.staging import folder_for
from carrel.engine.verification.accompanying import ends_early
from carrel.engine.verification.noting import note_damage_in
from carrel.errors import ArchiveError, ArchiveFull, ArchivesDiffer
from carrel.ledger import Ledger
from carrel.ledger.merging import Counts, Merging
from carrel.model import Fate
from carrel.model.counts import counted
from carrel.model.iso_time import iso_now
from carrel.model.unwritten import is_full
from carrel.translation import tr


def merge(archive: Archive, paths: Sequence[Path], tell: Tell, *, links: bool = False) -> Merged:
    """Merge archives into one that is open for writing. Blocks.

    With `links` WARCs get a second name instead of being copied. Raises UsageError and ArchiveError
    before anything is done for what cannot be merged; OSError.
    """
    refuse_unfit(paths, archive.path)
    with _told_if_full(archive), ExitStack() as stack:
        folder = stack.enter_context(folder_for(archive.staging, "merge"))
        sources = list(_opened(paths, folder, stack))
        run = _Run(archive, folder, tell, links=links)
        stack.enter_context(closing(run.register))
        return run.run(sources)


def refuse_unreadable(paths: Sequence[Path]) -> None:
    """Raise ArchiveError for archives that cannot be read now, as while a program writes to one, so
    that no new archive is made for them."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="carrel-merge-")))
        list(_opened(paths, folder, stack))


def plan(target: Path, paths: Sequence[Path]) -> Merged:
    """Return what would be merged; nothing is written but temporary files. Raises as `merge`."""
    refuse_unfit(paths, target)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="carrel-merge-")))
        sources = list(_opened(paths, folder, stack))
        if (target / LEDGER_NAME).exists():
            ledger = stack.enter_context(Archive.open_for_reading(target)).ledger
        else:
            ledger = stack.enter_context(Ledger.scratch(folder / LEDGER_NAME))
        merging = ledger.merging()
        return Merged(
            [_unless_it_differs(each, partial(_planned, merging, target)) for each in sources]
        )


def _unless_it_differs(
    source: SourceArchive, treat: Callable[[SourceArchive], MergedSource]
) -> MergedSource:
    """Return what becomes of a source: one that contradicts what is here is left as it is, and
    keeps no other one from being merged."""
    try:
        return treat(source)
    except ArchivesDiffer as error:
        return MergedSource(str(source.path), left=[str(error)])


def _planned(merging: Merging, target: Path, source: SourceArchive) -> MergedSource:
    done = MergedSource(str(source.path))
    with merging.beside(source.ledger, source.path):
        counts = merging.counts()
        done.attempts, done.captures = counts.attempts, counts.captures
        done.jobs_paused = counts.open_jobs
        for name in merging.missing_warcs():
            done.warcs += 1
            done.bytes += _size_of(source.warcs / name)
        done.remarks += _remarks(counts)
        _note_left_out(source, merging, done)
        plan_dark(source.path, target, merging, done)
    return done


def _size_of(path: Path) -> int:
    """Return the bytes of a file, 0 of one that is missing: merging names it."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


class _Run:
    def __init__(self, archive: Archive, folder: Path, tell: Tell, *, links: bool) -> None:
        self._archive, self._folder, self._links = archive, folder, links
        self._progress = Progress(tell)
        self._merging = archive.ledger.merging()
        self.register = Register(archive.staging)
        self._started = iso_now()  # what one source brought, attempts of another may rest on

    def run(self, sources: Sequence[SourceArchive]) -> Merged:
        for source in sources:
            with suppress(ArchivesDiffer), self._merging.beside(source.ledger, source.path):
                self._progress.expect(self._merging.counts().bytes)
        try:
            with self._archive.index.left_behind():
                done = [_unless_it_differs(each, self._merge) for each in sources]
        except (ArchiveError, OSError):
            with suppress(ArchiveError, OSError):  # what was merged by now is in the index, too
                self._archive.index.write()
            raise
        self._archive.index.write()
        for source in sources:
            self.register.forget_faults(source.path)
        self._progress.finish(self._progress.total)
        return Merged(done, self._merging.datasets_beside())

    def _merge(self, source: SourceArchive) -> MergedSource:
        done = MergedSource(str(source.path))
        with self._merging.source(source.ledger, source.path, source.name):
            counts = self._merging.counts()
            self._merging.put_formats()
            placed = self._put_attempts(source, done)
            _note_left_out(source, self._merging, done)
            self._merging.put_rest()
            merge_dark(self._archive, source.path, self._merging, done, self._progress.tell)
            to_mend = list(warcs_to_mend(self._archive, self._merging))
        done.jobs_paused = counts.open_jobs
        done.remarks += _remarks(counts)
        self._mend(source, to_mend, done)
        for name in self.register.warcs_to_read(source.path):
            note_damage_in(self._archive, self._archive.warcs / name, self._progress.attend)
        for fault in self.register.faults(source.path):
            done.add_fault(fault)
        for name in placed:
            self._read_end(name, done)
        return done

    def _read_end(self, name: str, done: MergedSource) -> None:
        """Note that a WARC which came ends before its last record, and count it as a fault; that a
        capture is cut off was told of that."""
        if ends_early(self._archive, name):
            path = self._archive.warcs / name
            for message in note_damage_in(self._archive, path, self._progress.attend):
                if message.startswith(words_of_ends()):
                    done.add_fault(Fault(name, path.stat().st_size, Fate.DAMAGED, message))

    def _mend(self, source: SourceArchive, to_mend: Sequence[ToMend], done: MergedSource) -> None:
        mending = Mending(
            self._archive,
            source,
            self.register,
            self._folder,
            link if self._links else copy,
            self._progress.attend,
        )
        for each in to_mend:
            mending.mend(each, done)

    def _put_attempts(self, source: SourceArchive, done: MergedSource) -> Sequence[str]:
        """Put in what a source has of attempts; return the WARCs that came with it."""
        placing = Placing(
            self._archive,
            source,
            self._merging,
            self.register,
            self._folder,
            self._progress.attend,
            links=self._links,
        )
        # The results of ingests first: their attempts follow.
        results = (path.name for path in self._results_of(source))
        placing.place(results, done, has_captures=False)
        for portion in self._merging.portions():
            self._read(portion.here)
            placing.place(portion.warcs, done)
            self._merging.put_in(self._started)
            done.attempts += portion.attempts
            done.captures += portion.captures
            self._progress.tell()
        return placing.placed

    def _read(self, names: Sequence[str]) -> None:
        """Read WARCs that were here before, and note what is damaged in them."""
        for name in names:
            note_damage_in(self._archive, self._archive.warcs / name, self._progress.attend)
            self._merging.note_read(name)

    def _results_of(self, source: SourceArchive) -> Iterator[Path]:
        return (path for path, belongs in loose_warcs(source, self._merging) if belongs)


def _opened(paths: Sequence[Path], folder: Path, stack: ExitStack) -> Iterator[SourceArchive]:
    for number, path in enumerate(paths):
        place = folder / f"ledger-{number}"
        place.mkdir()
        try:
            yield stack.enter_context(opened(path, place))
        except OSError as error:
            words = tr("{path} cannot be read: {reason}.", path=path, reason=error.strerror)
            raise ArchiveError(words) from error


def _note_left_out(source: SourceArchive, merging: Merging, done: MergedSource) -> None:
    loose = [path for path, belongs in loose_warcs(source, merging) if not belongs]
    double_of = doubles(source, loose)
    for path in loose:
        if other := double_of.get(path):  # as what was renamed, and then repaired
            done.remarks.append(same_as(path, other))
        elif is_repeated(source, path, merging):
            done.remarks.append(repeated(path))
        else:
            done.left.append(not_merged(path))
    done.left += other_collections(source)


def _remarks(counts: Counts) -> Iterator[str]:
    if counts.removed_jobs:
        yield tr(
            "Removed from the queue, as in that archive: {jobs}.",
            jobs=counted(counts.removed_jobs, "job"),
        )
    if counts.unfinished:
        yield tr(
            "Left there: {ingests} that did not end. Open that archive to resume them.",
            ingests=counted(counts.unfinished, "ingest"),
        )
    if counts.whole_runs:
        yield tr(
            "Left there: {runs} of that whole archive, which read nothing of the others. Merging "
            "verifies each ingest itself.",
            runs=counted(counts.whole_runs, "verification"),
        )


@contextmanager
def _told_if_full(archive: Archive) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        raise ArchiveFull(
            tr(
                "There is no room left on the disk of {path}. What was merged by now is whole. "
                "Make room, then give the same command again.",
                path=archive.path,
            )
        ) from error
