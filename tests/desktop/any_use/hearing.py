# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a screen reader finds on what is shown, and of which things it speaks."""

import re
from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QTableView, QWidget

_TOKEN = re.compile(r"[A-Z]\d{3}Z")
_CELL = QAccessible.Role.Cell
_PARTS = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value)


def tokens(text: str) -> set[str]:
    """Return the tokens of the things that a text speaks of."""
    return set(_TOKEN.findall(text))


def heard(widget: QWidget) -> list[str]:
    """Return everything that a screen reader finds on a widget that is shown."""
    return list(_heard(QAccessible.queryAccessibleInterface(widget)))


def spoken_of(widget: QWidget) -> set[str]:
    """Return the tokens of the things that a widget speaks of."""
    return tokens("\n".join(heard(widget)))


def cells(table: QTableView) -> list[list[str]]:
    """Return what a screen reader finds in the cells of a table, row by row."""
    face = QAccessible.queryAccessibleInterface(table)
    found = [face.child(at) for at in range(face.childCount())]
    said = [each.text(QAccessible.Text.Name) for each in found if each.role() is _CELL]
    columns = table.model().columnCount()
    return [said[at : at + columns] for at in range(0, len(said), columns)]


def _heard(face: QAccessibleInterface | None) -> Iterator[str]:
    if face is None or not face.isValid() or face.state().invisible:
        return
    yield from filter(None, map(face.text, _PARTS))
    for at in range(face.childCount()):
        yield from _heard(face.child(at))
