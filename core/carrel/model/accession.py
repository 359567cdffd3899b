# SPDX-License-Identifier: AGPL-3.0-or-later
"""Since when what is held of a dataset is here, as a whole and file by file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Accession:
    """When what an attempt keeps came into the archive; moments are UTC, ISO 8601.

    `archived` is when the first of it came in this version, `added` when the last did, None if that
    was at once. `files` gives the time of each kept file by its path, `warcs` the names of the
    WARCs that hold their bytes; both are only there where they were requested.
    """

    archived: str
    added: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    warcs: Sequence[str] = ()
