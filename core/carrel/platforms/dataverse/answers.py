# SPDX-License-Identifier: AGPL-3.0-or-later
"""The shapes of a Dataverse's answers, from 4.0 to 6.x."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from carrel.platforms.platform import Shape
from carrel.platforms.shapes import (
    Count,
    Flag,
    Objects,
    OddCount,
    OddPart,
    OddText,
    Part,
    Rows,
    Text,
    as_text,
)
from carrel.validation import AliasChoices, BeforeValidator, Field


class Checksum(Shape):
    type: Text = None
    value: Text = None
    odd_value: OddText = Field(default=None, validation_alias="value")


class Until(Shape):
    """An embargo or a retention period."""

    dateAvailable: Text = None
    dateUnavailable: Text = None
    reason: Text = None


class DataFile(Shape):
    id: Text = None
    persistentId: Text = None
    filename: Text = None
    name: Text = None
    contentType: Text = None
    filesize: Count = None
    odd_filesize: OddCount = Field(default=None, validation_alias="filesize")
    originalFileFormat: Text = None
    originalFormatLabel: Text = None
    originalFileSize: Count = None
    odd_original_size: OddCount = Field(default=None, validation_alias="originalFileSize")
    originalFileName: Text = None
    unf: Text = Field(default=None, validation_alias=AliasChoices("UNF", "unf"))
    md5: Text = None
    odd_md5: OddText = Field(default=None, validation_alias="md5")
    checksum: Part[Checksum] = None
    odd_checksum: OddPart = Field(default=None, validation_alias="checksum")
    embargo: Part[Until] = None
    retention: Part[Until] = None

    @property
    def is_package(self) -> bool:
        """Whether this stands for a folder of files that came by rsync ("package file")."""
        return (self.contentType or "").lower() == "application/vnd.dataverse.file-package"

    @property
    def is_tabular(self) -> bool:
        """Whether the installation turned the upload into a table and kept the original."""
        return bool(
            self.originalFileFormat or self.originalFileName or self.originalFileSize is not None
        )


class File(Shape):
    """A file of a dataset; releases before 4.6 wrote "datafile".

    In CeON's Dataverse (RepOD and others in Poland) each file has terms of its own, the dataset
    none.
    """

    label: Text = None
    directoryLabel: Text = None
    description: Text = None
    restricted: Flag = None
    version: Count = None
    licenseName: Text = None
    termsOfUseType: Text = None
    data: DataFile = Field(validation_alias=AliasChoices("dataFile", "datafile"))

    @property
    def license(self) -> str | None:
        """The file's own licence, None where the dataset's holds or it has none."""
        is_reserved = self.termsOfUseType == "ALL_RIGHTS_RESERVED"
        return self.licenseName or ("All rights reserved" if is_reserved else None)


def _license(value: Any) -> Any:
    if isinstance(value, Mapping):
        return as_text(value.get("name")) or as_text(value.get("uri"))
    return as_text(value)


class Version(Shape):
    datasetPersistentId: Text = None
    versionNumber: Count = None
    versionMinorNumber: Count = None
    versionState: Text = None
    releaseTime: Text = None
    publicationDate: Text = None
    license: Annotated[str | None, BeforeValidator(_license)] = None
    termsOfUse: Text = None
    deaccessionNote: Text = None
    metadataBlocks: Part[Mapping[str, Any]] = None
    files: Rows[File] | None = None

    @property
    def label(self) -> str | None:
        """The version as people write it ("2.1"), "DRAFT" for one without a number."""
        if self.versionNumber is None:
            return self.versionState
        return f"{self.versionNumber}.{self.versionMinorNumber or 0}"


class Dataset(Version):
    """A dataset with its latest version, or a version by itself, or the JSON export.

    In CeON's Dataverse an embargo is the dataset's, not the files'.
    """

    protocol: Text = None
    authority: Text = None
    identifier: Text = None
    publisher: Text = None
    separator: Text = None
    embargoDate: Text = None
    embargoActive: Flag = None
    latestVersion: Version | None = None
    datasetVersion: Version | None = None

    @property
    def pid(self) -> str | None:
        if self.protocol and self.authority and self.identifier:
            separator = "/" if self.separator is None else self.separator
            return f"{self.protocol}:{self.authority}{separator}{self.identifier}"
        return None

    @property
    def described(self) -> Version | None:
        """The version that is described, None if the answer describes none."""
        itself = self if self.files is not None or self.versionState else None
        return self.latestVersion or self.datasetVersion or itself


class Envelope(Shape):
    """Every answer but the exports': the data, or a message that says why there is none."""

    message: Text = None
    data: Part[Dataset] = None


class FoundFile(Shape):
    file_id: Text = None
    file_persistent_id: Text = None
    dataset_persistent_id: Text = None


class FoundFiles(Shape):
    items: Objects[FoundFile] = ()


class SearchAnswer(Shape):
    data: FoundFiles


class FileOwner(Shape):
    """The answer of `/api/files/…` as far as it names the dataset."""

    datasetPersistentId: Text = None
    datasetVersion: Part[Version] = None


class FileAnswer(Shape):
    data: FileOwner


def citation(version: Version) -> Mapping[str, Any]:
    """Return the fields of the citation block, each under its type name."""
    block = (version.metadataBlocks or {}).get("citation")
    fields = block.get("fields") if isinstance(block, Mapping) else None
    return {
        str(field.get("typeName")): field.get("value")
        for field in (fields if isinstance(fields, list) else ())
        if isinstance(field, Mapping)
    }


def compound_values(value: Any, name: str) -> Iterator[str]:
    """Yield the texts of one sub-field in a repeatable compound field."""
    for one in value if isinstance(value, list) else [value]:
        inner = one.get(name) if isinstance(one, Mapping) else None
        text = as_text(inner.get("value")) if isinstance(inner, Mapping) else None
        if text and text.strip():
            yield text.strip()
