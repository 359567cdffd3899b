# SPDX-License-Identifier: AGPL-3.0-or-later
"""Handing over what is held: copies to open, to look at and to keep, each proven as it is written.

Coroutines run on the engine's loop, their work in threads; it ends soon after they are cancelled.
"""

import asyncio
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from carrel.access.copies import Copies
from carrel.access.holding_files import HoldingFile, holding_files
from carrel.access.members import write_member
from carrel.access.proof import Attend
from carrel.access.saving import Plan, Saving, planned
from carrel.archive import Archive
from carrel.engine.verification.noting import note_damage_of
from carrel.engine.work import Work
from carrel.errors import NotProven, UsageError
from carrel.model.access import AccessCopy, SavedFile, SaveReport
from carrel.model.events import Emit, ignore
from carrel.model.rendition import Place, Rendition
from carrel.model.safe_names import safe_name
from carrel.model.unwritten import why_unwritten
from carrel.own_parts import refuse_own_part
from carrel.translation import tr
from carrel.whole_file import FOR_READING, WholeFile

_MOST_OF_A_TITLE = 100


class Access:
    """What is at `engine.access`. An `ingest_id` and a place in its manifest name a file."""

    def __init__(self, archive: Archive, copies: Copies | None = None) -> None:
        self._archive, self._copies = archive, copies or Copies()

    async def copy(self, ingest_id: str, position: int, emit: Emit = ignore) -> AccessCopy:
        """Return a copy for reading only in the session's own folder, which goes with the session.

        It has a doubt if the archive has no proven bytes of it any more, and it is an earlier one.
        Raises NoAccessCopy, UsageError for what there is not, ArchiveError and OSError.
        """
        work = Work(ingest_id, emit)

        def copied() -> AccessCopy:
            held = self._file(ingest_id, position)
            work.expect([held])
            with self._noting(held, work.attend):
                copy = Saving(self._archive, self._copies, work.attend).open_copy(held)
            if copy.doubt and copy.doubt.is_damaged:
                self._note([held], work.attend)
            return copy

        return await work.done(copied)

    async def save(
        self, ingest_id: str, position: int, path: Path, emit: Emit = ignore
    ) -> AccessCopy:
        """Write a file to a path, whole or not at all. Raises as `copy`, and UsageError where the
        path is part of an archive."""
        work = Work(ingest_id, emit)

        def saved() -> AccessCopy:
            refuse_own_part(path)
            held = self._file(ingest_id, position)
            work.expect([held])
            with self._noting(held, work.attend):
                return Saving(self._archive, self._copies, work.attend).save(held, path)

        return await work.done(saved)

    async def save_all(
        self,
        ingest_id: str,
        folder: Path,
        emit: Emit = ignore,
        *,
        paths: Collection[str] | None = None,
        may_replace: bool = False,
    ) -> SaveReport:
        """Write a dataset's files, or those at these paths, into a folder, made if need be.

        What another archive has, or no one, is in the report with its reason; so is what would have
        replaced a file, and what came after nothing more could be written. Raises UsageError for a
        path that is not in the dataset, or a folder in part of an archive, ArchiveError, and
        OSError where nothing was written: the folder is not there then, either.
        """
        work = Work(ingest_id, emit)

        def saved() -> SaveReport:
            refuse_own_part(folder / "file")
            plans = planned(_chosen(self.files(ingest_id), paths), folder)
            work.expect([plan.held for plan in plans])
            files: list[SavedFile] = []
            saving = Saving(self._archive, self._copies, work.attend)
            with _new_folder(folder):
                try:
                    for file in saving.save_all(plans, may_replace=may_replace):
                        files.append(file)
                        work.tell_saved(file)
                except OSError as error:
                    if not any(file.copy for file in files):
                        raise
                    for file in _unwritten(plans, files, folder, error):
                        files.append(file)
                        work.tell_saved(file)
            bad = {file.file for file in files if file.is_damaged}
            self._note([plan.held for plan in plans if plan.held.file.path in bad], work.attend)
            return SaveReport(folder, files)

        return await work.done(saved)

    async def save_member(
        self, container: Path, inside: Sequence[str], path: Path, emit: Emit = ignore
    ) -> AccessCopy:
        """Write a member of a copy to a path, whole or not at all; `inside` names it, as a Place
        does. Raises NoAccessCopy, UsageError for a path that is part of an archive, and OSError.
        """
        refuse_own_part(path)
        return await self._member(container, inside, path, emit, mode=None)

    async def copy_member(
        self, container: Path, inside: Sequence[str], emit: Emit = ignore
    ) -> AccessCopy:
        """Return a member of a copy, for reading only in the session's own folder. Raises as
        `save_member`."""
        path = await asyncio.to_thread(self.place, inside[-1].rpartition("/")[2])
        return await self._member(container, inside, path, emit, mode=FOR_READING)

    async def _member(
        self, container: Path, inside: Sequence[str], path: Path, emit: Emit, *, mode: int | None
    ) -> AccessCopy:
        work = Work("", emit)

        def written() -> AccessCopy:
            fixity = write_member(container, inside, path, self._copies, work.attend, mode=mode)
            return AccessCopy(inside[-1], path, fixity)

        return await work.done(written)

    async def look(self, path: Path, place: Place) -> Rendition:
        """Return what there is to see of a copy, read in a process of its own; never raises for
        what is in it. Raises OSError where it is not there.
        """
        from carrel.access.renditions.apart import rendition_of  # for who previews

        return await rendition_of(path, place)

    async def look_at(self, content: bytes, place: Place) -> Rendition:
        """Return what there is to see of bytes that are in memory, as `look`. Raises OSError."""
        path = await asyncio.to_thread(self.put, place.last_name or "content", content)
        try:
            return await self.look(path, place)
        finally:
            path.unlink(missing_ok=True)

    def put(self, name: str, content: bytes) -> Path:
        """Write bytes to a file in the session's own folder. Blocks. Raises OSError."""
        path = self.place(name)
        with WholeFile(path, mode=FOR_READING) as target:
            target.file.write(content)
            target.commit()
        return path

    def files(self, ingest_id: str) -> Sequence[HoldingFile]:
        """Return the files of an attempt's manifest, kept or not. Blocks.

        Raises UsageError for the id of an ingest that there is not, and ArchiveError.
        """
        return holding_files(self._archive.ledger, ingest_id)

    def new_folder(self, parent: Path, title: str) -> Path:
        """Make a folder with the name of a dataset, and return it. Blocks. Raises OSError."""
        name = safe_name(title[:_MOST_OF_A_TITLE])
        for number in count(1):
            folder = parent / (name if number == 1 else f"{name} ({number})")
            with suppress(FileExistsError):
                folder.mkdir()
                return folder
        raise AssertionError("numbers do not end")

    def place(self, name: str) -> Path:
        """Return a free path in the session's folder. Blocks. Raises OSError."""
        return self._copies.place(name)

    def sweep(self) -> None:
        """Remove what sessions that were killed have left behind. Blocks. Raises OSError."""
        self._copies.sweep()

    def close(self) -> None:
        """Remove all copies of this session. Blocks."""
        self._copies.close()

    @contextmanager
    def _noting(self, held: HoldingFile, attend: Attend) -> Iterator[None]:
        """Have the ledger say of a file that cannot be handed over how its records are."""
        try:
            yield
        except NotProven:
            self._note([held], attend)
            raise

    def _note(self, files: Sequence[HoldingFile], attend: Attend) -> None:
        found = {it.record_id: it for held in files for it in held.captures}
        note_damage_of(self._archive, list(found.values()), attend)

    def _file(self, ingest_id: str, position: int) -> HoldingFile:
        files = self.files(ingest_id)
        if not 0 <= position < len(files):
            raise UsageError(tr("There is no such file in this dataset."))
        return files[position]


def _chosen(files: Sequence[HoldingFile], paths: Collection[str] | None) -> Sequence[HoldingFile]:
    """Return the files at these paths, or below. Raises UsageError for one that is not there."""
    if paths is None:
        return files
    asked = {path.strip("/"): path for path in paths}
    met: set[str] = set()
    chosen = []
    for held in files:
        parts = held.file.path.strip("/").split("/")
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts) + 1)}
        if found := above & asked.keys():
            met |= found
            chosen.append(held)
    if lacking := asked.keys() - met:
        raise UsageError(tr("This dataset has no {path}.", path=asked[min(lacking)]))
    return chosen


@contextmanager
def _new_folder(folder: Path) -> Iterator[None]:
    """Have a folder; if it is new, what stays empty of it goes again."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        if is_new:
            _remove_empty(folder)


def _unwritten(
    plans: Sequence[Plan], done: Sequence[SavedFile], folder: Path, error: OSError
) -> Iterator[SavedFile]:
    """Yield those of the planned files that are not done, since nothing more could be written."""
    told = {file.file for file in done}
    left = [plan.held.file.path for plan in plans if plan.held.file.path not in told]
    for path in left[:1]:
        why = why_unwritten(folder, error)
        yield SavedFile(path, reason=tr("{path} was not saved. {why}", path=path, why=why))
    for path in left[1:]:
        yield SavedFile(path, reason=tr("{path} was not saved, either.", path=path))


def _remove_empty(folder: Path) -> None:
    """Remove a folder of folders; one that has a file stays."""
    for path, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            Path(path).rmdir()
