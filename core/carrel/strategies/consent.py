# SPDX-License-Identifier: AGPL-3.0-or-later
"""What must be decided by the person before anything of theirs is published."""

from collections.abc import Collection

from carrel.errors import IngestStop
from carrel.model import Destination, IngestStrategy, Status
from carrel.settings import Request, Settings
from carrel.settings.consequences import lines_about
from carrel.translation import tr


def publishes(strategy: IngestStrategy, to: Collection[Destination]) -> bool:
    """Say whether a strategy sends anything to archive.org or the Wayback Machine."""
    return bool(_sections(strategy, to))


def refuse_undecided(
    settings: Settings, strategy: IngestStrategy, to: Collection[Destination]
) -> None:
    """Raise IngestStop (settings-unconfirmed) while it is open where, or how, to publish.

    To continue with the person's own settings would be no better than with the archive's: one that
    asks for the test collection would be published for good.
    """
    sections = _sections(strategy, to)
    open_requests = [each for each in settings.undecided if each.section in sections]
    if open_requests:
        raise IngestStop(Status.SETTINGS_UNCONFIRMED, _undecided(open_requests))


def unwanted(strategy: IngestStrategy, to: Collection[Destination]) -> IngestStop:
    """Return what a job ends in that publishes, and that the person did not queue."""
    where = [name for section, name in _PLACES.items() if section in _sections(strategy, to)]
    return IngestStop(
        Status.PUBLICATION_UNCONFIRMED,
        tr(
            "This would be published ({where}) with your keys, but you did not add it "
            "to the queue: it came with the archive, or an older version queued it.",
            where=" and ".join(where),
        ),
    )


_PLACES = {"archiveorg": tr("an item on archive.org"), "wayback": tr("the Wayback Machine")}


def _sections(strategy: IngestStrategy, to: Collection[Destination]) -> Collection[str]:
    """Return the sections of the settings that say how this is published."""
    found = {"archiveorg"} if strategy.startswith("archiveorg-") else set()
    return found | ({"wayback"} if Destination.WAYBACK in to else set())


def _undecided(requests: Collection[Request]) -> str:
    lines = " ".join(lines_about(tuple(requests)))
    return tr(
        "Nothing was fetched or sent. The settings.toml in this archive requests what only you "
        "can allow: {lines}",
        lines=lines,
    )
