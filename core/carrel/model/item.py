# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a platform says about one dataset."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from carrel.model.manifest import ManifestFile
from carrel.model.status import Status
from carrel.model.user_information import freed, shown


class FindingLevel(StrEnum):
    """How much a finding matters to the person who decides."""

    NOTE = "note"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the person should know about a dataset: a stable `code` and a sentence."""

    code: str
    message: str
    level: FindingLevel = FindingLevel.NOTE

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", shown(self.message))

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "level": self.level, "message": self.message}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Finding":
        return cls(fields["code"], fields["message"], FindingLevel(fields["level"]))


A_FILE = "file"
"""The `platform_name` of a file that is archived by itself: no platform names its dataset."""

A_PACKAGE = "import"
"""The `platform_name` of a dataset that was imported from a folder, a bag or a crate."""

PAGE_LINKS = "page-links"
"""The `platform_name` of links of a page that a person chose, and the code of the finding that says
so: whether they are all files of a dataset no platform says."""

A_LISTING = "listing"
"""The `platform_name` of what a web server lists in a directory."""

LISTING_COMPLETENESS = "listing-completeness"
"""The code of the finding that says of it that the server may hide files."""

MAY_HAVE_MORE = frozenset({PAGE_LINKS, A_LISTING})
"""The `platform_name` of what is all that is known of a dataset: no platform says whether it has
other files."""

# What a platform says in words of its own, and addresses.
_TEXTS = (
    "platform_id",
    "title",
    "creators",
    "license",
    "publisher",
    "doi",
    "web_base_url",
    "web_bundle_url",
    "archiveorg_item_meta",
    "platform_message",
    "shortfall",
)


@dataclass(frozen=True, slots=True)
class PlatformItem:
    """One dataset, in one version, as its platform describes it.

    User names and passwords in its addresses are left out.

    `platform_name` is the software or service ("dataverse"), `platform_domain` the host that runs
    it (with a port if there is one), `platform_id` the dataset's identifier there, and
    `platform_version` the version that was described, None where the platform has none.
    `asked_version` is what the request named, if it named one.
    `platform_status` is `success`, else why nothing of it can be had, with `platform_message` for
    people: the dataset is known anyway, and is named in the result.
    `shortfall` says what the platform has beyond what it lists, None if the list is complete: what
    is listed can be kept, but that is no success.
    `publisher` is who published it by the platform's word, which is seldom what its host is called.
    `web_base_url` can have a path appended; `web_bundle_url` is the platform's "download all".
    """

    platform_name: str
    platform_domain: str
    platform_id: str
    manifest: tuple[ManifestFile, ...] = ()
    platform_version: str | None = None
    asked_version: str | None = None
    title: str | None = None
    creators: tuple[str, ...] = ()
    license: str | None = None
    published: str | None = None
    publisher: str | None = None
    doi: str | None = None
    web_base_url: str | None = None
    web_bundle_url: str | None = None
    archiveorg_item_name: str | None = None
    archiveorg_item_meta: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    platform_status: Status = Status.SUCCESS
    platform_message: str | None = None
    shortfall: str | None = None

    def __post_init__(self) -> None:
        for name in _TEXTS:
            object.__setattr__(self, name, freed(getattr(self, name)))

    @property
    def has_bundle(self) -> bool:
        """Whether the platform has an archive of all files that is none of the files itself."""
        url = self.web_bundle_url
        return bool(url) and all(entry.platform_url != url for entry in self.manifest)


@dataclass(frozen=True, slots=True)
class AskedItem:
    """A dataset that was requested of a platform; all that is known of one not described.

    The fields are those of `PlatformItem` with the same names; `platform_id` is the identifier that
    was requested, also where that is a file's, and "" for a page that groups datasets.
    """

    platform_name: str
    platform_domain: str
    platform_id: str
