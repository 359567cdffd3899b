# SPDX-License-Identifier: AGPL-3.0-or-later
"""What systemd is told (sd_notify(3)): started, alive, stopping. Elsewhere no one is told."""

import os
import socket
from contextlib import suppress

_VARIABLE = "NOTIFY_SOCKET"


def notify(state: str) -> None:
    """Tell the service manager: "READY=1", "WATCHDOG=1", "STOPPING=1"."""
    address = os.environ.get(_VARIABLE, "")
    if not address:
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(state.encode(), address)
