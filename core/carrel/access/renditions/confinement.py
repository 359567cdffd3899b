# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the reading process gives up before it reads: time, memory, writing, network, processes."""

import os
import sys
from typing import Any

from carrel.translation import tr

_FORBIDDEN = (
    *("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system"),
    *("os.startfile", "pty.", "ftplib.", "http.client.", "urllib.", "webbrowser.", "winreg."),
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
    *("os.chmod", "os.chown", "shutil.", "os.kill"),
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_MOST_FILES = 64


def confine(cpu_s: int, memory_bytes: int) -> None:
    """Give up, for good, what reading a file does not take.

    Windows has no such limits; there only the clock ends what takes too long.
    """
    sys.dont_write_bytecode = True
    if sys.platform != "win32":
        _limit(cpu_s, memory_bytes)
    sys.addaudithook(_refuse)


def _limit(cpu_s: int, memory_bytes: int) -> None:
    import resource  # Windows has none

    limits = {
        "RLIMIT_CPU": cpu_s,
        "RLIMIT_AS": memory_bytes,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": _MOST_FILES,
    }
    for name, most in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (least, least))
        except (ValueError, OSError):  # macOS refuses some; the clock is left
            continue


def _refuse(event: str, given: tuple[Any, ...]) -> None:
    if event.startswith(_FORBIDDEN):
        raise PermissionError(tr("{event} is refused to a process that reads a file", event=event))
    if event == "open" and isinstance(given[2], int) and given[2] & _WRITING:
        raise PermissionError(tr("a process that reads a file may not write to one"))
