# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a fixity run found."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from carrel.model.imported import is_imported_record
from carrel.model.memento_part import Part


class Fate(StrEnum):
    """What became of a record, or a file, since it was written; or why a path has none to look at.

    `unreadable` is what is there and cannot be read: whether it is intact is not known.
    `unexpected` is a file that no list of a bag or WACZ names, `refused` what is no file to be
    read: a link, or a name that leads elsewhere.
    """

    INTACT = "intact"
    DAMAGED = "damaged"
    MISSING = "missing"
    UNEXPECTED = "unexpected"
    REFUSED = "refused"
    NOT_FOUND = "not-found"
    UNREADABLE = "unreadable"
    NO_WARC = "no-warc"

    @property
    def is_of_path(self) -> bool:
        """Whether it happened to a whole path, and no record."""
        return self in (Fate.NOT_FOUND, Fate.UNREADABLE, Fate.NO_WARC)

    @property
    def is_of_record(self) -> bool:
        """Whether it happened to a record that was read."""
        return self in (Fate.INTACT, Fate.DAMAGED)


ONLY_READ = "only-read"
"""What JSON says of a file that could be read, and compared with nothing."""


class Evidence(StrEnum):
    """What a record was compared with, beside the checksum and the lengths of its own structure."""

    LEDGER = "ledger"
    BLOCK_DIGEST = "WARC-Block-Digest"
    PAYLOAD_DIGEST = "WARC-Payload-Digest"
    CHECKSUM_LIST = "checksum list"
    DATA_PACKAGE = "datapackage.json"
    INDEX = "index"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class RecordCheck:
    """One record read again. `message` says what differs, empty if nothing does.

    `offset` counts bytes in the WARC, `size` those of the payload that was read. `path` is where
    that WARC lies, `filename` its name. `url` and `record_id` are empty where no one knows them.
    `own_id` is that of the archive's own record which was read (for a revisit, the one that has its
    bytes), empty for a copy and for what the ledger does not know. `advice` says of such a record
    that is not intact where its bytes are else, or how they can be had again; `renamed_to` is the
    name of the WARC in the same folder that has them, if its WARC was renamed. One that
    `is_accompanying` stands in a WARC of the archive and is no capture: a request, metadata or
    warcinfo record. Where it `is_file`, no record was read but a file of a package or a WACZ:
    `filename` is its path there. One that `is_only_read` there was nothing to compare with. If it
    `has_records`, as a WARC in a WACZ, these are read as well, each by itself. One that is intact
    may be only a `part` of what its server had at that moment (`timestamp`, 14 digits).
    """

    url: str
    filename: str
    offset: int
    size: int
    fate: Fate
    message: str = ""
    path: str = ""
    record_id: str = ""
    compared_with: tuple[Evidence, ...] = ()
    own_id: str = ""
    advice: str = ""
    is_held_elsewhere: bool = False
    renamed_to: str = ""
    is_accompanying: bool = False
    is_file: bool = False
    is_only_read: bool = False
    has_records: bool = False
    timestamp: str = ""
    part: Part | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "filename": self.filename,
            "offset": self.offset,
            "size": self.size,
            "fate": ONLY_READ if self.is_only_read else self.fate,
            "message": self.message or None,
            "path": self.path or None,
            "record_id": self.record_id or None,
            "compared_with": list(self.compared_with),
            "advice": self.advice or None,
            "part": self.part,
        }


@dataclass(frozen=True, slots=True)
class FailedRecord:
    """A record that was damaged or missing when it was last read, and what rests on it.

    `files` are the paths, in an attempt's manifest, of the files that have their bytes there (also
    by a revisit); none for a page, or an answer of the platform. One that accompanies captures, as
    their requests do, has neither URL nor `record_id`. `filename` is the name of the WARC
    and `offset` counts bytes in it, as in RecordCheck; so do `fate` and `message` say what they do
    there. `has_twin` says that another record has the same bytes, and is not known to be damaged;
    `is_earlier` that only another attempt at the dataset than the one that is held rests on it, an
    earlier one as a rule, as which `earlier_file`; `version` is that which came with the record,
    None where the platform named none. `renamed_to` is as in RecordCheck, of a run that has just
    ended: the ledger does not know it.
    """

    url: str
    filename: str
    offset: int
    fate: Fate
    message: str
    record_id: str
    files: tuple[str, ...] = ()
    has_twin: bool = False
    is_earlier: bool = False
    version: str | None = None
    renamed_to: str = ""
    earlier_file: str = ""

    @property
    def record(self) -> Hashable:
        """What tells the record from others: of one that is no capture, its place."""
        return self.record_id or (self.filename, self.offset)

    @property
    def is_accompanying(self) -> bool:
        """Whether it is no capture: no bytes of a file are in it."""
        return not (self.url or self.record_id or self.files)

    @property
    def is_imported(self) -> bool:
        """Whether no server sent it, so that none can send it again."""
        return is_imported_record(self.url)

    def to_json(self) -> dict[str, Any]:
        return {
            "url": self.url or None,
            "filename": self.filename,
            "offset": self.offset,
            "fate": self.fate,
            "message": self.message or None,
            "record_id": self.record_id or None,
            "files": list(self.files),
            "has_twin": self.has_twin,
            "is_earlier": self.is_earlier,
            "version": self.version,
            "earlier_file": self.earlier_file or None,
        }


@dataclass(frozen=True, slots=True)
class Absence:
    """The WARCs of an archive that copies lack, of how many, and how many records of files and
    pages are in them."""

    warcs: tuple[str, ...]
    of_warcs: int
    records: int


@dataclass(frozen=True, slots=True)
class IndexFaults:
    """How an index differs from the ledger: captures that it is `lacking`, lines that are `wrong`,
    `repeated` or out of order; `examples` say in words what the first of them are."""

    lacking: int = 0
    wrong: int = 0
    repeated: int = 0
    unordered: int = 0
    examples: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any((self.lacking, self.wrong, self.repeated, self.unordered))


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The sum of a fixity run: how much was read, and what is not intact.

    `failures` are the first ones, `unlisted` is how many more there are. `failed_paths` of them are
    no records, but paths at which none could be read. `in_ledger` of the records were compared with
    the ledger; `without_digest` are those that are whole, with nothing else to compare them with.
    `absence` is what the copies that were read lack, None if nothing, or if none were. `not_noted`
    says why the ledger does not know of what was found, "" if it does, or has no part in it.
    If all of the archive was read, `index` is what its index says wrongly, None if nothing, and
    `journal` what is wrong with its journal. `files` were read beside the records: those of bags,
    folders and WACZ files, `failed_files` of which are not as they should be; `failed_index` is how
    much is wrong in the indexes of WACZ files. `remarks` say what could not be compared there, with
    `only_read` how many of the files that is, and which captures are intact, but only parts. Of one
    ingest, `records` are those of its files and pages, and `failed_beside` of what is not intact
    accompanies them, as their requests do.
    """

    records: int
    size_bytes: int
    failures: tuple[RecordCheck, ...] = ()
    unlisted: int = 0
    failed_paths: int = 0
    in_ledger: int = 0
    without_digest: int = 0
    absence: Absence | None = None
    not_noted: str = ""
    index: IndexFaults | None = None
    journal: tuple[str, ...] = ()
    files: int = 0
    failed_files: int = 0
    failed_index: int = 0
    remarks: tuple[str, ...] = ()
    only_read: int = 0
    failed_beside: int = 0

    @property
    def is_intact(self) -> bool:
        """Whether each record is as it was written."""
        return not self.failures

    @property
    def is_sound(self) -> bool:
        """Whether nothing else of the archive is damaged either."""
        return self.is_intact and self.index is None and not self.journal

    @property
    def unreadable(self) -> tuple[RecordCheck, ...]:
        """The files that cannot be read, as far as they are listed."""
        return tuple(each for each in self.failures if each.fate is Fate.UNREADABLE)

    @property
    def lacks_records(self) -> bool:
        """Whether records are missing, as far as they are listed."""
        return any(each.fate is Fate.MISSING and not each.is_file for each in self.failures)

    @property
    def failed_records(self) -> int:
        failed_beside_records = self.failed_paths + self.failed_files + self.failed_index
        return len(self.failures) + self.unlisted - failed_beside_records
