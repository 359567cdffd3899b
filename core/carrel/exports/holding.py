# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is exported of an attempt: its result, and its files with the names that they can have."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from carrel.access.holding_files import HoldingFile, holding_files
from carrel.archive import Archive
from carrel.errors import HeldElsewhere, NoAccessCopy, UsageError
from carrel.exports.dataset import Dataset
from carrel.model.exports import NotExported, Outlook
from carrel.model.formats import Format
from carrel.model.imported import is_import
from carrel.model.safe_names import safe_name, safe_paths
from carrel.translation import tr

_MOST_OF_AN_IDENTIFIER = 80


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file that the archive has, and its path in an export, which any disk takes."""

    held: HoldingFile
    path: PurePosixPath

    @property
    def name(self) -> str:
        """Its path in the dataset."""
        return self.held.file.path

    @property
    def is_renamed(self) -> bool:
        return str(self.path) != self.name


@dataclass(frozen=True, slots=True)
class Holding:
    """An attempt that keeps files, with its result as JSON in `document`. Moments are UTC, ISO
    8601; `carrel_version` is that of the program that archived it. It `is_import` if nothing of it
    was captured, but imported from a folder, a bag or a crate. `formats` are those of the files
    by their places in the manifest, as far as they were identified; `notes` are lines that whoever
    receives it is to read first."""

    ingest_id: str
    dataset: Dataset
    started: str
    finished: str
    carrel_version: str
    landing_timestamp: str
    document: bytes
    files: Sequence[ExportedFile]
    lacking: Sequence[NotExported]
    formats: Mapping[int, Format] = field(default_factory=dict)
    notes: Sequence[str] = ()
    is_import: bool = False

    @property
    def name(self) -> str:
        """What its export is called: by identifier, version, and when it was archived."""
        dataset = self.dataset
        of_dataset = dataset.doi or dataset.platform_id or dataset.landing_page
        plain = re.sub(r"[^\w.-]+", "-", of_dataset.partition("://")[2] or of_dataset)
        parts = [plain.strip("-.")[:_MOST_OF_AN_IDENTIFIER] or "dataset"]
        if dataset.version:
            parts.append("v" + re.sub(r"[^\w.-]+", "-", dataset.version)[:20])
        parts.append(re.sub(r"\D", "", self.finished))
        return safe_name("_".join(parts))

    @property
    def size(self) -> int:
        return sum(each.held.file.size or 0 for each in self.files)

    @property
    def outlook(self) -> Outlook:
        count = len(self.files) + len(self.lacking)
        here, lacking = len(self.files), self.lacking
        return Outlook(self.ingest_id, self.dataset.name, here, count, self.size, lacking)


def holding_of(archive: Archive, ingest_id: str) -> Holding:
    """Return what there is to export of an attempt. Blocks.

    Raises UsageError for one that is not there, or has no file in this archive; ArchiveError.
    """
    held = holding_files(archive.ledger, ingest_id)
    result = archive.ledger.result(ingest_id) or {}
    reasons = [_why_not(each) for each in held]
    here = [each for each, reason in zip(held, reasons, strict=True) if reason is None]
    if not here:
        raise UsageError(tr("This archive has no file of ingest {ingest_id}.", ingest_id=ingest_id))
    paths = safe_paths(each.file.path for each in here)
    return Holding(
        ingest_id=ingest_id,
        dataset=Dataset.of_result(result),
        started=result.get("started") or "",
        finished=result.get("finished") or "",
        carrel_version=result.get("carrel_version") or "",
        landing_timestamp=(result.get("terminal") or {}).get("terminal_dt") or "",
        document=json.dumps(result, indent=1, sort_keys=True).encode() + b"\n",
        files=[ExportedFile(each, path) for each, path in zip(here, paths, strict=True)],
        lacking=[reason for reason in reasons if reason is not None],
        formats=archive.ledger.formats.of_files(ingest_id),
        is_import=is_import(result),
    )


def _why_not(held: HoldingFile) -> NotExported | None:
    """Return why a file cannot be exported from here, None if it can."""
    try:
        held.check()
    except HeldElsewhere as error:
        return NotExported(held.file.path, str(error), error.address)
    except NoAccessCopy as error:
        return NotExported(held.file.path, str(error))
    return None
