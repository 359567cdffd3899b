# SPDX-License-Identifier: AGPL-3.0-or-later
"""The six strategies a dataset, and where it may be brought."""

from enum import StrEnum


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
