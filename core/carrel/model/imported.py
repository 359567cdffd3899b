# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of a holding whose files were not captured here but were imported."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carrel.model.counts import counted
from carrel.model.item import Finding
from carrel.translation import plural, tr

IMPORT = "import"
"""The `ingest_request_source` of a holding that was made of a folder, a bag, a crate or files."""
IMPORTED_FROM = "imported_from"
"""The field of its request that has their name."""
_RECORD = re.compile(r"urn:x-carrel:ingest:.+:(file|package):")
_CODE = "imported"
_MOST_NAMED = 20


def is_import(result: Mapping[str, Any]) -> bool:
    """Say whether a result is that of an import, wherever that was, and nothing was captured."""
    return bool(result["request"].get("ingest_request_source") == IMPORT)


def import_note(source: str) -> Finding:
    """Return what the result of an import says of it."""
    return Finding(_CODE, tr("Imported from {source}.", source=source))


def said_of_import(words: str) -> Finding:
    """Return what the result of an import says beside that."""
    return Finding(_CODE, words)


def is_imported_record(url: str) -> bool:
    """Say whether the record with this address has a file that was imported: no server sent it."""
    return _RECORD.match(url) is not None


@dataclass(frozen=True, slots=True)
class CameIn:
    """When an attempt was imported (14 digits, UTC), and in what, "" where nobody noted that."""

    timestamp: str
    source: str = ""

    def is_archive_of(self, result: Mapping[str, Any]) -> bool:
        """Say whether it came from an archive that had it as a holding before. Else it became one
        by this import: `source` is then that of its `result`."""
        said = result["request"].get(IMPORTED_FROM)
        return not is_import(result) or (said is not None and self.source not in ("", said))


def imported_findings(
    came: CameIn | None,
    result: Mapping[str, Any],
    findings: Sequence[Finding],
    paths: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """Return what is told of a holding: its own findings, and first how it was imported; where it
    was not, the `paths` of its files whose records an import brought all the same."""
    if came is None:
        return (*([_partly(paths)] if paths else []), *findings)
    if not came.is_archive_of(result):
        return _told(came, _NOT_DOWNLOADED), *findings
    if not is_import(result):
        return _told(came, _AS_THE_FILE_SAYS), *findings
    earlier = (_of_other(each) if each.code == _CODE else each for each in findings)
    return _told(came, _NOT_DOWNLOADED), *earlier


def _told(came: CameIn, words: str) -> Finding:
    at = came.timestamp
    text = tr(
        "Imported on {day} at {time} UTC. {words}",
        day=f"{at[:4]}-{at[4:6]}-{at[6:8]}",
        time=f"{at[8:10]}:{at[10:12]}",
        words=words,
    )
    return Finding(_CODE, text)


def _partly(paths: Sequence[str]) -> Finding:
    """Return which files of a holding that was not imported came in with an import."""
    named = list(paths[:_MOST_NAMED])
    if more := len(paths) - len(named):
        named.append(tr("and {files}", files=counted(more, "more file")))
    words = plural(
        "{count} file is stored as an import brought it, not as it was downloaded: {named}.",
        "{count} files are stored as an import brought them, not as they were downloaded: {named}.",
        len(paths),
        count=f"{len(paths):,}",
        named=", ".join(named),
    )
    return Finding(_CODE, words)


def _of_other(finding: Finding) -> Finding:
    """Return what the archive says from which a holding came, as the word of that one."""
    words = tr("The archive that it came from says: {finding}", finding=finding.message)
    return replace(finding, message=words)


_NOT_DOWNLOADED = tr(
    "The files were not downloaded by this archive, which has no record of when and from where "
    "they were."
)
_AS_THE_FILE_SAYS = tr(
    "The files were not downloaded by this archive; when and from where they were captured is as "
    "the imported file says."
)
