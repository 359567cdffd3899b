# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ingest result: one truth for the ledger, the window and the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carrel.model.capture import Capture
from carrel.model.item import A_FILE, PAGE_LINKS, AskedItem, Finding, PlatformItem
from carrel.model.manifest import ManifestFile, total_size, unknown_sizes
from carrel.model.proof import Proof, kept_and_proven
from carrel.model.request import COMPONENT, DATASET_FILE, IngestRequest
from carrel.model.status import Stage, Status
from carrel.model.strategy import StrategyChoice, StrategyResult
from carrel.model.user_information import bare_address, freed, shown
from carrel.translation import tr

# The finding of a preview that names which files cannot be archived, while others can.
FILES_LEFT_OUT = "files-left-out"
# What a manifest and a plan promise of an ingest: its outcome takes their places.
RESTRICTED_FILES, ARCHIVEORG_ITEM = "restricted-files", "archiveorg-item"
NEEDS_TOKEN = "token-needed"  # noqa: S105  # a code: it holds only as long as a file lacks
FORESEEN = frozenset({RESTRICTED_FILES, ARCHIVEORG_ITEM})
# As much of a message as sandcrawler keeps.
_MESSAGE_MAX_CHARS = 1600


@dataclass(frozen=True, slots=True)
class IngestFilesetResult:
    """How an ingest (or a preview of one) ended. `to_json` has the seed's field names.

    `stage` is where it ended; `manifest` is the item's, with outcomes once files were tried.
    `asked` is what was requested of a platform that did not describe it; there is no item then.
    `planned_item` is the archive.org item that it is to become: name, url, metadata and files.
    `outcome` is what the strategy made of it, None if none came to its turn. Moments are aware UTC
    in ISO 8601.
    """

    request: IngestRequest
    status: Status
    hops: tuple[str, ...] = ()
    error_message: str | None = None
    stage: Stage | None = None
    landing: Capture | None = None
    html_biblio: Mapping[str, Any] | None = None
    item: PlatformItem | None = None
    asked: AskedItem | None = None
    choice: StrategyChoice | None = None
    manifest: tuple[ManifestFile, ...] | None = None
    file_capture: Capture | None = None
    planned_item: Mapping[str, Any] | None = None
    outcome: StrategyResult | None = None
    findings: tuple[Finding, ...] = ()
    ingest_id: str | None = None
    started: str | None = None
    finished: str | None = None
    carrel_version: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "hops", tuple(map(bare_address, self.hops)))
        if self.error_message:
            object.__setattr__(self, "error_message", shown(self.error_message))
        for name in ("html_biblio", "planned_item"):
            object.__setattr__(self, name, freed(getattr(self, name)))

    @property
    def hit(self) -> bool:
        return self.status.is_success

    @property
    def files(self) -> tuple[ManifestFile, ...]:
        """The manifest with outcomes if there is one, else as described."""
        if self.manifest is not None:
            return self.manifest
        return self.item.manifest if self.item else ()

    @property
    def advice(self) -> str:
        """What the person can do or, of a success, what is proven; a preview keeps nothing yet."""
        if self.ingest_id is None and self.status is Status.SUCCESS:
            return self._readiness()
        is_chosen = any(each.code == PAGE_LINKS for each in self.findings)
        return advice_of(self.status, self.files, is_chosen=is_chosen)

    @property
    def left_out(self) -> str | None:
        """Which files a preview found closed beside others that are open, and why."""
        told = (each.message for each in self.findings if each.code == FILES_LEFT_OUT)
        return next(told, None)

    def _readiness(self) -> str:
        if self.left_out is None:
            return tr("Ready: it can be archived.")
        count = sum(file.status is None for file in self.files)
        return tr(
            "Partly ready: {count:,} of {total:,} files can be archived.",
            count=count,
            total=len(self.files),
        )

    def to_json(self, *, with_manifest: bool = True) -> dict[str, Any]:
        """Return the result object; fields that have no value are left out.

        Without its manifest it is there at once, however many files there are.
        """
        fields: dict[str, Any] = {
            "hit": self.hit,
            "status": self.status,
            "error_message": self.error_message and self.error_message[:_MESSAGE_MAX_CHARS],
            "stage": self.stage or self.status.meaning.stage,
            "advice": self.advice,
            "is_retryable": self.status.meaning.is_retryable,
            "request": self.request.to_json(),
            "hops": list(self.hops),
            "html_biblio": dict(self.html_biblio) if self.html_biblio else None,
            "ingest_id": self.ingest_id,
            "started": self.started,
            "finished": self.finished,
            "carrel_version": self.carrel_version,
            "findings": [finding.to_json() for finding in self.findings],
            **_landing_fields(self.landing),
            **_asked_fields(self.asked),
            **_item_fields(self.item, self.files, with_manifest=with_manifest),
            **_choice_fields(self.choice),
            "archiveorg_item_plan": dict(self.planned_item) if self.planned_item else None,
            **_outcome_fields(self.outcome),
        }
        if self.file_capture:
            fields["fileset_file"] = _file_fields(self.file_capture)
        return {key: value for key, value in fields.items() if value is not None}

    def to_file_result_json(self) -> dict[str, Any] | None:
        """Return the ingest file result of a single-file success, else None: a `dataset-file`, or a
        `component` where a file was archived by itself."""
        if self.status is not Status.SUCCESS_FILE or not self.file_capture:
            return None
        is_alone = self.item is not None and self.item.platform_name == A_FILE
        ingest_type = COMPONENT if is_alone else DATASET_FILE
        request = {**self.request.to_json(), "ingest_type": ingest_type}
        return {
            "hit": True,
            "status": Status.SUCCESS,
            "request": request,
            "hops": [*self.hops, self.file_capture.url],
            **_file_fields(self.file_capture),
        }


def advice_of(status: Status, files: Sequence[ManifestFile], *, is_chosen: bool) -> str:
    """Return what the person can do after an ingest or, of a success, what is proven."""
    proof = Proof.of(files)
    if not status.is_success or not proof.kept:
        return status.meaning.advice
    if status is Status.SUCCESS_EXISTING and proof.is_whole:
        return status.meaning.advice
    return kept_and_proven(status, proof, is_chosen=is_chosen)


def counts_of(files: Sequence[ManifestFile]) -> dict[str, Any]:
    """Return the fields that count files: all of them, and those that were kept."""
    return {
        "file_count": len(files),
        "total_size": total_size(files),
        "unknown_sizes": unknown_sizes(files) or None,
        "kept_count": sum(entry.is_kept for entry in files),
        "kept_size": total_size([entry for entry in files if entry.is_kept]),
        "proof": _proof_fields(files),
    }


def _landing_fields(landing: Capture | None) -> dict[str, Any]:
    if landing is None:
        return {}
    cdx_name = "revisit_cdx" if landing.is_revisit else "cdx"
    return {
        "terminal": landing.to_terminal_json(),
        "file_meta": landing.to_file_meta_json(),
        cdx_name: landing.to_cdx_json(),
    }


def _asked_fields(asked: AskedItem | None) -> dict[str, Any]:
    if asked is None:
        return {}
    return {
        "platform_name": asked.platform_name,
        "platform_domain": asked.platform_domain,
        "platform_id": asked.platform_id or None,
    }


def _item_fields(
    item: PlatformItem | None, files: Sequence[ManifestFile], *, with_manifest: bool
) -> dict[str, Any]:
    if item is None:
        return {}
    return {
        "platform_name": item.platform_name,
        "platform_domain": item.platform_domain,
        "platform_id": item.platform_id,
        "platform_version": item.platform_version,
        "platform_base_url": item.web_base_url,
        "platform_bundle_url": item.web_bundle_url,
        "asked_version": item.asked_version,
        "title": item.title,
        "creators": list(item.creators) or None,
        "license": item.license,
        "published": item.published,
        "publisher": item.publisher,
        "doi": item.doi,
        "archiveorg_item_name": item.archiveorg_item_name,
        **counts_of(files),
        "manifest": [entry.to_json() for entry in files] if with_manifest else None,
    }


def _proof_fields(files: Sequence[ManifestFile]) -> dict[str, Any] | None:
    proof = Proof.of(files)
    return proof.to_json() if proof.kept else None


def _choice_fields(choice: StrategyChoice | None) -> dict[str, Any]:
    if choice is None:
        return {}
    return {"ingest_strategy": choice.strategy, "strategy_reason": choice.reason}


def _outcome_fields(outcome: StrategyResult | None) -> dict[str, Any]:
    """Return `fileset_bundle` and the item, with the seed's names."""
    if outcome is None:
        return {}
    fields: dict[str, Any] = {}
    if outcome.archiveorg_item_name:
        fields["archiveorg_item_name"] = outcome.archiveorg_item_name
    if outcome.bundle:
        fields["fileset_bundle"] = _file_fields(outcome.bundle)
    if outcome.archiveorg_bundle_path:
        path = {"archiveorg_bundle_path": outcome.archiveorg_bundle_path}
        fields["fileset_bundle"] = {**fields.get("fileset_bundle", {}), **path}
    return fields


def _file_fields(capture: Capture) -> dict[str, Any]:
    cdx_name = "revisit_cdx" if capture.is_revisit else "cdx"
    return {
        "file_meta": capture.to_file_meta_json(),
        "terminal": capture.to_terminal_json(),
        cdx_name: capture.to_cdx_json(),
    }
