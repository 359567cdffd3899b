# SPDX-License-Identifier: AGPL-3.0-or-later
"""What in a result that comes from elsewhere cannot be so, whatever the files are.

Anyone can write a result and list it. What of it follows from its list of files is computed anew,
and what contradicts itself, or time, is no result to date a holding by.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from carrel.model import Fixity, IngestRequest, ManifestFile, Status
from carrel.model.item import PAGE_LINKS
from carrel.model.manifest import files_of
from carrel.model.names import readable
from carrel.model.result import advice_of, counts_of
from carrel.model.status import Stage
from carrel.translation import tr

# As Carrel writes moments: they are compared as texts.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
_TIMESTAMP = re.compile(r"[0-9]{14}")
# Before there was a web there was nothing to archive.
_FIRST_YEAR = 1990
# Clocks differ.
_AHEAD = timedelta(days=1)
_MOST_SAID = 200
NO_RESULT = (ValueError, TypeError, AttributeError, KeyError, RecursionError)
"""What reading raises of a document that is no result."""


def doubts_of(result: Mapping[str, Any], files: Sequence[ManifestFile]) -> Iterator[str]:
    """Yield what cannot be so in a result with these files."""
    for name in ("started", "finished"):
        if not is_possible_moment(result[name]):
            said = readable(str(result[name]))[:_MOST_SAID]
            yield tr("“{said}” is not a time when it can have been archived.", said=said)
    if not is_status(result["status"]):
        said = readable(result["status"])[:_MOST_SAID]
        yield tr("“{said}” is no status that this Carrel knows.", said=said)
    elif Status(result["status"]).is_success and not all(file.is_kept for file in files):
        yield tr("It is a success, and not all of its files were archived.")
    for file in files:
        if file.is_kept and (differing := _differing(file)):
            yield tr(
                "{path} is said to be archived as published, and its {name} is not the published "
                "one.",
                path=readable(file.path),
                name=differing,
            )
        if file.terminal_dt is not None and not _TIMESTAMP.fullmatch(file.terminal_dt):
            path = readable(file.path)
            yield tr("The time when {path} was captured cannot be read.", path=path)


def as_follows(result: Mapping[str, Any], files: Sequence[ManifestFile]) -> Mapping[str, Any]:
    """Return a result without doubts with all that follows from its files and its status as it
    does."""
    status = Status(result["status"])
    is_chosen = any(each.get("code") == PAGE_LINKS for each in result.get("findings") or ())
    stage = result.get("stage")
    is_stage = not status.is_success and stage in [*Stage]
    derived = {
        "hit": status.is_success,
        "stage": stage if is_stage else status.meaning.stage,
        "advice": advice_of(status, files, is_chosen=is_chosen),
        "is_retryable": status.meaning.is_retryable,
        **counts_of(files),
        "manifest": [file.to_json() for file in files],
    }
    fields = {**result, **derived}
    return {name: value for name, value in fields.items() if value is not None}


def as_now(known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a result that is here as one that comes is taken: in the words of now, too."""
    return as_follows(known, files_of(known)) if is_status(known["status"]) else known


def is_result(document: Any) -> bool:
    """Say whether a document can be read as the result of an ingest."""
    try:
        IngestRequest.from_json(document["request"])
        files_of(document)
        moments = [document[name] for name in ("started", "finished")]
        return is_status(document["status"]) and all(isinstance(each, str) for each in moments)
    except NO_RESULT:
        return False


def is_status(word: object) -> bool:
    """Say whether this is one of the fixed words."""
    return word in [*Status]


def is_possible_moment(text: object) -> bool:
    """Say whether this is a moment, as Carrel writes them, when something can have been archived.

    What is later than now is none: it would be newer than all that comes.
    """
    if not isinstance(text, str) or not _MOMENT.fullmatch(text):
        return False
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return False
    return moment.year >= _FIRST_YEAR and moment <= datetime.now(UTC) + _AHEAD


def _differing(file: ManifestFile) -> str:
    """Return the first published value that is not that of what arrived, by name; "" for none."""
    observed, declared = file.observed or Fixity(), file.declared
    for name, digest in declared.digests.items():
        if name in observed.digests and observed.digests[name].lower() != digest.lower():
            return name.upper()
    sizes = {declared.size, observed.size} - {None}
    return tr("size") if len(sizes) > 1 else ""
