# SPDX-License-Identifier: AGPL-3.0-or-later
"""The shapes of an InvenioRDM's answers: the native form, Zenodo's older one and B2SHARE's."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from carrel.platforms.platform import Shape
from carrel.platforms.shapes import (
    Count,
    Flag,
    Objects,
    OddCount,
    OddText,
    Part,
    Rows,
    Text,
    as_text,
)
from carrel.validation import AliasChoices, BeforeValidator, Field


class FileLinks(Shape):
    own: Text = Field(default=None, validation_alias="self")
    content: Text = None
    download: Text = None


class File(Shape):
    key: Text = Field(default=None, validation_alias=AliasChoices("key", "filename"))
    size: Count = Field(default=None, validation_alias=AliasChoices("size", "filesize"))
    odd_size: OddCount = Field(default=None, validation_alias=AliasChoices("size", "filesize"))
    checksum: Text = None
    odd_checksum: OddText = Field(default=None, validation_alias="checksum")
    mimetype: Text = None
    bucket: Text = None
    status: Text = None
    links: Part[FileLinks] = None

    @property
    def is_pending(self) -> bool:
        """Whether the repository itself still waits for the file's bytes, or waited in vain."""
        return self.status in ("pending", "failed")

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the file's bytes or its description are, the nearest to the bytes first."""
        links = self.links or FileLinks()
        return tuple(filter(None, (links.content, links.download, links.own)))


def _named_entries(value: Any) -> Any:
    """Return entries as a list, also those that stand under their names."""
    if isinstance(value, Mapping):
        return [_named(key, row) for key, row in value.items()]
    return () if value is None else value


def _named(name: str, row: Any) -> Any:
    if not isinstance(row, Mapping):
        return row
    return {**row, "key": as_text(row.get("key")) or name}


class ListingLinks(Shape):
    archive: Text = None
    next: Text = None
    odd_next: OddText = Field(default=None, validation_alias="next")


class Files(Shape):
    """A list of files: the record's own, or the answer of `/files`."""

    enabled: Flag = None
    count: Count = None
    total_bytes: Count = None
    entries: Annotated[tuple[File, ...], BeforeValidator(_named_entries)] = ()
    links: Part[ListingLinks] = None

    @property
    def is_listing(self) -> bool:
        """Whether this tells which files there are, be it that there are none."""
        is_empty = self.enabled is False or self.count == 0
        return is_empty or "entries" in self.model_fields_set


def _files(value: Any) -> Any:
    """Return Zenodo's older list, which is always whole, in the native form."""
    return {"entries": value, "count": len(value)} if isinstance(value, list) else value


class Person(Shape):
    name: Text = None


class Creator(Shape):
    name: Text = Field(default=None, validation_alias=AliasChoices("name", "creator_name"))
    person_or_org: Part[Person] = None

    @property
    def text(self) -> str | None:
        return (self.person_or_org.name if self.person_or_org else None) or self.name


class Relative(Shape):
    pid_value: Text = None


class Relation(Shape):
    index: Count = None
    is_last: Flag = None
    parent: Part[Relative] = None
    last_child: Part[Relative] = None


class Relations(Shape):
    version: Objects[Relation] = ()


def _license(value: Any) -> Any:
    """Return a licence's id, or what B2SHARE calls it."""
    if not isinstance(value, Mapping):
        return as_text(value)
    names = map(value.get, ("id", "license_identifier", "license", "license_uri"))
    return next((text for name in names if (text := as_text(name))), None)


def _first(value: Any, name: str) -> str | None:
    """Return a text, or that in the first of the objects that B2SHARE has in its place."""
    row = value[0] if isinstance(value, list) and value else value
    return as_text(row.get(name) if isinstance(row, Mapping) else row)


class Right(Shape):
    id: Text = None
    title: Any = None
    link: Text = None

    @property
    def text(self) -> str | None:
        title = self.title
        if isinstance(title, Mapping):
            title = title.get("en") or next(iter(title.values()), None)
        return self.id or as_text(title) or self.link


class External(Shape):
    """What B2SHARE registers as a file of a record by its persistent id alone."""

    key: Text = None
    pid: Text = Field(default=None, validation_alias="ePIC_PID")


class Metadata(Shape):
    title: Annotated[str | None, BeforeValidator(partial(_first, name="title"))] = Field(
        default=None, validation_alias=AliasChoices("title", "titles")
    )
    version: Text = None
    access_right: Text = None
    embargo_date: Text = None
    open_access: Flag = None
    publication_date: Text = None
    publisher: Text = None
    description: Annotated[str | None, BeforeValidator(partial(_first, name="description"))] = (
        Field(default=None, validation_alias=AliasChoices("description", "descriptions"))
    )
    doi: Text = Field(default=None, validation_alias=AliasChoices("doi", "DOI"))
    license: Annotated[str | None, BeforeValidator(_license)] = None
    rights: Objects[Right] = ()
    creators: Objects[Creator] = ()
    relations: Part[Relations] = None
    external_pids: Objects[External] = ()
    # Where other Invenios have their files, the CERN Open Data portal among them.
    other_files: Any = Field(
        default=None, validation_alias=AliasChoices("_files", "files", "_file_indices")
    )


class Embargo(Shape):
    active: Flag = None
    until: Text = None
    reason: Text = None


class Access(Shape):
    record: Text = None
    files: Text = None
    status: Text = None
    embargo: Part[Embargo] = None


class Pid(Shape):
    identifier: Text = None


class Pids(Shape):
    doi: Part[Pid] = None


class Parent(Shape):
    id: Text = None
    pids: Part[Pids] = None


class Versions(Shape):
    index: Count = None
    is_latest: Flag = None


class RecordLinks(Shape):
    html: Text = Field(default=None, validation_alias=AliasChoices("self_html", "html"))
    archive: Text = None
    latest_html: Text = None


class Record(Shape):
    id: Text = Field(default=None, validation_alias=AliasChoices("id", "recid"))
    conceptrecid: Text = None
    conceptdoi: Text = None
    doi_field: Text = Field(default=None, validation_alias="doi")
    revision: Count = Field(default=None, validation_alias=AliasChoices("revision_id", "revision"))
    metadata: Part[Metadata] = None
    access: Part[Access] = None
    parent: Part[Parent] = None
    pids: Part[Pids] = None
    versions: Part[Versions] = None
    links: Part[RecordLinks] = None
    files: Annotated[Files | None, BeforeValidator(_files)] = None
    media_files: Part[Files] = None

    @property
    def is_of_inveniordm(self) -> bool:
        """Whether the record has any of what InvenioRDM and the older Zenodo tell beyond the answer
        of every Invenio 3: WEKO3 and others give that too, but tell their files elsewhere."""
        return any((self.parent, self.pids, self.conceptrecid)) or self.files is not None

    @property
    def is_metadata_only(self) -> bool:
        """Whether the record says that it was published without any files."""
        files = self.files or Files()
        is_said = files.enabled is False or bool(
            self.access and self.access.status == "metadata-only"
        )
        return is_said and not (files.entries or files.count)

    @property
    def about(self) -> Metadata:
        return self.metadata or Metadata()

    @property
    def doi(self) -> str | None:
        own = self.pids.doi.identifier if self.pids and self.pids.doi else None
        return own or self.doi_field or self.about.doi or None

    @property
    def concept(self) -> str | None:
        """The id that stands for all versions, None if it is not told."""
        return (self.parent.id if self.parent else None) or self.conceptrecid

    @property
    def concept_doi(self) -> str | None:
        pids = self.parent.pids if self.parent else None
        return (pids.doi.identifier if pids and pids.doi else None) or self.conceptdoi

    @property
    def relation(self) -> Relation:
        relations = self.about.relations.version if self.about.relations else ()
        return relations[0] if relations else Relation()

    @property
    def version_index(self) -> int | None:
        """Which of the versions this is, counted from 1."""
        if self.versions and self.versions.index is not None:
            return self.versions.index
        return None if self.relation.index is None else self.relation.index + 1

    @property
    def is_latest(self) -> bool | None:
        native = self.versions.is_latest if self.versions else None
        return self.relation.is_last if native is None else native


class Hits(Shape):
    hits: Rows[Record] = ()


class SearchAnswer(Shape):
    hits: Hits
