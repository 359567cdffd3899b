# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive's own words, after the Fort Lee paper: objects of interest, their events.

A *tobi* is a template, known by its handle; a *fobi* is what a `File-URL` gives, known by its
address. A *tist* is a Unix time stamp, in whole seconds: the number of a run, strictly growing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from carrel.model.remarks import Remark
from carrel.model.user_information import shown

# What RePEc's own data are read into; lists and watched datasets have scopes of their own.
REPEC = "RePEc"


# How requests end that were never sent: nothing is known of the host then.
NOT_SENT = frozenset(
    {"robots", "robots-unreachable", "not-public", "host-down", "left-alone", "not-fetchable"}
)


def is_of_watched(handle: str) -> bool:
    """Say whether a handle is the one that Carrel made for a watched dataset."""
    return handle.startswith("dataset:")


class ObiKind(StrEnum):
    TOBI = "tobi"
    FOBI = "fobi"


class IncidenceKind(StrEnum):
    APPEARANCE = "appearance"
    CHANGE = "change"
    DELETION = "deletion"
    REAPPEARANCE = "reappearance"


class RunSource(StrEnum):
    """Where a run read from. A backfill is a tarball read out of its turn: it concludes no loss."""

    DIRECTORY = "directory"
    TARBALL = "tarball"
    BACKFILL = "backfill"
    LIST = "list"
    WATCH = "watch"


class LossKind(StrEnum):
    """What is lost: RePEc's naming of it, the answer at its address, or our own copy."""

    REFERENCE = "reference"
    RESOURCE = "resource"
    COPY = "copy"


class Links(StrEnum):
    """How redirects are shown in the store's folders; what redirects where is journalled anyway."""

    NO = "no"
    TEXT = "text"
    SYMBOLIC = "symbolic"


class ContainerState(StrEnum):
    """How a file of templates was found: read to its end, there but no ReDIF, or not there."""

    READ = "read"
    UNREADABLE = "unreadable"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Reference:
    """A refipo: one `File-*` cluster of a template, as it stands there.

    `url` is the normal form of `raw_url`, None if that is nothing that could be fetched. Neither
    has a user name or password in it; the template, as it is kept, is as it was.
    """

    raw_url: str
    url: str | None
    format: str | None = None
    function: str | None = None
    restriction: str | None = None
    size: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "raw_url", shown(self.raw_url))


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes in the object store. `path` is that of their first holder, below the store's root.

    `identifier` is told where the name in the path does not say it all.
    """

    sha256: str
    md5: str
    size: int
    path: str
    media: str | None = None
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """What an object was at a tist. `text_md5` is the digest of its text, `source_tist` its date.

    `content` is None where the bytes are stored already, under the same `sha256`.
    """

    sha256: str
    text_md5: str
    source_tist: int | None = None
    content: Content | None = None


@dataclass(frozen=True, slots=True)
class Redirect:
    """A hop: `status` is that of the answer that led to `to_url`."""

    status: int
    to_url: str


# What follows are the entries of the journal. The ledger is what they say, one after another, and
# nothing else: applied again from the first they give the same tables. Each is journalled as a JSON
# object whose "entry" is the name of its class in lower case.


@dataclass(frozen=True, slots=True)
class StoreMade:
    """The object store was begun. `probed` says what its file system can do."""

    probed: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunBegan:
    """A run began under the number `tist`.

    `scope` is what it reads: "RePEc", or the name of a list; `source_ref` says from where.
    `moment` is the time (seconds) that its findings speak for: a tarball's own date, else the
    clock. `source_tist` is the date of the data. `wall_clock` is ISO 8601, UTC.
    """

    tist: int
    scope: str
    source: RunSource
    source_ref: str
    moment: int
    wall_clock: str
    source_tist: int | None = None


@dataclass(frozen=True, slots=True)
class BatchBegan:
    """The run `run` goes on under a further number, so that no folder swells."""

    tist: int
    run: int
    wall_clock: str


@dataclass(frozen=True, slots=True)
class ContainerSeen:
    """A file of templates is not as it was known. Follows its `TemplateSeen`.

    Occurrences of this container that this run `tist` did not see (unless it is unreadable) are no
    more. `content` is None where its bytes are stored already, or not stored.
    """

    tist: int
    scope: str
    path: str
    state: ContainerState
    sha256: str | None = None
    source_tist: int | None = None
    encoding: str | None = None
    templates: int = 0
    problem: str | None = None
    content: Content | None = None


@dataclass(frozen=True, slots=True)
class TemplateSeen:
    """A template stands at a place of a container.

    Of those with the same handle the first (by path and position) speaks; this one, if `speaks`.
    `incidence` is None where nothing happened to the object; `version` is None where its text is
    that of the last version. `references` are None where they are as they were. `cause` says how a
    reappearance was ("same text", "new text") or why it is here.
    """

    tist: int
    scope: str
    path: str
    position: int
    ident: str
    ident_n: str
    text_md5: str
    speaks: bool
    archive: str | None = None
    series: str | None = None
    type: str | None = None
    restriction: str | None = None
    incidence: IncidenceKind | None = None
    version: Version | None = None
    references: Sequence[Reference] | None = None
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """Someone asked for a full text. `outcome` is "ok", or says what came instead.

    `is_evidence` says whether the outcome speaks for a loss; then the object is suspect, if it is
    held. `version` is None where the bytes are as they were, or none came. `evidence` is what came
    in place of the bytes, where that was stored. `exchange` holds the head of request and answer,
    and the `flags` of what was delivered, if there are any.
    """

    tist: int
    ident_n: str
    outcome: str
    is_evidence: bool = False
    detail: str | None = None
    redirects: Sequence[Redirect] = ()
    incidence: IncidenceKind | None = None
    version: Version | None = None
    evidence: Content | None = None
    exchange: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """An object is gone: first missed in the run `since`, confirmed in `tist`."""

    tist: int
    kind: ObiKind
    ident_n: str
    since: int
    cause: str


@dataclass(frozen=True, slots=True)
class ArchiveMissed:
    """Nothing of a whole archive could be read; its objects are pending, not lost."""

    tist: int
    scope: str
    archive: str
    pending: int


@dataclass(frozen=True, slots=True)
class ScopeRead:
    """A run `tist` walked its scope to its end and concluded what is lost; full texts are requested
    next. `counts` are those until then: they stay where the run is interrupted."""

    tist: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A run `tist` was closed. `scope_ok` says whether its scope was walked to its end.

    `source_tist` is the date of the data, where that was known only now. `remarks` are what it
    remarked, `unlisted` counts those beyond them.
    """

    tist: int
    scope_ok: bool
    wall_clock: str
    counts: Mapping[str, int]
    source_tist: int | None = None
    remarks: Sequence[Remark] = ()
    unlisted: int = 0


@dataclass(frozen=True, slots=True)
class FixityChecked:
    """Every stored byte was read again at `at`. `faults` gives, by SHA-256, what was found bad:
    damaged, missing, unreadable. `mended` are those that were repaired. Where `contents` is 0 these
    alone were read: a run, a second copy or a merged archive had the bytes again, or bad ones."""

    at: int
    contents: int
    size: int
    faults: Mapping[str, str]
    mended: Sequence[str] = ()

    @property
    def is_of_all(self) -> bool:
        """Whether everything was read again, and not only what was repaired or bad."""
        return self.contents > 0 or not (self.mended or self.faults)


@dataclass(frozen=True, slots=True)
class Opened:
    """Dark content was opened (`deed` "opened"), or a copy of it made ("released"), for a reason.

    `trigger` says why it may be: that it is lost, since when, or what rights were noted. `path` is
    where the copy was written, absolute: a file, or the folder of an export; None if not noted.
    """

    at: int
    deed: str
    kind: ObiKind
    ident_n: str
    tist: int
    sha256: str
    reason: str
    trigger: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Purged:
    """Bytes were taken out for good; digest and identifier stay."""

    at: int
    sha256: str
    reason: str


Entry = (
    StoreMade
    | RunBegan
    | BatchBegan
    | ContainerSeen
    | TemplateSeen
    | Looked
    | Lost
    | ArchiveMissed
    | ScopeRead
    | RunEnded
    | FixityChecked
    | Opened
    | Purged
)
