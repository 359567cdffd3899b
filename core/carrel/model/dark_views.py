# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the faces show of the dark archive. Moments are tists: Unix time, whole seconds."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from carrel.model.dark import IncidenceKind, LossKind, ObiKind, Redirect, RunSource
from carrel.model.remarks import Remark
from carrel.model.watch_states import NEW_VERSION, UNREACHABLE, UNSEEN

_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9})*?)(?:\.0{1,9})*", re.IGNORECASE | re.ASCII)


class ObiState(StrEnum):
    """How an object stands, by what the data or its address last said of it.

    `suspect` was missed, and no later look confirmed it. Of what is gone, `renamed` is a template
    to whose file a living one points, `unnamed` a full text that no template names any more and
    that is not requested any more; `lost` is all else. `unseen` was named and never captured.
    """

    PRESENT = "present"
    SUSPECT = "suspect"
    LOST = "lost"
    RENAMED = "renamed"
    UNNAMED = "unnamed"
    UNSEEN = "unseen"


# What counts a part of a source that could not be read.
UNREAD = ("containers unreadable", "containers not observed", "parts not read")
# Counted once by a run that was stopped with something left to do.
STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run. `began` and `ended` are ISO 8601, UTC; `ended` is None where it was cut short.

    `scope_ok` says that its source was walked to its end, and lost templates were concluded, also
    of one that was cut short or stopped later, while it requested full texts. `unreadable` are the
    files of its source that hold no templates; only of the newest of a source.
    """

    tist: int
    scope: str
    source: RunSource
    source_ref: str
    source_tist: int | None
    began: str
    ended: str | None
    scope_ok: bool
    counts: Mapping[str, int]
    unreadable: Sequence[str] = ()

    @property
    def began_at(self) -> int:
        """When it began, in Unix seconds: its number may be ahead, as those of runs ascend."""
        return int(datetime.fromisoformat(self.began).timestamp())

    @property
    def has_unread(self) -> bool:
        """Whether a part of the source could not be read, of which nothing is concluded then."""
        return any(self.counts.get(name) for name in UNREAD)

    @property
    def is_stopped(self) -> bool:
        """Whether a person stopped it with something left to do."""
        return STOPPED in self.counts

    @property
    def is_whole(self) -> bool:
        """Whether all of the source was read, and each full text requested that was due."""
        is_over = self.ended is not None and not self.is_stopped
        return is_over and self.scope_ok and not self.has_unread

    @property
    def determined_losses(self) -> bool:
        """Whether it concluded what is lost, of what it could read: templates and full texts. One
        that was cut short while it requested full texts says nothing of those it left."""
        is_over = self.ended is not None and not self.is_stopped
        return is_over and self.scope_ok and self.source is not RunSource.BACKFILL


def last_determining(runs: Iterable[RunRow]) -> Sequence[RunRow]:
    """Return of each scope the newest run that determined losses: what is new is new by these.

    `runs` are the newest first.
    """
    found: dict[str, RunRow] = {}
    for run in runs:
        if run.determined_losses:
            found.setdefault(run.scope, run)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class LossRow:
    """Something lost or suspect. `since` is the run that first missed it.

    `confirmed` is the run that said so, None while it is only suspect. Both are by our clock;
    `dated` is the date of the old data that lack it, None of what was asked for live. `renamed_to`
    are living handles that point to the same files. `is_new` says that the last run that determined
    losses missed it first, or confirmed it as lost; of a copy, that the last verification was the
    first to find it bad. An intact copy of some version is `held`; what is damaged or purged
    `was_captured` too.
    `standing` is how the object stands, whichever loss of it this is; None if that is not known.
    """

    what: LossKind
    kind: ObiKind
    ident: str
    since: int
    confirmed: int | None
    cause: str
    archive: str | None
    series: str | None
    held: bool
    was_captured: bool
    renamed_to: Sequence[str] = ()
    is_new: bool = False
    dated: int | None = None
    standing: ObiState | None = None

    @property
    def recorded(self) -> int:
        """When a run said for certain that it is lost, else when one missed it first."""
        return self.since if self.confirmed is None else self.confirmed

    @property
    def state(self) -> ObiState | None:
        """How the object stands, which is the same in each row of it; None of a copy of ours, which
        says nothing of that."""
        if self.what is LossKind.COPY:
            return None
        if self.confirmed is None:
            return ObiState.SUSPECT
        if self.kind is ObiKind.FOBI and self.what is LossKind.REFERENCE:
            is_graver = self.standing in (ObiState.LOST, ObiState.SUSPECT)
            return self.standing if is_graver else ObiState.UNNAMED
        return ObiState.RENAMED if self.renamed_to else ObiState.LOST


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """An incidence. `before` is the version before, None for a first one.

    `tist` is of the run that recorded it, `dated` the date of the data that it was read from, None
    of what was asked for live. `text_changed` is None where no bytes were compared. Of a deletion,
    `since` is the run that first missed the object; it `is_renamed` if by now that is known to go
    under another handle.
    """

    tist: int
    incidence: IncidenceKind
    kind: ObiKind
    ident: str
    cause: str | None
    before: int | None
    text_changed: bool | None
    archive: str | None
    series: str | None
    since: int | None = None
    dated: int | None = None
    is_renamed: bool = False


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series in numbers; `series` is "" for what belongs to none.

    Each template counts once: `templates` are all, of them `templates_lost` are lost and `renamed`
    are those that went under another handle. `pending` are suspects of either kind. `not_requested`
    are addresses that templates give now and that no one can request: they are no full texts.
    """

    archive: str
    series: str
    templates: int
    templates_lost: int
    renamed: int
    pending: int
    full_texts: int
    full_texts_lost: int
    lost_but_held: int
    never_captured: int
    not_requested: int = 0


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version. `purged` is when its bytes were taken out (Unix time, seconds), None if not; then
    nothing is at `path`, and `purge_reason` says why. `fault` is what the last check of the bytes
    found wrong, None if nothing. `flags` say what it may be in place of a whole full text, by the
    words of `model/dark_flags.py`. One of a backfill is older than all that were read in their
    turn, whenever it was read."""

    tist: int
    source_tist: int | None
    sha256: str
    text_md5: str
    size: int
    media: str | None
    path: str
    purged: int | None = None
    purge_reason: str | None = None
    is_backfill: bool = False
    fault: str | None = None
    flags: Sequence[str] = ()

    @property
    def age(self) -> tuple[bool, int]:
        """What sorts versions, the oldest first."""
        is_dated = self.is_backfill and self.source_tist is not None
        return (not self.is_backfill, (self.source_tist or 0) if is_dated else self.tist)


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """`what` is noted, changed, lost, renamed, found again, missed or asked (not asked, where no
    request was sent), and of our copy damaged or repaired; `until` ends a span.

    There are two clocks. `tist` and `until` are by ours: the run, or the check, that recorded it.
    `dated` is the date of the data that were read; None where they have none, and of every request,
    which is of the moment it was made. `placed` is given where it stands elsewhere on the life line
    than its date says: later data had been read before, or the line goes by our clock.
    """

    tist: int
    what: str
    detail: str = ""
    until: int | None = None
    dated: int | None = None
    placed: int | None = None

    @property
    def at(self) -> int:
        """When it was, by the clock of the life line."""
        if self.placed is not None:
            return self.placed
        return self.tist if self.dated is None else self.dated


@dataclass(frozen=True, slots=True)
class Life:
    """Everything about one object. `names` are the files a template names, or the templates that
    name a file; `not_requested` those of a template that no one can request.

    Its clock is that of the data for a template, and ours for a full text, which is requested:
    `found`, the time of first finding, `known_until`, the last moment of which something is known,
    and where its events stand, go by it. `fault` is what the last check found wrong with our copy.
    Of a full text, `outcome` is how the last request for it ended, at `requested`, and `delivered`
    when its address last delivered it; None where there was none.
    """

    kind: ObiKind
    ident: str
    state: ObiState
    found: int | None
    archive: str | None = None
    series: str | None = None
    type: str | None = None
    events: Sequence[LifeEvent] = ()
    versions: Sequence[VersionRow] = ()
    names: Sequence[str] = ()
    redirects: Sequence[Redirect] = ()
    renamed_to: Sequence[str] = ()
    openings: Sequence[str] = ()
    known_until: int | None = None
    not_requested: Sequence[str] = ()
    outcome: str | None = None
    requested: int | None = None
    delivered: int | None = None

    @property
    def last_seen(self) -> int | None:
        """When it was last delivered, if a later request told nothing of it; else None."""
        return last_seen(self.state, self.outcome, self.delivered)

    @property
    def is_lost(self) -> bool:
        """Whether it is gone from where it was, also where it has another handle now."""
        return self.state in (ObiState.LOST, ObiState.RENAMED)

    @property
    def fault(self) -> str | None:
        """What is wrong with our copy, of the newest version that is not as it was kept."""
        bad = [each for each in self.versions if each.fault is not None]
        return max(bad, key=lambda each: each.tist).fault if bad else None


@dataclass(frozen=True, slots=True)
class Hit:
    """`fault` is what the last check found wrong with our copy of it, None if nothing. `outcome` is
    what came of the last request for a full text, None if there was none; `delivered` is when its
    address last delivered it."""

    kind: ObiKind
    ident: str
    state: ObiState
    archive: str | None
    series: str | None
    fault: str | None = None
    outcome: str | None = None
    delivered: int | None = None

    @property
    def last_seen(self) -> int | None:
        """When it was last delivered, if a later request told nothing of it; else None."""
        return last_seen(self.state, self.outcome, self.delivered)


def last_seen(state: ObiState, outcome: str | None, delivered: int | None) -> int | None:
    """Return when an object was last delivered, None unless a later request, with this outcome,
    told nothing of it. A failure that speaks for no loss leaves an object present; it was not seen
    to be, though."""
    is_unseen = state is ObiState.PRESENT and outcome not in (None, "ok")
    return delivered if is_unseen else None


@dataclass(frozen=True, slots=True)
class GatheringOrder:
    """What a run is to read: a configuration's directory, else a tarball, else a list of URLs.

    `backfill` names a tarball read out of its turn. `full_texts` overrules the configuration.
    """

    config: Path | None = None
    tarball: Path | None = None
    url_list: Path | None = None
    backfill: str | None = None
    full_texts: bool | None = None


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Where a run is. `total` is None where it is not known; `words` is for people."""

    phase: str
    archive: str
    series: str
    done: int
    total: int | None
    words: str


TellRun = Callable[[RunProgress], None]


@dataclass(frozen=True, slots=True)
class RunReport:
    """How a run ended. `remarks` are on what stood in its way; `unlisted` counts those beyond them.

    `unread` counts parts of the source that could not be looked into; nothing is concluded of them.
    Of the full texts that were requested, `seen` counts those of which a host said how they stand,
    and `unseen` the others: some are always out of reach, and a run that sees none saw nothing.
    """

    tist: int
    scope: str
    scope_ok: bool
    counts: Mapping[str, int]
    remarks: Sequence[Remark] = ()
    unlisted: int = 0
    unread: int = 0
    seen: int = 0
    unseen: int = 0
    is_stopped: bool = False

    @property
    def problems(self) -> Sequence[str]:
        """The remarks as sentences."""
        return [each.sentence for each in self.remarks]

    @property
    def is_complete(self) -> bool:
        """Whether everything that was asked was done."""
        is_blind = self.unseen > 0 and not self.seen
        return self.scope_ok and not (self.unread or is_blind or self.is_stopped)


@dataclass(frozen=True, slots=True)
class DarkFault:
    """Something that is not as it was kept. `where` is store, journal or ledger; `name` the file
    or table; `can_be_mended` says whether `rebuild` will put it right."""

    where: str
    name: str
    what: str
    message: str
    can_be_mended: bool = False


@dataclass(frozen=True, slots=True)
class NotedCheck:
    """A verification as it was journalled at `at`, by whomever it was started: how many contents
    it looked for, and how many of them were `bad`: damaged, missing, or not readable."""

    at: int
    contents: int
    size: int
    bad: int


@dataclass(frozen=True, slots=True)
class DarkFigures:
    """How many events of each kind there are, but for those of watched datasets; how many full
    texts never came; the last verification that was journalled, None if none was."""

    events: Mapping[IncidenceKind, int]
    never_captured: int
    last_check: NotedCheck | None


@dataclass(frozen=True, slots=True)
class DarkCheck:
    """What a verification read, and what was wrong; `mended` tells what `rebuild` put right.

    `unread` counts the contents that are missing or could not be read, beside those that were.
    """

    contents: int
    size: int
    entries: int
    faults: Sequence[DarkFault] = ()
    mended: Sequence[str] = ()
    notes: Sequence[str] = field(default=())
    unread: int = 0


def _numbers(version: str) -> tuple[int, ...] | None:
    """Return the numbers of a version like "1.10" or "v2.0", zeros at its end left out; None where
    it has anything else."""
    match = _VERSION.fullmatch(version.strip())
    return tuple(map(int, match[1].split("."))) if match else None


@dataclass(frozen=True, slots=True)
class WatchedRow:
    """A watched dataset. `state` is one of `model/watch_states.py`.

    It is the same only if every file could be compared with a capture. Unverified: nothing is seen
    to have changed, and some files could not be compared. As first seen: it was never captured, and
    nothing changed since the first look. `captured` is the ingest that is compared with;
    `version_then` and `version_now` are the platform's; the counts are of files, against that
    capture. `lost` is the first look, in Unix time, that found it or files of it gone; None where
    the last look that saw anything found them. `losses` gives since which look each file is lost:
    until it is published again, whatever was archived meanwhile. Archived since: it was captured
    anew after the last look, of which versions and counts are, and whose state is `last_state`,
    None for others. `is_other_record`: it is changed, since its address leads to another record
    now. `answered` is the last look that got an answer where later ones, up to `looked`, got none,
    None for others: what differed then stands, and `attempt` says how the last of them ended.
    `is_closed`: no file that is published can be downloaded without a login or permission.
    `is_first_look`: what is known is from the first look at one that was never captured, which
    there was nothing to compare with. `is_hidden`: the last look met a log-in page or the like, and
    saw no files; what is known of them is from the last one that did.
    """

    base_url: str
    title: str
    state: str
    message: str
    captured: str | None
    looked: int | None
    version_then: str | None = None
    version_now: str | None = None
    same: int = 0
    changed: int = 0
    gone: int = 0
    added: int = 0
    unverified: int = 0
    lost: int | None = None
    last_state: str | None = None
    restricted: int = 0
    is_other_record: bool = False
    answered: int | None = None
    attempt: str = ""
    is_closed: bool = False
    renamed: int = 0
    unlisted: int = 0
    losses: Mapping[str, int] = field(default_factory=dict)
    is_first_look: bool = False
    is_hidden: bool = False

    @property
    def saw_files(self) -> bool:
        """Whether the last look could tell how the files are."""
        return not (self.is_hidden or self.is_unanswered or self.state in UNSEEN)

    @property
    def is_unanswered(self) -> bool:
        """Whether the last look got no answer."""
        return self.state == UNREACHABLE or self.answered is not None

    @property
    def last_answered(self) -> int | None:
        """The last look that got an answer, in Unix time, None if none did."""
        return self.answered if self.is_unanswered else self.looked

    @property
    def is_older_version(self) -> bool:
        """Whether the version that is published comes before the one that it was."""
        if self.state != NEW_VERSION or not (self.version_then and self.version_now):
            return False
        then, now = _numbers(self.version_then), _numbers(self.version_now)
        return then is not None and now is not None and now < then

    @property
    def altered(self) -> int:
        """How many files are not as they were, and none of them gone or new."""
        return self.changed + self.renamed + self.unlisted

    @property
    def has_nothing_new(self) -> bool:
        """Whether files are gone or no longer listed, and none is new, changed or renamed: there is
        nothing to archive."""
        is_news = self.changed or self.added or self.renamed or self.state == NEW_VERSION
        return self.gone + self.unlisted > 0 and not is_news


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A file of a watched dataset, then and now; `what` is same, changed, gone, added, renamed
    (`path` is its new name), unlisted (no longer listed, and not known to be gone), restricted (as
    it was, and no longer for everyone), unverified; unchecked of one that was archived where no
    look has seen anything yet; first seen where there was nothing to compare it with.

    `reason` says by what it was told: a digest, the size, the platform's word, its address.
    """

    path: str
    what: str
    reason: str
    size_then: int | None = None
    size_now: int | None = None
    digest_then: str | None = None
    digest_now: str | None = None


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """What full texts to export as WARC to a new folder, and why.

    As one collection, or with `vault` a file for each handle. `archive` and `series` narrow it to
    what their templates ever named, `lost` to what is lost, `since` to versions noted from that
    tist on, `last` to the last version of each. `templates` come with them on request.
    """

    folder: Path
    reason: str
    vault: bool = False
    archive: str | None = None
    series: str | None = None
    lost: bool = False
    since: int | None = None
    last: bool = False
    templates: bool = False


class CopyState(StrEnum):
    """What became of a copy when its bytes were purged; of `unknown` ones no one noted where."""

    REMOVED = "removed"
    GONE = "gone"
    STAYS = "stays"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PurgedCopy:
    """A copy that was made of purged bytes at `at`: `deed` is opened or released.

    `path` is where it was written, a file or the folder of an export; None if that was not noted.
    """

    at: int
    deed: str
    reason: str
    path: str | None
    state: CopyState
    message: str


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What was purged, and each copy that was ever made of it."""

    sha256: str
    copies: Sequence[PurgedCopy] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A version that was not exported: `why` is not-lost, taken-down, missing, unreadable, or
    damaged."""

    ident: str
    tist: int
    sha256: str
    why: str
    message: str


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote to its folder; `captures` are the lines of its indexes.

    `versions` counts full texts by version, and those again that stand in the file of another
    handle; `size` is that of their bytes, `not_lost` how many can still be had elsewhere.
    `problems` are whole sentences; `unlisted` counts what was left out beyond `left_out`. It is not
    `is_whole` where it was stopped.
    """

    folder: Path
    warcs: int
    captures: int
    versions: int
    templates: int
    size: int
    not_lost: int
    left_out: Sequence[LeftOut] = ()
    unlisted: int = 0
    problems: Sequence[str] = ()
    is_whole: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether all that was requested is there, but for what was taken down."""
        is_sound = all(each.why == "taken-down" for each in self.left_out)
        return self.is_whole and is_sound and not self.unlisted and not self.problems
