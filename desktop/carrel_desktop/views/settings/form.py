# SPDX-License-Identifier: AGPL-3.0-or-later
"""The form of the Settings page: groups of fields on one long sheet."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QScrollArea, QWidget

from carrel.model.evidence import KEYRING
from carrel.settings import Settings
from carrel.translation import tr
from carrel_desktop.quantities import number
from carrel_desktop.theme import space, strong_font
from carrel_desktop.views.settings.catalogue import Group, groups, value_of
from carrel_desktop.views.settings.entry import Entry, InvalidEntry, entry_for
from carrel_desktop.widgets.labels import plain_label, wrapped
from carrel_desktop.widgets.layouts import boxed, framed, grid, horizontal, rest, show_in, vertical

LABELS = 58  # grid steps: the width of the column of labels
EDITORS = 60  # that of what is written or chosen
MOST = 195
FILES = "signatures.key", "signatures.certificates", "signatures.authority_certificates"
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
        self._groups: list[tuple[QWidget, str, Sequence[Entry]]] = []
        self._others: list[QWidget] = []  # cards without settings
        self._parts: list[tuple[Sequence[QWidget], Sequence[QWidget]]] = []  # headings, their cards
        sheet = QWidget()
        self._sheet = vertical(rest(), gap=4, margins=(0, 0, GAP, 0), on=sheet)
        self.archives = self._add_part(tr("For this archive"), personal=False)
        self.own = self._add_part(tr("For all your archives"), personal=True)
        self.none = wrapped(tr("No setting has these words."), "secondary")
        self.none.hide()
        self._add(self.none)
        sheet.setMaximumWidth(space(MOST))
        self.edited.connect(self._compare)
        show_in(self, sheet, sideways=False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = self.verticalScrollBar()  # it has its room always, and is seen where it can scroll
        bar.rangeChanged.connect(lambda _least, most: bar.setEnabled(most > 0))

    def add_card(self, title: str, content: QWidget, at: int | None = None) -> QWidget:
        """Add a titled card, at the end of the sheet or at a place, and return it."""
        card = self._add_card(title, content, at)
        self._others.append(card)
        return card

    def _add_card(self, title: str, content: QWidget, at: int | None = None) -> QWidget:
        heading = plain_label(title, font=strong_font(1.05))
        card = framed(vertical(heading, content, gap=3, margins=(4, 3.5, 4, 4)))
        self._add(card, at)
        return card

    def _add(self, widget: QWidget, at: int | None = None) -> None:
        """Add a widget before what stays free at the end, or at a place."""
        self._sheet.insertWidget(self._sheet.count() - 1 if at is None else at, widget)

    def below(self, row: QLayout) -> QLayout:
        """Return a layout that has a row end where the cards above it do, at every width."""
        column = boxed(row)
        column.setMaximumWidth(space(MOST))
        row.setContentsMargins(0, 0, space(GAP), 0)
        self._below = horizontal(rest(column), rest(share=0))
        self._leave_room_for_bar()
        return self._below

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._leave_room_for_bar()

    def _leave_room_for_bar(self) -> None:
        """Have what is below end where the cards do, beside their scroll bar as it looks now."""
        if self._below is not None:
            self._below.setContentsMargins(0, 0, self.verticalScrollBar().sizeHint().width(), 0)

    def show_settings(self, settings: Settings) -> None:
        """Show what may be changed in every field."""
        for entry in self.entries:
            entry.show_value(value_of(settings, entry.setting))
        self._compare()

    def show_held(self, remarks: Mapping[str, str]) -> None:
        """Say beside settings, by their names, what holds in this archive instead."""
        for entry in self.entries:
            entry.show_held(remarks.get(entry.setting.name, ""))

    def seek(self, text: str) -> None:
        """Show the settings that have all words in their group's title, label or hint, and the
        cards without settings that have them in what they say."""
        sought = text.casefold().split()
        self._seek_settings(sought)
        for card in self._others:
            card.setProperty("sought", _says(card, sought))
            self.show_card(card, is_wanted=bool(card.property("wanted") is not False))
        for headings, cards in self._parts:
            for heading in headings:
                heading.setVisible(any(not card.isHidden() for card in cards))
        cards = [*self._others, *(card for card, _, _ in self._groups)]
        self.none.setVisible(all(card.isHidden() for card in cards))

    @staticmethod
    def show_card(card: QWidget, *, is_wanted: bool) -> None:
        """Show a card without settings, unless what is sought is not in it."""
        card.setProperty("wanted", is_wanted)
        card.setVisible(is_wanted and card.property("sought") is not False)

    def _seek_settings(self, sought: Sequence[str]) -> None:
        for card, title, entries in self._groups:
            has_any = False
            for entry in entries:
                told = f"{title} {entry.setting.label} {entry.setting.hint}".casefold()
                has_it = all(word in told for word in sought)
                has_any |= has_it
                for widget in (entry.label, entry.editor, entry.hint):
                    widget.setVisible(has_it)
            card.setVisible(has_any)

    def show_setting(self, name: str) -> None:
        """Bring a setting into sight, and the keyboard to it."""
        field = next(each.focus_widget for each in self.entries if each.setting.name == name)
        self.ensureWidgetVisible(field)
        field.setFocus()

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

    def _compare(self) -> None:
        """Say beside a setting what others, or the disk, make of it."""
        by_name = {entry.setting.name: entry for entry in self.entries}
        self._tell_idle(by_name)
        for name in FILES:
            remark = _on_file(by_name[name])
            by_name[name].show_remark(remark, warns=bool(remark))

    @staticmethod
    def _tell_idle(by_name: Mapping[str, Entry]) -> None:
        """Say beside a setting that it applies only where a person lifts the limit of another."""
        bundle = by_name["strategy.bundle_from_file_count"]
        try:
            most = by_name["limits.max_file_count"].value()
            is_idle = bundle.value() > most
        except InvalidEntry:
            is_idle, most = False, 0
        idle = tr(
            "Number of files; above “Maximum files per dataset” ({most}) Carrel asks first",
            most=number(most),
        )
        bundle.show_remark(idle if is_idle else "")

    def _add_part(self, title: str, *, personal: bool) -> QLabel:
        """Add the settings of the person, or of the archive; return the line below their title."""
        heading, note = QLabel(title), wrapped("", "secondary")
        heading.setFont(strong_font(1.15))
        self._add(heading)
        self._add(note)
        cards: list[QWidget] = []
        for group in groups():
            chosen = group.only(personal=personal)
            if chosen.settings:
                before = len(self.entries)
                card = self._add_card(chosen.title, self._grid(chosen))
                self._groups.append((card, chosen.title, self.entries[before:]))
                cards.append(card)
        self._parts.append(((heading, note), cards))
        return note

    def _grid(self, group: Group) -> QWidget:
        fields = grid(3, 2, stretched=2)
        fields.setColumnMinimumWidth(0, space(LABELS))
        fields.setColumnMinimumWidth(1, space(EDITORS))  # hints of all groups begin in one line
        for row, setting in enumerate(group.settings):
            entry = entry_for(setting)
            entry.edited.connect(self.edited)
            self.entries.append(entry)
            fields.addWidget(entry.label, row, 0)
            fields.addWidget(entry.editor, row, 1)
            entry.hint.setWordWrap(True)
            fields.addWidget(entry.hint, row, 2)
        return boxed(fields)


def _on_file(entry: Entry) -> str:
    """Return that the file of a setting is not there now; it may be on a disk that will be."""
    try:
        value = entry.value()
    except InvalidEntry:
        return ""
    if value in ("", KEYRING) or Path(value).is_file():
        return ""
    return tr("There is no such file now. Nothing can be signed until it is there.")


def _says(card: QWidget, sought: Sequence[str]) -> bool:
    told = " ".join(label.text() for label in card.findChildren(QLabel)).casefold()
    return all(word in told for word in sought)
