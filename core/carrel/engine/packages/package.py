# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a package has, what it says of it, and what is wrong with it before any file is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from carrel.model import Fate
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.packages.tree import Tree

DATA = "data/"
"""Where a bag, and an export of Carrel's, has the files of the dataset."""
RESULT = "metadata/result.json"
NOT_KEPT = "metadata/not-kept.txt"
NO_FILE = tr("It is not a regular file.")
"""What is said of a pipe, a device, or a socket."""


class PackageKind(StrEnum):
    """What a folder of files is."""

    BAG = "bag"
    CRATE = "RO-Crate"
    EXPORT = "export"
    FOLDER = "folder"

    @property
    def has_data(self) -> bool:
        """Whether the files of the dataset lie in a folder of their own, beside its papers."""
        return self in (PackageKind.BAG, PackageKind.EXPORT)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one file, or, where `path` is "", with the package; in a sentence."""

    path: str
    fate: Fate
    message: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """A file that a bag names with its address in place of having it (RFC 8493, 2.2.3)."""

    path: str
    url: str
    size: int | None = None


@dataclass(slots=True)
class Package:
    """Files by their paths in `tree`: those of the dataset are `payload`, the others its `papers`.

    `lists` are those that list checksums, or describe a crate. `declared` are the digests that the
    package lists, by path and algorithm, `sizes` the sizes in bytes where it tells them. `info` are
    the fields of bag-info.txt; `to_fetch` is what is not here but at an address. `is_strict` says
    that a file of the dataset which no list names is a fault.
    """

    tree: "Tree"
    kind: PackageKind
    payload: list[str] = field(default_factory=list)
    papers: list[str] = field(default_factory=list)
    lists: set[str] = field(default_factory=set)
    declared: dict[str, dict[str, str]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    to_fetch: Sequence[Pointer] = ()
    faults: list[Fault] = field(default_factory=list)
    info: Sequence[tuple[str, str]] = ()
    remarks: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many bytes its files have."""
        return sum(self.tree.sizes.values())

    @property
    def is_strict(self) -> bool:
        return self.kind is PackageKind.BAG

    @property
    def unlisted(self) -> Sequence[str]:
        """The files of which no digest is declared, and which are no lists."""
        return [
            path for path in self.tree.sizes if path not in self.declared and path not in self.lists
        ]

    def name_of(self, path: str) -> str:
        """Return the path of a file within the dataset."""
        return path.removeprefix(DATA) if self.kind.has_data else path

    def value(self, tag: str) -> str:
        """Return the first value of a field of bag-info.txt, "" if there is none."""
        return next((value for name, value in self.info if name.lower() == tag.lower()), "")

    def values(self, tag: str) -> Sequence[str]:
        return [value for name, value in self.info if name.lower() == tag.lower() and value]
