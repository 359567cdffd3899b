# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether the names of hosts can be looked up at all: one that fails may be the network's fault."""

import socket
import threading
import time

# A name that has been there since 1997, belongs to no one's content, and is asked for by all.
KNOWN_HOST = "a.root-servers.net"
# These names lead nowhere by rule (RFC 6761, section 6), also where the network is in order.
_NOWHERE = (".invalid", ".test", ".example", ".localhost")
_REMEMBERED_S = 15.0


class NameService:
    """Remembers the answer for some seconds: where many hosts fail at once, one question is put."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked_at = -_REMEMBERED_S
        self._answers = True

    def knows_others_than(self, host: str) -> bool:
        """Say whether names are looked up here, though that of this host could not be."""
        if host.endswith(_NOWHERE):
            return True
        with self._lock:
            now = time.monotonic()
            if now - self._asked_at >= _REMEMBERED_S:
                self._asked_at, self._answers = now, _is_known(KNOWN_HOST)
            return self._answers


def _is_known(host: str) -> bool:
    try:
        socket.getaddrinfo(host, None)
    except OSError:
        return False
    return True
