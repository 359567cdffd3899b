# SPDX-License-Identifier: AGPL-3.0-or-later
"""The form of a source: the fields of its kind, and the addresses that follow from them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.views.archives.checks import problems
from carrel_desktop.views.archives.draft import Draft, Field, Kind
from carrel_desktop.views.archives.fields import FieldRow
from carrel_desktop.views.archives.kinds import field_words
from carrel_desktop.widgets.labels import ElidedLabel
from carrel_desktop.widgets.wrapping_row import WrappingRow

PLAIN = (Field.BASE, Field.SERVER, Field.PREFIX, Field.PATH, Field.REDIS)
WRITTEN_OUT = (Field.TIMEGATE, Field.TIMEMAP, Field.API, Field.REPLAY)


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
        self.details = QPushButton(tr("Enter these yourself"))
        self._make_details()
        self._add_choosers()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        for name in PLAIN:
            layout.addWidget(self.rows[name])
        layout.addWidget(self.addresses)
        layout.addWidget(self.details, 0, Qt.AlignmentFlag.AlignLeft)
        for name in WRITTEN_OUT:
            layout.addWidget(self.rows[name])
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
        wrong = self._fill()
        if wrong:
            self.rows[wrong[0]].line.setFocus()

    def _make_details(self) -> None:
        self.details.setObjectName("details")
        self.details.setProperty("role", "chip")
        self.details.setCheckable(True)
        self.details.toggled.connect(self._fill)

    def _add_choosers(self) -> None:
        self._file_chooser = QPushButton(tr("Choose file"))
        self._folder_chooser = QPushButton(tr("Choose folder"))
        modes = QFileDialog.FileMode
        choosers = (
            (self._file_chooser, "file", modes.ExistingFile),
            (self._folder_chooser, "folder", modes.Directory),
        )
        for button, name, mode in choosers:
            button.setObjectName(f"choose_{name}")
            button.setIcon(icon(self._theme, name, "text"))
            button.setIconSize(QSize(space(4), space(4)))
            button.clicked.connect(lambda _checked=False, mode=mode: self._choose(mode))
        row = WrappingRow(space(2))
        row.addWidget(self._file_chooser)
        row.addWidget(self._folder_chooser)
        self.rows[Field.PATH].add_below(row)

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

    def _choose(self, mode: QFileDialog.FileMode) -> None:
        dialog = QFileDialog(self, tr("Choose a file or folder"), str(self._folder))
        dialog.setFileMode(mode)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, mode is QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self._on_chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_chosen(self, path: str) -> None:
        chosen = Path(path)
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
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(3))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(1, 1)
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
        name, address = QLabel(), ElidedLabel(Qt.TextElideMode.ElideMiddle)
        name.setProperty("tone", "secondary")
        name.setFont(scaled_font(0.93))
        address.setFont(fixed_font(0.88))
        address.setProperty("tone", "secondary")
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(address, row, 1)
        return name, address
