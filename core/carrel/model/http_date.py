# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dates as HTTP writes them (RFC 9110, 5.6.7)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def moment_of(text: str) -> datetime | None:
    """Return the time of a date, aware UTC, None for what is none, or beyond all calendars."""
    try:
        moment = parsedate_to_datetime(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
