# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a handle's file lies in a vault: below archive and series, as ArchEc laid it out.

ArchEc names files by the handle, and replaces the slash alone. So does this; what no file system,
shell or Windows would take is percent-encoded like the slash, so that two handles never meet.
"""

import hashlib
import os
import re
from pathlib import Path, PurePosixPath

from carrel.ledger.dark.exports import ExportedHandle

SUFFIX = ".warc.gz"
INDEX_SUFFIX = ".cdxj"

_LONGEST = 200
_HEAD = 120
_UNFIT = re.compile(r"[^!#$&\'()+,\-.0-9:;=@A-Z\[\]^_`a-z{}~]")
# What Windows takes for a device, whatever stands behind the dot.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE | re.ASCII)


def vault_path(handle: ExportedHandle, *, on_windows: bool = os.name == "nt") -> PurePosixPath:
    """Return the path of a handle's WARC below the vault's root: `aaa/ssssss/HANDLE.warc.gz`.

    What belongs to no series lies in its archive's folder, what belongs to no archive in the root.
    """
    folders = [_fit(each, on_windows) for each in (handle.archive, handle.series) if each]
    return PurePosixPath(*folders, _fit(handle.ident, on_windows) + SUFFIX)


def free_path(root: Path, handle: ExportedHandle) -> Path:
    """Return where a handle's WARC goes, also if another handle's is there already: lists may have
    names that some file systems take for the same."""
    path = root / vault_path(handle)
    if not path.exists():
        return path
    digest = hashlib.sha256(handle.ident.encode(errors="surrogatepass")).hexdigest()
    return path.with_name(f"{path.name.removesuffix(SUFFIX)[:_HEAD]}-{digest}{SUFFIX}")


def index_name(warc_name: str) -> str:
    """Return the name of the index that lies beside a WARC."""
    return warc_name.removesuffix(SUFFIX) + INDEX_SUFFIX


def _fit(text: str, on_windows: bool) -> str:
    """Return a name for a file or folder that says the text."""
    name = _UNFIT.sub(_escaped, text)
    if on_windows:
        name = name.replace(":", "%3A")
        if _DEVICE.match(name):
            name = f"%{ord(name[0]):02X}{name[1:]}"
    if name[0] in ".-":
        name = f"%{ord(name[0]):02X}{name[1:]}"
    if name[-1] == ".":
        name = f"{name[:-1]}%2E"
    if len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    head = name[:_HEAD]
    if "%" in head[-2:]:
        head = head[: head.rindex("%")]
    return f"{head}-{digest}"


def _escaped(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode(errors="surrogatepass"))
