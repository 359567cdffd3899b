# SPDX-License-Identifier: AGPL-3.0-or-later
"""What every model says of indexes."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()  # the parent of top-level rows


def plain(index: Index) -> QModelIndex:
    """Return an index as the calls want it that take no persistent one."""
    return QModelIndex(index)  # type: ignore[arg-type]  # a persistent index converts


def runs(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as first and last of each unbroken run."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and row == found[-1][1] + 1:
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    return found
