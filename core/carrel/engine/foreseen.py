# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an ingest would end in as far as it shows before anything is fetched: for previews.

No one is asked, so what archive.org or the Wayback Machine has already is not known here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from carrel.credentials import Credentials
from carrel.errors import IngestStop
from carrel.model import Destination, IngestOptions, ManifestFile, Status, StrategyChoice
from carrel.settings import Settings
from carrel.strategies.item_metadata import without_unsafe
from carrel.strategies.limits import too_many_to_submit
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class Foresight:
    """What was chosen for one dataset, and what it is to be done with.

    `item_name` is that of the item on archive.org, None where there is to be none.
    """

    choice: StrategyChoice
    options: IngestOptions
    settings: Settings
    credentials: Credentials
    landing_url: str
    item_name: str | None = None

    def closed(self, files: Sequence[ManifestFile]) -> tuple[ManifestFile, ...]:
        """Return the files; those that cannot be brought to their place have their outcome."""
        if self.item_name is not None and not self.choice.strategy.is_bundled:
            return without_unsafe(files, self.item_name)
        if self._is_for_wayback and Destination.ARCHIVE not in self.options.to:
            from carrel.strategies.wayback_addresses import without_unreachable

            return without_unreachable(files, self.landing_url, self.settings.wayback.url)
        return tuple(files)

    def hindrance(self, files: Sequence[ManifestFile]) -> IngestStop | None:
        """Return what keeps all files from where they are to be brought, None if nothing does."""
        still_open = [file for file in files if file.status is None]
        if self._is_for_wayback:
            is_here_too = Destination.ARCHIVE in self.options.to
            if not still_open or (is_here_too and len(still_open) < len(files)):
                return None  # the outcome is that of the files which no one can have
            if excess := too_many_to_submit(len(still_open), self.settings.wayback):
                return excess
        needs_keys = self._is_for_wayback or self.item_name is not None
        if needs_keys and self.credentials.archiveorg() is None:
            message = tr("No keys for archive.org are stored; nothing can be uploaded.")
            return IngestStop(Status.CREDENTIALS_REQUIRED, message)
        return None

    @property
    def _is_for_wayback(self) -> bool:
        return Destination.WAYBACK in self.options.to
