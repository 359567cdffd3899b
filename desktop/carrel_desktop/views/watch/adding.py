# SPDX-License-Identifier: AGPL-3.0-or-later
"""The two dialogs by which datasets get onto the list. None blocks: each goes its way."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.holding_rows.columns import HoldingColumn
from carrel_desktop.holding_rows.holding import Holding
from carrel_desktop.holding_rows.model import HoldingsModel
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.labels import wrapped
from carrel_desktop.widgets.rows import row_height
from carrel_desktop.widgets.table.delegate import CellDelegate


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
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(space(6), space(5), space(6), space(4))
        self.body.setSpacing(space(3))

    def asked(self) -> Sequence[str]:
        """Return what is chosen now."""
        raise NotImplementedError

    def _on_accepted(self) -> None:
        asked = self.asked()
        if asked:
            self.chosen.emit(asked)
            self.accept()


class AddressDialog(_Adding):
    """A field for addresses and identifiers, one a line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Watch datasets by address"))
        self.setObjectName("watch_by_address")
        self.field = QPlainTextEdit()
        self.field.setObjectName("addresses")
        self.field.setTabChangesFocus(True)
        label = QLabel(tr("&Addresses, DOIs, Handles or ARKs, one per line"))
        label.setBuddy(self.field)
        words = wrapped(
            tr("Archived datasets are compared with their capture, others with the first check."),
            "secondary",
        )
        for widget in (label, self.field, words, self.buttons):
            self.body.addWidget(widget)
        self.field.textChanged.connect(self._follow)
        self._follow()

    def asked(self) -> Sequence[str]:
        return [line.strip() for line in self.field.toPlainText().splitlines() if line.strip()]

    def sizeHint(self) -> QSize:
        return QSize(space(140), space(70))

    def _follow(self) -> None:
        self.add.setEnabled(bool(self.asked()))


class HoldingsDialog(_Adding):
    """A list of what is archived here and not watched yet, of which several can be chosen."""

    def __init__(self, parent: QWidget, theme: Theme, holdings: Sequence[Holding]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Watch datasets from your holdings"))
        self.setObjectName("watch_from_holdings")
        self.model = HoldingsModel(self)
        self.model.show_holdings(holdings)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find by title, identifier, creator or platform"))
        self.search.setAccessibleName(tr("Find in holdings"))
        self.search.setClearButtonEnabled(True)
        self.table = self._make_table(theme)
        self.words = QLabel()
        self.words.setProperty("tone", "secondary")
        for widget in (self.search, self.table, self.words, self.buttons):
            self.body.addWidget(widget)
        self.search.textChanged.connect(self.model.find)
        self.model.modelReset.connect(self._follow)
        self.table.selectionModel().selectionChanged.connect(self._follow)
        self.table.selectAll()
        self._follow()

    def asked(self) -> Sequence[str]:
        rows = (self.model.at(index) for index in self.table.selectionModel().selectedRows())
        return [row.asked for row in rows if row is not None]

    def sizeHint(self) -> QSize:
        return QSize(space(170), space(120))

    def _make_table(self, theme: Theme) -> QTableView:
        table = QTableView()
        table.setObjectName("holdings_to_watch")
        table.setAccessibleName(tr("Archived datasets that are not watched"))
        table.setModel(self.model)
        table.setItemDelegate(CellDelegate(theme, row_height(), table))
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(row_height())
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in HoldingColumn:
            table.setColumnHidden(
                column, column not in (HoldingColumn.DATASET, HoldingColumn.ARCHIVED)
            )
        header.setSectionResizeMode(HoldingColumn.DATASET, header.ResizeMode.Stretch)
        table.setColumnWidth(HoldingColumn.ARCHIVED, space(33))
        return table

    def _follow(self) -> None:
        count, total = len(self.asked()), self.model.rowCount()
        text = tr("{count} of {datasets} selected")
        datasets = quantities.counted(total, "1 dataset", "{count} datasets")
        self.words.setText(text.format(count=quantities.number(count), datasets=datasets))
        self.add.setEnabled(count > 0)
