# SPDX-License-Identifier: AGPL-3.0-or-later
"""The six ways of keeping a dataset, and what comes of one."""

from dataclasses import dataclass
from enum import StrEnum

from carrel.model.capture import Capture
from carrel.model.item import Finding
from carrel.model.manifest import ManifestFile
from carrel.model.status import Status


class IngestStrategy(StrEnum):
    """The names of the seed. `-file` keeps one file, `-fileset` each file singly."""

    WEB_FILE = "web-file"
    WEB_FILESET = "web-fileset"
    WEB_FILESET_BUNDLED = "web-fileset-bundled"
    ARCHIVEORG_FILE = "archiveorg-file"
    ARCHIVEORG_FILESET = "archiveorg-fileset"
    ARCHIVEORG_FILESET_BUNDLED = "archiveorg-fileset-bundled"

    @property
    def is_single(self) -> bool:
        """Whether it is for datasets of one file."""
        return self in (IngestStrategy.WEB_FILE, IngestStrategy.ARCHIVEORG_FILE)

    @property
    def is_bundled(self) -> bool:
        """Whether it takes the platform's own archive of all files."""
        return self.endswith("-bundled")

    @property
    def makes_item(self) -> bool:
        """Whether the files are published in an item on archive.org."""
        return self.startswith("archiveorg-")

    @property
    def makes_captures(self) -> bool:
        """Whether each file becomes a capture of its own address, as the Wayback Machine takes."""
        return self in (IngestStrategy.WEB_FILE, IngestStrategy.WEB_FILESET)


class Destination(StrEnum):
    """Where the web strategies bring captures: our own WARCs, or the Wayback Machine."""

    ARCHIVE = "archive"
    WAYBACK = "wayback"


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """A strategy and the rule that chose it, in words."""

    strategy: IngestStrategy
    reason: str
    is_overruled: bool = False


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """What a strategy made of a dataset: a status, the manifest with outcomes, and its captures.

    `file_capture` is the one capture of a `-file` strategy, None otherwise. `bundle` is the capture
    of the platform's "download all" (of a `-bundled` strategy), `archiveorg_item_name` the item
    that was written to and `archiveorg_bundle_path` the bundle's path in it. `findings` are what
    the person should know besides.
    """

    ingest_strategy: IngestStrategy
    status: Status
    manifest: tuple[ManifestFile, ...]
    file_capture: Capture | None = None
    error_message: str | None = None
    bundle: Capture | None = None
    archiveorg_item_name: str | None = None
    archiveorg_bundle_path: str | None = None
    findings: tuple[Finding, ...] = ()
