# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the names of a template's fields alone say: where its handle is, and which files it has.

Templates of one archive mostly have the same fields in the same order, so this is remembered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from carrel.dark_archive.redif.vocabulary import is_known

_REMEMBERED = 4096
# Above this a template is one of its kind.
_MOST_NAMES = 100


@dataclass(frozen=True, slots=True)
class FileShape:
    """The fields of a `File-*` cluster, each as its number; None where there is none."""

    url: int
    format: int | None = None
    function: int | None = None
    restriction: int | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """Fields by their numbers, from 0, the `Template-Type` not counted.

    `blanks` are no fields, since a blank ends their names; the rest then says nothing. `unclaimed`
    are `File-*` fields that stand before any File-URL, and belong to nothing. `is_plain` says that
    the names are all known and in order, and that there is one Handle at most.
    """

    handles: Sequence[int]
    restrictions: Sequence[int]
    files: Sequence[FileShape]
    unclaimed: Sequence[int]
    unknown: Sequence[int]
    blanks: Sequence[int]
    has_archive_handle: bool
    is_plain: bool


def shape_of(names: tuple[str, ...]) -> Shape:
    """Return what the names of fields, as they are spelled, say about a template."""
    return _remembered(names) if len(names) <= _MOST_NAMES else _shape_of(names)


def _shape_of(names: tuple[str, ...]) -> Shape:
    lower = [name.lower() for name in names]
    files, unclaimed = _files(lower)
    handles = [number for number, name in enumerate(lower) if name == "handle"]
    unknown = [number for number, name in enumerate(lower) if not is_known(name)]
    return Shape(
        handles=handles,
        restrictions=[number for number, name in enumerate(lower) if name == "restriction"],
        files=files,
        unclaimed=unclaimed,
        unknown=unknown,
        blanks=[number for number, name in enumerate(names) if name[-1] in " \t"],
        has_archive_handle="archive-handle" in lower,
        is_plain=not unclaimed and not unknown and len(handles) <= 1,
    )


_remembered = lru_cache(_REMEMBERED)(_shape_of)


def _files(names: Sequence[str]) -> tuple[list[FileShape], list[int]]:
    """Return the clusters of files; of a field that is there twice the first counts."""
    clusters: list[dict[str, int]] = []
    unclaimed = []
    for number, name in enumerate(names):
        if name == "file-url":
            clusters.append({"url": number})
        elif name in ("file-format", "file-function", "file-restriction", "file-size"):
            if clusters:
                clusters[-1].setdefault(name.removeprefix("file-"), number)
            else:
                unclaimed.append(number)
    return [FileShape(**cluster) for cluster in clusters], unclaimed
