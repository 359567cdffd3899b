# SPDX-License-Identifier: AGPL-3.0-or-later
"""The part of the pane that speaks of one file of the dataset on show, and names it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from carrel.translation import tr
from carrel_desktop.foreign import shown
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.queue.transfer import Transfer
from carrel_desktop.views.queue.view_model import file_view_model
from carrel_desktop.widgets.labels import ElidedLabel
from carrel_desktop.widgets.outcome_card import OutcomeCard


class FilePart(QWidget):
    """The path of a file, and below it how the file stands."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("file_part")
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.card = OutcomeCard(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addWidget(self.name)
        column.addWidget(self.card)

    def show_file(self, transfer: Transfer, index: int) -> None:
        """Show one of the files of an attempt."""
        file = transfer.files[index]
        self.name.setText(tr("File {path}", path=shown(file.path)))
        if file.status is not None and not file.is_kept:
            self.card.show_outcome(file.status, file.message)
            return
        # The sentences of successes speak of datasets: of a file its own state is told.
        face = file_view_model(transfer, index)
        details = " · ".join(part for part in (face.size, face.state_detail) if part)
        self.card.show_note(face.icon, face.state, file.message or details, face.tone)
