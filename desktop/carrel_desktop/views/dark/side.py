# SPDX-License-Identifier: AGPL-3.0-or-later
"""The left of the page: search, saved views, earlier runs."""

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from carrel.model.dark_views import RunRow
from carrel.translation import tr
from carrel_desktop.icons import paint_icon
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.dark.questions import (
    ALARM_ROLE,
    COUNT_ROLE,
    SAVED,
    Question,
    QuestionsModel,
    words,
)
from carrel_desktop.views.dark.runs import RunsModel
from carrel_desktop.widgets.indexes import Index
from carrel_desktop.widgets.rows import (
    ALIGN_RIGHT,
    paint_background,
    paint_text,
    paint_two_lines,
    row_height,
)
from carrel_desktop.widgets.table.column import Column
from carrel_desktop.widgets.table.delegate import line_height
from carrel_desktop.widgets.table.model import COLUMN_ROLE, ROW_ROLE

TYPING_MS = 250


class SidePane(QWidget):
    """`asked` carries a Question, `run_chosen` a RunRow, `sought` the text of the search field."""

    asked = Signal(object)
    run_chosen = Signal(object)
    sought = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("dark_side")
        self.search = QLineEdit()
        self.questions = QuestionsModel(theme, self)
        self.runs = RunsModel(self)
        self.question_list = QListView()
        self.run_list = QListView()
        self._is_told = False
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._set_up(theme)
        self._lay_out()
        self._connect()

    def choose(self, question: Question, run: RunRow | None = None) -> None:
        """Show which view is open, without asking for it; none of them for a search or a run."""
        self._is_told = True
        if question in SAVED:
            index = self.questions.index(SAVED.index(question))
            flag = QItemSelectionModel.SelectionFlag
            self.question_list.selectionModel().setCurrentIndex(index, flag.ClearAndSelect)
        else:
            self.question_list.clearSelection()
        place = self.runs.place_of(str(run.tist)) if run else None
        if place is None:
            self.run_list.clearSelection()
        else:
            self.run_list.setCurrentIndex(self.runs.index(place, 0))
        self._is_told = False

    def take_focus(self) -> None:
        self.question_list.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc empties the search field, Down goes from it to the saved views."""
        if watched is self.search and isinstance(event, QKeyEvent):
            pressed = event.type() is QEvent.Type.KeyPress
            if pressed and event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
            if pressed and event.key() == Qt.Key.Key_Down:
                self.question_list.setFocus()
                return True
        return super().eventFilter(watched, event)

    def _set_up(self, theme: Theme) -> None:
        self.search.setObjectName("search_dark")
        self.search.setPlaceholderText(tr("Handle or URL"))
        self.search.setAccessibleName(tr("Search the dark archive by handle or URL"))
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        lists = (
            (self.question_list, self.questions, "questions", tr("Saved views")),
            (self.run_list, self.runs, "runs", tr("Runs")),
        )
        for view, model, name, said in lists:
            view.setModel(model)
            view.setObjectName(name)
            view.setAccessibleName(said)
            view.setUniformItemSizes(True)
            view.setMouseTracking(True)
            view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.question_list.setItemDelegate(QuestionDelegate(theme, self.question_list))
        self.run_list.setItemDelegate(RunDelegate(theme, self.run_list))
        self.question_list.setFixedHeight(len(SAVED) * line_height() + 2)
        self.run_list.setMinimumHeight(row_height())

    def _lay_out(self) -> None:
        self._runs_heading = QLabel(tr("Runs"))
        self._runs_heading.setFont(scaled_font(0.93))
        self._runs_heading.setProperty("tone", "secondary")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 0)
        layout.setSpacing(space(2))
        layout.addWidget(self.search)
        layout.addWidget(self.question_list)
        layout.addWidget(self._runs_heading)
        layout.addWidget(self.run_list, 1)

    def _connect(self) -> None:
        # Not the current index: that a list takes by itself when it gets the keyboard.
        self.question_list.selectionModel().selectionChanged.connect(self._on_question)
        self.run_list.selectionModel().selectionChanged.connect(self._on_run)
        self.search.textChanged.connect(self._typing.start)
        self.search.returnPressed.connect(self._say_sought)
        self._typing.timeout.connect(self._say_sought)

    def _say_sought(self) -> None:
        self._typing.stop()
        self.sought.emit(self.search.text().strip())

    def _on_question(self) -> None:
        chosen = self.question_list.selectedIndexes()
        if chosen and not self._is_told:
            self.asked.emit(SAVED[chosen[0].row()])

    def _on_run(self) -> None:
        chosen = self.run_list.selectedIndexes()
        run = self.runs.at(chosen[0]) if chosen else None
        if run is not None and not self._is_told:
            self.run_chosen.emit(run)


class QuestionDelegate(QStyledItemDelegate):
    """An icon, a name, and a count at the right; what is our own fault stands out."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(30), line_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_background(painter, option, self._theme)
        said, is_alarm = words(SAVED[index.row()]), bool(index.data(ALARM_ROLE))
        rect: QRect = option.rect
        inner = rect.adjusted(space(2.5), 0, -space(1.5), 0)
        side = space(4)
        box = QRect(inner.left(), inner.center().y() - side // 2, side, side)
        tone = "failed" if is_alarm else "secondary"
        paint_icon(painter, box, said.icon, str(getattr(self._theme.tokens, tone)))
        text, count = inner.adjusted(side + space(2), 0, 0, 0), str(index.data(COUNT_ROLE) or "")
        weight = QFont.Weight.DemiBold if is_alarm else QFont.Weight.Normal
        font = scaled_font(0.93, weight)
        paint_text(painter, text, count, font, self._theme.color(tone), ALIGN_RIGHT)
        used = painter.fontMetrics().horizontalAdvance(count) + space(1.5) if count else 0
        name = text.adjusted(0, 0, -used, 0)
        paint_text(painter, name, said.name, scaled_font(1), self._theme.color("text"))
        painter.restore()


class RunDelegate(QStyledItemDelegate):
    """When, and what was found."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(space(30), row_height(is_compact=True))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column = index.data(COLUMN_ROLE)
        if not isinstance(column, Column) or column.lines is None:
            return
        lines = column.lines(index.data(ROW_ROLE))
        painter.save()
        paint_background(painter, option, self._theme)
        rect: QRect = option.rect
        paint_two_lines(painter, rect.adjusted(-space(0.5), 0, space(2), 0), lines, self._theme)
        painter.restore()
