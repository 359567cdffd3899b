# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a sample dataset consists of, and how it is meant to misbehave."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from urllib.parse import quote

from carrel.demo.content import TABLE_HEADER, Content, Kind
from carrel.model import Status


class Hosting(StrEnum):
    """The kind of installation that a dataset lives on; `PAGE` is a web page without an API."""

    DATAVERSE = "dataverse"
    INVENIORDM = "inveniordm"
    PAGE = "page"


class Gate(StrEnum):
    """What stands before a dataset."""

    OPEN = "open"
    CHALLENGE = "challenge"
    LOGIN = "login"
    RESTRICTED = "restricted"


class Delivery(StrEnum):
    """How a file is sent."""

    PLAIN = "plain"
    CHUNKED = "chunked"
    REDIRECTED = "redirected"
    SLOW = "slow"
    FAILS_TWICE = "fails-twice"
    BREAKS_OFF = "breaks-off"
    MISSING = "missing"


class AskedAs(StrEnum):
    """The address by which the demo asks for a dataset."""

    PAGE = "page"
    DOI = "doi"
    CONCEPT = "concept"


class HasOrigin(Protocol):
    """Something that answers at `origin` (scheme, host and port)."""

    @property
    def origin(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Licence:
    id: str
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class DemoFile:
    """One file. `path` has its folders; `size` is that of the bytes as they were deposited.

    `is_tabular`: Dataverse turned the deposited CSV into a tab-separated file and keeps both.
    `is_declared`: its size and digest are published.
    """

    path: str
    size: int
    kind: Kind = Kind.PROSE
    mimetype: str = "text/plain"
    delivery: Delivery = Delivery.PLAIN
    is_restricted: bool = False
    is_tabular: bool = False
    is_declared: bool = True
    is_digest_wrong: bool = False

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def tab_name(self) -> str:
        """The name of the tab-separated form."""
        return self.name.rpartition(".")[0] + ".tab"

    @property
    def tab_size(self) -> int:
        """The size that Dataverse publishes of the tab-separated form: without its header line."""
        return self.size - len(TABLE_HEADER)


@dataclass(frozen=True, slots=True)
class DemoDataset:
    """One dataset in one version, what it shows, and how archiving it should end.

    `number` is Dataverse's own; `key` is the dataset's name in addresses. `concept` is the key
    that several versions share, `version_index` counts these from 1. `algorithm` is hashlib's name
    of the published digests.
    """

    number: int
    key: str
    hosting: Hosting
    title: str
    creators: tuple[str, ...]
    licence: Licence
    published: str
    shows: str
    expected: Status
    files: tuple[DemoFile, ...]
    version: str = "1.0"
    algorithm: str = "md5"
    gate: Gate = Gate.OPEN
    asked_as: AskedAs = AskedAs.PAGE
    concept: str | None = None
    version_index: int = 1

    @property
    def doi(self) -> str:
        """A DOI under the prefix that is set aside for tests; no resolver but ours knows it."""
        return (
            f"10.5072/FK2/{self.key}"
            if self.hosting is Hosting.DATAVERSE
            else f"10.5072/{self.key}"
        )

    @property
    def concept_key(self) -> str:
        """The key of the record for all versions, which every InvenioRDM record has."""
        return self.concept or f"{self.key[:6]}all00"

    @property
    def total_size(self) -> int:
        return sum(file.size for file in self.files)

    def url(self, repository: HasOrigin) -> str:
        """Return the address to ask for the dataset by."""
        if self.asked_as is AskedAs.DOI:
            return f"{repository.origin}/doi/{self.doi}"
        if self.asked_as is AskedAs.CONCEPT:
            return f"{repository.origin}/records/{self.concept_key}"
        return self.page_url(repository)

    def page_url(self, repository: HasOrigin) -> str:
        """Return the address of the landing page of this very version."""
        paths = {
            Hosting.DATAVERSE: f"/dataset.xhtml?persistentId=doi:{self.doi}",
            Hosting.INVENIORDM: f"/records/{self.key}",
            Hosting.PAGE: f"/catalogue/{self.key}",
        }
        return repository.origin + paths[self.hosting]

    def api_url(self, repository: HasOrigin) -> str:
        """Return the address of the dataset's description for machines."""
        paths = {
            Hosting.DATAVERSE: f"/api/datasets/:persistentId/?persistentId=doi:{self.doi}",
            Hosting.INVENIORDM: f"/api/records/{self.key}",
            Hosting.PAGE: f"/catalogue/{self.key}.jsonld",
        }
        return repository.origin + paths[self.hosting]

    def file_id(self, file: DemoFile) -> int:
        """Return Dataverse's number of a file."""
        return self.number * 1000 + self.files.index(file) + 1

    def file_url(self, repository: HasOrigin, file: DemoFile) -> str:
        """Return the stable address of a file's bytes as they were deposited."""
        original = "?format=original" if file.is_tabular else ""
        name = quote(file.path, safe="")
        paths = {
            Hosting.DATAVERSE: f"/api/access/datafile/{self.file_id(file)}{original}",
            Hosting.INVENIORDM: f"/api/records/{self.key}/files/{name}/content",
            Hosting.PAGE: f"/catalogue/{self.key}/files/{quote(file.path)}",
        }
        return repository.origin + paths[self.hosting]

    def content(self, file: DemoFile) -> Content:
        """Return the bytes of a file as they were deposited."""
        return Content(f"{self.key}/{file.path}", file.size, file.kind)

    def tab_content(self, file: DemoFile) -> Content:
        """Return the tab-separated form of a tabular file."""
        return Content(f"{self.key}/{file.path}", file.size, Kind.TAB)

    def published_digest(self, file: DemoFile, algorithm: str | None = None) -> str:
        """Return the digest as published: true, unless the file shall show a wrong one."""
        digest = self.content(file).digest(algorithm or self.algorithm)
        return digest[::-1] if file.is_digest_wrong else digest
