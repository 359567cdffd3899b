# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was detected in a pasted text or a list: one line of it, how it stands, and in words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from carrel.engine import IngestOptions
from carrel.engine.questions import without_limits
from carrel.engine.requests import request_for
from carrel.model import (
    Held,
    Identifier,
    IngestFilesetResult,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    Scheme,
    Standing,
    Status,
    total_size,
    unknown_sizes,
)
from carrel.model.caption import Caption
from carrel.model.licenses import short_license
from carrel.model.prose import as_sentence
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.foreign import shown
from carrel_desktop.widgets.rows import TwoLines, turning

TURN_MS = 1200
# No one reads more of a line that was not understood, and laying out megabytes takes seconds.
SHOWN_MAX_CHARS = 300
# A dataset beyond these is refused whole, whatever its files are, unless the person lifts them.
_LIMITS = frozenset({Status.TOO_LARGE_SIZE, Status.TOO_MANY_FILES})


class State(Enum):
    """HELD is what an earlier session archived, and needs no archiving as it is published today;
    HELD_IN_PART the same where the rest cannot be downloaded.

    SAME is a further identifier of a dataset that another row stands for. STOPPED is what the
    person had no look taken at, or not to its end.
    """

    LOOKING = auto()
    READY = auto()
    HELD = auto()
    HELD_IN_PART = auto()
    SAME = auto()
    REFUSED = auto()
    QUEUED = auto()
    RUNNING = auto()
    ASKING = auto()
    DONE = auto()
    FAILED = auto()
    NOT_UNDERSTOOD = auto()
    STOPPED = auto()


IN_QUEUE = (State.QUEUED, State.RUNNING, State.ASKING)
HELD = (State.HELD, State.HELD_IN_PART)
_LOOKS = {
    State.LOOKING: ("running", "secondary"),
    State.HELD: ("holdings", "ok"),
    State.HELD_IN_PART: ("holdings", "warning"),
    State.READY: ("archive", "accent"),
    State.SAME: ("link", "secondary"),
    State.QUEUED: ("queue", "accent"),
    State.RUNNING: ("running", "accent"),
    State.ASKING: ("question", "warning"),
    State.NOT_UNDERSTOOD: ("question", "secondary"),
    State.STOPPED: ("stopped", "secondary"),
}
_FAINT = (State.LOOKING, State.REFUSED, State.SAME, State.NOT_UNDERSTOOD)
_OF_JOBS = {JobState.RUNNING: State.RUNNING, JobState.ASKING: State.ASKING}


@dataclass(slots=True)
class Detection:
    """One identifier and what is behind it, or one line that holds none (`identifier` is None).

    `strategy` is what the person chose over the preview's choice; `doing` is the step of a running
    preview, in words, and `waits` why its host gets no requests now; `trouble` is why a preview
    could not be made at all; `job` is its job as the queue has it, None if there is none. `given`
    is the request of a list, None for what was pasted, and `list_number` is that of the list that
    brought the line. `held` is what the archive held of it at
    the look; `held_trouble` why that could not be asked.
    `page_links` are the links of the page that the person chose, where no platform knows it.
    `kept` are the files as its job left them, or as they are held, None where that is not known.
    `reason` is why a line of a list holds no identifier, `caption` what the list says beside.
    `same_as` is the row that stands for the same dataset, None if this one does.
    """

    key: str
    line: int
    text: str
    identifier: Identifier | None = None
    state: State = State.LOOKING
    doing: str = ""
    waits: str = ""
    result: IngestFilesetResult | None = None
    strategy: IngestStrategy | None = None
    page_links: tuple[str, ...] = ()
    job: Job | None = None
    trouble: str = ""
    given: IngestRequest | None = None
    list_number: int | None = None
    held: Held | None = None
    held_trouble: str = ""
    kept: Sequence[ManifestFile] | None = None
    reason: str = ""
    caption: Caption = Caption()
    same_as: "Detection | None" = None

    @property
    def ended(self) -> Job | None:
        """Its job as it came to its end, None until it has."""
        return self.job if self.job and not self.job.state.is_open else None

    @property
    def files(self) -> Sequence[ManifestFile]:
        """Its files: as they were archived, else as they are published."""
        if self.kept:
            return self.kept
        return self.result.files if self.result else ()

    @property
    def failed_files(self) -> Sequence[ManifestFile]:
        """The files that its job could not archive; none before it has ended."""
        if self.ended is None:
            return ()
        return [file for file in self.kept or () if file.status and not file.status.is_success]

    @property
    def is_checked(self) -> bool:
        """Whether it was checked, or its check was stopped, and nothing is to come of it now."""
        return self.state not in (*IN_QUEUE, State.LOOKING, State.NOT_UNDERSTOOD)

    @property
    def can_be_edited(self) -> bool:
        """Whether what was pasted can be corrected: as long as nothing came of it."""
        return self.state not in (*IN_QUEUE, State.DONE)

    @property
    def request(self) -> IngestRequest:
        """The ingest request that archives this."""
        if self.given is not None:
            return self.given
        if self.identifier is None:
            raise ValueError(f"nothing was understood in line {self.line}")
        return request_for(self.identifier)

    @property
    def keepable(self) -> int:
        """How many files an ingest could keep, as far as the preview tells."""
        result = self.result
        if result is None or result.choice is None or result.status in _LIMITS:
            return 0
        return sum(file.status is None for file in result.files)

    @property
    def is_partial(self) -> bool:
        """Whether only a part can be kept."""
        return self.result is not None and 0 < self.keepable < len(self.result.files)

    @property
    def why_partial(self) -> str:
        """Why the rest cannot be kept, "" where nothing says so."""
        result = self.result
        return (result.error_message or result.left_out or "") if result else ""

    @property
    def status(self) -> Status | None:
        """How its job ended, or else what the preview foresees; None if neither is known."""
        return self.ended.status if self.ended else self.result.status if self.result else None

    @property
    def is_beyond_limits(self) -> bool:
        """Whether there is more of it than the limits allow, and it could be had without them."""
        return bool(self.result and self.result.choice) and self.status in _LIMITS

    @property
    def can_be_archived(self) -> bool:
        """Whether it can be put into the queue: for the first time, again, or anyway."""
        if self.state is State.REFUSED:
            return self.is_beyond_limits
        return self.state in (State.READY, *HELD, State.DONE, State.FAILED)

    @property
    def has_links_to_choose(self) -> bool:
        """Whether no platform knows the page, so that a person may choose among its links."""
        is_unknown = self.result is not None and self.result.status is Status.NO_PLATFORM_MATCH
        return self.is_checked and (is_unknown or bool(self.page_links))

    @property
    def was_archived(self) -> bool:
        """Whether archiving it once more is a second thought: in this session, or before."""
        return self.held is not None or self.state in (State.DONE, State.FAILED)

    @property
    def known(self) -> Caption:
        """What its job is to say of it before it runs: what the list and the preview said."""
        result = self.result
        if result is None or result.item is None:
            return self.caption
        return replace(
            self.caption,
            title=result.item.title or self.caption.title,
            platform_name=result.item.platform_name,
            file_count=len(result.files),
            total_size=total_size(result.files),
            version=result.item.platform_version,
        )

    @property
    def holding_url(self) -> str | None:
        """The address under which something of it is held, None if nothing is, as far as known."""
        if self.ended is not None and self.ended.kept_count:
            return self.ended.request.base_url
        return self.held.base_url if self.held else None

    @property
    def options(self) -> IngestOptions:
        """What it is archived with; limits that it was found to exceed are lifted."""
        options = IngestOptions(strategy=self.strategy, page_links=self.page_links)
        is_beyond = self.result is not None and self.result.status in _LIMITS
        return without_limits(options) if is_beyond or self.is_beyond_limits else options


def not_understood(key: str, line: int, text: str, reason: str = "") -> Detection:
    """Return a line that holds no identifier, and why not, cut to what is worth showing."""
    text = text.strip()
    cut = text if len(text) <= SHOWN_MAX_CHARS else f"{text[:SHOWN_MAX_CHARS]}…"
    return Detection(key, line, cut, state=State.NOT_UNDERSTOOD, reason=reason)


def identifier_of(request: IngestRequest, line: int) -> Identifier:
    """Return the identifier that a request of a list is known by."""
    names = {str(scheme): scheme for scheme in Scheme}
    scheme = names.get(request.link_source or "", Scheme.URL)
    value = request.link_source_id or request.base_url
    return Identifier(scheme, value, request.base_url, line)


def sought(row: Detection) -> str:
    """Return all of a row that a filter looks through, in lower case."""
    known = (row.identifier.value, row.identifier.url) if row.identifier else ()
    said = (title(row), row.text, *known, summary(row), *row.caption.tags)
    return "\n".join(said).casefold()


def title(row: Detection) -> str:
    """Return the dataset's title, or what was pasted."""
    item = row.result.item if row.result else None
    if item and item.title:
        return shown(item.title)
    if row.caption.title:
        return shown(row.caption.title)
    return shown(row.identifier.value if row.identifier else row.text.strip())


def summary(row: Detection) -> str:
    """Return the second line: what it is, or what stands in the way."""
    match row.state:
        case State.LOOKING:
            return row.waits or row.doing or tr("Checking…")
        case State.NOT_UNDERSTOOD:
            if row.reason:
                return tr("Line {line}: {reason}", line=row.line, reason=row.reason)
            return tr("Line {line}: no DOI, Handle, ARK or web address found here", line=row.line)
        case State.STOPPED:
            return tr("Not checked")
        case State.REFUSED:
            return " · ".join([*_held(row), _refusal(row)])
        case State.SAME if row.identifier:
            return " · ".join([shown(row.identifier.value), same_as(row)])
        case State.QUEUED:
            return " · ".join([_in_queue(row.job), *described(row)])
        case State.RUNNING:
            return " · ".join([tr("Being archived"), *described(row)])
        case State.ASKING:
            return " · ".join([tr("Needs your answer"), *described(row)])
        case State.DONE | State.FAILED if row.ended:
            return " · ".join([outcome(row.ended), *described(row)])
    part = [kept_part(row)] if row.is_partial and row.state is State.READY else []
    return " · ".join([*_held(row), *part, *described(row)])


def same_as(row: Detection) -> str:
    """Return which row stands for the same dataset."""
    other = row.same_as.identifier if row.same_as else None
    return tr("the same dataset as {other}", other=shown(other.value) if other else "")


def look_of(row: Detection) -> tuple[str, str]:
    """Return icon and colour of a detection's state."""
    if row.state in (State.READY, *HELD) and row.held:
        if row.held.failed or row.held.removed:
            return "warning", "warning"
        if row.state is State.READY:
            return "holdings", "accent"
    if row.job and row.job.is_on_hold:
        return "warning", "warning"
    if row.state in _LOOKS:
        return _LOOKS[row.state]
    if row.status is None:
        return "failed", "failed"
    return words.outcome_icon(row.status), words.outcome_tone(row.status)


def lines(row: Detection) -> TwoLines:
    """Return a row as it is painted: state, title and size; below, what it is."""
    icon, tone = look_of(row)
    return TwoLines(
        first=title(row),
        second=summary(row),
        icon=icon,
        tone=tone,
        second_tone=tone if row.state in (State.REFUSED, State.FAILED) else "secondary",
        right=size_of(row),
        turn=turning(TURN_MS) if row.state is State.LOOKING else 0.0,
        is_strong=row.state not in _FAINT,
    )


def spoken(row: Detection) -> str:
    said = (as_sentence(title(row)), as_sentence(summary(row)), size_of(row))
    return " ".join(filter(None, said))


def tip(row: Detection) -> str:
    return f"{title(row)}\n{summary(row)}"


def _held(row: Detection) -> list[str]:
    """Return that it is held, and what speaks most for archiving it again; empty if not."""
    held = row.held
    if held is None:
        return []
    if held.failed:
        return [tr("Archived, but damaged")]
    if held.removed:
        return [tr("Archived, but removed from the holdings")]
    return [_held_whole(held) if held.is_whole else _held_in_part(held)]


def _held_whole(held: Held) -> str:
    match held.now.standing if held.now else None:
        case Standing.OTHER_VERSION:
            return tr("Archived in {version}", version=words.version(held.platform_version))
        case Standing.OTHER_RECORD:
            return tr("Archived as another record")
        case Standing.CHANGED:
            return tr("Archived; changed since")
        case Standing.UNVERIFIED:
            return tr("Archived; not comparable")
    return tr("Archived {date}", date=quantities.day(held.since))


def _held_in_part(held: Held) -> str:
    """Return how it stands to what is published as well, but never that it is archived."""
    match held.now.standing if held.now else None:
        case Standing.OTHER_VERSION:
            return tr("Partly archived in {version}", version=words.version(held.platform_version))
        case Standing.OTHER_RECORD:
            return tr("Partly archived as another record")
        case Standing.CHANGED:
            return tr("Partly archived; changed since")
    return tr("Partly archived {date}", date=quantities.day(held.since))


def _in_queue(job: Job | None) -> str:
    """Return how a job stands that does not run."""
    if job is None or (job.state is JobState.QUEUED and not job.is_on_hold):
        return tr("In the queue")
    return outcome(job) if job.is_on_hold else words.goes_on(job)


def _refusal(row: Detection) -> str:
    if row.result is None:
        return row.trouble
    status = row.result.status
    return f"{words.outcome(status)} – {words.advice(status)}"


def state_in_queue(job: Job) -> State:
    """Return how a dataset stands whose job is still to come to its end."""
    return _OF_JOBS.get(job.state, State.QUEUED)


def outcome(job: Job) -> str:
    """Return how a job ended, in words."""
    return words.outcome(job.status) if job.status else words.job_state(job.state)


def size_of(row: Detection) -> str:
    """Return the size of a detection as far as it is known; nothing of files that are not shown."""
    if not row.files:
        return ""
    return quantities.total(total_size(row.files), unknown_sizes(row.files))


def kept_part(row: Detection) -> str:
    """Return how many of the files can be kept: "3 of 5 files can be kept"."""
    files = quantities.files(len(row.result.files) if row.result else 0)
    text = tr("{count} of {files} can be archived")
    return text.format(count=quantities.number(row.keepable), files=files)


def described(row: Detection) -> list[str]:
    """Return platform, version, number of files and licence, as far as they are known.

    A platform that shows no files may have some anyway: of none no number is told.
    """
    item = row.result.item if row.result else None
    if item is None or row.result is None:
        return []
    parts = [
        words.platform(item.platform_name),
        words.version(item.platform_version),
        quantities.files(len(row.files)) if row.files else "",
        short_license(item.license or ""),
    ]
    return [part for part in parts if part]
