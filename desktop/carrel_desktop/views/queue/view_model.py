# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a row of the queue says: a job or one of its files, in words."""

from dataclasses import dataclass

from carrel.model import Job, JobState, Stage
from carrel.model.digest import algorithm_name
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.views.queue.row import Row
from carrel_desktop.views.queue.transfer import FileState, Transfer


@dataclass(frozen=True, slots=True)
class ViewModel:
    """`fraction` is None without a bar's length; `is_moving` then draws a bar without one.

    `state_brief` stands where there is no room for all of `state_detail`; without one the detail is
    cut. `differs_late` says that the title is an address or a name, whose end tells it from others.
    """

    title: str
    second: str
    icon: str
    tone: str
    state: str
    state_detail: str = ""
    state_brief: str = ""
    files: str = ""
    files_detail: str = ""
    size: str = ""
    size_detail: str = ""
    fraction: float | None = None
    is_moving: bool = False
    speed: str = ""
    left: str = ""
    differs_late: bool = False

    @property
    def percent(self) -> str:
        """The bar in words, for those who do not see it; never rounded up to 100."""
        if self.fraction is None:
            return ""
        return tr("{count} percent", count=int(self.fraction * 100))


def job_view_model(row: Row, now: float, why_waiting: str = "", paused: str = "") -> ViewModel:
    """Return what a job's row says at a moment; `why_waiting` is why no job begins, "" if some
    do, `paused` why its host gets no requests, "" if it does."""
    job, transfer = row.job, row.transfer
    is_running = job.state is JobState.RUNNING
    is_moving = not (paused or transfer.waiting_for) and transfer.stalled_s(now) is None
    rate = transfer.rate(now) if is_running and is_moving else 0.0
    left = transfer.seconds_left(now) if is_running else None
    return ViewModel(
        row.title,
        _origin(row),
        *_look(row, now, paused),
        *_job_state(row, now, why_waiting, paused),
        _job_brief(job),
        *_job_files(row),
        *_job_size(row),
        fraction=transfer.fraction if is_running else None,
        is_moving=is_running and not paused,
        speed=quantities.rate(rate) if rate else "",
        left=tr("{span} left", span=quantities.span(left)) if left and round(left) else "",
        differs_late=not row.is_titled,
    )


def file_view_model(row: Row, index: int) -> ViewModel:
    """Return what a file's row says."""
    transfer, file = row.transfer, row.files[index]
    folder, _, name = file.path.rpartition("/")
    state = FileState(transfer.file_states[index])
    is_moving = state in (FileState.FETCHING, FileState.VERIFYING)
    return ViewModel(
        name or file.path,
        folder,
        *_file_look(row, index, state),
        _file_detail(transfer, index, state),
        words.side(file.status) if state is FileState.FAILED and file.status else "",
        size=_file_size(transfer, index, state),
        fraction=transfer.file_fraction(index) if is_moving else None,
        is_moving=is_moving,
        differs_late=True,
    )


def state_of(job: Job) -> str:
    """Return a job's state or, where it came to an end or cannot go on, its outcome in words."""
    if job.status is not None and (not job.state.is_open or job.is_on_hold):
        return words.outcome(job.status)
    return words.job_state(job.state)


def archived_since(row: Row) -> str:
    """Return that a failed job's dataset was archived since, by another attempt."""
    moment = quantities.moment(row.archived_since)
    return tr("The dataset was archived since, on {moment}.", moment=moment)


def look_of(job: Job) -> tuple[str, str]:
    """Return icon and colour of a job's state."""
    if job.is_on_hold:
        return "warning", "warning"
    if job.status is not None and not job.state.is_open:
        return words.outcome_icon(job.status), words.outcome_tone(job.status)
    return words.job_state_look(job.state)


def _look(row: Row, now: float, paused: str) -> tuple[str, str]:
    if row.job.state is JobState.RUNNING:
        if paused or row.transfer.waiting_for:
            return "waiting", "accent"
        if row.transfer.stalled_s(now) is not None:
            return "waiting", "warning"
    return look_of(row.job)


def _origin(row: Row) -> str:
    """Return the second line: where it is from, and what it came in with."""
    job, item = row.job, row.transfer.item
    parts = [words.priority(job.priority)]
    if item:
        version = words.version(item.platform_version)
        parts += [words.platform(item.platform_name), item.platform_domain, version]
    elif job.platform_name:
        parts += [words.platform(job.platform_name), row.identifier]
    elif row.is_titled:  # else the title is this very identifier
        parts.append(row.identifier)
    return " · ".join(part for part in [*parts, job.batch] if part and part != row.title)


def _job_state(row: Row, now: float, why_waiting: str, paused: str) -> tuple[str, str]:
    job = row.job
    match job.state:
        case JobState.RUNNING:
            return (tr("Waiting"), paused) if paused else _running(row, now)
        case JobState.QUEUED:
            waits = why_waiting or _turn(job)
            return state_of(job), _held_up(job) or job.message or waits
        case JobState.ASKING:
            return state_of(job), job.question.text if job.question else ""
        case JobState.PAUSED:
            return state_of(job), _held_up(job) or job.message or words.goes_on(job)
        case JobState.DONE:
            return state_of(job), job.message or ""
        case JobState.FAILED if row.is_overcome:
            return state_of(job), archived_since(row)
    return state_of(job), job.message or (words.advice(job.status) if job.status else "")


def _job_brief(job: Job) -> str:
    """Return in a few words when a job ended, with whom it lies that it failed, or what it waits
    for."""
    if job.state in (JobState.DONE, JobState.CANCELLED):
        return quantities.moment(job.finished) if job.finished else ""
    if job.state is JobState.ASKING:
        return tr("Needs your answer")
    if job.status is not None and (job.state is JobState.FAILED or job.is_on_hold):
        return words.side(job.status)
    return words.goes_on(job) if job.state is JobState.PAUSED else ""


def _held_up(job: Job) -> str:
    """Return what holds a job up, empty if nothing does."""
    if not job.is_on_hold or job.status is None:
        return ""
    return job.message or words.advice(job.status)


def _turn(job: Job) -> str:
    """Return what a job in the queue waits for, in the words of `carrel batch list`."""
    if job.is_interrupted:
        return tr("Stopped, will resume")
    return tr("Will be retried") if job.attempts else tr("Waiting for its turn")


def _running(row: Row, now: float) -> tuple[str, str]:
    transfer = row.transfer
    stalled = transfer.stalled_s(now)
    if not transfer.is_running:  # nothing was heard of it: another program runs the queue
        return words.job_state(JobState.RUNNING), ""
    if transfer.waiting_for:
        return tr("Waiting"), transfer.waiting_for
    if stalled is not None:
        return tr("Stalled"), tr("No data for {span}", span=quantities.span(stalled))
    if transfer.stage is None:
        return tr("Starting"), transfer.doing
    is_named_beside = transfer.doing == row.title or "://" in transfer.doing
    return words.stage(transfer.stage), "" if is_named_beside else transfer.doing


def _job_files(row: Row) -> tuple[str, str]:
    """Return "5 of 12", and how many of them failed."""
    job, count = row.job, row.file_count
    if not count:
        return "", ""
    if job.state is JobState.DONE or (job.state is JobState.QUEUED and not row.kept):
        return quantities.number(count), ""
    text = tr("{kept} of {count}", kept=quantities.number(row.kept), count=quantities.number(count))
    if not row.failed:
        return text, ""
    return text, tr("{count} failed", count=quantities.number(row.failed))


def _job_size(row: Row) -> tuple[str, str]:
    """Return "2 MiB of 5 MiB", or what is kept and, below it, that the whole size is not known."""
    job, transfer = row.job, row.transfer
    if job.state is JobState.RUNNING:
        if not transfer.files:
            return "", ""
        whole = quantities.size(transfer.known_total)
        if transfer.unknown and transfer.known_total:
            whole = tr("≥ {size}", size=whole)  # in words there is no room for it
        elif transfer.unknown:
            whole = quantities.total(0, 1)
        return _of(transfer.received_total, whole), ""
    if not job.file_count:
        return "", ""
    if job.state is JobState.DONE:
        return quantities.size(job.kept_size), ""
    if row.lacks_sizes:
        unknown = tr("size unknown")
        return (kept_size(job), unknown) if job.kept_size else (unknown, "")
    whole = quantities.size(row.total_size)
    if job.state is JobState.QUEUED and not job.kept_size:
        return whole, ""
    return _of(job.kept_size or 0, whole), ""


def kept_size(job: Job) -> str:
    """Return "35.6 KiB kept"."""
    return tr("{size} archived", size=quantities.size(job.kept_size))


def _file_size(transfer: Transfer, index: int, state: FileState) -> str:
    expected = transfer.expected[index]
    size = quantities.size(expected) if expected >= 0 else tr("size unknown")
    if state is FileState.FAILED:
        declared = transfer.files[index].size
        return tr("size unknown") if declared is None else quantities.size(declared)
    if state in (FileState.KEPT, FileState.WAITING, FileState.STOPPED):
        return size
    if state is FileState.VERIFYING:
        return _of(transfer.verified.get(index, 0), size)
    return _of(transfer.received[index], size)


def _of(part: int, whole: str) -> str:
    return tr("{part} of {whole}", part=quantities.size(part), whole=whole)


def _file_look(row: Row, index: int, state: FileState) -> tuple[str, str, str]:
    file = row.files[index]
    status = file.status
    if state is FileState.STOPPED and row.job.state.is_open:
        return *words.job_state_look(JobState.PAUSED), words.job_state(JobState.PAUSED)
    if state in (FileState.KEPT, FileState.FAILED, FileState.STOPPED) and status:
        word = words.file_outcome(file)
        return words.outcome_icon(status), words.outcome_tone(status), word
    if index in row.transfer.waits:
        return "waiting", "secondary", tr("Waiting")
    if state is FileState.FETCHING:
        return "running", "accent", words.stage(Stage.FETCH)
    if state is FileState.VERIFYING:
        return "running", "accent", words.stage(Stage.VERIFY)
    return "waiting", "secondary", tr("Waiting")


def _file_detail(transfer: Transfer, index: int, state: FileState) -> str:
    file = transfer.files[index]
    if state in (FileState.FAILED, FileState.STOPPED) and file.status:
        return file.message or words.advice(file.status)
    if index in transfer.waits:
        return transfer.waits[index]
    if state is FileState.KEPT:
        return ", ".join(map(algorithm_name, file.declared.digests))
    return ""
