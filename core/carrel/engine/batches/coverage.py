# SPDX-License-Identifier: AGPL-3.0-or-later
"""What many previews found, platform by platform."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from carrel.model import IngestFilesetResult, Status

_TOLD_APART = frozenset({Status.NOT_A_DATASET, Status.PLATFORM_SCOPE})
_UNKNOWN = frozenset({Status.NO_PLATFORM_MATCH, Status.INVALID_URL})


class Verdict(StrEnum):
    """What a preview came to.

    `described`: the manifest is known, whether or not something hinders an ingest; or it has `no
    files`. `told apart`: it is no dataset, and said what it is. `refused`: a server or a platform
    does not answer, or not to everybody. `unknown`: no platform is known behind it.
    """

    DESCRIBED = "described"
    NO_FILES = "no files"
    TOLD_APART = "told apart"
    REFUSED = "refused"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, result: IngestFilesetResult) -> "Verdict":
        """Return what a preview came to."""
        if result.status is Status.EMPTY_MANIFEST:
            return cls.NO_FILES
        if result.status in _TOLD_APART:
            return cls.TOLD_APART
        if result.status in _UNKNOWN:
            return cls.UNKNOWN
        is_told = result.item is not None and result.item.platform_status.is_success
        return cls.DESCRIBED if result.hit or is_told else cls.REFUSED


@dataclass(frozen=True, slots=True)
class Row:
    """How many previews of one platform came to what; `platform` is "" where none is known."""

    platform: str
    counts: Counter[Verdict]


class Coverage:
    """Counts previews as they come; `are_all_clear` while nothing hinders an ingest of any."""

    def __init__(self) -> None:
        self.are_all_clear = True
        self._counts: dict[str, Counter[Verdict]] = {}

    def add(self, result: IngestFilesetResult) -> None:
        """Count a preview, under the platform that described it or was asked."""
        self.are_all_clear = self.are_all_clear and result.hit
        named = result.item or result.asked
        platform = named.platform_name if named else ""
        self._counts.setdefault(platform, Counter())[Verdict.of(result)] += 1

    @property
    def rows(self) -> list[Row]:
        """The platforms, the one with most previews first; what is of no known one comes last."""
        rows = [Row(platform, counts) for platform, counts in self._counts.items()]
        return sorted(rows, key=lambda row: (not row.platform, -row.counts.total(), row.platform))

    @property
    def total(self) -> Row:
        """All of them together."""
        return Row("", sum((row.counts for row in self.rows), Counter()))
