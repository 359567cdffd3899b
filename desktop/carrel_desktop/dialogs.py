# SPDX-License-Identifier: AGPL-3.0-or-later
"""The few dialogs there are. None blocks: each is opened and goes its way."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from carrel import __version__
from carrel.translation import tr
from carrel_desktop.credits import Package
from carrel_desktop.screens import fitted
from carrel_desktop.theme import fixed_font, space, strong_font, title_font
from carrel_desktop.widgets.labels import named, plain_label, wrapped
from carrel_desktop.widgets.layouts import at_left, boxed, grid, rest, scrolled, vertical

_OF_SCREEN = 0.8


def shortcuts_dialog(parent: QWidget, groups: Sequence[tuple[str, Sequence[QAction]]]) -> QDialog:
    """Return a list, by menu, of every action that has keys; it scrolls where room is short."""
    dialog = named(QDialog(parent), "shortcuts")
    dialog.setWindowTitle(tr("Keyboard shortcuts"))
    listed = grid(6, 2)
    for name, actions in groups:
        shown = [action for action in actions if not action.shortcut().isEmpty()]
        if shown:
            _add_group(listed, name, shown)
    content = boxed(listed)
    area = named(scrolled(content, sideways=False), said=tr("Keyboard shortcuts"))
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    _close_with(dialog, area)
    hint = content.sizeHint()
    size = QSize(hint.width() + space(18), hint.height() + space(24))
    dialog.resize(size.boundedTo(parent.screen().availableSize() * _OF_SCREEN))
    return dialog


def _add_group(grid: QGridLayout, name: str, actions: Sequence[QAction]) -> None:
    """Add a heading and, below it, each action with its keys."""
    grid.addWidget(plain_label(name, font=strong_font()), grid.rowCount(), 0, 1, 2)
    for action in actions:
        keys = plain_label(
            action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            "secondary",
            font=fixed_font(),
        )
        row = grid.rowCount()
        grid.addWidget(QLabel(action.text().replace("&", "").removesuffix("…")), row, 0)
        grid.addWidget(keys, row, 1)


def problem_dialog(
    parent: QWidget, report: str, address: str, copy: Callable[[str], None]
) -> QDialog:
    """Return a report to read before it is copied; `address` is where reports go, "" if that is
    nowhere."""
    dialog = named(QDialog(parent), "problem")
    dialog.setWindowTitle(tr("Report a problem"))
    advice = tr(
        "Copy this report into your message, and say what you did and what you expected. Carrel "
        "sends it nowhere."
    )
    text = named(QPlainTextEdit(report, readOnly=True, tabChangesFocus=True), "report_text")
    text.setAccessibleName(tr("Report"))
    copying = named(QPushButton(tr("&Copy report")), "copy_report")
    copying.clicked.connect(lambda: copy(report))
    lines = named(wrapped(_where_reports_go(address)), "reports_go_to"), wrapped(advice)
    _close_with(dialog, boxed(vertical(*lines, rest(text), at_left(copying), gap=3)))
    dialog.resize(fitted(QSize(space(150), space(110)), parent))
    return dialog


def about_dialog(parent: QWidget, made_of: Sequence[Package], address: str) -> QDialog:
    """Return what Carrel is, its version and licence, and those of the packages it is made of."""
    dialog = named(QDialog(parent), "about")
    dialog.setWindowTitle(tr("About"))
    name = plain_label(tr("Carrel {version}", version=__version__), font=title_font(1.5))
    text = wrapped(
        tr(
            "The archivist's desk for datasets. Free software under the GNU Affero General Public "
            "License, version 3 or later (AGPL-3.0-or-later). It comes without any warranty."
        )
    )
    reports = named(wrapped(_where_reports_go(address)), "reports_go_to")
    heading = plain_label(tr("Made with"), font=strong_font())
    listed = grid(6, 1.5)
    for row, package in enumerate(made_of):
        license_ = package.license or tr("see the package")
        for column, said in enumerate((package.name, package.version, license_)):
            tone = "secondary" if column else ""
            label = wrapped if column == 2 else plain_label  # a licence may be a long sentence
            listed.addWidget(label(said, tone), row, column, Qt.AlignmentFlag.AlignTop)
    listed.setColumnStretch(1, 0)
    listed.setColumnStretch(2, 1)
    area = named(
        scrolled(boxed(listed), sideways=False), said=tr("Packages, their versions and licences")
    )
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    _close_with(dialog, boxed(vertical(name, text, reports, heading, rest(area), gap=3)))
    dialog.resize(fitted(QSize(space(150), space(130)), parent))
    return dialog


def _where_reports_go(address: str) -> str:
    """Return who takes the report of a problem: its address, else whoever helps the archivist."""
    if address:
        return tr("Reports of problems go to {address}", address=address)
    return tr(
        "There is no public place yet to which problems with Carrel are reported. Send the report "
        "to the people who support you, to whoever gave you Carrel, or wherever you ask for help."
    )


def _close_with(dialog: QDialog, content: QWidget) -> None:
    """Fill a dialog, with a button below that closes it."""
    buttons = QDialogButtonBox()
    buttons.addButton(tr("&Close"), QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
    buttons.accepted.connect(dialog.accept)
    vertical(rest(content), buttons, gap=5, margins=(6, 5, 6, 4), on=dialog)
