# SPDX-License-Identifier: AGPL-3.0-or-later
"""The core's codes as words for people: outcomes, stages, strategies, platforms."""

from carrel.engine.platform_titles import title_of
from carrel.errors import NotProven
from carrel.model import (
    Answer,
    Fate,
    IngestStrategy,
    Job,
    JobState,
    ManifestFile,
    Side,
    SourceReport,
    SourceState,
    SourceType,
    Stage,
    Status,
)
from carrel.model.access import Doubt
from carrel.model.outcome_words import ACCOMPANYING as ACCOMPANYING
from carrel.model.outcome_words import IS_ACCOMPANYING as IS_ACCOMPANYING
from carrel.model.outcome_words import TWIN as TWIN
from carrel.model.outcome_words import found_by_last as found_by_last
from carrel.model.outcome_words import instead_of_again as instead_of_again
from carrel.model.outcome_words import job_state as job_state
from carrel.model.outcome_words import of_earlier as of_earlier
from carrel.model.outcome_words import outcome as outcome
from carrel.model.outcome_words import unfit as unfit
from carrel.model.proof import Grade, grade
from carrel.translation import tr

# What the window has for what is damaged or missing in the archive.
WHAT_MENDS = tr(
    "If a second copy has it, “Second copy…” and there “Repair from it…” brings it back; “Archive "
    "again” adds what is still published."
)
WACZ_COPIES_RECORDS = tr(
    "A WACZ copies the records themselves: with a damaged one it cannot be made, even where the "
    "same bytes are intact elsewhere."
)
OWN_SOURCE = "archive"  # as the collections file of a new archive calls it


def not_proven(error: NotProven) -> str:
    """Return why a file cannot be handed over, and what helps: the window's ways, since the
    commands that the core names ask for an archive that no window has open."""
    return f"{error.why} {WHAT_MENDS}"


def doubt(each: Doubt) -> str:
    """Return why there is but an earlier copy of a file, and what helps."""
    return f"{each.why} {WHAT_MENDS}" if each.is_damaged else each.why


def file_outcome(file: ManifestFile) -> str:
    """Return the outcome of a file that has one, and what it was compared with as it arrived."""
    status, proven = file.status, grade(file)
    if status is None:
        return ""
    if proven is Grade.SIZE:
        return tr("Archived; size matches")
    if proven is Grade.NOTHING:
        return tr("Archived; no published checksum")
    is_new = status in (Status.SUCCESS, Status.SUCCESS_FILE)
    return tr("Checksum matches") if is_new else outcome(status)


def outcome_tone(status: Status) -> str:
    """Return the colour of an outcome."""
    if status.is_success:
        return "ok"
    if status in _STOPPED:
        return "secondary"
    if status.meaning.side is Side.PLATFORM and status in _EXPLAINED:
        return "warning"
    return "warning" if status in _TO_DECIDE else "failed"


def outcome_icon(status: Status) -> str:
    """Return the icon's name of an outcome."""
    if status in _STOPPED:
        return "stopped"
    return {"ok": "ok", "warning": "warning", "failed": "failed"}[outcome_tone(status)]


def goes_on(job: Job) -> str:
    """Return when a job that is paused or held up goes on; a start of the queue looks for room."""
    if job.state is JobState.QUEUED:
        return tr("Retried when the queue resumes")
    if job.is_on_hold:
        return tr("Retried when the queue starts again, or by “Retry all on hold”")
    return tr("Paused by merging") if job.came_paused else tr("Paused by you")


def advice(status: Status) -> str:
    """Return the one sentence of the core about what can be done."""
    return status.meaning.advice


def side(status: Status) -> str:
    """Return whose turn it is after an outcome, in a few words; "" of one that needs nothing."""
    return "" if status.is_success or status in _STOPPED else _SIDES[status.meaning.side]


def strategy(value: IngestStrategy) -> str:
    """Return a strategy, in words, with its name."""
    return _STRATEGIES[value].format(name=value.value)


def priority(value: int) -> str:
    """Return a priority that is not the usual one, in words; empty for 0."""
    if value == 0:
        return ""
    return tr("High priority") if value > 0 else tr("Low priority")


def version(text: str | None) -> str:
    """Return "v2.1" for a number, another version as it is, nothing for none."""
    if not text:
        return ""
    return f"v{text}" if text[0].isdigit() else text


def platform(name: str | None) -> str:
    """Return the platform's name as its makers write it."""
    return title_of(name or "") or (name or "").replace("-", " ").capitalize()


_STOPPED = frozenset({Status.CANCELLED, Status.NOT_PROCESSED})
# Outcomes that are the depositor's wish or a fact of the record, not a fault.
# Nothing failed: the person decides whether it is archived.
_TO_DECIDE = frozenset({Status.TOO_LARGE_SIZE, Status.TOO_MANY_FILES})
_EXPLAINED = frozenset(
    {
        Status.PLATFORM_RESTRICTED,
        Status.LINK_ONLY,
        Status.EMPTY_MANIFEST,
        Status.PLATFORM_NOT_READY,
        Status.TERMS_REQUIRED,
        Status.RATE_LIMITED,
        Status.UNSAFE_PATH,
    }
)

_SIDES = {
    Side.YOU: tr("Up to you"),
    Side.PLATFORM: tr("Up to the repository"),
    Side.NETWORK: tr("Depends on the network"),
    Side.ARCHIVE: tr("Archive problem"),
    Side.CARREL: tr("Limitation of Carrel"),
    Side.NOBODY: "",
}
stage = {
    Stage.RESOLVE: tr("Resolving the address"),
    Stage.DESCRIBE: tr("Querying the platform"),
    Stage.CHOOSE: tr("Choosing a strategy"),
    Stage.FETCH: tr("Downloading"),
    Stage.VERIFY: tr("Verifying"),
    Stage.STORE: tr("Writing to the archive"),
    Stage.REPORT: tr("Writing the result"),
}.__getitem__
_STRATEGIES = {
    IngestStrategy.WEB_FILE: tr("Single file · {name}"),
    IngestStrategy.WEB_FILESET: tr("Individual files · {name}"),
    IngestStrategy.WEB_FILESET_BUNDLED: tr("Repository ZIP · {name}"),
    IngestStrategy.ARCHIVEORG_FILE: tr("File on archive.org · {name}"),
    IngestStrategy.ARCHIVEORG_FILESET: tr("An archive.org item · {name}"),
    IngestStrategy.ARCHIVEORG_FILESET_BUNDLED: tr("ZIP on archive.org · {name}"),
}
job_state_look = {
    JobState.QUEUED: ("waiting", "secondary"),
    JobState.RUNNING: ("running", "accent"),
    JobState.PAUSED: ("pause", "secondary"),
    JobState.ASKING: ("question", "warning"),
    JobState.DONE: ("ok", "ok"),
    JobState.FAILED: ("failed", "failed"),
    JobState.CANCELLED: ("stopped", "secondary"),
}.__getitem__
source_state_look = {
    SourceState.ASKED: ("running", "accent"),
    SourceState.ANSWERED: ("indicator-answered", "ok"),
    SourceState.NONE: ("indicator-none", "secondary"),
    SourceState.TIMED_OUT: ("waiting", "warning"),
    SourceState.REFUSED: ("indicator-refused", "failed"),
    SourceState.RESTING: ("indicator-resting", "secondary"),
    SourceState.UNREACHABLE: ("indicator-unreachable", "failed"),
    SourceState.FAILED: ("failed", "failed"),
    SourceState.INTERRUPTED: ("stopped", "failed"),
    SourceState.WRONG_ANSWER: ("warning", "failed"),
}.__getitem__


def source_look(report: SourceReport) -> tuple[str, str]:
    """Return icon and colour of what a source answered; what may lack captures is no plain one."""
    return ("warning", "warning") if report.lacks_some else source_state_look(report.state)


answer = {
    Answer.LIFT_LIMIT: tr("Lift the &limit for this one"),
    Answer.OTHER_ITEM: tr("Use a&nother item"),
    Answer.PUBLISH: tr("Pu&blish it"),
    Answer.LEAVE: tr("Ski&p"),
}.__getitem__
answer_tip = {
    Answer.LIFT_LIMIT: tr("Archive it although it exceeds the limit"),
    Answer.OTHER_ITEM: tr("Archive it under an unused name"),
    Answer.PUBLISH: tr("Archive it and publish it with your keys"),
    Answer.LEAVE: tr("Do not archive it; the queue continues"),
}.__getitem__
fate = {
    Fate.INTACT: tr("Intact"),
    Fate.DAMAGED: tr("Damaged"),
    Fate.MISSING: tr("Missing"),
    Fate.UNEXPECTED: tr("Not listed"),
    Fate.REFUSED: tr("Refused"),
    Fate.NOT_FOUND: tr("Not found"),
    Fate.UNREADABLE: tr("Not readable"),
    Fate.NO_WARC: tr("No WARC"),
}.__getitem__


def may_be_in_copy(moment: str, *, can_come_again: bool = True) -> str:
    """Return what helps where bytes turned out damaged and there is a second copy; whether what it
    lacks `can_come_again` from where it was published."""
    copy = tr(
        "A second copy of {moment} may have these bytes: File > Second copy > Repair.",
        moment=moment,
    )
    again = tr("What it does not have, archive again while it is still published.")
    return f"{copy} {again}" if can_come_again else copy


def check_the_disk() -> str:
    """Return what helps where bytes turned out damaged."""
    return tr("Check the disk, then archive the dataset again.")


def collection_title(title: str, name: str) -> str:
    """Return a collection of sources as it is called; those of a new archive are called in the
    person's language, unless somebody has called them otherwise."""
    return _COLLECTIONS.get(title, title) or name


_COLLECTIONS = {
    "This archive and the public archives": tr("This archive and the public archives"),
    "This archive": tr("This archive"),
    "The public archives": tr("The public archives"),
}


def source_name(name: str, type_: SourceType) -> str:
    """Return a source of mementos as it is called: the archive that is open has no other name."""
    return tr("This archive") if type_.is_local and name == OWN_SOURCE else name
