# SPDX-License-Identifier: AGPL-3.0-or-later
"""What became of archives that were merged."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from carrel.engine.merging.records import Fault
from carrel.translation import plural, tr

MOST_LISTED = 1000


@dataclass(slots=True)
class MergedSource:
    """What of one archive came into another: `attempts` and `captures` that were not there, in
    `warcs` with so many `bytes` that were copied; the `warcs_there` already were not. `mended`
    counts the files that were damaged or missing in the merged archive, and came from this one.

    Of `jobs_paused` someone has to say that they go on. `damaged` counts what is not intact, of
    which the first are `faults`. `dark` says what became of its dark archive. What is `left` is not
    in the merged archive and should be looked at; `remarks` are about what stays where it is.
    """

    path: str
    attempts: int = 0
    captures: int = 0
    warcs: int = 0
    bytes: int = 0
    warcs_there: int = 0
    mended: int = 0
    jobs_paused: int = 0
    damaged: int = 0
    faults: list[Fault] = field(default_factory=list)
    dark: str = ""
    left: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def add_fault(self, fault: Fault) -> None:
        """Count a fault, and list it if it is one of the first."""
        self.damaged += 1
        if len(self.faults) < MOST_LISTED:
            self.faults.append(fault)

    @property
    def is_whole(self) -> bool:
        """Whether all of it is in the merged archive, and intact."""
        return not (self.damaged or self.left)


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of all of them, in their order. Of so many datasets there are files `beside` what
    is held, which another ingest of the same version archived."""

    sources: Sequence[MergedSource]
    beside: int = 0

    @property
    def is_whole(self) -> bool:
        return all(each.is_whole for each in self.sources)

    @property
    def remarks(self) -> Sequence[str]:
        """What holds for every merging."""
        words = tr(
            "Settings, credentials and collections.yaml are not merged: those of the merged "
            "archive count."
        )
        return [words, *filter(None, [self._beside])]

    @property
    def _beside(self) -> str:
        if not self.beside:
            return ""
        return plural(
            "The files of {count} dataset are spread over several ingests of one version; no "
            "ingest has them all. “carrel results” names them. Archive it again to have them in "
            "one ingest, as far as they are still published: archived files with a published "
            "checksum are not downloaded again.",
            "The files of {count} datasets are spread over several ingests of one version; no "
            "ingest has them all. “carrel results” names them. Archive them again to have each in "
            "one ingest, as far as they are still published: archived files with a published "
            "checksum are not downloaded again.",
            self.beside,
            count=f"{self.beside:,}",
        )
