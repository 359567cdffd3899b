# SPDX-License-Identifier: AGPL-3.0-or-later
"""Facets by which a list is narrowed down: headings, and under each its values with counts."""

from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.rows import paint_background

MOST_SHOWN = 8
_TALLEST = 1000  # pixels of a text that wraps
_ABOVE = 3.5  # grid steps that keep a heading from the values of the facet before it
VALUE_ROLE = Qt.ItemDataRole.UserRole
Chosen = Mapping[Any, Set[str]]


@dataclass(frozen=True, slots=True)
class FacetValues:
    """A facet under its heading, with its values: each with its words and count, most first."""

    facet: Hashable
    heading: str
    values: Sequence[tuple[str, str, int]]


class _Delegate(QStyledItemDelegate):
    """Marks the line that has the keyboard; a text that has no room in a line goes on in the next.

    Qt cuts it also where words may wrap: it asks for one line, however narrow the column.
    """

    def __init__(self, theme: Theme, panel: QTreeWidget) -> None:
        super().__init__(panel)
        self._theme, self._panel = theme, panel

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        paint_background(painter, option, self._theme, is_first=index.column() == 0)
        super().paint(painter, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        if index.column():
            return hint
        own, panel = QStyleOptionViewItem(option), self._panel
        self.initStyleOption(own, index)
        is_value = index.parent().isValid()
        room = panel.columnWidth(0) - panel.indentation() if is_value else panel.header().length()
        own.rect = QRect(0, 0, room, hint.height())
        element = QStyle.SubElement.SE_ItemViewItemText
        within = panel.style().subElementRect(element, own, panel)
        within.adjust(space(1), 0, -space(1), 0)
        within.setHeight(_TALLEST)
        metrics = QFontMetrics(own.font)
        text = metrics.boundingRect(within, Qt.TextFlag.TextWordWrap, own.text)
        return QSize(hint.width(), hint.height() + max(0, text.height() - metrics.height()))


class FacetPanel(QTreeWidget):
    """`chosen` carries the values that are ticked, by facet. Of many values the first are shown,
    and the rest by a line at their end. While somebody works with it no value moves, be it that
    none has it any more: the next click is to hit what it is meant for."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, name: str, said: str) -> None:
        super().__init__()
        self.setItemDelegate(_Delegate(theme, self))
        self.setWordWrap(True)
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        named(self, name, said)
        self.setIndentation(space(3))
        self.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.sectionResized.connect(self.scheduleDelayedItemsLayout)
        self._shown: tuple[Sequence[FacetValues], Chosen] = ((), {})
        self._items: dict[object, QTreeWidgetItem] = {}
        self._whole: set[Hashable] = set()  # facets of which every value is shown
        self._is_counting = False
        self.itemChanged.connect(self._on_changed)
        self.itemClicked.connect(self._on_activated)
        self.itemActivated.connect(self._on_activated)

    def show_facets(self, facets: Sequence[FacetValues], chosen: Chosen) -> None:
        """Show what there is to choose from, and what is chosen."""
        if self.underMouse() or self.hasFocus():
            facets = [_in_place(each, self._shown[0]) for each in facets]
        if (facets, chosen) == self._shown and not self._is_counting:
            return
        self._shown, self._is_counting = (facets, chosen), False
        current = self._current()
        above = self.verticalScrollBar().value()
        self.blockSignals(True)
        self.clear()
        self._items.clear()
        for each in facets:
            if each.values:
                self._add_facet(each, chosen.get(each.facet, frozenset()))
        self.expandAll()
        if current in self._items:  # the keyboard stays where it stood
            self.setCurrentItem(self._items[current])
        self.blockSignals(False)
        self.verticalScrollBar().setValue(above)

    def show_counting(self) -> None:
        """Say of each value that it is still being counted how many have it; all stay in place."""
        self._is_counting = True
        self.blockSignals(True)
        for item in self._items.values():
            item.setText(1, "…")
            said = tr("{value}: still being counted", value=item.text(0))
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, said)
        self.blockSignals(False)
        self.viewport().update()

    def _add_facet(self, facet: FacetValues, ticked: Set[str]) -> None:
        heading = QTreeWidgetItem(self, [facet.heading])
        heading.setFont(0, strong_font())
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        heading.setFirstColumnSpanned(True)
        heading.setTextAlignment(0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        height = QFontMetrics(strong_font()).height() + space(_ABOVE)
        heading.setSizeHint(0, QSize(0, height))
        is_whole = facet.facet in self._whole or len(facet.values) <= MOST_SHOWN + 1
        for at, (value, text, count) in enumerate(facet.values):
            if is_whole or at < MOST_SHOWN or value in ticked:
                self._add_value(heading, facet.facet, value, text, count, is_on=value in ticked)
        if not is_whole:
            count = len(facet.values) - heading.childCount()
            more = QTreeWidgetItem(heading, [tr("{count} more…", count=quantities.number(count))])
            more.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            more.setData(0, VALUE_ROLE, (facet.facet, None))

    def _add_value(
        self,
        heading: QTreeWidgetItem,
        facet: Hashable,
        value: str,
        text: str,
        count: int,
        *,
        is_on: bool,
    ) -> None:
        item = QTreeWidgetItem(heading, [text, quantities.number(count)])
        item.setData(0, VALUE_ROLE, (facet, value))
        self._items[facet, value] = item
        item.setCheckState(0, Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight)
        item.setToolTip(0, text)
        said = tr("{value}: {count}", value=text, count=quantities.number(count))
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, said)

    def _on_changed(self, item: QTreeWidgetItem, _column: int) -> None:
        """Tell what is ticked now; what is shown follows once it is counted."""
        facet, value = item.data(0, VALUE_ROLE) or (None, None)
        if value is None:
            return
        facets, before = self._shown
        is_on = item.checkState(0) is Qt.CheckState.Checked
        ticked = before.get(facet, frozenset())
        now = ticked | {value} if is_on else ticked - {value}
        chosen = {**before, facet: frozenset(now)}
        self._shown = (facets, {each: values for each, values in chosen.items() if values})
        self.chosen.emit(self._shown[1])

    def _on_activated(self, item: QTreeWidgetItem, _column: int) -> None:
        facet, value = item.data(0, VALUE_ROLE) or (None, "")
        if value is None:
            self._show_all(facet)

    def _show_all(self, facet: Hashable) -> None:
        """Show every value of a facet; the keyboard goes on with the first that was not shown."""
        seen = set(self._items)
        self._whole.add(facet)
        facets, chosen = self._shown
        self._shown = ((), {})
        self.show_facets(facets, chosen)
        self.setCurrentItem(next(item for key, item in self._items.items() if key not in seen))

    def _current(self) -> object:
        item = self.currentItem()
        return item.data(0, VALUE_ROLE) if item is not None else None


def _in_place(facet: FacetValues, before: Sequence[FacetValues]) -> FacetValues:
    """Return a facet with its values where they stood before, and those that are new behind."""
    known = next((each.values for each in before if each.facet == facet.facet), ())
    now = {value: (value, text, count) for value, text, count in facet.values}
    stood = [now.pop(value, (value, text, 0)) for value, text, _ in known]
    return FacetValues(facet.facet, facet.heading, [*stood, *now.values()])
