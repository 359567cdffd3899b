# SPDX-License-Identifier: AGPL-3.0-or-later
"""What archive.org answers about an item and its files."""

import re
from typing import Annotated, Any

from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Count, Flag, OddCount, OddText, Part, Rows, Text, as_text
from carrel.validation import BeforeValidator, Field

# Where and how archive.org keeps what an upload replaced or removed ("Clobbered files" in the
# library internetarchive).
_SUPERSEDED = re.compile(r"history/files/.+\.~\d+~")


def _texts(value: Any) -> tuple[str, ...]:
    """Return one text or many as many: archive.org repeats a field or not."""
    values = value if isinstance(value, list) else [value]
    return tuple(text for one in values if (text := as_text(one)))


Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


class File(Shape):
    name: Text = None
    source: Text = None
    format: Text = None
    size: Count = None
    odd_size: OddCount = Field(default=None, validation_alias="size")
    md5: Text = None
    odd_md5: OddText = Field(default=None, validation_alias="md5")
    sha1: Text = None
    odd_sha1: OddText = Field(default=None, validation_alias="sha1")
    crc32: Text = None
    private: Flag = None
    old_version: Flag = None

    @property
    def is_superseded(self) -> bool:
        """Whether this is an earlier state of a file that was replaced or removed."""
        return bool(self.old_version or _SUPERSEDED.fullmatch(self.name or ""))


class Metadata(Shape):
    title: Texts = ()
    creator: Texts = ()
    mediatype: Text = None
    date: Text = None
    publicdate: Text = None
    licenseurl: Text = None
    rights: Text = None
    description: Texts = ()
    doi: Text = None
    collection: Texts = ()
    restricted: Flag = Field(default=None, validation_alias="access-restricted-item")


class Item(Shape):
    error: Text = None
    files_count: Count = None
    is_dark: Flag = None
    is_collection: Flag = None
    nodownload: Flag = None
    servers_unavailable: Flag = None
    files: Rows[File] | None = None
    metadata: Part[Metadata] = None
