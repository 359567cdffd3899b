# SPDX-License-Identifier: AGPL-3.0-or-later
"""One window for an archive: a second start brings the first one forward, and ends.

They meet at a local socket of this user's, named by the archive's path. Nothing goes over it but
that somebody came; no network is involved.
"""

import hashlib
import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 500


def bring_forward(archive: Path) -> bool:
    """Have the window that is open on an archive come forward; say whether there is one."""
    socket = QLocalSocket()
    socket.connectToServer(_meeting_place(archive), QLocalSocket.OpenModeFlag.ReadOnly)
    is_there = socket.waitForConnected(_WAIT_MS)
    socket.abort()
    return is_there


class OpenWindow(QObject):
    """Says that a window is open on an archive; `called` is emitted for each further start."""

    called = Signal()

    def __init__(self, archive: Path) -> None:
        super().__init__()
        name = _meeting_place(archive)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_called)
        if not self._server.listen(name) and not bring_forward(archive):
            QLocalServer.removeServer(name)  # left by one that was killed
            self._server.listen(name)

    def close(self) -> None:
        self._server.close()

    def _on_called(self) -> None:
        while self._server.hasPendingConnections():
            caller = self._server.nextPendingConnection()
            caller.disconnected.connect(caller.deleteLater)
            caller.disconnectFromServer()
        self.called.emit()


def _meeting_place(archive: Path) -> str:
    """Return a name that says nothing of the folder, and is this user's on systems that share."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    place = f"{user}:{archive.expanduser().resolve()}"
    return f"carrel-{hashlib.sha256(place.encode(errors='surrogateescape')).hexdigest()[:32]}"
