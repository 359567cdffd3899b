# SPDX-License-Identifier: AGPL-3.0-or-later
"""Names of WARCs as indexes give them. Whoever wrote the index must not choose what is read.

Folders within a name are legitimate; whatever could lead out of the place it is looked for in is
refused before any disk or network is asked.
"""

import re
from pathlib import Path
from urllib.parse import quote, urlsplit

from carrel.errors import NotLoaded
from carrel.translation import tr

_LONGEST = 4096
# Control characters, and what is no character (a lone surrogate).
_UNFIT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# What may stand in a path as it is (RFC 3986, 3.3), without what would begin a query.
_PATH_SAFE = "/!$&'()*+,;=:@~"


def checked(name: str) -> str:
    """Return a name that can be looked up in a list of files. Raises NotLoaded."""
    if not name or len(name) > _LONGEST or _UNFIT.search(name):
        raise _refused(name, tr("it is not a file name"))
    return name


def path_within(folder: Path, name: str) -> Path:
    """Return the file of this name below a folder, links followed. Raises NotLoaded.

    The file need not be there. The folder itself may be a link.
    """
    _refuse_what_climbs(name)
    try:
        base = folder.resolve()
        path = (base / name).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _refused(name, tr("it cannot be followed")) from error
    if not path.is_relative_to(base):
        raise _refused(name, tr("it leads out of the folder {folder}", folder=folder))
    return path


def url_within(prefix: str, name: str) -> str:
    """Return the address of this name below a web address that ends with a slash.

    Raises NotLoaded.
    """
    _refuse_what_climbs(name)
    if "//" in name:
        raise _refused(name, tr("it leads out of {prefix}", prefix=prefix))
    url = prefix.rstrip("/") + "/" + quote(name, safe=_PATH_SAFE)
    if urlsplit(url)[:2] != urlsplit(prefix)[:2]:
        raise _refused(name, tr("it leads out of {prefix}", prefix=prefix))
    return url


def _refuse_what_climbs(name: str) -> None:
    checked(name)
    if "\\" in name or name.startswith("/") or _SCHEME.match(name):
        raise _refused(name, tr("it is not a name within the location of WARCs"))
    if any(part in ("..", ".") for part in name.split("/")):
        raise _refused(name, tr("it leads out of the location of WARCs"))


def _refused(name: str, reason: str) -> NotLoaded:
    shown = _UNFIT.sub("�", name[:200])
    return NotLoaded(
        shown,
        tr(
            "The index names the file “{shown}”, which is refused: {reason}.",
            shown=shown,
            reason=reason,
        ),
    )
