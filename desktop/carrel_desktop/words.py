# SPDX-License-Identifier: AGPL-3.0-or-later
"""The core's codes as words for people: outcomes, stages, strategies, platforms."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from carrel.engine.known_platforms import title_of
from carrel.model import (
    Answer,
    Fate,
    IngestStrategy,
    JobState,
    ManifestFile,
    Side,
    SourceState,
    Stage,
    Status,
)
from carrel.model.proof import Grade, grade
from carrel_desktop.translation import Words, translator

_tr = translator("words")


def file_outcome(file: ManifestFile) -> str:
    """Return the outcome of a file that has one; only a published digest verifies it."""
    status, proven = file.status, grade(file)
    if status is None:
        return ""
    if proven is Grade.SIZE:
        return _tr("Archived; size matches")
    if proven is Grade.NOTHING:
        return _tr("Archived; no published checksum")
    return _tr("Verified") if status in (Status.SUCCESS, Status.SUCCESS_FILE) else outcome(status)


def outcome_tone(status: Status) -> str:
    """Return the colour of an outcome."""
    if status.is_success:
        return "ok"
    if status in _STOPPED:
        return "secondary"
    if status.meaning.side is Side.PLATFORM and status in _EXPLAINED:
        return "warning"
    return "failed"


def outcome_icon(status: Status) -> str:
    """Return the icon's name of an outcome."""
    if status in _STOPPED:
        return "stopped"
    return {"ok": "ok", "warning": "warning", "failed": "failed"}[outcome_tone(status)]


def advice(status: Status) -> str:
    """Return the one sentence of the core about what can be done."""
    return status.meaning.advice


def side(status: Status) -> str:
    """Return with whom an outcome lies, in three or four words; empty for a success."""
    return _tr(str(_SIDES[status.meaning.side])) if not status.is_success else ""


def strategy(value: IngestStrategy) -> str:
    """Return a way of keeping, in words, with its name."""
    return _tr(str(_STRATEGIES[value])).format(name=value.value)


def priority(value: int) -> str:
    """Return a priority that is not the usual one, in words; empty for 0."""
    if value == 0:
        return ""
    return _tr("High priority") if value > 0 else _tr("Low priority")


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
_EXPLAINED = frozenset(
    {
        Status.PLATFORM_RESTRICTED,
        Status.LINK_ONLY,
        Status.EMPTY_MANIFEST,
        Status.TERMS_REQUIRED,
        Status.RATE_LIMITED,
        Status.UNSAFE_PATH,
    }
)

_OUTCOME = {
    Status.SUCCESS: QT_TRANSLATE_NOOP("words", "Archived"),
    Status.SUCCESS_FILE: QT_TRANSLATE_NOOP("words", "Archived"),
    Status.SUCCESS_EXISTING: QT_TRANSLATE_NOOP("words", "Already archived"),
    Status.INVALID_REQUEST: QT_TRANSLATE_NOOP("words", "Not a request"),
    Status.INVALID_URL: QT_TRANSLATE_NOOP("words", "Not an address"),
    Status.INVALID_HOST_RESOLUTION: QT_TRANSLATE_NOOP("words", "Host not found"),
    Status.NETWORK_ERROR: QT_TRANSLATE_NOOP("words", "Network failed"),
    Status.READ_TIMEOUT: QT_TRANSLATE_NOOP("words", "No response"),
    Status.GATEWAY_TIMEOUT: QT_TRANSLATE_NOOP("words", "Server too slow"),
    Status.REMOTE_SERVER_ERROR: QT_TRANSLATE_NOOP("words", "Server fault"),
    Status.NOT_FOUND: QT_TRANSLATE_NOOP("words", "Not found"),
    Status.FORBIDDEN: QT_TRANSLATE_NOOP("words", "Access refused"),
    Status.TERMINAL_BAD_STATUS: QT_TRANSLATE_NOOP("words", "HTTP error"),
    Status.BAD_REDIRECT: QT_TRANSLATE_NOOP("words", "Bad redirect"),
    Status.REDIRECT_LOOP: QT_TRANSLATE_NOOP("words", "Redirect loop"),
    Status.REDIRECTS_EXCEEDED: QT_TRANSLATE_NOOP("words", "Too many redirects"),
    Status.BLOCKED_COOKIE: QT_TRANSLATE_NOOP("words", "Cookies required"),
    Status.BLOCKED_WALL: QT_TRANSLATE_NOOP("words", "Log-in needed"),
    Status.BLOCKED_CHALLENGE: QT_TRANSLATE_NOOP("words", "Bot check"),
    Status.BLOCKED_AGENT: QT_TRANSLATE_NOOP("words", "Blocked by server"),
    Status.RATE_LIMITED: QT_TRANSLATE_NOOP("words", "Rate limited"),
    Status.EMPTY_BLOB: QT_TRANSLATE_NOOP("words", "Empty answer"),
    Status.BODY_TOO_LARGE: QT_TRANSLATE_NOOP("words", "Not a page"),
    Status.WRONG_MIMETYPE: QT_TRANSLATE_NOOP("words", "Unexpected type"),
    Status.NO_PLATFORM_MATCH: QT_TRANSLATE_NOOP("words", "Platform unknown"),
    Status.PLATFORM_SCOPE: QT_TRANSLATE_NOOP("words", "Not a single dataset"),
    Status.PLATFORM_RESTRICTED: QT_TRANSLATE_NOOP("words", "Restricted"),
    Status.PLATFORM_404: QT_TRANSLATE_NOOP("words", "Not found at repository"),
    Status.PLATFORM_HTTP_ERROR: QT_TRANSLATE_NOOP("words", "Platform error"),
    Status.PLATFORM_ERROR: QT_TRANSLATE_NOOP("words", "Platform error"),
    Status.EMPTY_MANIFEST: QT_TRANSLATE_NOOP("words", "No files"),
    Status.LINK_ONLY: QT_TRANSLATE_NOOP("words", "No download"),
    Status.TERMS_REQUIRED: QT_TRANSLATE_NOOP("words", "Terms to accept"),
    Status.TOO_LARGE_SIZE: QT_TRANSLATE_NOOP("words", "Too large"),
    Status.TOO_MANY_FILES: QT_TRANSLATE_NOOP("words", "Too many files"),
    Status.NO_STRATEGY_HELPER: QT_TRANSLATE_NOOP("words", "Strategy not available"),
    Status.CREDENTIALS_REQUIRED: QT_TRANSLATE_NOOP("words", "Keys needed"),
    Status.SETTINGS_UNCONFIRMED: QT_TRANSLATE_NOOP("words", "Settings not confirmed"),
    Status.PUBLICATION_UNCONFIRMED: QT_TRANSLATE_NOOP("words", "Publication not confirmed"),
    Status.ERROR_PLATFORM_DOWNLOAD: QT_TRANSLATE_NOOP("words", "Download failed"),
    Status.TRUNCATED: QT_TRANSLATE_NOOP("words", "Transfer interrupted"),
    Status.TRANSFER_ENCODING_ERROR: QT_TRANSLATE_NOOP("words", "Bad encoding"),
    Status.UNSAFE_PATH: QT_TRANSLATE_NOOP("words", "Unsafe name"),
    Status.MISMATCH: QT_TRANSLATE_NOOP("words", "Content mismatch"),
    Status.MISMATCH_SIZE: QT_TRANSLATE_NOOP("words", "Size mismatch"),
    Status.MISMATCH_MD5: QT_TRANSLATE_NOOP("words", "MD5 mismatch"),
    Status.MISMATCH_SHA1: QT_TRANSLATE_NOOP("words", "SHA-1 mismatch"),
    Status.MISMATCH_SHA256: QT_TRANSLATE_NOOP("words", "SHA-256 mismatch"),
    Status.BUNDLE_INCOMPLETE: QT_TRANSLATE_NOOP("words", "Bundle incomplete"),
    Status.ARCHIVE_LOCKED: QT_TRANSLATE_NOOP("words", "Archive in use"),
    Status.STORE_DAMAGED: QT_TRANSLATE_NOOP("words", "Store damaged"),
    Status.DISK_FULL: QT_TRANSLATE_NOOP("words", "Disk full"),
    Status.MISMATCH_EXISTING: QT_TRANSLATE_NOOP("words", "Name already in use"),
    Status.ERROR_ARCHIVEORG_UPLOAD: QT_TRANSLATE_NOOP("words", "Upload failed"),
    Status.NO_CAPTURE: QT_TRANSLATE_NOOP("words", "No capture"),
    Status.TOO_MUCH_SPN: QT_TRANSLATE_NOOP("words", "Too many to submit"),
    Status.SPN2_ERROR: QT_TRANSLATE_NOOP("words", "Save Page Now failed"),
    Status.SPN2_CDX_LOOKUP_FAILURE: QT_TRANSLATE_NOOP("words", "Not indexed yet"),
    Status.CDX_ERROR: QT_TRANSLATE_NOOP("words", "Index not responding"),
    Status.WAYBACK_ERROR: QT_TRANSLATE_NOOP("words", "Capture not readable"),
    Status.NOT_PROCESSED: QT_TRANSLATE_NOOP("words", "Not reached"),
    Status.CANCELLED: QT_TRANSLATE_NOOP("words", "Cancelled"),
    Status.INTERNAL_ERROR: QT_TRANSLATE_NOOP("words", "Internal error"),
}
outcome = Words("words", _OUTCOME)
_SIDES = {
    Side.YOU: QT_TRANSLATE_NOOP("words", "Action: you"),
    Side.PLATFORM: QT_TRANSLATE_NOOP("words", "Action: repository"),
    Side.NETWORK: QT_TRANSLATE_NOOP("words", "Action: network"),
    Side.ARCHIVE: QT_TRANSLATE_NOOP("words", "Action: archive"),
    Side.CARREL: QT_TRANSLATE_NOOP("words", "Action: Carrel"),
    Side.NOBODY: "",
}
_STAGE = {
    Stage.RESOLVE: QT_TRANSLATE_NOOP("words", "Resolving the address"),
    Stage.DESCRIBE: QT_TRANSLATE_NOOP("words", "Querying the platform"),
    Stage.CHOOSE: QT_TRANSLATE_NOOP("words", "Choosing a strategy"),
    Stage.FETCH: QT_TRANSLATE_NOOP("words", "Downloading"),
    Stage.VERIFY: QT_TRANSLATE_NOOP("words", "Verifying"),
    Stage.STORE: QT_TRANSLATE_NOOP("words", "Writing to the archive"),
    Stage.REPORT: QT_TRANSLATE_NOOP("words", "Writing the result"),
}
stage = Words("words", _STAGE)
_STRATEGIES = {
    IngestStrategy.WEB_FILE: QT_TRANSLATE_NOOP("words", "Single file · {name}"),
    IngestStrategy.WEB_FILESET: QT_TRANSLATE_NOOP("words", "Individual files · {name}"),
    IngestStrategy.WEB_FILESET_BUNDLED: QT_TRANSLATE_NOOP("words", "Repository ZIP · {name}"),
    IngestStrategy.ARCHIVEORG_FILE: QT_TRANSLATE_NOOP("words", "File on archive.org · {name}"),
    IngestStrategy.ARCHIVEORG_FILESET: QT_TRANSLATE_NOOP("words", "An archive.org item · {name}"),
    IngestStrategy.ARCHIVEORG_FILESET_BUNDLED: QT_TRANSLATE_NOOP(
        "words", "ZIP on archive.org · {name}"
    ),
}
_JOB_STATE = {
    JobState.QUEUED: QT_TRANSLATE_NOOP("words", "Queued"),
    JobState.RUNNING: QT_TRANSLATE_NOOP("words", "Running"),
    JobState.PAUSED: QT_TRANSLATE_NOOP("words", "Paused"),
    JobState.ASKING: QT_TRANSLATE_NOOP("words", "Needs answer"),
    JobState.DONE: QT_TRANSLATE_NOOP("words", "Done"),
    JobState.FAILED: QT_TRANSLATE_NOOP("words", "Failed"),
    JobState.CANCELLED: QT_TRANSLATE_NOOP("words", "Cancelled"),
}
job_state = Words("words", _JOB_STATE)
_JOB_STATE_LOOKS = {
    JobState.QUEUED: ("waiting", "secondary"),
    JobState.RUNNING: ("running", "accent"),
    JobState.PAUSED: ("pause", "secondary"),
    JobState.ASKING: ("question", "warning"),
    JobState.DONE: ("ok", "ok"),
    JobState.FAILED: ("failed", "failed"),
    JobState.CANCELLED: ("stopped", "secondary"),
}
job_state_look = _JOB_STATE_LOOKS.__getitem__
_SOURCE_STATE_LOOKS = {
    SourceState.ASKED: ("running", "accent"),
    SourceState.ANSWERED: ("lamp-answered", "ok"),
    SourceState.NONE: ("lamp-none", "secondary"),
    SourceState.TIMED_OUT: ("waiting", "warning"),
    SourceState.REFUSED: ("lamp-refused", "failed"),
    SourceState.RESTING: ("lamp-resting", "secondary"),
    SourceState.UNREACHABLE: ("lamp-unreachable", "failed"),
    SourceState.WRONG_ANSWER: ("warning", "failed"),
}
source_state_look = _SOURCE_STATE_LOOKS.__getitem__
_ANSWER = {
    Answer.LIFT_LIMIT: QT_TRANSLATE_NOOP("words", "Lift the &limit for this one"),
    Answer.OTHER_ITEM: QT_TRANSLATE_NOOP("words", "Use a&nother item"),
    Answer.PUBLISH: QT_TRANSLATE_NOOP("words", "Pu&blish it"),
    Answer.LEAVE: QT_TRANSLATE_NOOP("words", "Ski&p"),
}
answer = Words("words", _ANSWER)
_ANSWER_TIP = {
    Answer.LIFT_LIMIT: QT_TRANSLATE_NOOP("words", "Archive it although it exceeds the limit"),
    Answer.OTHER_ITEM: QT_TRANSLATE_NOOP("words", "Archive it under an unused name"),
    Answer.PUBLISH: QT_TRANSLATE_NOOP("words", "Archive it and publish it with your keys"),
    Answer.LEAVE: QT_TRANSLATE_NOOP("words", "Do not archive it; the queue continues"),
}
answer_tip = Words("words", _ANSWER_TIP)
_FATE = {
    Fate.INTACT: QT_TRANSLATE_NOOP("words", "Intact"),
    Fate.DAMAGED: QT_TRANSLATE_NOOP("words", "Damaged"),
    Fate.MISSING: QT_TRANSLATE_NOOP("words", "Missing"),
    Fate.NOT_FOUND: QT_TRANSLATE_NOOP("words", "Not found"),
    Fate.UNREADABLE: QT_TRANSLATE_NOOP("words", "Not readable"),
    Fate.NO_WARC: QT_TRANSLATE_NOOP("words", "No WARC"),
}
fate = Words("words", _FATE)


def check_the_disk() -> str:
    """Return what helps where bytes turned out damaged."""
    return _tr("Check the disk, then archive the dataset again.")
