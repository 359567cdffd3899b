# SPDX-License-Identifier: AGPL-3.0-or-later
"""Numbers and spans as the person's locale writes them; sizes and moments as everywhere else."""

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QLocale

from carrel.model.sizes import in_words
from carrel.translation import plural, tr

MINUTE, HOUR, DAY = 60, 3600, 86400


def number(value: int) -> str:
    """Return a whole number with the locale's digit groups."""
    return QLocale().toString(value)


def size(size_bytes: int | None) -> str:
    """Return "1.2 GiB", as the command line does, or a dash for an unknown size."""
    return "–" if size_bytes is None else in_words(size_bytes)


def total(size_bytes: int, unknown_sizes: int) -> str:
    """Return a sum of sizes that admits what it does not know: "at least 1.2 GiB"."""
    if not unknown_sizes:
        return size(size_bytes)
    if not size_bytes:
        return tr("size unknown")
    return tr("at least {size}", size=size(size_bytes))


def shortened(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - most
    return [*lines[:most], tr("And {number} more.", number=number(more))] if more > 0 else lines


def listed(lines: Sequence[str], most: int) -> str:
    """Return the first lines, and how many more there are; several begin with a bullet each, since
    one may be longer than there is room for."""
    shown = shortened(lines, most)
    return "\n".join(f"• {line}" for line in shown) if len(shown) > 1 else "".join(shown)


def titles(every: Sequence[str], most: int) -> str:
    """Return the first of these titles of datasets, and how many more there are."""
    more = len(every) - most
    named = "; ".join(every[:most])
    return (
        tr("{titles}; and {datasets} more", titles=named, datasets=datasets(more))
        if more > 0
        else named
    )


def rate(bytes_per_second: float) -> str:
    return tr("{size}/s", size=size(round(bytes_per_second)))


def files(count: int) -> str:
    """Return "1 file" or "12 files"."""
    return counted(count, "1 file", "{count} files")


def datasets(count: int) -> str:
    """Return "1 dataset" or "12 datasets"."""
    return counted(count, "1 dataset", "{count} datasets")


def records(count: int) -> str:
    """Return "1 record" or "12 records"."""
    return counted(count, "1 record", "{count} records")


def counted(count: int, one: str, many: str) -> str:
    """Return a count with its noun, in the form that fits it."""
    return plural(one, many, count, count=number(count))


def share(part: int, whole: int) -> str:
    """Return a part as "83%", rounded: only what is whole is 100%, only nothing is 0%.

    Shares of one whole need not add up to 100%: what is equal has one share everywhere.
    """
    if not part:
        return tr("{number}%", number=number(0))
    percent = (200 * part + whole) // (2 * whole)
    if not percent:
        return tr("< 1%")
    return tr("{number}%", number=number(percent if part == whole else min(percent, 99)))


def span(seconds: float) -> str:
    """Return a rounded length of time: "40 s", "3 min", "2 h 10 min", "4 days"."""
    whole = max(0, round(seconds))
    if whole < MINUTE:
        return tr("{count} s", count=whole)
    if round(whole / MINUTE) < HOUR // MINUTE:
        return tr("{count} min", count=round(whole / MINUTE))
    if whole < DAY:
        hours, minutes = divmod(round(whole / MINUTE), HOUR // MINUTE)
        return tr("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return counted(round(whole / DAY), "1 day", "{count} days")


def moment(iso: str | None) -> str:
    """Return an ISO 8601 moment as "2026-03-02 10:30" in local time, a dash if there is none."""
    local = local_moment(iso)
    return "–" if local is None else local.strftime("%Y-%m-%d %H:%M")


def day(iso: str | None) -> str:
    """Return an ISO 8601 moment as "2026-03-02" in local time, a dash if there is none."""
    return moment(iso)[:10]


def local_moment(iso: str | None) -> datetime | None:
    """Return an ISO 8601 moment as aware local time; a naive one is taken as UTC.

    None for what is no moment: what stands in a result that was imported need not be one.
    """
    try:
        parsed = datetime.fromisoformat(iso or "")
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone()
    except (ValueError, OverflowError):
        return None
