# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of the table of captures: what each says, and what it is sorted by."""

from enum import IntEnum
from operator import attrgetter

from PySide6.QtGui import QFontMetrics

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import scaled_font, space
from carrel_desktop.views.mementos.rows import Row, time_text
from carrel_desktop.widgets.table.column import Column, Kind, quiet

LEAST_SOURCE = 32


class Captured(IntEnum):
    """The columns, in their order."""

    TIME = 0
    SOURCE = 1
    STATUS = 2
    TYPE = 3
    LENGTH = 4
    DIGEST = 5


def captures() -> Kind[Row]:
    """Return the columns of captures: the newest first, also among equals."""
    return Kind(
        (
            Column(tr("Time (UTC)"), _time, attrgetter("seconds"), tip=_url, measured=_time_width),
            Column(
                tr("Source"),
                source_text,
                attrgetter("lanes"),
                tip=_who,
                is_strong=lambda row: row.is_local,
                look=lambda row: ("here", "accent") if row.is_local else ("", ""),
            ),
            Column(
                tr("Status"),
                lambda row: row.status or "–",
                attrgetter("status"),
                14,
                1,
                tip=_url,
                tone=lambda row: "warning" if row.status[:1] in ("4", "5") else "secondary",
            ),
            Column(
                tr("Type"),
                lambda row: row.mimetype or "–",
                attrgetter("mimetype"),
                30,
                2,
                tip=_url,
            ),
            Column(
                tr("Length"),
                lambda row: quantities.size(row.length if row.length >= 0 else None),
                attrgetter("length"),
                20,
                3,
                is_number=True,
                tip=_bytes,
                tone=quiet,
            ),
            Column(
                tr("Digest"),
                lambda row: row.digest or "–",
                attrgetter("digest"),
                20,  # its beginning tells two apart; the whole is in the tooltip
                4,
                is_fixed=True,
                tip=lambda row: row.memento.digest,
            ),
        ),
        lambda row: " ".join(row.key),
        Captured.TIME,
        is_descending=True,
        keeps_order=True,
        least=LEAST_SOURCE,
        spoken=spoken,
    )


def _time_width(_is_narrow: bool) -> int:
    """Return the width of a column of times in pixels, whatever the font."""
    return QFontMetrics(scaled_font(1)).horizontalAdvance("2000-00-00 00:00:00") + space(5)


def source_text(row: Row) -> str:
    """Return who has a capture: "Own archive + 2"."""
    others = len(row.lanes) - 1
    return f"{row.memento.source} + {others}" if others else row.memento.source


def spoken(row: Row) -> str:
    """Return a row as one sentence, for those who do not see it."""
    where = tr("this archive") if row.is_local else ""
    parts = (_time(row), source_text(row), where, row.status, row.mimetype)
    return ", ".join(part for part in parts if part)


def _time(row: Row) -> str:
    return time_text(row.memento.timestamp)


def _who(row: Row) -> str:
    memento = row.memento
    who = "\n".join((memento.source, *memento.also))
    return f"{who}\n{memento.detail}" if memento.detail else who


def _bytes(row: Row) -> str:
    if row.length < 0:
        return _url(row)
    return tr("{count} bytes in its record", count=quantities.number(row.length))


def _url(row: Row) -> str:
    return row.memento.url
