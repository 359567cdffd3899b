# SPDX-License-Identifier: AGPL-3.0-or-later
"""The verbs of the review list: edit, check again, stop, remove, sort, filter, hand on."""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from carrel.engine.batches import Problem
from carrel.model.table_cells import harmless
from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.timers import delay
from carrel_desktop.undoing import Done
from carrel_desktop.views.archive.detection import Detection, State
from carrel_desktop.views.archive.layout import ArchiveLayout
from carrel_desktop.views.archive.listing import Listing
from carrel_desktop.views.archive.model import DetectionModel
from carrel_desktop.widgets.choosing import choose_new_file

SETTLE_MS = 400


class Review(QObject):
    """What can be done with the chosen rows; `done` carries a Done, which can be taken back.

    `removed` carries the rows that the person took off the list, `restored` those that are back.
    """

    done = Signal(object)
    removed = Signal(list)
    restored = Signal(list)

    def __init__(
        self, session: Session, model: DetectionModel, ui: ArchiveLayout, listing: Listing
    ) -> None:
        super().__init__(ui)
        self._session, self._model, self._ui, self._listing = session, model, ui, listing
        self._settling = delay(self, SETTLE_MS, self._filter)
        model.unsettled.connect(self._on_unsettled)
        ui.bar.changed.connect(self._arrange)
        ui.bar.search.left.connect(ui.list.setFocus)

    def chosen(self) -> list[Detection]:
        """Return the chosen rows in the order of the list."""
        parts = self._ui.list.selectionModel().selection().toList()
        places = sorted({at for part in parts for at in range(part.top(), part.bottom() + 1)})
        rows = (self._model.at(self._model.index(place)) for place in places)
        return [row for row in rows if row is not None]

    def edit(self) -> None:
        """Correct what was pasted, in its place."""
        index = self._ui.list.currentIndex()
        row = self._model.at(index)
        if row is not None and row.can_be_edited:
            self._ui.list.edit(index)

    def check_again(self) -> None:
        """Check the chosen rows again."""
        self._listing.look_again(self.chosen())

    def check_failed(self) -> None:
        """Check every row again whose check failed, or was stopped."""
        self._listing.look_again()

    def stop(self) -> None:
        """Stop the checks of the chosen rows."""
        self._listing.stop(self.chosen())

    def stop_all(self) -> None:
        """Stop every check."""
        self._listing.stop(self._model)

    def remove(self) -> None:
        """Take the chosen rows off the list."""
        rows = self.chosen()
        if not rows:
            return
        at = self._model.index_of(rows[0]).row()
        self._listing.remove(rows)
        self.removed.emit(rows)
        if count := len(self._model.listed):
            self._ui.list.choose(min(at, count - 1))
        text = forms("Removed 1 row from the list.", "Removed {count} rows from the list.")
        sentence = quantities.counted(len(rows), *text)
        self.done.emit(Done(sentence, partial(self._restore, rows)))

    def _restore(self, rows: list[Detection]) -> None:
        self._listing.restore(rows)
        self.restored.emit(rows)

    def copy(self) -> None:
        """Put the identifiers of the chosen rows on the clipboard, one a line."""
        lines = [row.identifier.value if row.identifier else row.text for row in self.chosen()]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))

    def export_lines(self) -> None:
        """Write the lines that were not understood to a file."""
        rows = [row for row in self._model if row.state is State.NOT_UNDERSTOOD]
        problems = [Problem(row.line, row.text, row.reason) for row in rows]
        export_problems(self._ui, self._session, problems)

    def _on_unsettled(self) -> None:
        if not self._settling.isActive():
            self._settling.start()

    def _arrange(self) -> None:
        """Show what the bar asks for, in its order."""
        self._filter()
        self._model.sort(self._ui.bar.column)
        self._ui.list.scrollTo(self._ui.list.currentIndex())

    def _filter(self) -> None:
        with self._keeping_choice():
            self._model.filter(self._ui.bar.words, self._ui.bar.chosen_states)
            self._model.relist()

    @contextmanager
    def _keeping_choice(self) -> Iterator[None]:
        """Choose what was chosen before, and keep the place, as far as it is listed then."""
        chosen, current = self.chosen(), self._model.at(self._ui.list.currentIndex())
        bar = self._ui.list.verticalScrollBar()
        above = bar.value()
        yield
        selection, flags = QItemSelection(), QItemSelectionModel.SelectionFlag
        for row in chosen:
            index = self._model.index_of(row)
            if index.isValid():
                selection.select(index, index)
        chooser = self._ui.list.selectionModel()
        if current is not None and (index := self._model.index_of(current)).isValid():
            chooser.setCurrentIndex(index, flags.NoUpdate)
        chooser.select(selection, flags.ClearAndSelect)
        if selection.isEmpty() and self._model.listed:
            self._ui.list.choose(0)
        bar.setValue(above)


def export_problems(parent: QWidget, session: Session, problems: Sequence[Problem]) -> None:
    """Ask for a file, and write lines that hold no dataset to it: as a table, or as they were."""
    table, plain = tr("Tables (*.csv)"), tr("Plain text (*.txt)")

    def write(path: Path) -> None:
        as_text = as_plain if path.suffix.lower() == ".txt" else as_table
        session.start(session.write_file(path, as_text(problems)), is_asked=True)

    dialog = choose_new_file(
        parent,
        tr("Export lines without a dataset"),
        write,
        name="lines",
        kinds=[(table, ".csv"), (plain, ".txt")],
    )
    dialog.setObjectName("export_lines")


def as_table(problems: Sequence[Problem]) -> str:
    """Return lines as CSV: number, text and reason."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["line", "text", "reason"])
    writer.writerows([each.line, harmless(each.text), harmless(each.message)] for each in problems)
    return text.getvalue()


def as_plain(problems: Sequence[Problem]) -> str:
    """Return lines as they were, each with its number and reason as a remark before it."""
    return "".join(f"# {it.line}: {it.message}\n{it.text}\n" for it in problems)
