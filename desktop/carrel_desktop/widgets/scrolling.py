# SPDX-License-Identifier: AGPL-3.0-or-later
"""What may be taller than its place, scrolled."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget


def scrolled(content: QWidget, *, sideways: bool = True) -> QScrollArea:
    """Return an area that shows the content on the ground that it stands on, and takes no focus.

    Without `sideways` it scrolls up and down only.
    """
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if not sideways:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)  # after setWidget, which fills it
    return area
