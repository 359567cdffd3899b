# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a page shows before it knows what there is: that it is read, or why it cannot be."""

from carrel.translation import tr
from carrel_desktop.session import Session
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.empty_panel import EmptyPanel


class ReadingPanel(EmptyPanel):
    """A page that has read nothing yet knows of nothing: least of all that there is nothing."""

    def __init__(self, session: Session, theme: Theme, icon: str) -> None:
        super().__init__(theme, icon, "", "")
        self._icon_name = icon
        self.show_reading()
        session.opened.connect(self.show_reading)
        session.not_opened.connect(self.show_unopened)

    def show_reading(self) -> None:
        self.show_words(self._icon_name, tr("Loading…"), "")

    def show_unopened(self, reason: str) -> None:
        self.show_words("warning", tr("The archive cannot be opened"), reason)

    def show_unread(self, reason: str) -> None:
        self.show_words("warning", tr("This cannot be read"), reason)
