# SPDX-License-Identifier: AGPL-3.0-or-later
"""Moments as Carrel writes them: ISO 8601 to the second, in UTC."""

from datetime import UTC, datetime


def iso_time(moment: datetime) -> str:
    """Return an aware moment as "2026-03-02T09:00:00Z"."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_now() -> str:
    """Return the moment that it is now."""
    return iso_time(datetime.now(UTC))


def seconds_between(earlier: str, later: str) -> float:
    """Return how many seconds after one moment another is, both as Carrel writes them."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
