# SPDX-License-Identifier: AGPL-3.0-or-later
"""The two dialogs by which datasets get onto the list. None blocks: each goes its way."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from carrel.engine.identifiers import find, why_nothing
from carrel.model.holdings import HoldingRow
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.holding_rows import columns
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.labels import named, plain_label, wrapped
from carrel_desktop.widgets.layouts import vertical
from carrel_desktop.widgets.search_field import offer_clearing
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.table.view import RowsTable

COMMENT = "#"  # as in lists of a batch
LONGEST_LINE = 80  # characters of a line that is repeated in a sentence


class _Adding(QDialog):
    """`chosen` carries what is to be watched: addresses or identifiers, one a string."""

    chosen = Signal(object)  # not list: Qt would turn each of its items over

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.buttons = QDialogButtonBox()
        self.add = self.buttons.addButton(tr("&Watch"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setProperty("role", "primary")
        self.buttons.addButton(tr("&Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.buttons.rejected.connect(self.reject)
        self.buttons.accepted.connect(self._on_accepted)

    def asked(self) -> Sequence[str]:
        """Return what is chosen now."""
        raise NotImplementedError

    def _on_accepted(self) -> None:
        if asked := self.asked():
            self.chosen.emit(asked)
            self.accept()


class AddressDialog(_Adding):
    """A field for addresses and identifiers, one a line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Watch datasets by address"))
        self.setObjectName("watch_by_address")
        self.field = named(QPlainTextEdit(), "addresses")
        self.field.setTabChangesFocus(True)
        label = QLabel(tr("&Addresses, DOIs, Handles or ARKs, one per line"))
        label.setBuddy(self.field)
        words = wrapped(
            tr("Archived datasets are compared with their capture, others with the first check."),
            "secondary",
        )
        self.problem = named(wrapped("", "failed"), "problem")
        self.problem.hide()
        parts = label, self.field, self.problem, words, self.buttons
        vertical(*parts, gap=3, margins=(6, 5, 6, 4), on=self)
        self.field.textChanged.connect(self._follow)
        self._follow()

    def asked(self) -> Sequence[str]:
        lines = (line.strip() for line in self.field.toPlainText().splitlines())
        return [line for line in lines if line and not line.startswith(COMMENT)]

    def sizeHint(self) -> QSize:
        return QSize(space(140), space(70))

    def _on_accepted(self) -> None:
        """Go, unless a line names no dataset: that is said here, where it can be corrected."""
        not_understood = find(self.field.toPlainText()).not_understood
        wrong = [each for each in not_understood if not each[1].startswith(COMMENT)]
        if wrong:
            self._refuse(*wrong[0], others=len(wrong) - 1)
        else:
            super()._on_accepted()

    def _refuse(self, number: int, line: str, *, others: int) -> None:
        """Say what is wrong with the line of a number, from 1 on, and go to it."""
        text = tr("Line {number}, “{line}”, {problem}.")
        said = text.format(number=number, line=line[:LONGEST_LINE], problem=why_nothing(line))
        if others:
            words = forms("1 more line contains none.", "{count} more lines contain none.")
            said = f"{said} {quantities.counted(others, *words)}"
        self.problem.setText(said)
        self.problem.show()
        cursor = QTextCursor(self.field.document().findBlockByNumber(number - 1))
        cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        self.field.setTextCursor(cursor)
        self.field.setFocus()

    def _follow(self) -> None:
        self.problem.hide()
        self.add.setEnabled(bool(self.asked()))


class HoldingsDialog(_Adding):
    """A list of what is archived here and not watched yet, of which several can be chosen."""

    def __init__(self, parent: QWidget, theme: Theme, holdings: Sequence[HoldingRow]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Watch datasets from your holdings"))
        self.setObjectName("watch_from_holdings")
        self.model: RowsModel[HoldingRow] = RowsModel(columns.holdings(), self)
        self.model.show(self.model.kind, holdings)
        hint = tr("Find by title, creator or platform")
        search = offer_clearing(QLineEdit(placeholderText=hint))
        self.search = named(search, said=tr("Find in holdings"))
        said = tr("Archived datasets that are not watched")
        self.table = RowsTable(theme, self.model, "holdings_to_watch", said)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.hide_columns(columns.UNUSUAL)
        self.words = plain_label(tone="secondary")
        parts = self.search, self.table, self.words, self.buttons
        vertical(*parts, gap=3, margins=(6, 5, 6, 4), on=self)
        self.search.textChanged.connect(lambda text: self.model.seek(text.split()))
        self.model.modelReset.connect(self._follow)
        self.table.selectionModel().selectionChanged.connect(self._follow)
        self._follow()

    def asked(self) -> Sequence[str]:
        rows = (self.model.at(index) for index in self.table.selectionModel().selectedRows())
        return [row.base_url for row in rows if row is not None]

    def sizeHint(self) -> QSize:
        return QSize(space(170), space(120))

    def _follow(self) -> None:
        count, total = len(self.asked()), self.model.rowCount()
        text = tr("{count} of {datasets} selected")
        datasets = quantities.datasets(total)
        self.words.setText(text.format(count=quantities.number(count), datasets=datasets))
        self.add.setEnabled(count > 0)
