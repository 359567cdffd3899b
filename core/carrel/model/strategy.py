# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which strategy was chosen, and what came of it."""

from dataclasses import dataclass

from carrel.model.capture import Capture
from carrel.model.ingest_strategy import IngestStrategy
from carrel.model.item import Finding
from carrel.model.manifest import ManifestFile
from carrel.model.status import Status


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """A strategy and the rule that chose it, in words."""

    strategy: IngestStrategy
    reason: str
    is_overruled: bool = False


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """What a strategy made of a dataset: a status, the manifest with outcomes, and its captures.

    `file_capture` is the one capture of a `-file` strategy, None otherwise. `bundle` is the capture
    of the platform's "download all" (of a `-bundled` strategy), `archiveorg_item_name` the item
    that was written to and `archiveorg_bundle_path` the bundle's path in it. `findings` are what
    the person should know besides.
    """

    ingest_strategy: IngestStrategy
    status: Status
    manifest: tuple[ManifestFile, ...]
    file_capture: Capture | None = None
    error_message: str | None = None
    bundle: Capture | None = None
    archiveorg_item_name: str | None = None
    archiveorg_bundle_path: str | None = None
    findings: tuple[Finding, ...] = ()
