# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a platform publishes of a dataset at one moment, as far as looks are compared by it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from carrel.model import Finding, IngestFilesetResult, ManifestFile, PlatformItem, Status

_WORDS = ("platform_name", "platform_domain", "platform_id", "version", "title", "license")


@dataclass(frozen=True, slots=True)
class Published:
    """`status` is the platform's word on the whole dataset: success, or why nothing can be had.

    `notes` are the platform's findings, by code. `shortfall` says what there is beyond `files`,
    None if they are all. Files that were captured have their outcome and what was observed.
    """

    platform_name: str
    platform_domain: str
    platform_id: str
    version: str | None = None
    title: str | None = None
    license: str | None = None
    status: Status = Status.SUCCESS
    files: tuple[ManifestFile, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    shortfall: str | None = None

    @property
    def is_closed(self) -> bool:
        """Whether no one may have any of it."""
        return self.status is Status.PLATFORM_RESTRICTED

    def tried_again(self, attempt: "Published") -> "Published":
        """Return it with how a later attempt at those files ended that were not archived."""
        ended = {each.path: each.status for each in attempt.files if not each.is_kept}
        files = (
            each if each.is_kept else replace(each, status=ended.get(each.path) or each.status)
            for each in self.files
        )
        return replace(self, files=tuple(files))

    def to_json(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in _WORDS},
            "status": self.status,
            "files": [entry.to_json() for entry in self.files],
            "notes": dict(self.notes),
            "shortfall": self.shortfall,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Published":
        return cls(
            **{name: fields[name] for name in _WORDS},
            status=Status(fields["status"]),
            files=tuple(map(ManifestFile.from_json, fields["files"])),
            notes=fields["notes"],
            shortfall=fields["shortfall"],
        )


def published_now(item: PlatformItem, result: IngestFilesetResult) -> Published:
    """Return what a preview found."""
    return Published(
        item.platform_name,
        item.platform_domain,
        item.platform_id,
        item.platform_version,
        item.title,
        item.license,
        item.platform_status,
        item.manifest,
        _notes(result.findings),
        item.shortfall,
    )


def published_then(fields: Mapping[str, Any]) -> Published:
    """Return what an ingest captured, from its result object, which names a platform."""
    is_closed = fields["status"] == Status.PLATFORM_RESTRICTED and not fields.get("kept_count")
    return Published(
        fields["platform_name"],
        fields["platform_domain"],
        # Results of earlier days may have a DOI as its address.
        fields["platform_id"].removeprefix("https://doi.org/"),
        fields.get("platform_version"),
        fields.get("title"),
        fields.get("license"),
        Status.PLATFORM_RESTRICTED if is_closed else Status.SUCCESS,
        tuple(map(ManifestFile.from_json, fields.get("manifest", ()))),
        _notes(Finding.from_json(each) for each in fields.get("findings", ())),
    )


def _notes(findings: Iterable[Finding]) -> dict[str, str]:
    return {finding.code: finding.message for finding in findings}
