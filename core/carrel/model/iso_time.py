# SPDX-License-Identifier: AGPL-3.0-or-later
"""Moments as Carrel writes them: ISO 8601 to the second, in UTC."""

import math
import re
from datetime import UTC, date, datetime

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")


def iso_time(moment: datetime) -> str:
    """Return an aware moment as "2026-03-02T09:00:00Z"."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_now() -> str:
    """Return the moment that it is now."""
    return iso_time(datetime.now(UTC))


def full_minute(seconds: float) -> datetime:
    """Return the first full minute, UTC, that is not before a moment in seconds since the epoch: a
    sentence that speaks of it has no seconds, and promises nothing too early."""
    return datetime.fromtimestamp(math.ceil(seconds / 60) * 60, UTC)


def seconds_between(earlier: str, later: str) -> float:
    """Return how many seconds after one moment another is, both as Carrel writes them."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


def possible_day(text: str | None) -> str | None:
    """Return what somebody says that a day is, as it is, but None for one that there never was."""
    if (found := _DAY.match(text or "")) is None:
        return text
    try:
        date(*map(int, found.groups()))
    except ValueError:
        return None
    return text
