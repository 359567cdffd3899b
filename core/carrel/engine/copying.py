# SPDX-License-Identifier: AGPL-3.0-or-later
"""Second copies by where they are: made, compared, and how that ended remembered."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.replication import Replicated, Store, replicate, store_at
from carrel.errors import ArchiveError, CarrelError
from carrel.model.counts import count_of
from carrel.model.iso_time import iso_now
from carrel.settings.copies import change_copy
from carrel.translation import tr


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


def bring_up_to_date(
    archive: Archive, destination: str, tell: Callable[[int, int], None]
) -> Replicated:
    """Bring a copy up to date, and remember how that ended. Blocks.

    What `tell` raises to stop it is no end of it. Raises as `opened_store` and `replicate`.
    """
    try:
        with opened_store(destination, archive.path) as store:
            done = replicate(archive, store, tell)
    except CarrelError as error:
        change_copy(archive.path, destination, tried=iso_now(), trouble=str(error))
        raise
    now, trouble = iso_now(), trouble_of(done)
    complete = {} if trouble else {"complete": now}
    change_copy(archive.path, destination, tried=now, trouble=trouble, **complete)
    return done


def trouble_of(done: Replicated) -> str:
    """Return why a copy is not complete, "" if it is."""
    if not done.not_copied:
        return ""
    first = done.not_copied[0]
    return tr(
        "{files} not copied, such as {name}: {why}",
        files=count_of(done.not_copied, "file"),
        name=first.name,
        why=first.why,
    )
