# SPDX-License-Identifier: AGPL-3.0-or-later
"""A result object as the detail pane shows it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from carrel.engine.holdings import Holdings
from carrel.model import FailedRecord, Fate, Finding, ManifestFile, Status
from carrel.model.accession import Accession
from carrel.model.beside import beside_finding
from carrel.model.holdings import Attempt, History, HoldingRow
from carrel.model.imported import imported_findings
from carrel.model.item import PAGE_LINKS
from carrel.model.licenses import short_license
from carrel.model.proof import Proof, kept_and_proven
from carrel_desktop import quantities, words
from carrel_desktop.widgets.title_block import Title


def is_web_address(text: str) -> bool:
    return text.startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class LastAttempt:
    """A later attempt at what is held, which kept less or found everything here already.

    `kept_count` is of `file_count` files; `brought_count` of them were not here before it. One
    that was not made here has when it was `imported`.
    """

    status: Status
    started: str
    message: str = ""
    kept_count: int = 0
    file_count: int = 0
    brought_count: int = 0
    imported: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What is held of a dataset, ready to show. `warcs` are the files that hold it, as far as they
    are known; `tried` is when the attempt ended that keeps it, and `accession` since when it is
    here, None where nothing is. `last` is a later attempt, if there was one; `fixity` is how what
    it rests on was when it was last read, as the engine tells it. `failures` are the first records
    of that which were damaged or missing, and `fates` what became of the files behind all of them,
    by path; `copied` is of when the second copy is that may have it, "" if none may.
    `history` is what happened to the dataset here, `tags` and `note` what people added, `removed`
    when it was removed from the holdings, "" if it was not; `matches` are the files that were
    searched for."""

    asked: str
    ingest_id: str
    title: Title
    status: Status
    error_message: str | None
    findings: tuple[Finding, ...]
    files: tuple[ManifestFile, ...]
    landing_url: str
    warcs: Sequence[str]
    tried: str
    text: str
    last: LastAttempt | None = None
    advice: str = ""
    accession: Accession | None = None
    fixity: Mapping[str, Any] = field(default_factory=dict)
    failures: Sequence[FailedRecord] = ()
    fates: Mapping[str, Fate] = field(default_factory=dict)
    copied: str = ""
    dataset_id: int = 0
    history: History = field(default_factory=History)
    tags: Sequence[str] = ()
    note: str = ""
    removed: str = ""
    matches: Sequence[str] = ()

    @property
    def kept(self) -> int:
        """How many files are in the archive."""
        return sum(file.is_kept for file in self.files)

    @property
    def is_proven(self) -> bool:
        """Whether each file that was kept matched a published digest."""
        return Proof.of(self.files).is_whole

    @property
    def is_on_web(self) -> bool:
        """Whether it has an address: what was imported may have none."""
        return is_web_address(self.asked)

    @property
    def archived(self) -> str:
        """Since when it is held, as a moment to show."""
        return quantities.moment(self.accession.archived) if self.accession else self.tried

    @property
    def file_moments(self) -> Mapping[str, str]:
        """When each file came, by its path, as moments to show."""
        files = self.accession.files if self.accession else {}
        return {path: quantities.moment(moment) for path, moment in files.items()}

    @property
    def held_instead(self) -> Attempt | None:
        """The attempt that keeps what is held now, None if that is this one."""
        held = next((each for each in self.history.attempts if each.is_held), None)
        return None if held is None or held.ingest_id == self.ingest_id else held

    @property
    def replaced(self) -> int:
        """How many records the last verification found not to be intact, whose bytes were archived
        again since: what is held rests on others now."""
        verified = self.fixity.get("verified") or ""
        found = {each.record for each in self.history.damages if each.is_replaced_since(verified)}
        return len(found)

    @property
    def failed(self) -> int:
        """How many records are known to be damaged or missing."""
        return int(self.fixity.get("failed") or 0)


def read_record(holdings: Holdings, row: HoldingRow, earlier: str = "") -> Record | None:
    """Read all that is known of a holding but its fixity, or of what an `earlier` attempt archived
    of it; None if the ledger has no result of it.

    Blocks. Raises ArchiveError where something of it cannot be read.
    """
    ingest_id = earlier or row.ingest_id
    fields = holdings.result(ingest_id)
    if fields is None:
        return None
    record = record_of(fields)
    accession, history = holdings.accession(ingest_id), holdings.history(row.dataset_id)
    return replace(
        record,
        findings=(
            *imported_findings(
                holdings.imported(ingest_id),
                fields,
                record.findings,
                holdings.files_that_came_in(ingest_id),
            ),
            *beside_finding(holdings.beside(ingest_id)),
        ),
        dataset_id=row.dataset_id,
        last=None if earlier else _last_attempt(holdings, row, history),
        accession=accession,
        warcs=accession.warcs if accession else record.warcs,
        history=history,
        tags=row.tags,
        note=row.note,
        removed=row.removed or "",
    )


def _last_attempt(holdings: Holdings, row: HoldingRow, history: History) -> LastAttempt | None:
    if row.last_status is None or not history.attempts:
        return None
    last = history.attempts[-1]
    fields = holdings.result(last.ingest_id) or {}
    message = fields.get("error_message") or ""
    counts = last.kept_count, last.file_count, last.brought_count
    return LastAttempt(last.status, last.started, message, *counts, last.imported or "")


def held_status(status: Status) -> Status:
    """Return how what is held stands: of an attempt that found everything here, everything is."""
    return Status.SUCCESS if status is Status.SUCCESS_EXISTING else status


def _advice(status: Status, files: Sequence[ManifestFile], findings: Sequence[Finding]) -> str:
    """Return what a result says in general of such an outcome: in the language of now, whichever
    it was written in."""
    if status.is_success and (proof := Proof.of(files)).kept:
        is_chosen = any(each.code == PAGE_LINKS for each in findings)
        return kept_and_proven(status, proof, is_chosen=is_chosen)
    return status.meaning.advice


def record_of(fields: Mapping[str, Any]) -> Record:
    """Return the record of a result object."""
    request = fields["request"]
    hops = fields.get("hops") or [request["base_url"]]
    attempt = Status(fields["status"])
    status = held_status(attempt)
    findings = tuple(Finding.from_json(found) for found in fields.get("findings") or ())
    files = tuple(_held(ManifestFile.from_json(entry)) for entry in fields.get("manifest") or ())
    return Record(
        asked=request["base_url"],
        ingest_id=fields.get("ingest_id") or "",
        title=_title(fields),
        status=status,
        error_message=fields.get("error_message"),
        findings=findings,
        files=files,
        landing_url=hops[-1],
        warcs=_warcs(fields),
        tried=quantities.moment(fields.get("finished")),
        text=json.dumps(fields, ensure_ascii=False, indent=2),
        advice=_advice(status, files, findings),
    )


def _held(file: ManifestFile) -> ManifestFile:
    """Return a file as it is held: that an attempt found it here is how that attempt ended."""
    return replace(file, status=held_status(file.status)) if file.status else file


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


def _warcs(fields: Mapping[str, Any]) -> Sequence[str]:
    for holder in (fields.get("fileset_file") or {}, fields):
        cdx = holder.get("cdx") or holder.get("revisit_cdx")
        if cdx and cdx.get("warc_path"):
            return (str(cdx["warc_path"]),)
    return ()
