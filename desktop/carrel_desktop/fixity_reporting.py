# SPDX-License-Identifier: AGPL-3.0-or-later
"""The fixity report of the archive: asked of which days, written on the engine's side, offered."""

from datetime import date
from pathlib import Path

from PySide6.QtCore import QDate, QObject, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import space
from carrel_desktop.widgets.choosing import choose_new_file
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import horizontal, rest, vertical
from carrel_desktop.widgets.number_box import DayBox
from carrel_desktop.widgets.saved import saved_box

_WIDTH = 120  # grid steps


class PeriodDialog(QDialog):
    """Asks for the first and the last day of a report; `chosen` carries them."""

    chosen = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("fixity_period")
        self.setWindowTitle(tr("Fixity report"))
        self.setMinimumWidth(space(_WIDTH))
        from carrel.engine.fixity_reports import last_year  # for who asks for one

        first, last = last_year()
        self.first = _day("fixity_first", first)
        self.last = _day("fixity_last", last)
        words = tr(
            "What was verified in these days, how it ended, and what was not verified and since "
            "when not. It is made from what the archive recorded: nothing is read again."
        )
        self.buttons = QDialogButtonBox()
        self.go = self.buttons.addButton(tr("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setProperty("role", "primary")
        self.buttons.addButton(tr("&Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        days = horizontal(
            self._label(tr("F&rom"), self.first),
            self.first,
            self._label(tr("&to"), self.last),
            self.last,
            rest(),
            gap=2,
        )
        vertical(wrapped(words), days, rest(), self.buttons, gap=3, margins=(6, 5, 6, 4), on=self)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        for each in (self.first, self.last):
            each.dateChanged.connect(self._follow)

    def accept(self) -> None:
        super().accept()
        self.chosen.emit(_date(self.first), _date(self.last))

    def _label(self, text: str, field: DayBox) -> QLabel:
        label = QLabel(text)
        label.setBuddy(field)
        return label

    def _follow(self) -> None:
        self.go.setEnabled(_date(self.first) <= _date(self.last))


class FixityReporting(QObject):
    """Saves fixity reports; `saved` carries the file of one that was written."""

    saved = Signal(object)

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window

    def ask_report(self) -> None:
        """Ask for a period, then for the file."""
        dialog = PeriodDialog(self._window)
        dialog.chosen.connect(self._ask_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_file(self, first: date, last: date) -> None:
        kinds = [(tr("HTML (*.html)"), "html"), (tr("CSV (*.csv)"), "csv")]
        name = f"fixity-{first.isoformat()}-{last.isoformat()}.html"
        choose_new_file(
            self._window,
            tr("Save fixity report"),
            lambda path: self.save(first, last, path),
            name=name,
            kinds=kinds,
        )

    def save(self, first: date, last: date, path: Path) -> None:
        """Write the report over these days to a file."""
        self._session.start(self._save(first, last, path), is_asked=True)

    async def _save(self, first: date, last: date, path: Path) -> None:
        written = await self._session.read(lambda engine: engine.fixity_report(first, last, path))
        told = tr("The fixity report was saved as {name}.", name=path.name)
        more = ""
        if others := [each.name for each in written if each != path]:
            words = tr("All holdings, with when each was last verified, are in {names}.")
            more = words.format(names=", ".join(others))
        box = saved_box(self._window, "fixity_saved", told, more, path, tr("&Open"))
        box.setWindowTitle(tr("Fixity report saved"))
        box.open()
        self.saved.emit(path)


def _date(field: DayBox) -> date:
    chosen = field.date()
    return date(chosen.year(), chosen.month(), chosen.day())


def _day(name: str, day: date) -> DayBox:
    return named(DayBox(QDate(day.year, day.month, day.day)), name)
