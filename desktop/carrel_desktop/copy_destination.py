# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a second copy is: one that is known, or what the person names."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLineEdit

from carrel.model.copies import SecondCopy


class CopyDestination(QComboBox):
    """A field to write in, with the destinations that are known in its list."""

    def __init__(self) -> None:
        super().__init__()
        self.setEditable(True)
        field = QLineEdit()
        field.setPlaceholderText("sftp://…, s3://…")
        self.setLineEdit(field)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def list_known(self, copies: Sequence[SecondCopy]) -> None:
        """List the destinations of copies; what is written stays."""
        written = self.currentText()
        with QSignalBlocker(self):
            self.clear()
            self.addItems([each.destination for each in copies])
            self.setEditText(written)
