# SPDX-License-Identifier: AGPL-3.0-or-later
"""Second copies by where they are: made, compared, and how that ended remembered."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carrel.archive import Archive
from carrel.engine.replication import (
    Compared,
    Repaired,
    Replicated,
    Store,
    compare,
    repair_dark_in_use,
    repair_in_use,
    replicate,
    store_at,
)
from carrel.engine.replication.comparison import Difference
from carrel.engine.replication.presence import refuse_to_begin_anew, require_copy
from carrel.engine.stoppable import stoppable
from carrel.errors import ArchiveError, CarrelError
from carrel.model.copies import SecondCopy
from carrel.model.counts import count_of
from carrel.model.iso_time import iso_now
from carrel.settings.copies import change_copy, copies_of, copy_at, forget_copy, is_known
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.dark import Dark


@contextmanager
def opened_store(destination: str, archive: Path) -> Iterator[Store]:
    """Give the store that a destination names. Raises UsageError for one that is none, and
    ArchiveError where a copy cannot be read or written, with the reason."""
    try:
        with closing(store_at(destination, archive)) as store:
            yield store
    except OSError as error:
        raise ArchiveError(
            tr(
                "The copy in {destination} cannot be read or written: {reason}.",
                destination=destination,
                reason=error.strerror or error,
            )
        ) from error


@contextmanager
def opened_copy(destination: str, archive: Path) -> Iterator[Store]:
    """As `opened_store`, of a copy that must be there. Raises ArchiveError also where nothing is,
    as while its disk is not connected."""
    with opened_store(destination, archive) as store:
        require_copy(store, copy_at(archive, destination))
        yield store


def bring_up_to_date(
    archive: Archive,
    destination: str,
    tell: Callable[[int, int], None],
    *,
    new_journal: bool = False,
    anew: bool = False,
) -> Replicated:
    """Bring a copy up to date, and remember how that ended; one that is gone is only made `anew` if
    that is said. Blocks.

    What `tell` raises to stop it is no end of it. A destination where none was known, and nothing
    came to be written, is not remembered. Raises as `opened_store` and `replicate`, and
    ArchiveError where the copy is gone that may have what is damaged here.
    """
    copy = copy_at(archive.path, destination)
    known = copy.damaged
    others = [it for it in copies_of(archive.path) if it.destination != copy.destination]
    try:
        with opened_store(destination, archive.path) as store:
            refuse_to_begin_anew(archive, store, copy, anew=anew)
            begun = _noting_begun(archive.path, copy, tell)
            done = replicate(
                archive, store, begun, new_journal=new_journal, damaged=known, others=others
            )
    except CarrelError as error:
        if is_known(archive.path, destination):
            change_copy(archive.path, destination, tried=iso_now(), trouble=str(error))
        raise
    now, trouble = iso_now(), trouble_of(done)
    complete = {} if trouble else {"complete": now}
    is_so_no_more = {*done.mended, *done.taken_off, *done.copied_as_is}
    wrong = dict.fromkeys([*known, *done.wrong_in_copy])
    damaged = tuple(name for name in wrong if name not in is_so_no_more)
    lacking = tuple(name for name in copy.lacking if name not in (*done.mended, *done.taken_off))
    change_copy(
        archive.path,
        destination,
        tried=now,
        reached=now,
        trouble=trouble,
        damaged=damaged,
        lacking=lacking,
        **complete,
    )
    return done


def _noting_begun(
    archive: Path, copy: SecondCopy, tell: Callable[[int, int], None]
) -> Callable[[int, int], None]:
    """Return a `tell` that has a copy be known from its first bytes on: one that is killed then is
    not complete, and is to be gone on with."""
    if is_known(archive, copy.destination):
        return tell
    is_noted = False

    def told(done: int, total: int) -> None:
        nonlocal is_noted
        if done and not is_noted:
            trouble = tr("Copying was not finished: copy again.")
            change_copy(archive, copy.destination, tried=iso_now(), trouble=trouble)
            is_noted = True
        tell(done, total)

    return told


def compare_with(archive: Archive, destination: str, tell: Callable[[int, int], None]) -> Compared:
    """Compare an archive with a copy, which is known then, and remember what is damaged there, or
    gone. What an attempt before said of it is so no more: it was reached. Blocks.

    That a copy which is known cannot be compared is remembered, too. Raises as `opened_copy` and
    `compare`.
    """
    try:
        with opened_copy(destination, archive.path) as store:
            done = compare(archive, store, tell)
    except CarrelError as error:
        if is_known(archive.path, destination):
            change_copy(archive.path, destination, tried=iso_now(), trouble=str(error))
        raise
    copy = copy_at(archive.path, destination)
    found: dict[str, Any] = {
        "damaged": done.wrong_in_copy,
        "lacking": _lacking(copy, done),
    }
    is_new = not copy.tried  # as after the archive was moved
    if copy.trouble or is_new or done.gone_from_copy or done.lost_in_both:
        now, trouble = iso_now(), _trouble_found(done)
        found |= {"tried": now, "reached": now, "trouble": trouble}
        found |= {} if trouble else {"complete": now}
    if replace(copy, **found) != copy:
        change_copy(archive.path, destination, **found)
    return done


def _lacking(copy: SecondCopy, done: Compared) -> tuple[str, ...]:
    """Return what a copy has nowhere to repair from: what is gone from it, and of what was known
    before all that was not found to be the same as here, and intact."""
    gone = [
        *done.named(Difference.MISSING_IN_COPY),
        *done.named(Difference.OTHER_IN_COPY),
    ]
    wrong = {each.name for each in done.differing}.union(done.damaged_in_both, done.without_loss)
    return tuple(dict.fromkeys([*(name for name in copy.lacking if name in wrong), *gone]))


def _trouble_found(done: Compared) -> str:
    """Return why a copy that was compared is not complete, and what helps, "" if it is."""
    words, lost = [], done.lost_in_both
    if mixed := done.to_repair_first:
        words.append(
            tr(
                "{files} intact neither in the archive nor in the copy, such as {name}. Repair the "
                "archive from the copy, which takes each record from where it is intact; then copy "
                "again.",
                files=count_of(mixed, "file"),
                name=mixed[0],
            )
        )
    elif done.needs_copying or (done.older and not lost):
        words.append(tr("It was compared, and is not as the archive: copy again."))
    if lost:
        words.append(
            tr(
                "{files} intact neither in the archive nor in the copy, such as {name}. Only "
                "another copy may have it: repair from that one, or archive again what is still "
                "published.",
                files=count_of(lost, "file"),
                name=lost[0],
            )
        )
    return " ".join(words)


def note_repaired(archive: Path, destination: str, done: Sequence[Repaired]) -> None:
    """Have what is known of the copies not say any more what was wrong before a repair, and know
    what the one in `destination` proved not to have intact."""
    lacking = tuple(each.name for each in done if each.is_not_there)
    if copy_at(archive, destination).lacking != lacking:
        change_copy(archive, destination, lacking=lacking)
    if not any(each.is_repaired or each.is_in_part for each in done):
        return
    for copy in copies_of(archive):
        if copy.trouble:
            words = tr("The archive was repaired, and not copied there since: copy it now.")
            change_copy(archive, copy.destination, trouble=words)


class Copies:
    """The second copies of an open archive, for the window."""

    def __init__(self, archive: Archive, dark: Callable[[], "Dark"]) -> None:
        self._archive, self._dark = archive, dark

    def known(self) -> Sequence[SecondCopy]:
        """Return the copies, the latest one that was tried first. Raises SettingsError."""
        return copies_of(self._archive.path)

    def plan(self, destination: str, every_days: int) -> SecondCopy:
        """Have a copy be made every so many days, 0 for never by itself. Raises UsageError for a
        place that is none, SettingsError."""
        store_at(destination, self._archive.path).close()
        return change_copy(self._archive.path, destination, every_days=every_days)

    def forget(self, destination: str) -> bool:
        """Know nothing more of a copy, which stays as it is; say whether anything was known.

        Raises SettingsError.
        """
        return forget_copy(self._archive.path, destination)

    async def replicate(
        self,
        destination: str,
        tell: Callable[[int, int], None],
        *,
        new_journal: bool = False,
        anew: bool = False,
    ) -> Replicated:
        """Bring a copy up to date. Raises as `bring_up_to_date`; OtherJournal unless it may have a
        `new_journal` beside its own, CopyGone unless one that is gone may be made `anew`."""

        def work(go_on: Callable[[int, int], None]) -> Replicated:
            return bring_up_to_date(
                self._archive, destination, go_on, new_journal=new_journal, anew=anew
            )

        return await stoppable(work, tell)

    async def compare(self, destination: str, tell: Callable[[int, int], None]) -> Compared:
        """Read all of a copy, and compare. Raises as `compare_with`."""
        return await stoppable(lambda go_on: compare_with(self._archive, destination, go_on), tell)

    async def repair(
        self, destination: str, tell: Callable[[int, int], None]
    ) -> Sequence[Repaired]:
        """Verify the archive, and repair from a copy what is damaged or missing.

        Nothing else is done to the dark archive while its part is repaired. Raises as
        `opened_copy` and `replication.repairing`.
        """

        def work(go_on: Callable[[int, int], None]) -> Sequence[Repaired]:
            with opened_copy(destination, self._archive.path) as store:
                return repair_in_use(self._archive, store, go_on, place=destination)

        def work_on_dark(go_on: Callable[[int, int], None]) -> Sequence[Repaired]:
            with opened_copy(destination, self._archive.path) as store:
                return repair_dark_in_use(self._archive, store, go_on)

        done = await stoppable(work, tell)
        note_repaired(self._archive.path, destination, done)
        async with self._dark().at_rest():
            return [*done, *await stoppable(work_on_dark, tell)]


def trouble_of(done: Replicated) -> str:
    """Return why a copy is not complete, "" if it is."""
    if not done.not_copied:
        return ""
    first = done.not_copied[0]
    if len(done.not_copied) == 1:
        return tr("{name} not copied or not intact: {why}", name=first.name, why=first.why)
    return tr(
        "{files} not copied or not intact, such as {name}: {why}",
        files=count_of(done.not_copied, "file"),
        name=first.name,
        why=first.why,
    )
