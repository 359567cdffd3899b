# SPDX-License-Identifier: AGPL-3.0-or-later
"""The shapes of Figshare's answers, and of Djehuty's."""

from collections.abc import Mapping
from typing import Any

from carrel.platforms.addresses import bare_doi
from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Count, Flag, Objects, OddCount, OddText, Part, Rows, Text
from carrel.validation import Field


class File(Shape):
    id: Text = None
    uuid: Text = None
    name: Text = None
    size: Count = None
    odd_size: OddCount = Field(default=None, validation_alias="size")
    is_link_only: Flag = None
    download_url: Text = None
    supplied_md5: Text = None
    odd_supplied_md5: OddText = Field(default=None, validation_alias="supplied_md5")
    computed_md5: Text = None
    odd_computed_md5: OddText = Field(default=None, validation_alias="computed_md5")
    mimetype: Text = None

    @property
    def key(self) -> str:
        return self.id or self.uuid or ""

    @property
    def place(self) -> tuple[str, str | None, str | None]:
        """What tells the file from all others: an id can be missing, or stand at several. Its
        address may be a new one in each answer, as signed ones are: it tells only where no id does.
        """
        return self.key, self.name, None if self.key else self.download_url

    @property
    def is_link(self) -> bool:
        """Whether this is a link to what stands elsewhere; so is a DOI in the place of a file."""
        return bool(self.is_link_only or bare_doi(self.download_url))


class FileList(Shape):
    """Wraps the bare list that `/files` answers."""

    files: Rows[File] = ()


class Author(Shape):
    full_name: Text = None


class License(Shape):
    name: Text = None
    url: Text = None


class Article(Shape):
    id: Text = None
    uuid: Text = None
    title: Text = None
    doi: Text = None
    version: Count = None
    description: Text = None
    published_date: Text = None
    size: Count = None
    files: Rows[File] = ()
    folder_structure: Part[Mapping[str, Any]] = None
    authors: Objects[Author] = ()
    license: Part[License] = None
    url_public_html: Text = None
    is_public: Flag = None
    is_embargoed: Flag = None
    embargo_type: Text = None
    embargo_date: Text = None
    embargo_title: Text = None
    embargo_reason: Text = None
    is_confidential: Flag = None
    confidential_reason: Text = None
    is_metadata_record: Flag = None
    metadata_reason: Text = None
    download_disabled: Flag = None


class Collection(Shape):
    title: Text = None
    doi: Text = None
    articles_count: Count = None
