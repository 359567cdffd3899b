# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading the collections file, which is the truth: every change is read back from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import ConfigError, UsageError
from carrel.model.memento_views import CollectionInfo
from carrel_desktop.session import Session
from carrel_desktop.views.archives.kinds import kind_of_type
from carrel_desktop.views.archives.model import Source, source_of


@dataclass(frozen=True, slots=True)
class Contents:
    """What the file has. `shown` is the collection whose `sources` these are, None for none.

    `fixed` says why they cannot be changed, "" if they can; `is_written` whether there is a file.
    """

    collections: Sequence[CollectionInfo]
    shown: CollectionInfo | None
    sources: Sequence[Source]
    fixed: str
    is_written: bool


def config_path(session: Session) -> Path | None:
    """Return where the file is, or will be; None where there can be none."""
    return session.engine.mementos.config_path if session.is_open else None


async def read_contents(session: Session, collection: str) -> Contents:
    """Return the file with the sources of a collection, of the first if there is none such.

    Raises ConfigError for a file that cannot be understood.
    """
    infos = await session.order(lambda engine: engine.mementos.collections())
    shown = next((it for it in infos if it.name == collection), next(iter(infos), None))
    sources, fixed = await _sources_of(session, shown)
    path = config_path(session)
    is_written = path is not None and await session.aside(path.exists)
    return Contents(infos, shown, sources, fixed, is_written)


async def _sources_of(session: Session, info: CollectionInfo | None) -> tuple[list[Source], str]:
    if info is None:
        return [], ""
    try:
        entries = await session.call(lambda engine: engine.mementos.sources.of(info.name))
    except (ConfigError, UsageError) as error:
        return [Source(name, "", kind_of_type(kind)) for name, kind in info.sources], str(error)
    return [source_of(each) for each in entries], ""
