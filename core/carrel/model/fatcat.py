# SPDX-License-Identifier: AGPL-3.0-or-later
"""Entities for fatcat, the catalogue of scholarly works of the Internet Archive, and why one is
none (https://guide.fatcat.wiki/)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha1
from typing import Any


class EntityKind(StrEnum):
    """What a dataset becomes: a fileset of two files or more, or a file. As the API calls them."""

    FILESET = "fileset"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Entity:
    """A fileset or file, in the fields of fatcat's API, and of which release it may be.

    `body` has the release only if the request named it. `ext_ids` are what it can be looked up by,
    in this order, by the names of the API (doi, pmid …). `stage` is that of the request ("" for
    none): a release of another stage is another one.
    """

    kind: EntityKind
    ingest_id: str
    base_url: str
    body: Mapping[str, Any]
    release_ident: str = ""
    ext_ids: Mapping[str, str] = field(default_factory=dict)
    stage: str = ""

    @property
    def sha1s(self) -> frozenset[str]:
        """The SHA-1 of every file in it; by their set two filesets are the same."""
        if self.kind is EntityKind.FILE:
            return frozenset([self.body["sha1"]])
        return frozenset(file["sha1"] for file in self.body["manifest"])

    def key(self, release: str) -> str:
        """Return what is the same for the same files at the same release: 40 hexadecimal digits."""
        return sha1(" ".join([self.kind, release, *sorted(self.sha1s)]).encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Return which entity it is, without the entity itself."""
        return {
            "ingest_id": self.ingest_id,
            "base_url": self.base_url,
            "outcome": "exported",
            "entity": self.kind,
        }


@dataclass(frozen=True, slots=True)
class NoEntity:
    """A result that fatcat gets nothing of: `code` for programs, and the reason in a sentence.

    `is_told_elsewhere` says that nothing is lost: the result of the dataset has the file.
    """

    code: str
    reason: str
    ingest_id: str = ""
    base_url: str = ""
    is_told_elsewhere: bool = False

    def to_json(self) -> dict[str, Any]:
        fields = {
            "ingest_id": self.ingest_id,
            "base_url": self.base_url,
            "outcome": "refused",
            "code": self.code,
            "message": self.reason,
        }
        return {name: value for name, value in fields.items() if value}
