# SPDX-License-Identifier: AGPL-3.0-or-later
"""The result of an export of Carrel's that has only some of the files which its ingest archived.

What is here is what that result says, and when, as far as anyone knows who has the export. So it
stays what it was; of what is not here it is told why.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from carrel.engine.importing.doubts import as_follows
from carrel.engine.importing.own_result import OwnResult
from carrel.model import ManifestFile, Status
from carrel.translation import plural

_NAMESPACE = uuid.UUID("3b5c1f7e-62c4-5d07-9a4e-8f1d0c6b2a95")


def id_of_incomplete(own: OwnResult) -> str:
    """Return the id of what of an ingest is here: the same for the same files of it."""
    return str(uuid.uuid5(_NAMESPACE, json.dumps([own.ingest_id, sorted(own.paths)])))


def files_of_incomplete(own: OwnResult) -> Sequence[ManifestFile]:
    """Return the files of the result; those that are not here are not archived here."""
    return [
        _not_here(file, own.reasons[position]) if position in own.reasons else file
        for position, file in enumerate(own.files)
    ]


def result_of_incomplete(own: OwnResult, files: Sequence[ManifestFile]) -> Mapping[str, Any]:
    """Return the result, with its moments and all else that it says, of the files that are here."""
    status = Status.IMPORT_INCOMPLETE
    said = {"status": status, "error_message": _message(own), "stage": status.meaning.stage}
    return as_follows({**own.result, **said}, files)


def _message(own: OwnResult) -> str:
    count = len(own.reasons)
    words = plural(
        "{count:,} file that its result says was archived was not in the package; the list of "
        "files says why.",
        "{count:,} files that its result says were archived were not in the package; the list of "
        "files says why of each.",
        count,
        count=count,
    )
    said = own.result.get("error_message")
    return f"{said} {words}" if said else words


def _not_here(file: ManifestFile, why: str) -> ManifestFile:
    """Return a file with what was published of it. What arrived elsewhere never arrived here."""
    return replace(
        file,
        status=Status.NOT_IMPORTED,
        observed=None,
        terminal_url=None,
        terminal_dt=None,
        message=why,
    )
