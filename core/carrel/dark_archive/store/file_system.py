# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the parts of a store share: where it stands, and what can be relied upon there."""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from carrel.dark_archive.store.names import LONGEST

INCOMING = ".incoming"
QUARANTINE = "quarantine"
JOURNAL = "journal"
LOCK = ".lock"
DESCRIPTION = "store.json"
FURNITURE = frozenset({INCOMING, QUARANTINE, JOURNAL, LOCK, DESCRIPTION})
# What operating systems put into any folder, or at the top of any disk.
OF_THE_SYSTEM = frozenset(
    {".DS_Store", "Thumbs.db", "desktop.ini", "lost+found", "System Volume Information"}
    | {"$RECYCLE.BIN", ".Trashes", ".Spotlight-V100", ".fseventsd"}
)

_ROOM = 255 - LONGEST


@dataclass(frozen=True, slots=True)
class FileSystem:
    """`whole_sync` brings the whole file system to the disk; None where each file needs its own."""

    root: Path
    name_limit: int
    ignores_case: bool
    whole_sync: Callable[[int], None] | None

    @property
    def incoming(self) -> Path:
        return self.root / INCOMING

    @property
    def quarantine(self) -> Path:
        return self.root / QUARANTINE

    def fresh(self, name: str) -> Path:
        """Return a place in `.incoming` that nothing has had."""
        return self.incoming / f"{name}-{secrets.token_hex(8)}"

    def key(self, name: str) -> str:
        """Return what two names share if they name the same file here."""
        return name.lower() if self.ignores_case else name


def name_limit(longest_name: int) -> int:
    """Return how long an object's name may be where any name may have so many bytes."""
    return min(LONGEST, longest_name - _ROOM)


def reachable(root: Path) -> Path:
    r"""Return the root so that paths below it may have any length: on Windows with "\\?\" before it
    (https://learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation, 2024)."""
    if os.name != "nt" or str(root).startswith("\\\\?\\"):
        return root
    whole = str(root.absolute())
    return Path(f"\\\\?\\UNC\\{whole[2:]}" if whole.startswith("\\\\") else f"\\\\?\\{whole}")
