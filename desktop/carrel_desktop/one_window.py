# SPDX-License-Identifier: AGPL-3.0-or-later
"""One window for an archive: a second start brings the first one forward, and ends.

They meet at a local socket of this user's, named by the archive's path. Over it goes that somebody
came, and what they were asked to open; no network is involved.
"""

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalSocket

_WAIT_MS = 500
_LONGEST = 1 << 20  # bytes


def bring_forward(archive: Path, items: Sequence[str] = ()) -> bool:
    """Have the window that is open on an archive come forward; say whether there is one.

    It opens `items`, as `carrel desktop` was given them.
    """
    place = _meeting_place(archive)
    if sys.platform != "win32" and not QDir.temp().exists(place):
        return False
    from PySide6.QtNetwork import QLocalSocket  # the first window is shown before that

    socket = QLocalSocket()
    socket.connectToServer(place)
    if not socket.waitForConnected(_WAIT_MS):
        return False
    if items:
        socket.write(json.dumps(list(items)).encode("ascii"))
        socket.waitForBytesWritten(_WAIT_MS)
        socket.disconnectFromServer()  # after what is written, as abort would not
    else:
        socket.abort()
    return True


class OpenWindow(QObject):
    """Says that a window is open on an archive; `called` is emitted for each further start, and
    `asked` with what such a start is to open."""

    called = Signal()
    asked = Signal(list)

    def __init__(self, archive: Path) -> None:
        super().__init__()
        from PySide6.QtNetwork import QLocalServer  # as above

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
            caller.disconnected.connect(partial(self._hear, caller))
            if caller.state() is caller.LocalSocketState.UnconnectedState:
                self._hear(caller)  # it was gone before anyone listened
        self.called.emit()

    def _hear(self, caller: "QLocalSocket") -> None:
        """Take what a caller who has gone wanted to have opened."""
        said = bytes(caller.read(_LONGEST).data())
        caller.deleteLater()
        try:
            items = json.loads(said) if said else []
        except ValueError:
            return  # cut off on its way
        if items and isinstance(items, list):
            self.asked.emit([str(each) for each in items])


def _meeting_place(archive: Path) -> str:
    """Return a name that says nothing of the folder, and is this user's on systems that share."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    place = f"{user}:{archive.expanduser().resolve()}"
    return f"carrel-{hashlib.sha256(place.encode(errors='surrogateescape')).hexdigest()[:32]}"
