# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether anything is where a copy is to be: its disk may not be connected."""

from pathlib import Path

from carrel.archive import Archive
from carrel.engine.replication.store import Store
from carrel.errors import ArchiveError, CopyGone
from carrel.model.copies import SecondCopy
from carrel.translation import tr


def require_copy(store: Store, copy: SecondCopy) -> None:
    """Raise ArchiveError, which says what is known of the copy, where there is nothing at all;
    OSError where that cannot be read."""
    if _is_nothing_at(store):
        raise ArchiveError(
            f"{_nothing_at(copy)} "
            + tr("Connect the disk or share with the copy, or choose the folder where it is.")
        )


def refuse_to_begin_anew(
    archive: Archive, store: Store, copy: SecondCopy, *, anew: bool = False
) -> None:
    """Raise CopyGone where a copy was reached before, complete or not, and is gone, unless it may
    be made `anew`: while its disk is not connected, another one would take its place.

    Raises ArchiveError where that may have what is damaged here: a new one would have the damaged
    files, and would be taken for the one that could repair them. Raises OSError where the place
    cannot be read.
    """
    if not (copy.as_of and _is_nothing_at(store)):
        return
    if not anew and not _has_losses(archive):
        raise CopyGone(
            f"{_nothing_at(copy)} "
            + tr("Nothing was written. Connect its disk or share, then copy again.")
        )
    if _has_losses(archive):
        raise ArchiveError(
            f"{_nothing_at(copy)} "
            + tr(
                "This archive has damaged or missing files, which that copy may have intact: "
                "nothing was written. Connect its disk or share, and repair the archive from it. "
                "If it is lost, make a new copy in another folder."
            )
        )


def _is_nothing_at(store: Store) -> bool:
    return next(store.objects(), None) is None


def _nothing_at(copy: SecondCopy) -> str:
    is_folder = "://" not in copy.destination
    if is_folder and not Path(copy.destination).exists():
        said = tr(
            "The folder {folder} is not there. Is its disk or share connected?",
            folder=copy.destination,
        )
    else:
        said = tr("There is nothing in {destination}.", destination=copy.destination)
    return f"{said} {_as_of(copy)}".rstrip()


def _as_of(copy: SecondCopy) -> str:
    """Return how far a copy came, "" for one that nobody knows to have been there."""
    if copy.complete:
        return tr("The copy there was last complete on {day}.", day=copy.complete[:10])
    if copy.reached:
        day = copy.reached[:10]
        return tr("The copy there was never complete, and last reached on {day}.", day=day)
    return ""


def _has_losses(archive: Archive) -> bool:
    """Say whether a WARC is missing, or bytes are known to be damaged that no other record has."""
    if any(row["is_lost"] for row in archive.ledger.fixity_history.open_damages()):
        return True
    there = {path.name for path in archive.path.glob("collections/*/archive/*")}
    return not there.issuperset(archive.ledger.captures.warc_names())
