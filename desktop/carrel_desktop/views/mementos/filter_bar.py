# SPDX-License-Identifier: AGPL-3.0-or-later
"""The filters above the table: words, status, type, what is here, what is distinct."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QWidget

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.views.mementos.filter import UNKNOWN_STATUS, Filter
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.wrapping_row import WrappingRow

LEAST_SEARCH = 50  # grid steps
TYPING_MS = 80
MOST_TYPES = 30


class FilterBar(QWidget):
    """`changed` says that other captures are to be listed."""

    changed = Signal()

    def __init__(self, whole: ActionButton) -> None:
        super().__init__()
        self._types: Mapping[str, int] = {}
        self.search = QLineEdit()
        self.status = QComboBox()
        self.type = QComboBox()
        self.local = self._chip(tr("Local only"), "only_local")
        self.distinct = self._chip(tr("Unique content"), "only_distinct")
        self.distinct.setToolTip(tr("Show only the earliest capture of each digest"))
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._set_up()
        row = WrappingRow(space(2))
        row.setContentsMargins(1, 1, 1, 1)
        row.add_filling(self.search, space(LEAST_SEARCH))
        for widget in (self.status, self.type, self.local, self.distinct, whole):
            row.addWidget(widget)
        self.setLayout(row)

    def filter(self, lanes: frozenset[int]) -> Filter:
        """Return what is to be listed, of these sources."""
        return Filter(
            words=tuple(self.search.text().casefold().split()),
            lanes=lanes,
            status=self.status.currentData() or "",
            mimetype=self.type.currentData() or "",
            only_local=self.local.isChecked(),
            only_distinct=self.distinct.isChecked(),
        )

    def show_types(self, types: Mapping[str, int]) -> None:
        """Offer the types that there are, the most frequent first; the chosen one stays."""
        known = {kind: count for kind, count in types.items() if kind}
        if known == self._types:
            return
        self._types = known
        chosen = self.type.currentData()
        ranked = sorted(known, key=lambda kind: (-known[kind], kind))[:MOST_TYPES]
        if chosen and chosen not in ranked:
            ranked.append(chosen)
        self.type.clear()
        self.type.addItem(tr("Any type"), "")
        for kind in ranked:
            self.type.addItem(f"{kind}  {quantities.number(known.get(kind, 0))}", kind)
        self.type.setCurrentIndex(max(0, self.type.findData(chosen)))

    def clear(self) -> None:
        """Take every filter away."""
        self.search.clear()
        self.status.setCurrentIndex(0)
        self.type.setCurrentIndex(0)
        for chip in (self.local, self.distinct):
            chip.setChecked(False)
        self._say()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc empties the field."""
        if watched is self.search and isinstance(event, QKeyEvent) and self.search.text():
            is_press = event.type() is QEvent.Type.KeyPress
            if is_press and event.key() == Qt.Key.Key_Escape:
                self.search.clear()
                return True
        return super().eventFilter(watched, event)

    def _set_up(self) -> None:
        self.search.setObjectName("filter_text")
        self.search.setPlaceholderText(tr("Filter by time, type, digest or URL"))
        self.search.setAccessibleName(tr("Filter captures"))
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        self.status.setObjectName("filter_status")
        self.status.setAccessibleName(tr("Status"))
        statuses = (
            (tr("Any status"), ""),
            (tr("2xx found"), "2"),
            (tr("3xx redirect"), "3"),
            (tr("4xx not found"), "4"),
            (tr("5xx server error"), "5"),
            (tr("No status"), UNKNOWN_STATUS),
        )
        for name, value in statuses:
            self.status.addItem(name, value)
        self.type.setObjectName("filter_type")
        self.type.setAccessibleName(tr("Type"))
        self.type.addItem(tr("Any type"), "")
        for box, letters in ((self.status, 10), (self.type, 11)):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(letters)
            box.activated.connect(self._say)
        self.search.textChanged.connect(self._typing.start)
        self._typing.timeout.connect(self._say)
        self.local.toggled.connect(self._say)
        self.distinct.toggled.connect(self._say)

    def _chip(self, text: str, name: str) -> QPushButton:
        chip = QPushButton(text)
        chip.setObjectName(name)
        chip.setCheckable(True)
        chip.setProperty("role", "chip")
        return chip

    def _say(self) -> None:
        self._typing.stop()
        self.changed.emit()
