# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is asked before an archive or its second copy is changed; accepting does it."""

from PySide6.QtWidgets import QMessageBox, QWidget

from carrel.translation import tr
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.question_box import lay_out


def repairing_box(parent: QWidget, place: str) -> QMessageBox:
    """Return the question whether to repair the archive from a copy."""
    return _box(
        parent,
        "repairing",
        tr("Repair from a second copy"),
        tr("Repair this archive from its copy in {place}?", place=place),
        tr(
            "All of the archive is verified first. A file from the copy takes the place of a "
            "damaged or missing one only if it is proven to be what was archived; the damaged one "
            "is kept beside it. You can stop at any time."
        ),
        tr("&Repair"),
    )


def other_journal_box(parent: QWidget, place: str) -> QMessageBox:
    """Return the question whether a copy with another journal is one of this archive."""
    return _box(
        parent,
        "other_journal",
        tr("The copy has another journal"),
        tr("Is the copy in {place} one of this archive?", place=place),
        tr(
            "Its journal is not the beginning of this archive's. That is so after the archive was "
            "rebuilt without its journal, or began a new one, and also if the copy is of an "
            "archive that was merged into this one. Copied to, it keeps both journals. If WARC "
            "files are damaged here, repair from the copy first."
        ),
        tr("&Copy, and keep both journals"),
        asks_twice=True,
    )


def gone_box(parent: QWidget, place: str) -> QMessageBox:
    """Return the question whether to make a copy anew that is not there any more."""
    return _box(
        parent,
        "copy_gone",
        tr("The second copy is not there"),
        tr("Make a new copy in {place}?", place=place),
        tr(
            "A copy was there, and nothing is there now. If its disk or share is not "
            "connected, connect it first: a new copy would be written to the disk that is there "
            "instead, which may be that of the archive."
        ),
        tr("&Make a new copy"),
        asks_twice=True,
    )


def _box(
    parent: QWidget,
    name: str,
    title: str,
    question: str,
    details: str,
    yes: str,
    *,
    asks_twice: bool = False,
) -> QMessageBox:
    """`asks_twice` says that Enter, pressed without reading, is to change nothing."""
    box = named(QMessageBox(parent), name)
    box.setWindowTitle(title)
    box.setText(question)
    box.setInformativeText(details)
    does = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    leaves = box.addButton(tr("&Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setEscapeButton(leaves)
    box.setDefaultButton(leaves if asks_twice else does)
    lay_out(box)
    return box
