# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list that was opened, more closely: its columns, and its lines that gave no dataset."""

from dataclasses import replace
from typing import cast

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from carrel.engine.batches import Batch, Columns, Duplicate, Head, Problem
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.foreign import in_title
from carrel_desktop.screens import fitted
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.views.archive.offer import Correction, Offer
from carrel_desktop.views.archive.review import export_problems
from carrel_desktop.widgets.choice_box import ChoiceBox
from carrel_desktop.widgets.labels import named, plain_label, wrapped
from carrel_desktop.widgets.layouts import grid, horizontal, rest, vertical
from carrel_desktop.widgets.table.column import Column, Kind, as_given, column_of, quiet
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable

NONE, FOUND = "", None
FIRST_LINES, MOST_REPEATED = 3, 4  # rows in sight
Cells = tuple[str, ...]


class LinesDialog(QDialog):
    """`read_by` carries the Offer and the Columns to read it by, `corrected` its number and a
    Correction of a line."""

    read_by = Signal(object, object)
    corrected = Signal(int, object)

    def __init__(self, parent: QWidget, theme: Theme, session: Session, offer: Offer) -> None:
        super().__init__(parent)
        self.setObjectName("lines")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("{name}: columns and lines", name=in_title(offer.name)))
        self._session, self._offer = session, offer
        self._boxes: list[ChoiceBox] = []
        parts: list[QWidget] = []
        if offer.head and offer.added is None:
            parts += [self._columns(offer.head), self._beginning(theme, offer.head)]
        self.problems = RowsTable(
            theme, RowsModel(problem_kind()), "problems", tr("Lines without a dataset")
        )
        self.duplicates = RowsTable(
            theme, RowsModel(duplicate_kind()), "duplicates", tr("Lines that repeat another")
        )
        self.count, self.repeated = plain_label(font=strong_font()), plain_label(font=strong_font())
        self.told = wrapped("", "secondary")
        self.field = named(QLineEdit(), "corrected", tr("Corrected line"))
        self.field.setPlaceholderText(tr("Select a line, correct it here and press Enter"))
        self._export = named(QPushButton(tr("&Export lines…")), "export_problems")
        buttons = QDialogButtonBox()
        buttons.addButton(tr("&Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        for button in (self._export, *buttons.buttons()):
            cast(QPushButton, button).setAutoDefault(False)  # Enter corrects a line
        below = horizontal(self._export, rest(), buttons, gap=2)
        vertical(
            *parts,
            self.count,
            rest(self.problems),
            self.field,
            self.told,
            self.repeated,
            self.duplicates,
            below,
            gap=2,
            margins=(6, 5, 6, 4),
            on=self,
        )
        self.resize(fitted(QSize(space(220), space(165)), parent))
        self.problems.chose.connect(self._on_chose)
        self.field.returnPressed.connect(self._correct)
        self._export.clicked.connect(self._on_export)
        self.show_batch(offer.batch)

    def show_offer(self, offer: Offer) -> None:
        """Show a list as it is by now, if it is the one on show; what is being corrected stays."""
        if offer.number == self._offer.number:
            chosen, text = self._chosen(), self.field.text()
            self._offer = offer
            self.told.setText("")
            self.show_batch(offer.batch)
            lines = [problem.line for problem in offer.batch.problems]
            if chosen is not None and chosen.line in lines:
                self.problems.choose(lines.index(chosen.line))
                self.field.setText(text)

    def show_batch(self, batch: Batch) -> None:
        """List the lines of a batch that gave nothing, or nothing new."""
        self._offer = replace(self._offer, batch=batch)
        self.problems.list_rows(batch.problems)
        self.duplicates.list_rows(batch.duplicates)
        self.duplicates.setFixedHeight(
            height_of(self.duplicates, min(MOST_REPEATED, len(batch.duplicates)))
        )
        problems, repeated = len(batch.problems), len(batch.duplicates)
        self.count.setText(
            tr("Lines without a dataset: {count}", count=quantities.number(problems))
        )
        self.repeated.setText(
            tr("Lines that repeat another: {count}", count=quantities.number(repeated))
        )
        for widget in (self.duplicates, self.repeated):
            widget.setVisible(repeated > 0)
        self.field.setEnabled(problems > 0 and self._offer.added is None)
        self._export.setEnabled(problems > 0)

    def _columns(self, head: Head) -> QWidget:
        """Return the choice of the three columns."""
        shown = QWidget()
        form = grid(3, 1.5, stretched=2, on=shown)
        columns = self._offer.columns
        names = [name or tr("Column {number}", number=n) for n, name in enumerate(head.names, 1)]

        def detected(place: int | None) -> str:
            if place is None:
                return tr("(detected: none)")
            return tr("(detected: {column})", column=names[place])

        for word, place, chosen in (
            (tr("&Identifier"), head.identifier, columns.identifier),
            (tr("&Title"), head.title, columns.title),
            (tr("Ta&gs"), head.tags, columns.tags),
        ):
            box = ChoiceBox(letters=24)
            box.addItem(detected(place), FOUND)
            for number, name in enumerate(names, 1):
                box.addItem(name, str(number))
            if word != tr("&Identifier"):
                box.addItem(tr("(none)"), NONE)
            box.setCurrentIndex(max(0, box.findData(chosen)))
            box.activated.connect(self._on_columns)
            label = QLabel(word)
            label.setBuddy(box)
            row = form.rowCount()
            form.addWidget(label, row, 0)
            form.addWidget(box, row, 1)
            self._boxes.append(box)
        return shown

    def _beginning(self, theme: Theme, head: Head) -> QWidget:
        """Return the first rows of the table."""

        def cell(at: int) -> Column[Cells]:
            name = head.names[at] or str(at + 1)
            units = 0 if at == len(head.names) - 1 else 40  # the last one takes what is left
            text = lambda row: row[at] if at < len(row) else ""  # noqa: E731
            return Column(name, text, as_given, units, tone=quiet)

        kind: Kind[Cells] = Kind(*map(cell, range(len(head.names))), is_sortable=False)
        table = RowsTable(theme, RowsModel(kind), "beginning", tr("First lines"))
        table.list_rows(head.rows)
        table.setFixedHeight(height_of(table, FIRST_LINES))
        return table

    def _on_columns(self) -> None:
        identifier, title, tags = (box.currentData() for box in self._boxes)
        self.read_by.emit(self._offer, Columns(identifier, title, tags))

    def _on_chose(self) -> None:
        problem = self._chosen()
        self.field.setText(problem.text if problem else "")

    def _chosen(self) -> Problem | None:
        place = self.problems.place
        return None if place is None else self.problems.rows.listed[place]

    def _correct(self) -> None:
        problem, text = self._chosen(), self.field.text()
        if problem is not None and text.strip():
            self._session.start(self._correct_to(problem, text), is_asked=True)

    async def _correct_to(self, problem: Problem, text: str) -> None:
        """Have a line name a dataset, where what was written does."""
        paste = await self._session.read(lambda engine: engine.understand(text))
        if not paste.identifiers:
            self.told.setText(tr("It contains no DOI, Handle, ARK or web address."))
            return
        before = len(self._offer.batch.requests)
        correction = Correction(problem.line, paste.identifiers)
        self.corrected.emit(self._offer.number, correction)
        is_new = len(self._offer.batch.requests) > before
        self.told.setText(tr("Added to the list.") if is_new else tr("It is already in the list."))

    def _on_export(self) -> None:
        export_problems(self, self._session, self._offer.batch.problems)


def height_of(table: RowsTable, rows: int) -> int:
    """Return how high a table is that shows so many rows."""
    line = table.verticalHeader().defaultSectionSize()
    return table.horizontalHeader().sizeHint().height() + rows * line + space(3)


def problem_kind() -> Kind[Problem]:
    """Return the table of the lines that gave no dataset."""
    number: Column[Problem] = column_of(
        tr("Line"), lambda row: row.line, quantities.number, 14, is_number=True
    )
    text: Column[Problem] = column_of(tr("Text"), lambda row: row.text)
    reason: Column[Problem] = column_of(tr("Reason"), lambda row: row.message, units=110)
    return Kind(number, text, reason, least=30)


def duplicate_kind() -> Kind[Duplicate]:
    """Return the table of the lines that repeat another."""
    number: Column[Duplicate] = column_of(
        tr("Line"), lambda row: row.line, quantities.number, 14, is_number=True
    )
    text: Column[Duplicate] = column_of(tr("Dataset"), lambda row: row.base_url)
    first: Column[Duplicate] = column_of(
        tr("First on line"), lambda row: row.first_line, quantities.number, 26, is_number=True
    )
    return Kind(number, text, first, least=30)
