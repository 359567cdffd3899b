# SPDX-License-Identifier: AGPL-3.0-or-later
"""Single questions of programs that use Carrel: each opens what it needs, and closes it again.

Who asks more than one keeps an `Engine`, or `Mementos`, open.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from carrel import engine
from carrel.archive import LEDGER_NAME, Archive
from carrel.errors import UsageError
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest
from carrel.model.events import Emit, ignore
from carrel.model.memento_views import Found
from carrel.model.user_information import shown
from carrel.settings import Settings, own_settings
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.mementos import Mementos


def refuse_folder(path: Path) -> None:
    """Raise ArchiveError for a folder that cannot be opened as an archive, nor become one, and
    SettingsError for one whose settings, or the person's own, cannot be used."""
    Archive.refuse(path)


def is_archive(path: Path) -> bool:
    """Say whether there is an archive at a path; a folder without one may still become one."""
    return (path / LEDGER_NAME).is_file() or (path / "collections").is_dir()


async def preview(
    dataset: str | IngestRequest,
    options: IngestOptions = IngestOptions(),
    *,
    settings: Settings | None = None,
    emit: Emit = ignore,
) -> IngestFilesetResult:
    """Return what an ingest would find; no file is fetched, nothing is kept.

    `dataset` is a DOI, an address or another identifier. Raises UsageError for a text that is not
    exactly one, SettingsError. How it would end is the result's `status`.
    """
    known = settings or own_settings()
    return await engine.preview(_request(dataset), known, options, emit)


async def ingest(
    dataset: str | IngestRequest,
    archive: Path,
    options: IngestOptions = IngestOptions(),
    *,
    emit: Emit = ignore,
) -> IngestFilesetResult:
    """Archive a dataset in the archive at this path, made if there is none.

    Raises as `preview`, and ArchiveError. How it ended is the result's `status`.
    """
    request = _request(dataset)
    async with engine.Engine.open(archive) as opened:
        return await opened.ingest(request, options, emit)


async def find_mementos(
    address: str, archive: Path | None = None, *, collection: str = ""
) -> Found:
    """Return every capture of an address or DOI, here and in other archives, merged by time.

    `archive` is read, not locked; without one, only other archives are asked. The first collection
    is asked unless another is named. Raises QueryError, UsageError, ConfigError and ArchiveError.
    """
    from carrel.engine.mementos import Mementos  # a quarter of a second, for those who look

    if archive is None:
        return await _found(Mementos(own_settings()), address, collection)
    with Archive.open_for_reading(archive) as opened:
        return await _found(Mementos(opened.settings, opened), address, collection)


async def _found(mementos: "Mementos", address: str, collection: str) -> Found:
    try:
        return await mementos.find(address, collection)
    finally:
        await mementos.close()


def _request(dataset: str | IngestRequest) -> IngestRequest:
    if isinstance(dataset, IngestRequest):
        return dataset
    from carrel.engine.identifiers import find, why_nothing  # for who names a dataset
    from carrel.engine.requests import request_for

    identifiers = find(dataset).identifiers
    text = shown(dataset)[:200]
    if not identifiers:
        raise UsageError(f"“{text}” {why_nothing(dataset)}.")
    if len(identifiers) > 1:
        raise UsageError(
            tr("“{text}” contains several identifiers; give them one by one.", text=text)
        )
    return request_for(identifiers[0])
