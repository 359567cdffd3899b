# SPDX-License-Identifier: AGPL-3.0-or-later
"""The form of the Settings page: groups of fields on one long sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QScrollArea, QWidget

from carrel.settings import Settings
from carrel.translation import tr
from carrel_desktop.theme import space, strong_font
from carrel_desktop.views.settings.catalogue import Group, groups, value_of
from carrel_desktop.views.settings.entry import Entry, entry_for
from carrel_desktop.widgets.labels import plain_label, wrapped
from carrel_desktop.widgets.layouts import boxed, framed, grid, vertical

LABELS = 58  # grid steps: the width of the column of labels
MOST = 195
GAP = 2  # grid steps between the cards and the scroll bar


class SettingsForm(QScrollArea):
    """`edited` is emitted when a field says something else than before.

    `archives` and `own` are the lines that say where the settings of each part are written.
    """

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._below: QHBoxLayout | None = None
        self.entries: list[Entry] = []
        sheet = QWidget()
        self._sheet = vertical(gap=4, margins=(0, 0, GAP, 0), on=sheet)
        self.archives = self._add_part(tr("For this archive"), personal=False)
        self.own = self._add_part(tr("For all your archives"), personal=True)
        self._sheet.addStretch(1)
        sheet.setMaximumWidth(space(MOST))
        self.setWidget(sheet)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        sheet.setAutoFillBackground(False)

    def add_card(self, title: str, content: QWidget, at: int | None = None) -> QWidget:
        """Add a titled card, at the end of the sheet or at a place, and return it."""
        heading = plain_label(title, font=strong_font(1.05))
        card = framed(vertical(heading, content, gap=3, margins=(4, 3.5, 4, 4)))
        self._sheet.insertWidget(self._sheet.count() if at is None else at, card)
        return card

    def below(self, row: QLayout) -> QLayout:
        """Return a layout that has a row end where the cards above it do, at every width."""
        column = QWidget()
        column.setMaximumWidth(space(MOST))
        column.setLayout(row)
        row.setContentsMargins(0, 0, space(GAP), 0)
        whole = self._below = QHBoxLayout()
        self._leave_room_for_bar()
        whole.addWidget(column, 1)
        whole.addStretch(0)
        return whole

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._leave_room_for_bar()

    def _leave_room_for_bar(self) -> None:
        """Have what is below end where the cards do, beside their scroll bar as it looks now."""
        if self._below is not None:
            width = self.verticalScrollBar().sizeHint().width()
            self._below.setContentsMargins(0, 0, width, 0)

    @property
    def count(self) -> int:
        """How many cards there are, and the stretch below them."""
        return self._sheet.count()

    def show_settings(self, settings: Settings) -> None:
        """Show what holds in every field."""
        for entry in self.entries:
            entry.show_value(value_of(settings, entry.setting))

    @property
    def is_changed(self) -> bool:
        return any(entry.is_changed for entry in self.entries)

    def invalid_entries(self) -> Sequence[Entry]:
        """Return the fields whose values cannot be taken."""
        return [entry for entry in self.entries if entry.check()]

    def changes(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what was changed, by section and key; None where the default holds again."""
        found: dict[str, dict[str, Any]] = {}
        for entry in self.entries:
            if entry.is_changed:
                setting, value = entry.setting, entry.value()
                new = None if value == setting.default else value
                found.setdefault(setting.section, {})[setting.key] = new
        return found

    def _add_part(self, title: str, *, personal: bool) -> QLabel:
        """Add the settings of the person, or of the archive; return the line below their title."""
        heading, note = QLabel(title), wrapped("", "secondary")
        heading.setFont(strong_font(1.15))
        self._sheet.addWidget(heading)
        self._sheet.addWidget(note)
        for group in groups():
            chosen = group.only(personal=personal)
            if chosen.settings:
                self.add_card(chosen.title, self._grid(chosen))
        return note

    def _grid(self, group: Group) -> QWidget:
        fields = grid(3, 2, stretched=2)
        fields.setColumnMinimumWidth(0, space(LABELS))
        for row, setting in enumerate(group.settings):
            entry = entry_for(setting)
            entry.edited.connect(self.edited)
            self.entries.append(entry)
            fields.addWidget(entry.label, row, 0)
            fields.addWidget(entry.editor, row, 1)
            entry.hint.setWordWrap(True)
            fields.addWidget(entry.hint, row, 2)
        return boxed(fields)
