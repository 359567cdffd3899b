# SPDX-License-Identifier: AGPL-3.0-or-later
"""Mementos: captures of a resource in any archive, and what the asked archives had to say."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from carrel.translation import tr

REVISIT_TYPE = "warc/revisit"
# What that type means, for people.
UNCHANGED = tr("unchanged since an earlier capture")


class SourceType(StrEnum):
    """Where a row of an index came from."""

    FILE = "file"
    LEDGER = "ledger"
    REDIS = "redis"
    CDX = "cdx"
    MEMENTO = "memento"
    LIVE = "live"

    @property
    def is_local(self) -> bool:
        """Whether the rows are of captures that we hold."""
        return self in (SourceType.FILE, SourceType.LEDGER, SourceType.REDIS)


@dataclass(slots=True)
class Memento:
    """One row of an index: a capture of `url` at `timestamp`, and where it is.

    `urlkey` is its SURT, `timestamp` 14 digits, UTC (17, with milliseconds, where the index has
    them). `fields` are the others by their CDXJ names, all texts: url, mime, status, digest,
    length, and either offset and filename, or live_url. `source` is the configured name, `detail`
    says where in the source (a file of a folder). `also` names other sources with the same capture.

    Not frozen, since that would double the cost of a look-up; no one changes a row but who made it.
    """

    urlkey: str
    timestamp: str
    fields: dict[str, str]
    source: str = ""
    source_type: SourceType = SourceType.FILE
    detail: str = ""
    also: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        return self.fields.get("url", "")

    @property
    def mimetype(self) -> str:
        return self.fields.get("mime", "")

    @property
    def status(self) -> str:
        """The HTTP status in digits, "" where the index has none."""
        status = self.fields.get("status", "")
        return status if status != "-" else ""

    @property
    def digest(self) -> str:
        """The payload's digest as the index has it, "" for none; `sha1:` may be left out."""
        digest = self.fields.get("digest", "")
        return digest if digest != "-" else ""

    @property
    def bare_digest(self) -> str:
        """The digest without its `sha1:`, so that indexes which write it and others compare."""
        return self.digest.removeprefix("sha1:")

    @property
    def length(self) -> int | None:
        """Bytes of the record in its WARC, as it is packed there; None where unknown."""
        length = self.fields.get("length", "")
        return int(length) if length.isascii() and length.isdigit() else None

    @property
    def live_url(self) -> str:
        """Where the bytes can be had over the network, "" for what stands in a WARC of ours."""
        return self.fields.get("live_url", "")

    @property
    def is_revisit(self) -> bool:
        return self.mimetype == REVISIT_TYPE or "orig.filename" in self.fields

    @property
    def captured_at(self) -> datetime:
        """The moment of capture, aware UTC. Raises ValueError for one that is not valid."""
        return datetime.strptime(self.timestamp[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)


class SourceState(StrEnum):
    """How far a source is with a question; every one but `asked` is how it ended."""

    ASKED = "asked"
    ANSWERED = "answered"
    NONE = "none"
    TIMED_OUT = "timed-out"
    REFUSED = "refused"
    RESTING = "resting"
    UNREACHABLE = "unreachable"
    FAILED = "failed"  # it was reached, and answered that it has an error
    INTERRUPTED = "interrupted"  # it was reached, and its answer ended before its time
    WRONG_ANSWER = "wrong-answer"

    @property
    def is_trouble(self) -> bool:
        """Whether nothing is known: there may be captures anyway."""
        return self not in (SourceState.ASKED, SourceState.ANSWERED, SourceState.NONE)


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What one source had to say to one question.

    `message` is a sentence for people, empty where all is well. `skipped` counts entries that made
    no sense. `until` says how long a resting or refusing source is left alone, `answered_at` (both
    aware UTC) when an answer was given that was kept since then; None for one that is fresh.
    `first` and `last` are the timestamps of the oldest and the newest row, "" where not all were
    read. `is_cut` says that it has more rows than were asked for.
    `is_kept_private` says that the source was not asked on purpose: the address is inside our
    own network, and is no one else's business.
    """

    source: str
    source_type: SourceType
    state: SourceState
    count: int = 0
    message: str = ""
    took_s: float = 0.0
    skipped: int = 0
    until: datetime | None = None
    answered_at: datetime | None = None
    first: str = ""
    last: str = ""
    is_kept_private: bool = False
    is_cut: bool = False

    @property
    def is_trouble(self) -> bool:
        """Whether nothing is known though it was asked, or would have been: there may be captures
        anyway."""
        return self.state.is_trouble and not self.is_kept_private

    @property
    def is_incomplete(self) -> bool:
        """Whether it answered, and says that something is missing."""
        is_answer = self.state in (SourceState.ANSWERED, SourceState.NONE)
        return is_answer and bool(self.message) and not self.is_kept_private

    @property
    def lacks_some(self) -> bool:
        """Whether it answered and captures may be missing: it says so, or entries were omitted."""
        is_answer = self.state in (SourceState.ANSWERED, SourceState.NONE)
        return self.is_incomplete or (is_answer and self.skipped > 0)
