# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of the file tree: sizes are read whole in any font."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from carrel.model import Fixity, ManifestFile
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.file_tree import Column
from carrel_desktop.widgets.file_view import FileView

SIZES = (0, 640, 1023, 1024**2 - 1, 624_650_000, 1024**3 - 1, 1024**4 - 1)


@pytest.fixture(params=[1.0, 2.0])
def font(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[QFont]:
    usual = qapp.font()
    larger = QFont(usual)
    larger.setPointSizeF(usual.pointSizeF() * request.param)
    qapp.setFont(larger)
    yield larger
    qapp.setFont(usual)


@pytest.mark.parametrize("width", [300, 600, 1200])
def test_no_size_is_cut(theme: Theme, font: QFont, width: int) -> None:
    view = FileView(theme)
    view.show_files([ManifestFile(f"{size}.csv", declared=Fixity(size)) for size in SIZES])

    view.resize(width, 400)
    view.show()

    assert view.columnWidth(Column.SIZE) >= view.sizeHintForColumn(Column.SIZE)
    view.hide()


def test_the_column_grows_with_the_font(theme: Theme) -> None:
    view = FileView(theme)
    view.show_files([ManifestFile("a.csv", declared=Fixity(1023))])
    larger = QFont(view.font())
    larger.setPointSizeF(2 * larger.pointSizeF())

    view.setFont(larger)

    assert view.columnWidth(Column.SIZE) >= view.sizeHintForColumn(Column.SIZE)
