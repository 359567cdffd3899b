# SPDX-License-Identifier: AGPL-3.0-or-later
"""The facts of a certificate, from the ledger as it stands at one moment."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from carrel import __version__
from carrel.access.holding_files import no_result
from carrel.archive import Archive
from carrel.errors import UsageError
from carrel.exports.certificate.certificate import Certificate, as_line
from carrel.exports.certificate.facts import (
    Attempt,
    Cause,
    CertifiedFile,
    Checks,
    Facts,
    Issue,
    Keeping,
    Run,
    Tally,
)
from carrel.exports.certificate.servers import Captured, captured
from carrel.exports.dataset import Dataset
from carrel.ledger import Ledger
from carrel.ledger.fixity import IngestFixity
from carrel.ledger.inventory import Following, RecordPlace
from carrel.model import FailedRecord, Fate, Finding, Status
from carrel.model.beside import beside_finding
from carrel.model.holdings import Damage, with_earlier_files
from carrel.model.imported import imported_findings, is_import
from carrel.model.proof import Grade, Proof
from carrel.translation import tr

Tell = Callable[[int, int], None]
"""Told how many files were done, and of how many; then the same of the bytes of WARC files."""
_MOST_NAMES = 20
_MOST_LISTED = 200
_TELL_EVERY = 500


@contextmanager
def certificate_of(
    archive: Archive, ingest_id: str, issued: date, tell: Tell, *, reads_warcs: bool = True
) -> Iterator[Certificate]:
    """Give the certificate of what an attempt keeps, issued on a day.

    Who answered, and the digests of the WARC files, are read from these if it `reads_warcs`.

    The ledger is read once; the files are in a temporary file until the certificate is written.
    Raises UsageError for an attempt that is not there or keeps nothing, ArchiveError.
    """
    with TemporaryFile() as spool:
        with archive.ledger.standing_still() as ledger:
            facts = _read(archive, ledger, ingest_id, issued, spool, tell)
            if reads_warcs:
                names = facts.tally.warcs
                places = partial(ledger.captures.places_in, ingest_id=ingest_id)
                found = captured(archive.warcs, names, places, tell)
                facts = replace(facts, captured=found)
        yield Certificate(facts, spool)


def _read(
    archive: Archive, ledger: Ledger, ingest_id: str, issued: date, spool: BinaryIO, tell: Tell
) -> Facts:
    if ingest_id in ledger.lost_results.addresses():
        raise UsageError(no_result(ledger, ingest_id))
    head = ledger.inventory.head(ingest_id)
    if head is None:
        raise UsageError(
            tr("There is no finished ingest {ingest_id} in this archive.", ingest_id=ingest_id)
        )
    if "archived" not in head:
        raise UsageError(
            tr(
                "Ingest {ingest_id} archived nothing ({status}): there is nothing to certify.",
                ingest_id=ingest_id,
                status=head["status"],
            )
        )
    keeping = _keeping(ledger, head)
    files = _files(ledger, head, keeping.bundle)
    tally = _spooled(files, int(head.get("file_count") or 0), spool, tell)
    warcs = dict.fromkeys([*tally.warcs, *ledger.inventory.warcs_of(ingest_id)])
    settings = archive.settings
    attempts = ledger.inventory.attempts(ingest_id)
    return Facts(
        Issue(
            issued.isoformat(),
            __version__,
            archive.path.resolve().name,
            settings.warc.operator,
            settings.network.contact,
        ),
        Dataset.of_result(head),
        keeping,
        replace(tally, warcs=list(warcs)),
        _checks(ledger, head),
        [_attempt(row) for row in attempts[-_MOST_LISTED:]],
        len(attempts),
        Captured(),
    )


def _keeping(ledger: Ledger, head: Mapping[str, Any]) -> Keeping:
    came = ledger.captures.imported(head["ingest_id"])
    paths = ledger.inventory.files_that_came_in(head["ingest_id"])
    findings = tuple(map(Finding.from_json, head.get("findings") or ()))
    return Keeping(
        ingest_id=head["ingest_id"],
        status=Status(head["status"]),
        began=head["started"],
        ended=head["finished"],
        archived=head["archived"],
        added=head.get("added"),
        message=head.get("error_message"),
        strategy=head.get("ingest_strategy"),
        strategy_reason=head.get("strategy_reason"),
        carrel_version=head.get("carrel_version"),
        archiveorg_item=_item(head),
        bundle=_bundle(ledger, head),
        findings=(
            *imported_findings(came, head, findings, paths),
            *beside_finding(ledger.inventory.beside(head["ingest_id"])),
        ),
        imported=came.timestamp if came else None,
        imported_from=came.source if came else None,
        is_from_archive=came is not None and came.is_archive_of(head),
        is_published=not is_import(head),
        removed=ledger.curation.when_removed(head["ingest_id"]),
    )


def _item(head: Mapping[str, Any]) -> str | None:
    """Return the item that has the files: one is named for every dataset, whether or not."""
    is_there = str(head.get("ingest_strategy")).startswith("archiveorg")
    return head.get("archiveorg_item_name") if is_there else None


def _bundle(ledger: Ledger, head: Mapping[str, Any]) -> RecordPlace | None:
    """Return the record of the bundle that has the files, if there is one here."""
    bundle = head.get("fileset_bundle") or {}
    cdx = bundle.get("cdx") or bundle.get("revisit_cdx") or {}
    sha256 = (bundle.get("file_meta") or {}).get("sha256hex")
    place = None
    if cdx.get("warc_path"):
        named = ledger.packed.place_now(cdx["warc_path"], cdx["warc_offset"])
        place = ledger.inventory.record_at(*named)
    if not sha256 or (place and place.sha256 == sha256):
        return place
    # Its WARC was imported or merged under another name, or renamed since the result was written.
    for capture in reversed(ledger.captures.holding(sha256, bundle["file_meta"]["size_bytes"])):
        return ledger.inventory.record_at(capture.filename, capture.offset)
    return None


def _files(
    ledger: Ledger, head: Mapping[str, Any], bundle: RecordPlace | None
) -> Iterator[CertifiedFile]:
    formats = Following(ledger.formats.each_of_files(head["ingest_id"]))
    others = {it["position"]: it["ingest_id"] for it in ledger.inventory.beside(head["ingest_id"])}
    for each in ledger.inventory.files(head["ingest_id"]):
        member = each.file.extra.get("bundle_member")
        found = formats.at(each.position) if each.file.is_kept else None
        if each.place is None and member and each.file.is_kept:
            yield CertifiedFile(each.file, each.since, bundle, str(member), found)
        else:
            other = others.get(each.position)
            yield CertifiedFile(each.file, each.since, each.place, None, found, other)


def _spooled(files: Iterator[CertifiedFile], count: int, spool: BinaryIO, tell: Tell) -> Tally:
    """Write each file as a line of JSON, and return what they come to."""
    counts = _Counts()
    for number, file in enumerate(files):
        if number % _TELL_EVERY == 0:
            tell(number, count)
        spool.write(as_line(file.to_json()) + b"\n")
        counts.add(file)
    return counts.tally()


class _Counts:
    """Sums the files up while they pass."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()
        self._grades: Counter[Grade | None] = Counter()
        self._fates: Counter[Fate | None] = Counter()
        self._causes: Counter[Status] = Counter()
        self._first: defaultdict[Status, list[tuple[str, str]]] = defaultdict(list)
        self._messages: dict[Status, str] = {}
        self._several: set[Status] = set()
        self._unfit: list[str] = []
        self._warcs: dict[str, None] = {}
        self._risks: Counter[str] = Counter()

    def add(self, file: CertifiedFile) -> None:
        entry = file.file
        self._of["files"] += 1
        self._of["unknown_sizes"] += entry.declared.size is None
        self._of["published_bytes"] += entry.declared.size or 0
        if entry.is_kept:
            self._add_kept(file)
            return
        status, message = entry.status or Status.NOT_PROCESSED, entry.message or ""
        self._causes[status] += 1
        if self._messages.setdefault(status, message) != message:
            self._several.add(status)
        if len(first := self._first[status]) < _MOST_NAMES:
            first.append((entry.path, message))

    def tally(self) -> Tally:
        of, fates = self._of, self._fates
        return Tally(
            files=of["files"],
            kept=of["kept"],
            published_bytes=of["published_bytes"],
            unknown_sizes=of["unknown_sizes"],
            kept_bytes=of["kept_bytes"],
            proof=Proof(*(self._grades[each] for each in Grade)),
            differing=of["differing"],
            damaged=fates[Fate.DAMAGED],
            missing=fates[Fate.MISSING],
            elsewhere=of["elsewhere"],
            not_kept=[self._cause(*each) for each in self._causes.most_common()],
            first_unfit=self._unfit,
            warcs=list(self._warcs),
            identified=of["identified"],
            format_risks=dict(sorted(self._risks.items())),
        )

    def _cause(self, status: Status, count: int) -> Cause:
        names, messages = zip(*self._first[status], strict=True)
        if status in self._several:
            return Cause(status, count, names, None, messages)
        return Cause(status, count, names, self._messages[status] or None)

    def _add_kept(self, file: CertifiedFile) -> None:
        self._of["kept"] += 1
        self._of["kept_bytes"] += file.file.size or 0
        if file.format is not None and file.format.puid:
            self._of["identified"] += 1
            self._risks.update([file.format.risk] if file.format.risk else [])
        if file.differing:
            self._of["differing"] += 1
        else:
            self._grades[file.grade] += 1
        self._fates[file.fate] += 1
        if file.fate in (Fate.DAMAGED, Fate.MISSING) and len(self._unfit) < _MOST_NAMES:
            self._unfit.append(file.file.path)
        if file.place is None:
            self._of["elsewhere"] += 1
        else:
            self._warcs[file.place.filename] = None


def _checks(ledger: Ledger, head: Mapping[str, Any]) -> Checks:
    ingest_id = head["ingest_id"]
    fixity = ledger.fixity.with_repairs([ingest_id]).get(ingest_id, IngestFixity())
    failures = ledger.fixity.failures(ingest_id) if fixity.failed else []
    runs = [_run(row) for row in ledger.inventory.runs(head)]
    damages = ledger.fixity_history.damages_of(ingest_id)
    return Checks(
        fixity.verified,
        fixity.failed,
        fixity.missing,
        fixity.found,
        with_earlier_files(failures[:_MOST_LISTED], damages),
        runs[-_MOST_LISTED:],
        len(runs),
        damages[-_MOST_LISTED:],
        len(damages),
        fixity.is_added_to,
        _found_since(fixity, failures, runs, damages),
        fixity.repaired,
    )


def _found_since(
    fixity: IngestFixity,
    failures: Sequence[FailedRecord],
    runs: Sequence[Run],
    damages: Sequence[Damage],
) -> int:
    """Return how many of the failed records were found so after the last verification ended."""
    last = [each for each in runs if each.is_of_holding and each.started == fixity.verified]
    if not last:
        return 0
    ended = last[-1].finished or last[-1].started
    found = {each.record: each.found for each in damages}  # the newest each
    later = sum(found.get(each.record, "") > ended for each in failures)
    return fixity.failed if later == len(failures) else later


def _run(row: Mapping[str, Any]) -> Run:
    flags = {name: bool(row[name]) for name in ("is_of_archive", "is_of_holding", "was_whole")}
    return Run(**{**row, **flags})


def _attempt(row: Mapping[str, Any]) -> Attempt:
    return Attempt(**{**row, "status": Status(row["status"])})
