# SPDX-License-Identifier: AGPL-3.0-or-later
"""Holdings as a list shows them: one row a dataset, what they are found by, and counted by."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from carrel.model.item import MAY_HAVE_MORE
from carrel.model.licenses import UNKNOWN
from carrel.model.proof import Grade
from carrel.model.status import Status
from carrel.model.verification import FailedRecord, Fate

MOST_TAG_CHARS, MOST_NOTE_CHARS = 100, 10_000
_TAG_ENDS = re.compile(r"[;,|]")


def tags_in(text: str) -> tuple[str, ...]:
    """Return the tags that a text lists, separated by commas, semicolons or bars, each once."""
    tags = (" ".join(tag.split()) for tag in _TAG_ENDS.split(text))
    return tags_once(filter(None, tags))


def tags_once(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags, each in one spelling, in capital or in small letters: the first stays."""
    once: dict[str, str] = {}
    for tag in tags:
        once.setdefault(tag.casefold(), tag)
    return tuple(once.values())


class State(StrEnum):
    """How complete and sound a holding is, the worst that is known first.

    Earlier lost: what is held now is intact, but an earlier attempt at the dataset lost bytes.
    Twinned: of each record that is damaged or missing, another one has the bytes intact.
    Completeness unknown: what a person chose of a page, or a server lists, is here, and no platform
    says whether that is all.
    """

    MISSING = "missing"
    DAMAGED = "damaged"
    EARLIER_LOST = "earlier-lost"
    TWINNED = "twinned"
    INCOMPLETE = "incomplete"
    COMPLETENESS_UNKNOWN = "completeness-unknown"
    COMPLETE = "complete"


NOT_INTACT = frozenset({State.DAMAGED, State.MISSING, State.EARLIER_LOST, State.TWINNED})
"""The states of a holding with damaged or missing records."""


class Checked(StrEnum):
    """How long ago all of a holding was last read again and compared; what was found damaged or
    missing then, and was not archived anew, is apart. One that files came to since then was never
    read as it is now.
    """

    MONTH = "30 days"
    QUARTER = "90 days"
    YEAR = "365 days"
    LONGER = "longer"
    NEVER = "never"
    DAMAGED = "damaged"


class Proven(StrEnum):
    """What is proven of a holding, the best first: a grade is that of its weakest file.

    Incomplete: all that was archived has the published digests, and that is not all there is.
    Damaged: a proof that does not hold any more.
    """

    DIGEST = Grade.DIGEST.value
    SIZE = Grade.SIZE.value
    NOTHING = Grade.NOTHING.value
    INCOMPLETE = "incomplete"
    DAMAGED = "damaged"


CHECKED_WITHIN_DAYS = {Checked.MONTH: 30, Checked.QUARTER: 90, Checked.YEAR: 365}


class Facet(StrEnum):
    """What holdings are narrowed down by, each to one or more of its values."""

    STATE = "state"
    PROOF = "proof"
    CHECKED = "checked"
    PLATFORM = "platform"
    LICENSE = "license"
    YEAR = "year"
    MONTH = "month"
    FORMAT = "format"
    FORMAT_RISK = "format_risk"
    TAG = "tag"


class Order(StrEnum):
    """What holdings are sorted by."""

    TITLE = "title"
    CREATORS = "creators"
    PLATFORM = "platform"
    VERSION = "version"
    LICENSE = "license"
    FILES = "files"
    SIZE = "size"
    ARCHIVED = "archived"
    CHECKED = "checked"
    STATE = "state"
    PROOF = "proof"


@dataclass(frozen=True, slots=True)
class HoldingsQuery:
    """Which holdings, in which order.

    `text` is words, each of which a title, creator, identifier, file name, tag or note has as the
    beginning of a word, of any version that is held; or a digest or its first eight digits.
    `chosen` narrows by facets. With `is_removed` it asks for those that were removed from the
    holdings, which are not among them otherwise.
    """

    text: str = ""
    chosen: Mapping[Facet, frozenset[str]] = field(default_factory=dict)
    order: Order = Order.ARCHIVED
    is_descending: bool = True
    is_removed: bool = False


@dataclass(frozen=True, slots=True)
class Matches:
    """Where in a holding the words of a search are: in what the attempt `ingest_id` archived, of
    which `paths` are the files whose names have all of them."""

    ingest_id: str
    paths: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class HoldingRow:
    """What is held of one dataset, however it was requested.

    `dataset_id` names the dataset in this ledger, `ingest_id` the attempt that keeps what is held
    and `base_url` what that one was asked for. Sizes are in bytes, moments in UTC and ISO 8601.
    What is held is here since `archived`, the last of it since `added` if that came later.
    `last_status` and `last_started` are of a later attempt, None if there was none. All of it was
    last read again at `verified`, None if never since it is all here; `failed` records were found
    damaged or missing, `missing` of them gone; of `twinned` ones another record has the bytes
    intact, and `earlier` ones are lost that only other attempts rest on. `proof` is the weakest
    grade of any file. `attempts` counts all ingests. At `removed` someone removed it from the
    holdings, None if it is among them.
    """

    dataset_id: int
    ingest_id: str
    base_url: str
    title: str
    creators: str
    identifier: str
    platform_name: str
    platform_version: str
    license: str
    status: Status
    file_count: int
    kept_count: int
    total_size: int
    kept_size: int
    unknown_sizes: int
    proof: Grade
    archived: str
    added: str | None = None
    last_status: Status | None = None
    last_started: str | None = None
    verified: str | None = None
    failed: int = 0
    missing: int = 0
    twinned: int = 0
    earlier: int = 0
    attempts: int = 1
    note: str = ""
    tags: Sequence[str] = ()
    removed: str | None = None

    @property
    def state(self) -> State:
        """The worst that is known of it."""
        if self.is_damaged_now:
            return State.MISSING if self.missing else State.DAMAGED
        if self.failed:
            return State.EARLIER_LOST if self.earlier else State.TWINNED
        if not self.is_complete:
            return State.INCOMPLETE
        may_have_more = self.platform_name in MAY_HAVE_MORE
        return State.COMPLETENESS_UNKNOWN if may_have_more else State.COMPLETE

    @property
    def is_unknown(self) -> bool:
        """Whether what tells of its files is lost: it has some, how many is not known."""
        return not self.file_count and self.license == UNKNOWN

    @property
    def is_lossy(self) -> bool:
        """Whether it has damaged or missing records whose bytes no other one has."""
        return self.failed > self.twinned

    @property
    def is_damaged_now(self) -> bool:
        """Whether what is held now is among what no other record has."""
        return self.failed > self.twinned + self.earlier

    @property
    def is_complete(self) -> bool:
        """Whether it lacks no file that the platform lists, damaged or not."""
        return self.kept_count >= self.file_count and self.status.is_success

    @property
    def unknown_kept_sizes(self) -> int:
        """How many of its files are held whose size is not known, at least.

        `unknown_sizes` are of all files that the platform lists, which what was not kept is among.
        """
        return max(0, self.unknown_sizes - (self.file_count - self.kept_count))

    @property
    def proven(self) -> Proven:
        """What is proven of it now."""
        if self.is_damaged_now:
            return Proven.DAMAGED
        if self.proof is Grade.DIGEST and not self.is_complete:
            return Proven.INCOMPLETE
        return Proven(self.proof)

    @property
    def fate(self) -> Fate:
        """What became of its records, as far as they were read again."""
        if not self.failed:
            return Fate.INTACT
        return Fate.MISSING if self.missing else Fate.DAMAGED


@dataclass(frozen=True, slots=True)
class Attempt:
    """One ingest of a dataset. `is_held` says that what is held is what this one kept; `brought`
    that it brought anything new, `brought_count` how many files. It `came` into this archive when
    it was `imported` or, if it was made here, when it ended."""

    ingest_id: str
    base_url: str
    started: str
    finished: str
    status: Status
    version: str | None
    kept_count: int
    file_count: int
    kept_size: int
    brought: bool
    is_held: bool
    brought_count: int = 0
    imported: str | None = None

    @property
    def came(self) -> str:
        return self.imported or self.finished


@dataclass(frozen=True, slots=True)
class Check:
    """One fixity run over all that an attempt rests on; the whole archive's where `is_of_all`.
    `version` is that of the attempt, None where it is not told or the same as of what is held now.
    `is_of_held` says that all that is held now was read."""

    started: str
    records: int
    failed: int
    is_of_all: bool
    version: str | None = None
    is_of_held: bool = True


@dataclass(frozen=True, slots=True)
class Damage:
    """A record that a dataset rested on, and that was not intact when it was read at `found`.

    `filename` is the name of the WARC that it was in then and `offset` counts bytes in it; "" and
    None where that is not known, as an older Carrel noted it and it was mended since. One that
    accompanies captures has no `record_id`. `path` is a file of the dataset that had its bytes
    there, "" for a page, and `version` that of the last attempt that kept it so, "" where the
    platform names none. It was intact again at `mended`, by what `mended_by` says; or `again_in` is
    the WARC of another record that has the same bytes intact, captured at `again_at` (14 digits);
    or it `has_files_elsewhere`: other records have the bytes of all files in it. Of what is still
    damaged none of these is known. `found` and `mended` are UTC, ISO 8601.
    """

    found: str
    fate: Fate
    message: str
    url: str
    path: str
    filename: str
    offset: int | None
    mended: str | None = None
    mended_by: str | None = None
    again_in: str | None = None
    again_at: str | None = None
    version: str = ""
    record_id: str = ""
    has_files_elsewhere: bool = False

    @property
    def record(self) -> Hashable:
        """What tells the record from others, wherever it stands: as `FailedRecord.record`."""
        return self.record_id or (self.filename, self.offset)

    def is_replaced_since(self, moment: str) -> bool:
        """Say whether it was found from a moment on (UTC, ISO 8601), and another record has the
        same bytes intact that was captured after that."""
        found = "".join(filter(str.isdigit, self.found))[:14]
        return self.found >= moment and not self.mended and (self.again_at or "") >= found


def with_earlier_files(
    failures: Sequence[FailedRecord], damages: Sequence[Damage]
) -> list[FailedRecord]:
    """Return records that are not intact, those of earlier versions with the name of the file that
    the `damages` of the dataset have for them."""
    paths = {each.record: each.path for each in damages}
    return [
        replace(each, earlier_file=paths.get(each.record, ""))
        if each.is_earlier and not each.files
        else each
        for each in failures
    ]


@dataclass(frozen=True, slots=True)
class History:
    """What happened to a dataset here, oldest first."""

    attempts: Sequence[Attempt] = ()
    checks: Sequence[Check] = ()
    damages: Sequence[Damage] = ()
