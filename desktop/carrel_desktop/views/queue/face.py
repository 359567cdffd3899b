# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a row of the queue says: a job or one of its files, in words."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from carrel.model import Stage, Status
from carrel_desktop import quantities, words
from carrel_desktop.views.queue.job import FileState, Job, JobState

CONTEXT = "queue"


@dataclass(frozen=True, slots=True)
class Face:
    """`fraction` is None without a bar's length; `is_moving` then draws a bar without one."""

    title: str
    second: str
    icon: str
    tone: str
    state: str
    state_detail: str = ""
    progress: str = ""
    fraction: float | None = None
    is_moving: bool = False
    speed: str = ""
    left: str = ""

    @property
    def percent(self) -> str:
        """The bar in words, for those who do not see it; never rounded up to 100."""
        if self.fraction is None:
            return ""
        return _tr("{count} percent").format(count=int(self.fraction * 100))


def job_face(job: Job, now: float) -> Face:
    """Return what a job's row says at a moment."""
    icon, tone = _look(job, now)
    state, detail = _job_state(job, now)
    is_running = job.state is JobState.RUNNING
    rate, left = job.rate(now), job.seconds_left(now)
    return Face(
        title=job.title,
        second=_origin(job),
        icon=icon,
        tone=tone,
        state=state,
        state_detail=detail,
        progress=_job_progress(job),
        fraction=job.fraction if is_running else None,
        is_moving=is_running,
        speed=quantities.rate(rate) if rate else "",
        left=_tr("{span} left").format(span=quantities.span(left)) if left is not None else "",
    )


def file_face(job: Job, index: int) -> Face:
    """Return what a file's row says."""
    file = job.files[index]
    folder, _, name = file.path.rpartition("/")
    state = FileState(job.file_states[index])
    icon, tone, word = _file_look(job, index, state)
    is_moving = state in (FileState.FETCHING, FileState.VERIFYING)
    return Face(
        title=name or file.path,
        second=folder,
        icon=icon,
        tone=tone,
        state=word,
        state_detail=_file_detail(job, index, state),
        progress=_file_progress(job, index, state),
        fraction=job.file_fraction(index) if is_moving else None,
        is_moving=is_moving,
    )


def status_of(job: Job, index: int | None) -> Status | None:
    """Return how the job, or one of its files, ended; None if it has not."""
    if index is not None:
        return job.files[index].status
    return job.result.status if job.result else None


def _tr(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)


def _look(job: Job, now: float) -> tuple[str, str]:
    if job.result:
        return words.outcome_icon(job.result.status), words.outcome_tone(job.result.status)
    if job.stalled_s(now) is not None:
        return "waiting", "warning"
    return ("running", "accent") if job.state is JobState.RUNNING else ("waiting", "secondary")


def _origin(job: Job) -> str:
    if job.item is None:
        return "" if job.title == job.request.base_url else job.request.base_url
    count = len(job.files) or len(job.item.manifest)
    parts = [
        words.platform(job.item.platform_name),
        job.item.platform_domain,
        words.version(job.item.platform_version),
        quantities.files(count),
    ]
    return " · ".join(part for part in parts if part)


def _job_state(job: Job, now: float) -> tuple[str, str]:
    if job.result:
        return words.outcome(job.result.status), _kept(job)
    if job.state is JobState.WAITING:
        return _tr("Waiting"), _tr("Starts when there is room")
    stalled = job.stalled_s(now)
    if stalled is not None:
        return _tr("Stalled"), _tr("No data for {span}").format(span=quantities.span(stalled))
    stage = words.stage(job.stage) if job.stage else _tr("Starting")
    return stage, _files_done(job) or job.doing


def _kept(job: Job) -> str:
    """Say how much is kept; of a dataset that could not be described, what can be done."""
    if job.state is JobState.DONE:
        return quantities.files(len(job.files)) if job.files else ""
    if not job.files and job.result:
        return words.advice(job.result.status)
    text = _tr("{kept} of {count} files kept")
    return text.format(kept=quantities.number(job.kept), count=quantities.number(len(job.files)))


def _files_done(job: Job) -> str:
    if not job.files:
        return ""
    text = _tr("{done} of {count} files").format(
        done=quantities.number(job.kept), count=quantities.number(len(job.files))
    )
    if job.failed:
        text += " · " + _tr("{count} failed").format(count=quantities.number(job.failed))
    return text


def _job_progress(job: Job) -> str:
    if not job.files:
        return ""
    if job.state is JobState.DONE:
        return quantities.size(job.received_total)
    if job.state is JobState.WAITING:
        return quantities.total(job.known_total, job.unknown)
    if job.state is JobState.FAILED:
        kept = _tr("{size} kept") if job.received_total else _tr("Nothing kept")
        return kept.format(size=quantities.size(job.received_total))
    return _of(job.received_total, quantities.total(job.known_total, job.unknown))


def _file_progress(job: Job, index: int, state: FileState) -> str:
    expected = job.expected[index]
    size = quantities.size(expected) if expected >= 0 else _tr("size unknown")
    if state is FileState.FAILED:
        return quantities.size(job.files[index].size)
    if state in (FileState.KEPT, FileState.WAITING):
        return size
    if state is FileState.VERIFYING:
        return _of(job.verified.get(index, 0), size)
    return _of(job.received[index], size)


def _of(part: int, whole: str) -> str:
    return _tr("{part} of {whole}").format(part=quantities.size(part), whole=whole)


def _file_look(job: Job, index: int, state: FileState) -> tuple[str, str, str]:
    status = job.files[index].status
    if state in (FileState.KEPT, FileState.FAILED) and status:
        is_compared = bool(job.files[index].declared.digests)
        word = words.file_outcome(status, is_compared=is_compared)
        return words.outcome_icon(status), words.outcome_tone(status), word
    if state is FileState.FETCHING:
        return "file", "accent", words.stage(Stage.FETCH)
    if state is FileState.VERIFYING:
        return "file", "accent", words.stage(Stage.VERIFY)
    return "file", "secondary", _tr("Waiting")


def _file_detail(job: Job, index: int, state: FileState) -> str:
    file = job.files[index]
    if state is FileState.FAILED and file.status:
        return file.message or words.advice(file.status)
    if state is FileState.KEPT:
        return " ".join(file.declared.digests)
    return ""
