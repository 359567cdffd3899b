# SPDX-License-Identifier: AGPL-3.0-or-later
"""The captures of a URL, one row each, and what their columns say; they stream in."""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import IntEnum
from operator import attrgetter

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFontMetrics

from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import scaled_font, space
from carrel_desktop.views.mementos.rows import Filter, Row, seconds_of, time_text
from carrel_desktop.widgets.table.column import Column, Kind, quiet
from carrel_desktop.widgets.table.model import RowsModel

TYPE_OF = attrgetter("mimetype")
_url = attrgetter("memento.url")
LEAST_SOURCE = 32


class MementosModel(RowsModel[Row]):
    """Newest first until sorted otherwise. `relisted` says that other rows are listed."""

    relisted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(captures(), parent)
        self.filter = Filter()
        self.types: Counter[str] = Counter()

    def replace(self, rows: Sequence[Row]) -> None:
        """Replace everything."""
        self.types = Counter(map(TYPE_OF, rows))
        self.show(self.kind, rows)
        self.relisted.emit()

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows where they belong; what is chosen stays chosen."""
        self.types.update(map(TYPE_OF, rows))
        if self.filter.only_distinct:
            self.show(self.kind, [*self.all, *rows])  # an earlier one may have come
            self.relisted.emit()
            return
        passed = self.filter.of(rows)
        self.take_in(rows, passed)
        if passed:
            self.relisted.emit()

    def set_filter(self, wanted: Filter) -> None:
        """List only what passes a filter."""
        if wanted != self.filter:
            self.filter = wanted
            self.relist()
            self.relisted.emit()

    def place_of_key(self, key: tuple[str, str, str]) -> int | None:
        """Return the place of the capture of this key, None if it is not listed."""
        return next((at for at in self._at(seconds_of(key[0])) if self.listed[at].key == key), None)

    def place_at(self, lane: int, seconds: int) -> int | None:
        """Return the place of the capture that a source has of a moment."""
        places = self._at(seconds)
        return next((place for place in places if lane in self.listed[place].lanes), None)

    def sifted(self, rows: Sequence[Row]) -> Sequence[Row]:
        return self.filter.of(rows)

    def _at(self, seconds: int) -> list[int]:
        """Return the places of what was captured at a moment."""
        return [place for place, row in enumerate(self.listed) if row.seconds == seconds]


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
    length, digest, whole = map(attrgetter, ("length", "digest", "memento.digest"))
    status, kind = attrgetter("status"), attrgetter("mimetype")
    return Kind(
        Column(tr("Time (UTC)"), _time, attrgetter("seconds"), tip=_url, measured=_time_width),
        Column(
            tr("Source"),
            source_text,
            attrgetter("lanes"),
            tip=_who,
            is_strong=attrgetter("is_local"),
            look=lambda row: ("here", "accent") if row.is_local else ("", ""),
        ),
        Column(tr("Status"), _known("status"), status, 14, 1, tip=_url, tone=_status_tone),
        Column(tr("Type"), _known("mimetype"), kind, 30, 2, tip=_url),
        Column(tr("In the WARC"), _length, length, 26, 3, is_number=True, tip=_bytes, tone=quiet),
        # Its beginning tells two digests apart; the whole is in the tooltip.
        Column(tr("Digest"), _known("digest"), digest, 20, 4, is_fixed=True, tip=whole),
        ident=lambda row: " ".join(row.key),
        sorted_by=Captured.TIME,
        is_descending=True,
        keeps_order=True,
        least=LEAST_SOURCE,
        spoken=spoken,
    )


def _known(name: str) -> Callable[[Row], str]:
    """Return what says a word of the index, a dash where it has none."""
    return lambda row: getattr(row, name) or "–"


def _length(row: Row) -> str:
    return quantities.size(row.length if row.length >= 0 else None)


def _status_tone(row: Row) -> str:
    return "warning" if row.status[:1] in ("4", "5") else "secondary"


def _time_width(_is_narrow: bool) -> int:
    """Return the width of a column of times in pixels, whatever the font."""
    return QFontMetrics(scaled_font(1)).horizontalAdvance("2000-00-00 00:00:00") + space(5)


def source_text(row: Row) -> str:
    """Return who has a capture: "Own archive + 2"."""
    others = len(row.lanes) - 1
    own = words.source_name(row.memento.source, row.memento.source_type)
    return f"{own} + {others}" if others else own


def spoken(row: Row) -> str:
    """Return a row as one sentence, for those who do not see it."""
    where = tr("local") if row.is_local else ""
    parts = (_time(row), source_text(row), where, row.status, row.mimetype)
    return ", ".join(part for part in parts if part)


def _time(row: Row) -> str:
    return time_text(row.memento.timestamp)


def _who(row: Row) -> str:
    memento = row.memento
    own = words.source_name(memento.source, memento.source_type)
    who = "\n".join((own, *memento.also))
    return f"{who}\n{memento.detail}" if memento.detail else who


def _bytes(row: Row) -> str:
    if row.length < 0:
        return row.memento.url
    return tr("{count} bytes in its record", count=quantities.number(row.length))
