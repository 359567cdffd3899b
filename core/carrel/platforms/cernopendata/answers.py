# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the portal answers about a record and about the lists of files that it has."""

import re

from carrel.model import Fixity
from carrel.platforms.entries import prefixed_digests
from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Count, Objects, OddCount, OddText, Part, Rows, Text
from carrel.validation import Field

_INDEX_NAME = re.compile(r".*_file_index\.(?:json|txt)")


class File(Shape):
    """A file of a record, or of a file index, where the key is no name ("…_file_index.json_7")."""

    key: Text = None
    filename: Text = None
    size: Count = None
    odd_size: OddCount = Field(default=None, validation_alias="size")
    checksum: Text = None
    odd_checksum: OddText = Field(default=None, validation_alias="checksum")
    uri: Text = None
    availability: Text = None
    type: Text = None

    @property
    def place(self) -> str | None:
        """What tells the file from all others."""
        return self.uri or self.key

    @property
    def declared(self) -> Fixity:
        return Fixity(self.size, prefixed_digests(self.checksum))

    @property
    def unread_checksum(self) -> str | None:
        """What is told in the place of a checksum and is none that can be compared."""
        is_read = not self.checksum or self.declared.digests
        return self.odd_checksum if is_read else self.checksum

    @property
    def is_adler32(self) -> bool:
        return (self.checksum or "").lower().startswith("adler32:")

    @property
    def last(self) -> str | None:
        return (self.uri or "").rpartition("/")[2] or None

    @property
    def is_index(self) -> bool:
        """Whether this is a list of files, which portals before 2024 left to the reader."""
        name = self.key or self.last or ""
        return (self.type or "").startswith("index") or _INDEX_NAME.fullmatch(name) is not None


class Index(Shape):
    key: Text = None
    number_files: Count = None
    files: Rows[File] = ()


class Relation(Shape):
    type: Text = None
    recid: Text = None


class Distribution(Shape):
    number_files: Count = None


class Named(Shape):
    name: Text = None


class License(Shape):
    attribution: Text = None


class Section(Shape):
    description: Text = None


class Metadata(Shape):
    title: Text = None
    doi: Text = None
    date_published: Text = None
    authors: Objects[Named] = ()
    collaboration: Part[Named] = None
    license: Part[License] = None
    abstract: Part[Section] = None
    distribution: Part[Distribution] = None
    relations: Objects[Relation] = ()
    files: Rows[File] = ()
    stored: Rows[File] = Field(default=(), validation_alias="_files")
    indices: Rows[Index] = Field(default=(), validation_alias="_file_indices")


class Record(Shape):
    id: Text = None
    metadata: Part[Metadata] = None
