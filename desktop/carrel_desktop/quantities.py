# SPDX-License-Identifier: AGPL-3.0-or-later
"""Numbers and spans as the person's locale writes them; sizes and moments as everywhere else."""

from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication, QLocale

from carrel.model.sizes import in_words

CONTEXT = "quantities"
MINUTE, HOUR, DAY = 60, 3600, 86400


def _tr(text: str, count: int = -1) -> str:
    return QCoreApplication.translate(CONTEXT, text, None, count)


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
        return _tr("size unknown")
    return _tr("at least {size}").format(size=size(size_bytes))


def rate(bytes_per_second: float) -> str:
    return _tr("{size}/s").format(size=size(round(bytes_per_second)))


def files(count: int) -> str:
    """Return "1 file" or "12 files"."""
    return counted(count, "1 file", "{count} files")


def records(count: int) -> str:
    """Return "1 record" or "12 records"."""
    return counted(count, "1 record", "{count} records")


def counted(count: int, one: str, many: str) -> str:
    """Return a count with its noun; `many` is the source text that translations give plurals to."""
    text = _tr(many, count)
    if count == 1 and text == many:
        text = one
    return text.format(count=number(count))


def span(seconds: float) -> str:
    """Return a rounded length of time: "40 s", "3 min", "2 h 10 min", "4 days"."""
    whole = max(0, round(seconds))
    if whole < MINUTE:
        return _tr("{count} s").format(count=whole)
    if round(whole / MINUTE) < HOUR // MINUTE:
        return _tr("{count} min").format(count=round(whole / MINUTE))
    if whole < DAY:
        hours, minutes = divmod(round(whole / MINUTE), HOUR // MINUTE)
        return _tr("{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    return counted(round(whole / DAY), "1 day", "{count} days")


def moment(iso: str | None) -> str:
    """Return an ISO 8601 moment as "2026-03-02 10:30" in local time, a dash if there is none."""
    local = local_moment(iso)
    return "–" if local is None else local.strftime("%Y-%m-%d %H:%M")


def day(iso: str | None) -> str:
    """Return an ISO 8601 moment as "2026-03-02" in local time, a dash if there is none."""
    local = local_moment(iso)
    return "–" if local is None else local.strftime("%Y-%m-%d")


def local_moment(iso: str | None) -> datetime | None:
    """Return an ISO 8601 moment as aware local time; a naive one is taken as UTC."""
    if not iso:
        return None
    parsed = datetime.fromisoformat(iso)
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone()
