# SPDX-License-Identifier: AGPL-3.0-or-later
"""Since when what is held of a dataset is here, as a whole and file by file."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Accession:
    """When what an attempt keeps came into the archive; moments are UTC, ISO 8601.

    `archived` is when the first of it came in this version, `added` when the last did, None if that
    was at once; `oldest` is since when the records are here that have the bytes now, which were
    archived again where the first ones were lost. `complete` is since when all files of it
    are here, be it in records that were lost since. `files` gives the time of each kept file by its
    path, `warcs` the names of the WARCs that hold their bytes, `repaired` the paths of those that
    were here before and had been found damaged; these are only there where they were requested.
    """

    archived: str
    added: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    warcs: Sequence[str] = ()
    repaired: Collection[str] = ()
    oldest: str | None = None
    complete: str | None = None

    @property
    def later(self) -> Collection[str]:
        """The paths of what came after the first of this version."""
        return [path for path, moment in self.files.items() if moment > self.archived]
