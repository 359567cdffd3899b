# SPDX-License-Identifier: AGPL-3.0-or-later
"""The filters above the table: words, status, type, what is here, what is distinct."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.views.mementos.rows import UNKNOWN_STATUS, Filter
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.chips import chip
from carrel_desktop.widgets.choice_box import ChoiceBox
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.layouts import rest, wrapping
from carrel_desktop.widgets.search_field import SearchField

LEAST_SEARCH = 50  # grid steps
TYPING_MS = 80
MOST_TYPES = 30


class FilterBar(QWidget):
    """`changed` says that other captures are to be listed."""

    changed = Signal()

    def __init__(self, whole: ActionButton) -> None:
        super().__init__()
        self._types: Mapping[str, int] = {}
        hint = tr("Filter by time, type, digest or URL")
        self.search = SearchField("filter_text", hint, tr("Filter captures"), TYPING_MS)
        self.status = self._box("filter_status", tr("Status"), letters=10)
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
        self.type = self._box("filter_type", tr("Type"), letters=11)
        self.type.addItem(tr("Any type"), "")
        self.local = chip(tr("Local only"), "only_local")
        self.distinct = chip(tr("Unique content"), "only_distinct")
        self.distinct.setToolTip(tr("Show only the earliest capture of each digest"))
        choosers = self.status, self.type, self.local, self.distinct, whole
        wrapping(rest(self.search, least=LEAST_SEARCH), *choosers, gap=2, pixels=1, on=self)
        self.search.sought.connect(self.changed)
        for each in (self.local, self.distinct):
            each.toggled.connect(self.search.seek_now)

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
        for each in (self.local, self.distinct):
            each.setChecked(False)
        self.search.seek_now()

    def _box(self, name: str, said: str, *, letters: int) -> ChoiceBox:
        box = ChoiceBox(letters=letters)
        box.activated.connect(self.search.seek_now)
        return named(box, name, said)
