# SPDX-License-Identifier: AGPL-3.0-or-later
"""What many previews found, platform by platform."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from carrel.model import IngestFilesetResult, Status

_TOLD_APART = frozenset({Status.NOT_A_DATASET, Status.PLATFORM_SCOPE})
_UNKNOWN = frozenset({Status.NO_PLATFORM_MATCH, Status.INVALID_URL})
_NOT_FOUND = frozenset({Status.NOT_FOUND, Status.PLATFORM_404})
_REFUSED = frozenset(
    {
        *(Status.FORBIDDEN, Status.PLATFORM_RESTRICTED, Status.RATE_LIMITED),
        *(Status.BLOCKED_COOKIE, Status.BLOCKED_WALL),
        *(Status.BLOCKED_CHALLENGE, Status.BLOCKED_AGENT),
        *(Status.TERMS_REQUIRED, Status.CREDENTIALS_REQUIRED),
    }
)
_SERVER_ERRORS = frozenset(
    {
        *(Status.REMOTE_SERVER_ERROR, Status.GATEWAY_TIMEOUT, Status.TERMINAL_BAD_STATUS),
        *(Status.PLATFORM_HTTP_ERROR, Status.PLATFORM_ERROR, Status.EMPTY_BLOB),
    }
)


class Verdict(StrEnum):
    """What a preview came to.

    `described`: the manifest is known, whether or not something hinders an ingest; or it has `no
    files`, or they are `not ready` yet. `told apart`: it is no dataset, and said what it is.
    `refused`: a server or a platform does not answer everybody. `server error`: what it answered is
    an error, or not valid. `failed`: anything else, as that no answer came. `unknown`: no platform
    is known behind it.
    """

    DESCRIBED = "described"
    NO_FILES = "no files"
    NOT_READY = "not ready"
    TOLD_APART = "told apart"
    NOT_FOUND = "not found"
    REFUSED = "refused"
    SERVER_ERROR = "server error"
    FAILED = "failed"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, result: IngestFilesetResult) -> "Verdict":
        """Return what a preview came to."""
        is_told = result.item is not None and result.item.platform_status.is_success
        if result.hit or (is_told and result.status is not Status.EMPTY_MANIFEST):
            return cls.DESCRIBED
        return _VERDICTS.get(result.status, cls.FAILED)


_VERDICTS = {
    Status.EMPTY_MANIFEST: Verdict.NO_FILES,
    Status.PLATFORM_NOT_READY: Verdict.NOT_READY,
    Status.LINK_ONLY: Verdict.DESCRIBED,
    **dict.fromkeys(_TOLD_APART, Verdict.TOLD_APART),
    **dict.fromkeys(_NOT_FOUND, Verdict.NOT_FOUND),
    **dict.fromkeys(_REFUSED, Verdict.REFUSED),
    **dict.fromkeys(_SERVER_ERRORS, Verdict.SERVER_ERROR),
    **dict.fromkeys(_UNKNOWN, Verdict.UNKNOWN),
}


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
