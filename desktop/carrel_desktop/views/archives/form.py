# SPDX-License-Identifier: AGPL-3.0-or-later
"""The form of a source: the fields of its kind, and the addresses that follow from them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QLayout, QLineEdit, QPushButton, QWidget

from carrel.translation import tr
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space, strong_font
from carrel_desktop.views.archives.checks import problems
from carrel_desktop.views.archives.draft import Draft, Field, Kind
from carrel_desktop.views.archives.kinds import Words, field_words
from carrel_desktop.widgets.chips import chip
from carrel_desktop.widgets.choosing import choose_file, choose_folder
from carrel_desktop.widgets.labels import (
    ElidedLabel,
    named,
    plain_label,
    restyle,
    set_tone,
    wrapped,
)
from carrel_desktop.widgets.layouts import aligned, grid, vertical, wrapping

PLAIN = (Field.BASE, Field.SERVER, Field.PREFIX, Field.PATH, Field.REDIS)
WRITTEN_OUT = (Field.TIMEGATE, Field.TIMEMAP, Field.API, Field.REPLAY)


class FieldRow(QWidget):
    """`written` carries the text with each keystroke, without the space around it."""

    written = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setFont(strong_font(0.97))
        self.line = named(QLineEdit(), f"source_{name}")
        self.label.setBuddy(self.line)
        self.hint = wrapped("", "secondary", font=scaled_font(0.93))
        self._sentence = ""
        parts = self.label, self.line, self.hint
        self._layout = vertical(*parts, gap=0.75, pixels=(1, 0, 1, 0), on=self)
        self.line.textEdited.connect(lambda text: self.written.emit(text.strip()))

    def add_below(self, row: QLayout) -> None:
        """Put a row of widgets between the line and the words below it."""
        self._layout.insertLayout(self._layout.count() - 1, row)

    def show_words(self, words: Words) -> None:
        """Say what is written here."""
        self.label.setText(words.name)
        self.line.setAccessibleName(words.name)
        self.line.setPlaceholderText(words.example)
        self._sentence = words.sentence
        self.show_problem("")

    def show_text(self, text: str) -> None:
        """Show a value; what is being typed is left as it is typed."""
        if self.line.text().strip() != text:
            self.line.setText(text)
            self.line.setCursorPosition(0)

    def show_problem(self, problem: str) -> None:
        """Say what is wrong in place of what it is, "" for nothing."""
        text = problem or self._sentence
        self.hint.setText(text)
        self.hint.setVisible(bool(text))
        set_tone(self.hint, "failed" if problem else "secondary")
        restyle(self.line, "invalid", "true" if problem else "")
        self.line.setAccessibleDescription(text)


class SourceForm(QWidget):
    """`edited` carries the draft with each change. `folder` is where paths begin."""

    edited = Signal(object)

    def __init__(self, theme: Theme, folder: Path) -> None:
        super().__init__()
        self._theme = theme
        self._folder = folder
        self._draft = Draft(Kind.MEMENTO)
        self._insists = False
        self.rows = {name: FieldRow(name) for name in (*PLAIN, *WRITTEN_OUT)}
        self.addresses = Addresses()
        self.details = chip(tr("Enter these yourself"), "details")
        self.details.toggled.connect(self._fill)
        self._add_choosers()
        vertical(
            *(self.rows[name] for name in PLAIN),
            self.addresses,
            aligned(self.details, Qt.AlignmentFlag.AlignLeft),
            *(self.rows[name] for name in WRITTEN_OUT),
            gap=3,
            on=self,
        )
        for name, row in self.rows.items():
            row.written.connect(lambda text, name=name: self._on_written(name, text))

    @property
    def first_line(self) -> QWidget | None:
        """What takes the keyboard first, None if there is nothing to fill in."""
        shown = (*self._draft.plain, *self._draft.templates)
        return self.rows[shown[0]].line if shown else None

    def show_draft(self, draft: Draft) -> None:
        """Show another source."""
        self._draft = draft
        self._insists = False
        self.details.setChecked(not draft.is_short)
        for name in self.rows:
            if name in draft.plain or name in draft.templates:
                self.rows[name].show_words(field_words(name, draft.kind))
        self._folder_chooser.setVisible(draft.kind is Kind.FILE)
        self._fill()

    def insist(self) -> None:
        """Name also the fields that are still empty, and go to the first that is wrong."""
        self._insists = True
        if wrong := self._fill():
            self.rows[wrong[0]].line.setFocus()

    def _add_choosers(self) -> None:
        self._file_chooser = QPushButton(tr("Choose file"))
        self._folder_chooser = QPushButton(tr("Choose folder"))
        heading, folder = tr("Choose a file or folder"), self._folder
        choosers = (
            (self._file_chooser, "file", choose_file),
            (self._folder_chooser, "folder", choose_folder),
        )
        for button, name, choose in choosers:
            named(button, f"choose_{name}")
            button.setIcon(icon(self._theme, name, "text"))
            button.setIconSize(QSize(space(4), space(4)))
            button.clicked.connect(
                lambda _checked=False, choose=choose: choose(self, heading, self._on_chosen, folder)
            )
        self.rows[Field.PATH].add_below(wrapping(*(each for each, *_ in choosers), gap=2))

    def _fill(self) -> Sequence[Field]:
        """Bring all fields into line with the draft; return those that cannot stand."""
        draft, wrong = self._draft, problems(self._draft)
        for name in PLAIN:
            self._fill_row(name, wrong, is_shown=name in draft.plain)
        for name in WRITTEN_OUT:
            is_shown = name in draft.templates and self.details.isChecked()
            self._fill_row(name, wrong, is_shown=is_shown)
        self.details.setVisible(bool(draft.templates))
        self.addresses.setVisible(bool(draft.templates) and not self.details.isChecked())
        self.addresses.show_addresses(
            {field_words(name, draft.kind).name: draft.value(name) for name in draft.templates}
        )
        return [name for name in (*PLAIN, *WRITTEN_OUT) if name in wrong]

    def _fill_row(self, name: Field, wrong: Mapping[Field, str], *, is_shown: bool) -> None:
        row = self.rows[name]
        row.setVisible(is_shown)
        if is_shown:
            row.show_text(self._draft.value(name))
            is_told = self._insists or bool(row.line.text())
            row.show_problem(wrong.get(name, "") if is_told else "")

    def _on_chosen(self, chosen: Path) -> None:
        if chosen.is_relative_to(self._folder) and chosen != self._folder:
            chosen = chosen.relative_to(self._folder)
        self._on_written(Field.PATH, str(chosen))

    def _on_written(self, name: Field, text: str) -> None:
        self._draft = self._draft.written(name, text)
        self._fill()
        self.edited.emit(self._draft)


class Addresses(QWidget):
    """Which addresses follow from the fields, live and in small."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = grid(3, 1, on=self)
        self.lines = [self._make_line(row) for row in range(3)]

    def show_addresses(self, addresses: Mapping[str, str]) -> None:
        """Show addresses by their names; "–" stands for one that is not known."""
        found = list(addresses.items())
        for number, (name, address) in enumerate(self.lines):
            is_used = number < len(found)
            name.setVisible(is_used)
            address.setVisible(is_used)
            if is_used:
                name.setText(found[number][0])
                address.setText(found[number][1] or "–")

    def _make_line(self, row: int) -> tuple[QLabel, ElidedLabel]:
        name = plain_label(tone="secondary", font=scaled_font(0.93))
        address = ElidedLabel(Qt.TextElideMode.ElideMiddle, "secondary", fixed_font(0.88))
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(address, row, 1)
        return name, address
