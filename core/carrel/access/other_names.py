# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs of the collection that have other names than they had: renamed, or with each other's.

A WARC begins with a warcinfo record that has its name (WARC 1.1, section 5.16), and each record
in it stands where it stood.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from carrel.archive import Archive
from carrel.mementos.warc.reader import records
from carrel.model import Capture
from carrel.model.endings import WARC_ENDINGS


def under_other_names(archive: Archive, lost: Capture) -> Iterator[str]:
    """Yield the names of the WARCs that may be the one in which a record is no longer found.

    Nothing for one that has its own name. The first time after the folder has changed it reads the
    head of every WARC there.
    """
    former = archive.ledger.packed.part_at(lost.filename, 0).name
    if _named_within(archive.warcs / lost.filename) == former:
        return
    misnamed = _misnamed(archive.warcs, _changed(archive.warcs))
    yield from (name for name, within in misnamed.items() if within == former)
    others = [name for name, within in misnamed.items() if within != former]
    known = archive.ledger.captures.warcs_among(others)
    yield from (name for name in others if name not in known)


@lru_cache(maxsize=1)
def _misnamed(folder: Path, changed: int) -> dict[str, str]:
    """Return the WARCs that say of themselves that they have another name, or none, with that.
    One whose name cannot be shown is left out.

    `changed` is when the folder was changed, in ns: of what was renamed since it is asked again.
    """
    try:
        found = sorted(path for path in folder.iterdir() if path.name.endswith(WARC_ENDINGS))
    except OSError:  # whoever verifies is told of it
        return {}
    names = ((each.name, _named_within(each)) for each in found if each.name.isprintable())
    return {name: within for name, within in names if within != name}


def _named_within(warc: Path) -> str:
    """Return the name that a WARC says it has, "" for none; for one that is not there as well."""
    first = next(records(warc), None)
    if first is None or first.kind != "warcinfo":
        return ""
    return first.head.named.get("warc-filename", "")


def _changed(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0
