# SPDX-License-Identifier: AGPL-3.0-or-later
"""The 14 digits of captures as moments."""

from datetime import UTC, datetime

from carrel.model.iso_time import iso_time


def aware(timestamp: str) -> datetime:
    """Return the moment of 14 digits, UTC. Raises ValueError for others."""
    return datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def in_iso(timestamp: str | None) -> str:
    """Return the moment of 14 digits in ISO 8601, "" for what is none."""
    try:
        return iso_time(aware(timestamp or ""))
    except ValueError:
        return ""
