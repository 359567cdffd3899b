# SPDX-License-Identifier: AGPL-3.0-or-later
"""Keys and tokens: which are stored, never what they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from carrel.credentials import ARCHIVEORG, Credentials, Keys, Token, TokenKind, is_in_environment
from carrel.engine.known_platforms import token_hosts, token_kind_of
from carrel.errors import CarrelError
from carrel.translation import tr
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.choice_box import ChoiceBox
from carrel_desktop.widgets.icon_rows import clear
from carrel_desktop.widgets.labels import IconLabel, named, plain_label, set_tone, wrapped
from carrel_desktop.widgets.layouts import grid, horizontal, rest, vertical

Store = Callable[[str, Keys | Token], None]


@dataclass(frozen=True, slots=True)
class StoredKeys:
    """The names under which keys are stored; `trouble` says why that is not known, if it is not.

    `is_in_environment` holds where the keys for archive.org come from there.
    """

    names: Sequence[str] = ()
    is_in_environment: bool = False
    trouble: str | None = None


def stored_keys(credentials: Credentials) -> StoredKeys:
    """Read the names of what is stored; a keyring that cannot be read is told."""
    from_environment = is_in_environment() and credentials.archiveorg() is not None
    trouble = credentials.unusable()
    names = () if trouble else credentials.names()
    return StoredKeys(names, from_environment, trouble)


class KeyList(QWidget):
    """The names under which something is stored; `removed` carries one that shall go."""

    removed = Signal(str)

    def __init__(self, theme: Theme, add: QAction) -> None:
        super().__init__()
        self._theme = theme
        self._rows = grid(2, 1, stretched=2)
        self.trouble = wrapped("", "warning")
        self.trouble.hide()
        note = tr(
            "They are stored in the keyring of this system, are sent only to their own host, and "
            "are never shown again."
        )
        adding = horizontal(ActionButton(add), rest())
        vertical(wrapped(note, "secondary"), self._rows, self.trouble, adding, gap=2, on=self)

    def show_keys(self, stored: StoredKeys) -> None:
        """Replace what is shown."""
        clear(self._rows)
        if stored.is_in_environment:
            self._add(0, ARCHIVEORG, tr("from the environment"))
        for number, name in enumerate(stored.names, 1):
            self._add(number, name, tr("stored in the keyring"))
            self._rows.addWidget(self._remover(name), number, 3)
        self.trouble.setText(stored.trouble or self._absence(stored))
        set_tone(self.trouble, "warning" if stored.trouble else "secondary")
        self.trouble.setVisible(bool(self.trouble.text()))

    def _absence(self, stored: StoredKeys) -> str:
        if stored.names or stored.is_in_environment:
            return ""
        return tr("None stored. Public datasets need none.")

    def _add(self, row: int, name: str, place: str) -> None:
        self._rows.addWidget(IconLabel(self._theme, "key", "ok", 4.5), row, 0)
        self._rows.addWidget(QLabel(name), row, 1)
        self._rows.addWidget(plain_label(place, "secondary"), row, 2)

    def _remover(self, name: str) -> QPushButton:
        button = QPushButton(tr("Remove"))
        button.setProperty("role", "quiet")
        button.setObjectName(f"remove_{name}")
        button.setAccessibleName(tr("Remove the keys for {name}", name=name))
        button.clicked.connect(lambda _checked=False: self.removed.emit(name))
        return button


class KeyDialog(QDialog):
    """Asks for what opens archive.org or a platform; `given` carries the name and the credential.

    What is typed cannot be read on the screen, and leaves the dialog by `given` only.
    """

    given = Signal(str, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(tr("Add keys"))
        self.host = ChoiceBox()
        self.host.setEditable(True)
        if typed := self.host.lineEdit():
            named(typed, said=tr("Host"))
        self.host.addItems([ARCHIVEORG, *token_hosts()])
        self.access, self.secret, self.token = (self._hidden_line() for _ in range(3))
        self.kind = ChoiceBox()
        for kind in TokenKind:
            self.kind.addItem("CKAN" if kind is TokenKind.CKAN else kind.value.capitalize(), kind)
        self.note = wrapped("", "secondary")
        self.problem = wrapped("", "failed")
        self.problem.hide()
        self._lay_out()
        self.host.currentTextChanged.connect(self._on_host)
        self._on_host(self.host.currentText())

    def refuse(self, error: CarrelError) -> None:
        """Say why nothing was stored, and stay open."""
        self.problem.setText(str(error))
        self.problem.show()
        self.resize(self.width(), max(self.height(), self.heightForWidth(self.width())))

    def _hidden_line(self) -> QLineEdit:
        line = QLineEdit()
        line.setEchoMode(QLineEdit.EchoMode.Password)
        line.setMinimumWidth(space(80))
        return line

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(space(4))
        self._form.setVerticalSpacing(space(2.5))
        rows = (
            (tr("&Host"), self.host),
            (tr("&Access key"), self.access),
            (tr("&Secret key"), self.secret),
            (tr("&Token"), self.token),
            (tr("&Kind of token"), self.kind),
        )
        for text, widget in rows:
            self._form.addRow(text, widget)
            widget.setAccessibleName(text.replace("&", ""))
        buttons = QDialogButtonBox()
        buttons.addButton(tr("Sto&re"), QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        buttons.addButton(tr("&Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self._on_store)
        buttons.rejected.connect(self.reject)
        vertical(self._form, self.note, self.problem, buttons, gap=4, margins=(6, 5, 6, 4), on=self)

    def _on_host(self, text: str) -> None:
        is_archiveorg = text.strip().lower() == ARCHIVEORG
        both = tr("You find both at https://archive.org/account/s3.php.")
        token = tr("Create a token in your account there. It is sent to this host only.")
        self.note.setText(both if is_archiveorg else token)
        for line in (self.access, self.secret):
            self._form.setRowVisible(line, is_archiveorg)
        for widget in (self.token, self.kind):
            self._form.setRowVisible(widget, not is_archiveorg)
        self.kind.setCurrentIndex(list(TokenKind).index(token_kind_of(text.strip().lower())))

    def _on_store(self) -> None:
        name = self.host.currentText().strip()
        if name.lower() == ARCHIVEORG:
            self.given.emit(name, Keys(self.access.text().strip(), self.secret.text().strip()))
            return
        kind = TokenKind(self.kind.currentData())
        self.given.emit(name, Token(self.token.text().strip(), kind))
