# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a group begins in a partition of which it has committed nothing: a person says so."""

from dataclasses import dataclass
from datetime import UTC, datetime

from carrel.errors import UsageError
from carrel.translation import tr

EARLIEST, LATEST = "earliest", "latest"


@dataclass(frozen=True, slots=True)
class Start:
    """The first message, the next one that comes, or the first one since a moment (aware)."""

    at: str
    moment: datetime | None = None

    @classmethod
    def parse(cls, text: str) -> "Start":
        """Return what `--from` says: earliest, latest, or a time. Raises UsageError."""
        if text in (EARLIEST, LATEST):
            return cls(text)
        try:
            moment = datetime.fromisoformat(text)
        except ValueError as error:
            words = tr("“{text}” is not earliest, latest or a time in ISO 8601.", text=text)
            raise UsageError(words) from error
        return cls(text, moment if moment.tzinfo else moment.replace(tzinfo=UTC))
