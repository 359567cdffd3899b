# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of what a copy has: a line "SHA-256, two spaces, name" for each object.

It is written last, when each object was read back: what stands in it was there, and right.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from carrel.archive import COPY_LIST_NAME
from carrel.engine.replication.store import Store
from carrel.errors import ArchiveError
from carrel.exports.checksums import checksum_list
from carrel.translation import tr

LIST_NAME = COPY_LIST_NAME

_LINE = re.compile(r"([0-9a-f]{64})  ([^\n]+)", re.ASCII)


def read_list(store: Store) -> dict[str, str] | None:
    """Return the SHA-256 of each object by its name, None if there is no list.

    Raises ArchiveError for a list that Carrel did not write so, OSError.
    """
    try:
        text = b"".join(store.read(LIST_NAME)).decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise _damaged(1) from None
    digests: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found is None or not _is_inside(found[2]):
            raise _damaged(number)
        digests[found[2]] = found[1]
    return digests


def write_list(store: Store, digests: Mapping[str, str]) -> None:
    """Raises OSError."""
    store.write(LIST_NAME, [checksum_list(digests)])


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name


def _damaged(line: int) -> ArchiveError:
    return ArchiveError(
        tr(
            "Line {line} of {name} in the copy is damaged. Nothing was written. Restore that file, "
            "or make a new copy in another folder.",
            line=line,
            name=LIST_NAME,
        )
    )
