# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures that do not have all that their server had, as their own records say."""

from collections.abc import Sequence
from enum import StrEnum

from carrel.model.names import readable
from carrel.translation import forms, plural, tr

_MOST_TOLD = 20
_MORE = forms(
    "{count} more capture is only a part of what its server had.",
    "{count} more captures are only parts of what their servers had.",
)


class Part(StrEnum):
    """Why a capture is only a part of what its server had."""

    TRUNCATED = "truncated"
    """Whoever captured it cut it off (WARC-Truncated)."""
    SHORT = "short"
    """Fewer bytes came than the server announced (Content-Length)."""
    RANGE = "range"
    """The server sent a part, as it was asked to (206, Content-Range)."""


PART_WORDS = {
    Part.TRUNCATED: tr("It was cut off when it was captured."),
    Part.SHORT: tr("It is shorter than its server said: its end is missing."),
    Part.RANGE: tr("It is a part of the file, as the server sent it (status 206)."),
}


class Parts:
    """The captures of a run over many that are only parts: the first of them, and how many more."""

    def __init__(self) -> None:
        self._told: list[str] = []
        self._more = 0

    def add(self, url: str, timestamp: str, part: Part) -> None:
        """Take a capture; its moment is in 14 digits, "" where it has none."""
        if len(self._told) == _MOST_TOLD:
            self._more += 1
            return
        words = tr("{url} of {timestamp}: {why}")
        self._told.append(
            words.format(url=readable(url), timestamp=timestamp or "?", why=PART_WORDS[part])
        )

    @property
    def sentences(self) -> Sequence[str]:
        """What is said of them, one by one, nothing if there are none."""
        more = [plural(*_MORE, self._more, count=f"{self._more:,}")] if self._more else []
        return [*self._told, *more]
