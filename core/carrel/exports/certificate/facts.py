# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a certificate states: all of it from the ledger, as it was at one moment."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from carrel.exports.certificate.servers import Captured
from carrel.exports.dataset import Dataset
from carrel.ledger.inventory import RecordPlace
from carrel.ledger.repaired import Repaired
from carrel.model import FailedRecord, Fate, Finding, ManifestFile, Status
from carrel.model.formats import Format
from carrel.model.holdings import Damage
from carrel.model.proof import Grade, Proof, grade

# What an entry of a manifest says of the published file or else of what arrived.
_OF_BOTH_SIDES = ("size", "md5", "sha1", "sha256")


@dataclass(frozen=True, slots=True)
class Issue:
    """Who states it: the program's version, the operator and contact of the settings ("" if none),
    and on which day (UTC, ISO 8601). The archive goes by the name of its folder."""

    issued: str
    carrel_version: str
    archive: str
    operator: str = ""
    contact: str = ""


@dataclass(frozen=True, slots=True)
class Keeping:
    """The attempt that keeps it. Moments are UTC, ISO 8601; `archived` is since when what is held
    is here, `added` when the last of it came if that was later. It was `imported` (14 digits,
    UTC) in the file or folder `imported_from`; if that `is_from_archive`, these moments and
    `carrel_version` are of the archive that it came from. At `removed` the dataset was removed from
    the holdings of this one. `is_published` says that a platform published it, as far as is known:
    it was not made a holding of a folder, a bag or a crate.

    `bundle` is the record of the ZIP or tar file that has all files, if they came in one.
    """

    ingest_id: str
    status: Status
    began: str
    ended: str
    archived: str
    added: str | None = None
    message: str | None = None
    strategy: str | None = None
    strategy_reason: str | None = None
    carrel_version: str | None = None
    archiveorg_item: str | None = None
    bundle: RecordPlace | None = None
    findings: Sequence[Finding] = ()
    imported: str | None = None
    imported_from: str | None = None
    is_from_archive: bool = False
    is_published: bool = True
    removed: str | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """Files that are not kept and have the same status: how many, and the names of the first ones.

    `message` is what was noted of each of them, None if it is not the same of all; `messages` are
    then those of the first ones, "" for none.
    """

    status: Status
    files: int
    first: Sequence[str]
    message: str | None = None
    messages: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """The files in numbers. `published_bytes` sums the sizes that are known; of `unknown_sizes`
    files none is. `damaged` and `missing` count kept files whose records were found so, the first
    of them are `first_unfit`; `elsewhere` those that no WARC of this archive holds. `differing`
    were kept although a published digest or size differs; `proof` counts the other kept ones. Of
    `identified` files the format is known, and `format_risks` counts what in it needs attention."""

    files: int
    kept: int
    published_bytes: int
    unknown_sizes: int
    kept_bytes: int
    proof: Proof
    differing: int
    damaged: int
    missing: int
    elsewhere: int
    not_kept: Sequence[Cause]
    first_unfit: Sequence[str]
    warcs: Sequence[str]
    identified: int = 0
    format_risks: Mapping[str, int] = field(default_factory=dict)

    @property
    def unfit(self) -> int:
        return self.damaged + self.missing


@dataclass(frozen=True, slots=True)
class Run:
    """A verification of all records that an attempt at the dataset rests on, or of the whole
    archive where it `is_of_archive`; these records it counts. `is_of_holding` says that all of the
    holding was among them, `was_whole` that all its files were, if some in records of then. It
    began at `started` and ended at `finished`, None if that was not noted (UTC, ISO 8601)."""

    started: str
    records: int
    failed: int
    is_of_archive: bool
    is_of_holding: bool
    finished: str | None = None
    ingest_id: str | None = None
    version: str | None = None
    was_whole: bool = False


@dataclass(frozen=True, slots=True)
class Checks:
    """How it was verified since it came. `failed` records, of them `missing` are gone, were found
    so when last read, the last one at `found`; `failures` are the first ones. `runs` are the newest
    ones of `run_count`, `damages` the newest of `damage_count` that were ever found. `is_added_to`
    says that files came since it was `verified`; `found_since` of the failed records were found so
    later than by that verification, as when a file is read for the certificate. What that one found
    and is intact again is `repaired`."""

    verified: str | None = None
    failed: int = 0
    missing: int = 0
    found: str | None = None
    failures: Sequence[FailedRecord] = ()
    runs: Sequence[Run] = ()
    run_count: int = 0
    damages: Sequence[Damage] = ()
    damage_count: int = 0
    is_added_to: bool = False
    found_since: int = 0
    repaired: Repaired | None = None

    @property
    def found_then(self) -> int:
        """How many records the last verification found that were not intact."""
        return self.failed - self.found_since + (self.repaired.records if self.repaired else 0)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at the dataset, and how it ended."""

    ingest_id: str
    base_url: str
    started: str
    finished: str
    status: Status
    platform_version: str | None = None
    kept_count: int | None = None
    file_count: int | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class CertifiedFile:
    """One file: declared, observed, since when (UTC, ISO 8601) and where it is.

    `member` is its name in the bundle that `place` holds, None where the record is its own;
    `format` is None for one that was not identified. One that is not kept may be `beside` it, by
    the ingest of this id, at the same version.
    """

    file: ManifestFile
    since: str | None = None
    place: RecordPlace | None = None
    member: str | None = None
    format: Format | None = None
    beside: str | None = None

    @property
    def grade(self) -> Grade | None:
        return grade(self.file)

    @property
    def fate(self) -> Fate | None:
        """How it was when it was last read, None for what was not, or is not kept."""
        return self.place.fate if self.place and self.file.is_kept else None

    @property
    def compared(self) -> Mapping[str, bool]:
        """Whether each published digest (and "size") that could be compared is that of what
        arrived."""
        declared, observed = self.file.declared, self.file.observed
        if observed is None or not self.file.is_kept:
            return {}
        known = {
            name: digest.lower() == observed.digests[name].lower()
            for name, digest in declared.digests.items()
            if name in observed.digests
        }
        if declared.size is not None and observed.size is not None:
            known["size"] = declared.size == observed.size
        return known

    @property
    def is_in_other_record(self) -> bool:
        """Whether its bytes are in the record of another capture than its own."""
        own = self.file.terminal_url, self.file.terminal_dt
        place = self.place if self.member is None and all(own) else None
        return place is not None and (place.url, place.timestamp) != own

    @property
    def matched(self) -> Sequence[str]:
        """The names of the published digests that are those of what arrived."""
        return [name for name, same in self.compared.items() if same and name != "size"]

    @property
    def differing(self) -> Sequence[str]:
        """What was published and differs from what arrived: names of digests, and "size"."""
        return [name for name, same in self.compared.items() if not same]

    def to_json(self) -> dict[str, Any]:
        """Return what is known of it; sizes and digests only where they are of one side."""
        entry = self.file.to_json()
        fields = {
            **{name: value for name, value in entry.items() if name not in _OF_BOTH_SIDES},
            "proof": self.grade,
            "matched": list(self.matched) or None,
            "differing": list(self.differing) or None,
            "since": self.since,
            "place": self.place and known(self._where(self.place)),
            "bundle_member": self.member,
            "format": self.format and self.format.to_json(),
            "beside": self.beside,
        }
        return known(fields)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "CertifiedFile":
        """Return the file that `to_json` wrote."""
        file = ManifestFile.from_json(fields)
        place = fields.get("place")
        since, member = fields.get("since"), fields.get("bundle_member")
        found = Format.from_json(fields["format"]) if "format" in fields else None
        where = _place(place, file) if place else None
        return cls(file, since, where, member, found, fields.get("beside"))

    def _where(self, place: RecordPlace) -> dict[str, Any]:
        """Return the place, with the stored payload only where that is not the file itself, and
        what was captured in it only where that is not the file's own capture."""
        where = asdict(place)
        if not self.is_in_other_record:
            del where["url"], where["timestamp"]
        if place.fixity == _of(self.file):
            del where["size"], where["sha256"]
        return where


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a certificate states but for the single files. What was `captured` stands in the
    WARC files, all else in the ledger."""

    issue: Issue
    dataset: Dataset
    keeping: Keeping
    tally: Tally
    checks: Checks
    attempts: Sequence[Attempt]
    attempt_count: int
    captured: Captured

    def to_json(self) -> dict[str, Any]:
        return {
            "carrel_certificate": 1,
            "issue": known(asdict(self.issue)),
            "dataset": {
                **known(asdict(self.dataset)),
                "landing_page": self.dataset.landing_page,
                "citation": self.dataset.citation,
            },
            "holding": known(asdict(self.keeping)),
            "summary": known(asdict(self.tally)),
            "verification": known(asdict(self.checks)),
            **({"capture": self._captured()} if self.captured.is_read else {}),
            "attempt_count": self.attempt_count,
            "attempts": [known(asdict(each)) for each in self.attempts],
        }

    def _captured(self) -> dict[str, Any]:
        fields = asdict(self.captured)
        del fields["is_read"]
        return _listed_known(fields)


def _listed_known(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return as `known`, also in what lists have."""
    return known(
        {
            name: [_listed_known(each) if isinstance(each, dict) else each for each in value]
            if isinstance(value, list)
            else value
            for name, value in fields.items()
        }
    )


def known(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value, in those inside as well."""
    return {
        name: known(value) if isinstance(value, dict) else value
        for name, value in fields.items()
        if value is not None and value != ""
    }


def _place(fields: Mapping[str, Any], file: ManifestFile) -> RecordPlace:
    size, sha256 = _of(file)
    captured = {"url": file.terminal_url, "timestamp": file.terminal_dt}
    whole = {"size": size, "sha256": sha256, **captured, **fields}
    return RecordPlace(**{**whole, "fate": Fate(fields["fate"]) if "fate" in fields else None})


def _of(file: ManifestFile) -> tuple[int | None, str | None]:
    """Return size and SHA-256 of what arrived."""
    observed = file.observed
    return (observed.size, observed.digests.get("sha256")) if observed else (None, None)
