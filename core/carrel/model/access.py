# SPDX-License-Identifier: AGPL-3.0-or-later
"""Copies of archived files for people to use: what OAIS calls dissemination. Each is proven."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carrel.model.manifest import Fixity


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why the archive cannot hand over a file of which there is an earlier copy.

    It `is_damaged`, or missing; else its WARC cannot be read, and nothing more is known of it.
    """

    why: str
    is_damaged: bool


@dataclass(frozen=True, slots=True)
class AccessCopy:
    """A copy of a file, which had every digest that is known of it when it was written.

    `file` is its path in the dataset, `path` where the copy is, under a name that any disk takes.
    `doubt` is why the archive could not hand it over any more when it was asked for again: the copy
    is one of this session then, proven at the moment `made`, and the archive's own bytes are not.
    """

    file: str
    path: Path
    fixity: Fixity
    made: str = ""
    doubt: Doubt | None = None

    @property
    def size(self) -> int:
        return self.fixity.size or 0

    @property
    def sha256(self) -> str:
        return self.fixity.digests["sha256"]


@dataclass(frozen=True, slots=True)
class SavedFile:
    """What became of one file that was to be saved: its copy, or the sentence why there is none.

    `address` is where another archive has it, "" if none is known to. `why` is what is wrong with
    one that is damaged or missing in this archive, without the commands that help.
    """

    file: str
    copy: AccessCopy | None = None
    reason: str = ""
    address: str = ""
    why: str = ""

    @property
    def is_damaged(self) -> bool:
        """Whether the archive should have it, and its records are damaged or missing."""
        return self.copy is None and bool(self.why)

    def to_json(self) -> dict[str, Any]:
        copy = self.copy
        fields = {
            "file": self.file,
            "path": str(copy.path) if copy else None,
            "reason": self.reason or None,
            "address": self.address or None,
        }
        proof = copy.fixity.to_json() if copy else {}
        return {name: value for name, value in {**fields, **proof}.items() if value is not None}


@dataclass(frozen=True, slots=True)
class SaveReport:
    """What became of each of a dataset's files that were saved, in no order to rely on."""

    folder: Path
    files: Sequence[SavedFile]

    @property
    def renamed(self) -> Sequence[SavedFile]:
        """Those that could not have their own names on a disk."""
        return [each for each in self.files if each.copy and self.name_of(each.copy) != each.file]

    def name_of(self, copy: AccessCopy) -> str:
        """Return where in the folder a copy is, as the dataset names its files."""
        return copy.path.relative_to(self.folder).as_posix()

    @property
    def failed(self) -> Sequence[SavedFile]:
        return [each for each in self.files if each.copy is None]

    @property
    def size(self) -> int:
        """Return how many bytes were written."""
        return sum(each.copy.size for each in self.files if each.copy)
