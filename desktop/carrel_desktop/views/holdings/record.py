# SPDX-License-Identifier: AGPL-3.0-or-later
"""A result object as the detail pane shows it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from carrel.model import FailedRecord, Fate, Finding, ManifestFile, Status
from carrel.model.proof import Proof
from carrel_desktop import quantities, words
from carrel_desktop.licenses import short_license
from carrel_desktop.views.holdings.model import LastAttempt
from carrel_desktop.widgets.title_block import Title


@dataclass(frozen=True, slots=True)
class Record:
    """One result, ready to show. `warc` is the file that holds it, if the result names one;
    `last` is a later attempt that kept less, if there was one; `fixity` is how what it rests on was
    when it was last read, as the engine tells it. `failures` are the first records of that which
    were damaged or missing, and `fates` what became of the files behind all of them, by path."""

    asked: str
    ingest_id: str
    title: Title
    status: Status
    error_message: str | None
    findings: tuple[Finding, ...]
    files: tuple[ManifestFile, ...]
    landing_url: str
    warc: str | None
    finished: str
    text: str
    last: LastAttempt | None = None
    advice: str = ""
    fixity: Mapping[str, Any] = field(default_factory=dict)
    failures: Sequence[FailedRecord] = ()
    fates: Mapping[str, Fate] = field(default_factory=dict)

    @property
    def kept(self) -> int:
        """How many files are in the archive."""
        return sum(file.is_kept for file in self.files)

    @property
    def is_verified(self) -> bool:
        """Whether each file that was kept matched a published digest."""
        return Proof.of(self.files).is_whole

    @property
    def failed(self) -> int:
        """How many records are known to be damaged or missing."""
        return int(self.fixity.get("failed") or 0)


def record_of(fields: Mapping[str, Any]) -> Record:
    """Return the record of a result object."""
    request = fields["request"]
    hops = fields.get("hops") or [request["base_url"]]
    return Record(
        asked=request["base_url"],
        ingest_id=fields.get("ingest_id") or "",
        title=_title(fields),
        status=Status(fields["status"]),
        error_message=fields.get("error_message"),
        findings=tuple(Finding.from_json(found) for found in fields.get("findings") or ()),
        files=tuple(ManifestFile.from_json(entry) for entry in fields.get("manifest") or ()),
        landing_url=hops[-1],
        warc=_warc(fields),
        finished=quantities.moment(fields.get("finished")),
        text=json.dumps(fields, ensure_ascii=False, indent=2),
        advice=fields.get("advice") or "",
    )


def _title(fields: Mapping[str, Any]) -> Title:
    identifier = fields.get("doi") or fields.get("platform_id") or fields["request"]["base_url"]
    platform = words.platform(fields.get("platform_name"))
    domain = fields.get("platform_domain")
    facts = [
        f"{platform} ({domain})" if domain else platform,
        words.version(fields.get("platform_version")),
        short_license(fields.get("license") or ""),
        (fields.get("published") or "")[:10],
    ]
    return Title(fields.get("title") or identifier, fields.get("creators") or (), facts, identifier)


def _warc(fields: Mapping[str, Any]) -> str | None:
    for holder in (fields.get("fileset_file") or {}, fields):
        cdx = holder.get("cdx") or holder.get("revisit_cdx")
        if cdx and cdx.get("warc_path"):
            return str(cdx["warc_path"])
    return None
