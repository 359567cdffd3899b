# SPDX-License-Identifier: AGPL-3.0-or-later
"""How what becomes current in a list is chosen."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QItemSelectionModel

from carrel_desktop.widgets.indexes import Index

Flag = QItemSelectionModel.SelectionFlag


class ChoosesAlone:
    """A view in which what the program makes current is chosen alone; a mixin before Qt's class.

    Without an event Qt goes by the keys that are held, and Ctrl is while a shortcut is pressed:
    the row would be added to those that are chosen, or taken from them. Where Qt itself asks
    without an event, in the middle of a key that chooses, the keys that are held do count.
    """

    _is_programs_choice = False

    def setCurrentIndex(self, index: Index) -> None:
        """Make a row current, and choose it alone whatever keys are held."""
        with self.choosing_alone():
            super().setCurrentIndex(index)  # type: ignore[misc]  # Qt's

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> Flag:
        command: Flag = super().selectionCommand(index, event)  # type: ignore[misc]  # Qt's
        is_adding = bool(command & (Flag.Select | Flag.Toggle | Flag.Deselect))
        if self._is_programs_choice and is_adding:
            return Flag.ClearAndSelect | (command & (Flag.Rows | Flag.Columns))
        return command

    @contextmanager
    def choosing_alone(self) -> Iterator[None]:
        """Have what Qt is told to make current meanwhile be the program's choice."""
        self._is_programs_choice = True
        try:
            yield
        finally:
            self._is_programs_choice = False
