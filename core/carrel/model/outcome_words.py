# SPDX-License-Identifier: AGPL-3.0-or-later
"""Outcomes and states of jobs in a word or two, for people: in the window, and in reports."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from carrel.model.counts import counted
from carrel.model.job import JobState
from carrel.model.status import Status
from carrel.model.verification import FailedRecord
from carrel.translation import plural, tr

TWIN = tr("The same bytes, or those of all files in it, are intact in other records.")
NOTHING_LOST = tr(
    "No bytes are lost: they are intact in other records of this archive, which previews use, and "
    "exports in every form but WACZ."
)
FILES_ELSEWHERE = tr(
    "No other record has the same bytes, but all files in it are in other records that are not "
    "known to be damaged. The holding uses those: no file is lost."
)
FILES_BESIDE = tr(
    "No other record has the same bytes, but all files in it are in other records that are not "
    "known to be damaged: no file is lost. Previews use those, and exports in every form but WACZ."
)
COME_ANEW = tr("Archiving the dataset again downloads them anew, while they are published.")
# The ledger has no row for a record that is no capture, until it is found damaged.
MISSING_COUNTED = tr(
    "Of what is missing, only the records of files and pages are known and counted; the requests, "
    "metadata and warcinfo records that accompanied them are not."
)
ACCOMPANYING = tr("Request, metadata or warcinfo record")
IS_ACCOMPANYING = tr(
    "No bytes of a file are in this record, but the WARC cannot be handed on as it is."
)
OTHER_FORMS = tr(
    "Restore the WARC from a copy. Until then the files can be exported in every form but WACZ."
)
IS_IMPORTED = tr(
    "It was imported, and cannot be downloaded again: restore the WARC file from a copy. If you "
    "still have what was imported, import it again in the same way: files that are damaged or "
    "missing here are then stored again."
)
IS_EARLIER = tr(
    "This belongs to another attempt than the one that is held, and may no longer be published: "
    "restore the WARC file from a copy."
)


def of_earlier(version: str | None) -> str:
    """Return a sentence about a record on which no file of what is held now rests; `version` is
    whose it is, None where that is the version that is held, or is not known."""
    if version:
        return tr(
            "It belongs to version {version} only; the version that is held has none of it.",
            version=version,
        )
    return tr("It belongs to another attempt only; nothing that is held of the dataset is in it.")


def found_by_last(failed: int, repaired: int, moment: str) -> str:
    """Return what the last verification found that was not intact, of which so many records were
    intact again when read at a moment later, in words."""
    records = counted(failed, "record")
    if not repaired:
        return tr("{records} damaged or missing", records=records)
    if repaired == failed:
        return tr(
            "{records} damaged or missing, intact again when read on {moment}",
            records=records,
            moment=moment,
        )
    return plural(
        "{records} damaged or missing, {count:,} of them intact again when read on {moment}",
        "{records} damaged or missing, {count:,} of them intact again when last read on {moment}",
        repaired,
        records=records,
        count=repaired,
        moment=moment,
    )


def ends(counts: Mapping[JobState, int]) -> str:
    """Return how jobs ended: "211 archived, 30 failed"."""
    said = {
        JobState.DONE: tr("{count:,} archived", count=counts.get(JobState.DONE, 0)),
        JobState.FAILED: tr("{count:,} failed", count=counts.get(JobState.FAILED, 0)),
        JobState.CANCELLED: tr("{count:,} cancelled", count=counts.get(JobState.CANCELLED, 0)),
    }
    return ", ".join(text for state, text in said.items() if counts.get(state))


def jobs_by_state(counts: Mapping[JobState, int]) -> list[str]:
    """Return how many jobs are in each state that any is in: "3 queued", "1 running"."""
    said = {
        JobState.QUEUED: tr("{count:,} queued"),
        JobState.RUNNING: tr("{count:,} running"),
        JobState.PAUSED: tr("{count:,} paused"),
        JobState.ASKING: tr("{count:,} awaiting answer"),
        JobState.DONE: tr("{count:,} done"),
        JobState.FAILED: tr("{count:,} failed"),
        JobState.CANCELLED: tr("{count:,} cancelled"),
    }
    return [said[each].format(count=counts[each]) for each in JobState if counts.get(each)]


class Unfit(NamedTuple):
    """A record that is not intact: whether another one has its bytes, whether only an earlier
    version rests on it, whether it is no capture, and whether it was imported."""

    has_twin: bool
    is_earlier: bool
    is_accompanying: bool
    is_imported: bool = False


def unfit(failed: FailedRecord) -> Unfit:
    """Return what decides on what helps against a damage."""
    return Unfit(failed.has_twin, failed.is_earlier, failed.is_accompanying, failed.is_imported)


def instead_of_again(records: Iterable[Unfit]) -> str:
    """Return what is said in place of “archive the dataset again”, "" where that may help."""
    known = list(records)
    if known and all(each.is_accompanying for each in known):
        return OTHER_FORMS
    captures = [each for each in known if not each.is_accompanying]
    lost = [each for each in captures if not each.has_twin]
    if captures and not lost:
        can_come = not all(each.is_imported for each in captures)
        return f"{NOTHING_LOST} {COME_ANEW}" if can_come else NOTHING_LOST
    if lost and all(each.is_imported for each in lost):
        return IS_IMPORTED
    return IS_EARLIER if lost and all(each.is_earlier for each in lost) else ""


outcome = {
    Status.SUCCESS: tr("Archived"),
    Status.SUCCESS_FILE: tr("Archived"),
    Status.SUCCESS_EXISTING: tr("Already archived"),
    Status.INVALID_REQUEST: tr("Not a request"),
    Status.INVALID_URL: tr("Not an address"),
    Status.INVALID_HOST_RESOLUTION: tr("Host not found"),
    Status.NETWORK_ERROR: tr("Network failed"),
    Status.CERTIFICATE_UNKNOWN: tr("Unknown certificate"),
    Status.READ_TIMEOUT: tr("No response"),
    Status.GATEWAY_TIMEOUT: tr("Server too slow"),
    Status.REMOTE_SERVER_ERROR: tr("Server error"),
    Status.NOT_FOUND: tr("Not found"),
    Status.FORBIDDEN: tr("Access refused"),
    Status.TERMINAL_BAD_STATUS: tr("HTTP error"),
    Status.BAD_REDIRECT: tr("Bad redirect"),
    Status.REDIRECT_LOOP: tr("Redirect loop"),
    Status.REDIRECTS_EXCEEDED: tr("Too many redirects"),
    Status.BLOCKED_COOKIE: tr("Cookies required"),
    Status.BLOCKED_WALL: tr("Log-in needed"),
    Status.BLOCKED_CHALLENGE: tr("Bot check"),
    Status.BLOCKED_AGENT: tr("Blocked by server"),
    Status.RATE_LIMITED: tr("Rate limited"),
    Status.EMPTY_BLOB: tr("Empty answer"),
    Status.BODY_TOO_LARGE: tr("Not a page"),
    Status.WRONG_MIMETYPE: tr("Unexpected type"),
    Status.NO_PLATFORM_MATCH: tr("Platform unknown"),
    Status.NOT_A_DATASET: tr("Not a dataset"),
    Status.PLATFORM_SCOPE: tr("Not a single dataset"),
    Status.PLATFORM_RESTRICTED: tr("Restricted"),
    Status.PLATFORM_404: tr("Not found at repository"),
    Status.PLATFORM_HTTP_ERROR: tr("Platform error"),
    Status.PLATFORM_ERROR: tr("Platform error"),
    Status.EMPTY_MANIFEST: tr("No files"),
    Status.PLATFORM_NOT_READY: tr("Not ready yet"),
    Status.LINK_ONLY: tr("No download"),
    Status.TERMS_REQUIRED: tr("Terms to accept"),
    Status.TOO_LARGE_SIZE: tr("Too large"),
    Status.TOO_MANY_FILES: tr("Too many files"),
    Status.NO_STRATEGY_HELPER: tr("Strategy not available"),
    Status.CREDENTIALS_REQUIRED: tr("Keys needed"),
    Status.SETTINGS_UNCONFIRMED: tr("Settings not confirmed"),
    Status.PUBLICATION_UNCONFIRMED: tr("Publication not confirmed"),
    Status.ERROR_PLATFORM_DOWNLOAD: tr("Download failed"),
    Status.TRUNCATED: tr("Transfer interrupted"),
    Status.TRANSFER_ENCODING_ERROR: tr("Bad encoding"),
    Status.UNSAFE_PATH: tr("Unsafe name"),
    Status.MISMATCH: tr("Content mismatch"),
    Status.MISMATCH_SIZE: tr("Size mismatch"),
    Status.MISMATCH_MD5: tr("MD5 mismatch"),
    Status.MISMATCH_SHA1: tr("SHA-1 mismatch"),
    Status.MISMATCH_SHA256: tr("SHA-256 mismatch"),
    Status.BUNDLE_INCOMPLETE: tr("Bundle incomplete"),
    Status.IMPORT_INCOMPLETE: tr("Import incomplete"),
    Status.NOT_IMPORTED: tr("Not imported"),
    Status.ARCHIVE_LOCKED: tr("Archive in use"),
    Status.STORE_DAMAGED: tr("Storing failed"),
    Status.DISK_FULL: tr("Disk full"),
    Status.MISMATCH_EXISTING: tr("Name already in use"),
    Status.ERROR_ARCHIVEORG_UPLOAD: tr("Upload failed"),
    Status.NO_CAPTURE: tr("No capture"),
    Status.TOO_MUCH_SPN: tr("Too many to submit"),
    Status.SPN2_ERROR: tr("Save Page Now failed"),
    Status.SPN2_CDX_LOOKUP_FAILURE: tr("Not indexed yet"),
    Status.CDX_ERROR: tr("Index not responding"),
    Status.WAYBACK_ERROR: tr("Capture not readable"),
    Status.NOT_PROCESSED: tr("Not reached"),
    Status.CANCELLED: tr("Cancelled"),
    Status.INTERNAL_ERROR: tr("Internal error"),
}.__getitem__
job_state = {
    JobState.QUEUED: tr("Queued"),
    JobState.RUNNING: tr("Running"),
    JobState.PAUSED: tr("Paused"),
    JobState.ASKING: tr("Needs answer"),
    JobState.DONE: tr("Done"),
    JobState.FAILED: tr("Failed"),
    JobState.CANCELLED: tr("Cancelled"),
}.__getitem__
