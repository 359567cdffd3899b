# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was detected in the pasted text, line by line, as previews arrive."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from operator import attrgetter

from PySide6.QtCore import QModelIndex, QObject, Qt

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
    Scheme,
    Standing,
    Status,
    total_size,
    unknown_sizes,
)
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.foreign import shown
from carrel_desktop.licenses import short_license
from carrel_desktop.widgets.rows import TwoLines, turning
from carrel_desktop.widgets.table.column import Column, Kind, as_given
from carrel_desktop.widgets.table.model import RowsModel

Role = Qt.ItemDataRole
TURN_MS = 1200
# No one reads more of a line that was not understood, and laying out megabytes takes seconds.
SHOWN_MAX_CHARS = 300
# A dataset beyond these is refused whole, whatever its files are, unless the person lifts them.
_LIMITS = frozenset({Status.TOO_LARGE_SIZE, Status.TOO_MANY_FILES})


class State(Enum):
    """HELD is what an earlier session archived, and needs no archiving as it is published today."""

    LOOKING = auto()
    READY = auto()
    HELD = auto()
    REFUSED = auto()
    QUEUED = auto()
    RUNNING = auto()
    ASKING = auto()
    DONE = auto()
    FAILED = auto()
    NOT_UNDERSTOOD = auto()


IN_QUEUE = (State.QUEUED, State.RUNNING, State.ASKING)
_LOOKS = {
    State.LOOKING: ("running", "secondary"),
    State.HELD: ("holdings", "ok"),
    State.READY: ("archive", "accent"),
    State.QUEUED: ("queue", "accent"),
    State.RUNNING: ("running", "accent"),
    State.ASKING: ("question", "warning"),
    State.NOT_UNDERSTOOD: ("question", "secondary"),
}
_OF_JOBS = {JobState.RUNNING: State.RUNNING, JobState.ASKING: State.ASKING}


@dataclass(slots=True)
class Detection:
    """One identifier and what is behind it, or one line that holds none (`identifier` is None).

    `strategy` is what the person chose over the preview's choice; `doing` is the step of a running
    preview, in words; `trouble` is why a preview could not be made at all; `ended` is the job as it
    came to its end, None until it has. `given` is the request of a list, None for what was pasted.
    `held` is what the archive held of it at the look; `held_trouble` why that could not be asked.
    """

    key: str
    line: int
    text: str
    identifier: Identifier | None = None
    state: State = State.LOOKING
    doing: str = ""
    result: IngestFilesetResult | None = None
    strategy: IngestStrategy | None = None
    ended: Job | None = None
    trouble: str = ""
    given: IngestRequest | None = None
    held: Held | None = None
    held_trouble: str = ""

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
        return self.result is not None and not self.result.hit and self.keepable > 0

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
        return self.state in (State.READY, State.HELD, State.DONE, State.FAILED)

    @property
    def was_archived(self) -> bool:
        """Whether archiving it once more is a second thought: in this session, or before."""
        return self.held is not None or self.state in (State.DONE, State.FAILED)

    @property
    def holding_url(self) -> str | None:
        """The address under which something of it is held, None if nothing is, as far as known."""
        if self.ended is not None and self.ended.kept_count:
            return self.ended.request.base_url
        return self.held.base_url if self.held else None

    @property
    def options(self) -> IngestOptions:
        """What it is archived with; limits that it was found to exceed are lifted."""
        options = IngestOptions(strategy=self.strategy)
        is_beyond = self.result is not None and self.result.status in _LIMITS
        return without_limits(options) if is_beyond or self.is_beyond_limits else options


def not_understood(key: str, line: int, text: str) -> Detection:
    """Return a line that holds no identifier, cut to what is worth showing."""
    text = text.strip()
    cut = text if len(text) <= SHOWN_MAX_CHARS else f"{text[:SHOWN_MAX_CHARS]}…"
    return Detection(key, line, cut, state=State.NOT_UNDERSTOOD)


def identifier_of(request: IngestRequest, line: int) -> Identifier:
    """Return the identifier that a request of a list is known by."""
    names = {str(scheme): scheme for scheme in Scheme}
    scheme = names.get(request.link_source or "", Scheme.URL)
    value = request.link_source_id or request.base_url
    return Identifier(scheme, value, request.base_url, line)


class DetectionModel(RowsModel[Detection]):
    """Detections in the order in which they were pasted."""

    def __init__(self, parent: QObject | None = None) -> None:
        column = Column("", title, as_given, tip=_tip, lines=_lines)
        kind = Kind(column, ident=attrgetter("key"), is_sortable=False, spoken=_spoken)
        super().__init__(kind, parent)
        self._positions: dict[str, int] = {}
        self._by_url: dict[str, Detection] = {}
        self._counts: Counter[State] = Counter()

    def __iter__(self) -> Iterator[Detection]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def append(self, detections: Sequence[Detection]) -> None:
        """Add rows at the end."""
        first = len(self)
        self._positions.update({row.key: first + at for at, row in enumerate(detections)})
        self._by_url.update({row.identifier.url: row for row in detections if row.identifier})
        self._counts.update(row.state for row in detections)
        self.take_in(detections, detections)

    def clear(self) -> None:
        for known in (self._positions, self._by_url, self._counts):
            known.clear()
        self.show(self.kind, ())

    def find(self, key: str) -> Detection | None:
        position = self._positions.get(key)
        return None if position is None else self.listed[position]

    def holds(self, url: str) -> bool:
        """Whether this address is in the list already."""
        return url in self._by_url

    def find_url(self, url: str) -> Detection | None:
        return self._by_url.get(url)

    def index_of(self, detection: Detection) -> QModelIndex:
        """Return where a row stands, an invalid index if it was cleared away."""
        position = self._positions.get(detection.key)
        return QModelIndex() if position is None else self.index(position, 0)

    def look_again(self, detection: Detection) -> None:
        """Forget what an earlier look, and an earlier job, found out."""
        detection.doing = detection.trouble = detection.held_trouble = ""
        detection.result = detection.ended = detection.strategy = detection.held = None
        self.set_state(detection, State.LOOKING)

    def set_state(self, detection: Detection, state: State) -> None:
        """Move a row on and tell the views."""
        if detection.key in self._positions:
            self._counts[detection.state] -= 1
            self._counts[state] += 1
        detection.state = state
        self.changed(detection)

    def changed(self, detection: Detection) -> None:
        index = self.index_of(detection)
        if index.isValid():
            self.dataChanged.emit(index, index, [Role.DisplayRole, Role.AccessibleTextRole])

    def count(self, state: State) -> int:
        return self._counts[state]


def title(row: Detection) -> str:
    """Return the dataset's title, or what was pasted."""
    item = row.result.item if row.result else None
    if item and item.title:
        return shown(item.title)
    return shown(row.identifier.value if row.identifier else row.text.strip())


def summary(row: Detection) -> str:
    """Return the second line: what it is, or what stands in the way."""
    match row.state:
        case State.LOOKING:
            return row.doing or tr("Checking…")
        case State.NOT_UNDERSTOOD:
            text = tr("Line {line}: no DOI, Handle, ARK or web address found here")
            return text.format(line=row.line)
        case State.REFUSED:
            return " · ".join([*_held(row), _refusal(row)])
        case State.QUEUED:
            return " · ".join([tr("In the queue"), *described(row)])
        case State.RUNNING:
            return " · ".join([tr("Being archived"), *described(row)])
        case State.ASKING:
            return " · ".join([tr("Needs your answer"), *described(row)])
        case State.DONE | State.FAILED if row.ended:
            return " · ".join([outcome(row.ended), *described(row)])
    part = [kept_part(row)] if row.is_partial and row.state is State.READY else []
    return " · ".join([*_held(row), *part, *described(row)])


def look_of(row: Detection) -> tuple[str, str]:
    """Return icon and colour of a detection's state."""
    if row.state is State.READY and row.held:
        return ("warning", "warning") if row.held.failed else ("holdings", "accent")
    if row.state in _LOOKS:
        return _LOOKS[row.state]
    if row.status is None:
        return "failed", "failed"
    return words.outcome_icon(row.status), words.outcome_tone(row.status)


def _lines(row: Detection) -> TwoLines:
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
        is_strong=row.state not in (State.LOOKING, State.REFUSED, State.NOT_UNDERSTOOD),
    )


def _spoken(row: Detection) -> str:
    said = (title(row), summary(row), size_of(row))
    return ". ".join(part for part in said if part)


def _tip(row: Detection) -> str:
    return f"{title(row)}\n{summary(row)}"


def _held(row: Detection) -> list[str]:
    """Return that it is held, and what speaks most for archiving it again; empty if not."""
    held = row.held
    if held is None:
        return []
    if held.failed:
        return [tr("Archived, but damaged")]
    match held.now.standing if held.now else None:
        case Standing.OTHER_VERSION:
            version = words.version(held.platform_version)
            return [tr("Archived in {version}", version=version)]
        case Standing.OTHER_RECORD:
            return [tr("Archived as another record")]
        case Standing.CHANGED:
            return [tr("Archived; changed since")]
        case Standing.UNVERIFIED:
            return [tr("Archived; not comparable")]
    if held.now and held.now.lacking:
        return [tr("Partly archived")]
    return [tr("Archived {date}", date=quantities.day(held.since))]


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
    files = row.result.files if row.result else ()
    if not files:
        return ""
    return quantities.total(total_size(files), unknown_sizes(files))


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
        quantities.files(len(row.result.files)) if row.result.files else "",
        short_license(item.license or ""),
    ]
    return [part for part in parts if part]
