# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a model says before and after it changes: always both, whatever happens in between.

A view that hears only of the beginning shows what was there before, or what is there no more. Who
rearranges rows puts the new order together first and only exchanges it here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QAbstractItemModel

from carrel_desktop.widgets.indexes import Index, plain


@contextmanager
def replacement(model: QAbstractItemModel) -> Iterator[None]:
    """Replace everything within; views forget what they have and look anew."""
    model.beginResetModel()
    try:
        yield
    finally:
        model.endResetModel()


@contextmanager
def rearrangement(model: QAbstractItemModel) -> Iterator[None]:
    """Exchange the order of rows within; views keep hold of the rows that they have."""
    model.layoutAboutToBeChanged.emit()
    try:
        yield
    finally:
        model.layoutChanged.emit()


@contextmanager
def insertion(model: QAbstractItemModel, parent: Index, first: int, last: int) -> Iterator[None]:
    """Insert rows within, of which views hear; where that fails they look at everything anew."""
    model.beginInsertRows(plain(parent), first, last)
    with _followed_by(model.endInsertRows, model):
        yield


@contextmanager
def removal(model: QAbstractItemModel, parent: Index, first: int, last: int) -> Iterator[None]:
    """Remove rows within, as `insertion`."""
    model.beginRemoveRows(plain(parent), first, last)
    with _followed_by(model.endRemoveRows, model):
        yield


@contextmanager
def _followed_by(end: Callable[[], None], model: QAbstractItemModel) -> Iterator[None]:
    try:
        yield
    except BaseException:
        end()
        with replacement(model):
            raise  # no one knows how far it came
    end()
