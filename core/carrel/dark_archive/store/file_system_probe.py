# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the file system below an object store can do, found by trying it."""

import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from carrel.capture.folder_sync import sync_folder
from carrel.dark_archive.store.disk import remove, whole_sync
from carrel.translation import tr

# File systems whose sync brings to the disk what it says (fs/sync.c; others pass the call by).
_SYNCED_WHOLE = re.compile(r"ext[234]|xfs|btrfs|f2fs|bcachefs|zfs|overlay|tmpfs")
_FAT = re.compile(r"vfat|msdos|umsdos|exfat|fat(?:12|16|32)?", re.IGNORECASE)
_AWAY = re.compile(r"nfs\d?|cifs|smb\w*|9p|ncpfs|afs|ceph|glusterfs|lustre|davfs|fuse\.\w+", re.I)
_CLOUD = re.compile(r"dropbox|onedrive|google ?drive|icloud|nextcloud|owncloud|box sync", re.I)
# Two seconds are what FAT keeps apart.
_ODD_MOMENT_NS = 1_352_481_231 * 10**9
_MOST_NAME_BYTES = 255
_LONG_ROOT = 80


def probe(root: Path, scratch: Path) -> dict[str, Any]:
    """Return what `root` is and can do, tried out in the folder `scratch`, which is removed.

    The keys are those of `store.json`; "warnings" are sentences. Raises OSError.
    """
    scratch.mkdir()
    try:
        kind = file_system(root)
        found: dict[str, Any] = {
            "system": sys.platform,
            "file_system": kind,
            "case_insensitive": _ignores_case(scratch),
            "longest_name": _longest_name(scratch),
            "hard_links": _works(lambda: os.link(_made(scratch / "a"), scratch / "b")),
            "symlinks": _works(lambda: os.symlink("a", scratch / "c")),
            "folder_sync": os.name == "posix" and _works(lambda: sync_folder(scratch)),
            "whole_sync": syncs_whole(kind),
            "is_fat": _FAT.fullmatch(kind) is not None or not _keeps_seconds(scratch),
        }
    finally:
        remove(scratch)
    return found | {"warnings": _warnings(root, kind, found)}


def syncs_whole(kind: str) -> bool:
    """Say whether one call brings everything that was written to the disk."""
    return _SYNCED_WHOLE.fullmatch(kind) is not None and whole_sync() is not None


def file_system(path: Path) -> str:
    """Return the name of the file system that a folder is on, "" where that cannot be told."""
    if sys.platform == "win32":
        return _windows_file_system(path)
    try:
        lines = Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return ""
    return _mounted(lines, str(path.resolve()))


def _mounted(lines: list[str], path: str) -> str:
    """Return the kind of the mount that a path is below; the last of the longest hides others."""
    found, longest = "", 0
    for line in lines:
        mount, _, kind = line.partition(" - ")
        fields = mount.split(" ")
        if len(fields) < 5 or not kind:
            continue
        point = re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), fields[4]).rstrip("/")
        if len(point) + 1 >= longest and f"{path}/".startswith(f"{point}/"):
            found, longest = kind.split(" ")[0], len(point) + 1
    return found


if sys.platform == "win32":

    def _windows_file_system(path: Path) -> str:
        import ctypes

        name = ctypes.create_unicode_buffer(64)
        drive = f"{path.resolve().drive}\\"
        ctypes.windll.kernel32.GetVolumeInformationW(drive, None, 0, None, None, None, name, 64)
        return name.value


def _made(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def _ignores_case(scratch: Path) -> bool:
    _made(scratch / "Case%3A")
    return (scratch / "cASE%3a").exists()


def _longest_name(scratch: Path) -> int:
    """Return how many bytes a name may have, 255 at most."""
    low, high = 1, _MOST_NAME_BYTES + 1
    while low + 1 < high:
        middle = _MOST_NAME_BYTES if high > _MOST_NAME_BYTES else (low + high) // 2
        if _works(partial(_made, scratch / ("n" * middle))):
            low = middle
        else:
            high = middle
    return low


def _keeps_seconds(scratch: Path) -> bool:
    path = _made(scratch / "moment")
    os.utime(path, ns=(_ODD_MOMENT_NS, _ODD_MOMENT_NS))
    return path.stat().st_mtime_ns == _ODD_MOMENT_NS


def _works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, NotImplementedError):
        return False
    return True


def _warnings(root: Path, kind: str, found: dict[str, Any]) -> list[str]:
    told = []
    if _AWAY.fullmatch(kind):
        told.append(
            tr(
                "{root} is on a network or foreign file system ({kind}): it may report bytes as "
                "stored when they are not, and locks may not work. A local disk is safer.",
                root=root,
                kind=kind,
            )
        )
    if cloud := _CLOUD.search(str(root)):
        told.append(
            tr(
                "{root} looks like a folder of {cloud}: such programs move and change files behind"
                " the archive's back. Choose a folder that is not synchronised.",
                root=root,
                cloud=cloud[0],
            )
        )
    if sys.platform == "win32" and len(str(root)) > _LONG_ROOT:
        told.append(
            tr("{root} is long: other programs may not open the objects below it.", root=root)
        )
    if found["is_fat"]:
        told.append(
            tr(
                "{root} is on a FAT file system, which has no journal and no permissions.",
                root=root,
            )
        )
    return told
