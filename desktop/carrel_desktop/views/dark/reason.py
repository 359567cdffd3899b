# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dialog before dark content is opened or released: what speaks for it, and for what reason."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from carrel.model.dark_views import Life, ObiState
from carrel.translation import tr
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.life import trigger
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import ElidedLabel, wrapped

LEAST_LETTERS = 3


class ReasonDialog(QDialog):
    """`given` carries the reason, which is kept in the journal for good."""

    given = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme, life: Life, *, releases: bool) -> None:
        super().__init__(parent)
        self._releases = releases
        self.setObjectName("reason_dialog")
        title = tr("Release a copy") if releases else tr("Open a full text")
        self.setWindowTitle(title)
        self.trigger = wrapped(self._trigger(life))
        self.trigger.setObjectName("trigger")
        self.reason = QPlainTextEdit()
        self.reason.setObjectName("reason")
        self.reason.setAccessibleName(tr("Reason"))
        self.reason.setPlaceholderText(self._placeholder())
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(space(20))
        self._buttons = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        word = tr("&Release it") if releases else tr("&Open it")
        self.accept_button = self._buttons.addButton(word, roles.AcceptRole)
        self._buttons.addButton(tr("&Cancel"), roles.RejectRole)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        self.reason.textChanged.connect(self._follow)
        self._lay_out(theme, life, title)
        self._follow()

    def _trigger(self, life: Life) -> str:
        """Say what speaks for opening it: that it is lost, since when; or that it is not."""
        since, checked = trigger(life)
        looked = tr("last checked on {day}", day=texts.day(checked))
        if since is not None:
            text = tr("Lost since {day}, {looked}.")
            return text.format(day=texts.day(since), looked=looked)
        if life.state is ObiState.SUSPECT:
            text = tr("Missed, but not confirmed as lost; {looked}. It may reappear.")
        else:
            text = tr("Not lost: its address still delivers it, {looked}. Look there first.")
        return text.format(looked=looked)

    def _placeholder(self) -> str:
        if self._releases:
            return tr("Who requested it, and by what right. Required.")
        return tr("For example: to compare it with a reader's version. Required.")

    def _lay_out(self, theme: Theme, life: Life, title: str) -> None:
        heading = QLabel(title)
        heading.setFont(scaled_font(1.15, QFont.Weight.DemiBold))
        ident = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        ident.setText(life.ident)
        ident.setFont(fixed_font(0.9))
        ident.setProperty("tone", "secondary")
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(2))
        grid.setVerticalSpacing(space(2))
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(IconLabel(theme, *texts.state_look(life.state), 4.5), 0, 0, top)
        grid.addWidget(self.trigger, 0, 1)
        grid.addWidget(IconLabel(theme, "warning", "warning", 4.5), 1, 0, top)
        grid.addWidget(wrapped(self._caution()), 1, 1)
        label = QLabel(tr("Reason, recorded permanently in the journal:"))
        label.setBuddy(self.reason)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(6), space(5), space(6), space(4))
        layout.setSpacing(space(3))
        layout.addWidget(heading)
        layout.addWidget(ident)
        layout.addLayout(grid)
        layout.addWidget(label)
        layout.addWidget(self.reason)
        layout.addWidget(self._buttons)
        self.setMinimumWidth(space(120))

    def _caution(self) -> str:
        text = tr("Having been publicly available is not a licence.")
        if not self._releases:
            stays = tr("The copy stays in a private folder until you remove or purge it.")
            return f"{text} {stays}"
        more = tr("What is not lost is released only if the reason states the rights to it.")
        return f"{text} {more}"

    def _follow(self) -> None:
        self.accept_button.setEnabled(len(self._text()) >= LEAST_LETTERS)

    def _on_accepted(self) -> None:
        self.given.emit(self._text())

    def _text(self) -> str:
        return " ".join(self.reason.toPlainText().split())
