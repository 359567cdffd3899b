# SPDX-License-Identifier: AGPL-3.0-or-later
"""Parts of an archive that are links to other places: what is written to them lands there."""

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from carrel.errors import ArchiveError
from carrel.settings.request import Request
from carrel.translation import tr

FOLDERS = "folders"
"""The section under which such a part is asked about, by its path in the archive."""

_STAGING = "staging"
_PARTS = (
    "carrel.sqlite",
    "collections",
    "collections/main",
    "collections/main/archive",
    "collections/main/indexes",
    "journal",
    "dark_archive",
    "dark_archive/archive",
    "dark_archive/archive/journal",
)


def linked_parts(archive: Path) -> Iterator[Request]:
    """Yield a request for each part of an archive that is a link to a place outside of it."""
    root = os.path.realpath(archive)
    for part in _PARTS:
        path = archive / part
        if os.path.islink(path):
            target = os.path.realpath(path)
            if not _is_inside(target, root):
                yield Request(FOLDERS, part, asked=target, own="")


def refuse_linked(archive: Path, linked: Iterable[Request]) -> None:
    """Raise ArchiveError for parts that lie elsewhere, unless there are none.

    What Carrel only keeps for a while, and removes, is never followed anywhere.
    """
    for each in linked:
        raise ArchiveError(
            tr(
                "{archive} is a link to {asked}, outside the archive. Nothing was "
                "written there. To allow it, use “carrel settings accept --archive "
                "{quote}”; otherwise replace it with a folder.",
                archive=archive / each.key,
                asked=each.asked,
                quote=shlex.quote(str(archive)),
            )
        )
    staging = archive / _STAGING
    for path in (staging, *_all_below(staging)):
        if os.path.islink(path):
            raise ArchiveError(
                tr(
                    "{path} is a link to {realpath}. In “{staging}” Carrel writes over files and "
                    "removes them, so a link is not allowed there. Remove it, then try again.",
                    path=path,
                    realpath=os.path.realpath(path),
                    staging=_STAGING,
                )
            )


def _all_below(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        yield from (Path(place, name) for name in (*folders, *files))


def _is_inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
