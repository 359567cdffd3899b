# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of what a copy has: a line "SHA-256, two spaces, name" for each object.

It is written last, when each object was read back: what stands in it was there, and right.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from carrel.archive import COPY_LIST_NAME
from carrel.engine.replication.store import Store
from carrel.errors import ArchiveError
from carrel.exports.checksums import checksum_list
from carrel.translation import tr

_LINE = re.compile(r"([0-9a-f]{64})  ([^\n]+)", re.ASCII)


def read_list(store: Store) -> dict[str, str] | None:
    """Return the SHA-256 of each object by its name, None if there is no list.

    Raises ArchiveError for a list that Carrel did not write so, OSError.
    """
    try:
        text = b"".join(store.read(COPY_LIST_NAME)).decode()
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


def needed_list(store: Store) -> dict[str, str]:
    """Return the list of a copy that must be there. Raises ArchiveError, OSError."""
    digests = read_list(store)
    if digests is None:
        raise ArchiveError(
            tr(
                "There is no copy of an archive: it has no {name}. “carrel replicate” makes one.",
                name=COPY_LIST_NAME,
            )
        )
    return digests


def write_list(store: Store, digests: Mapping[str, str]) -> None:
    """Raises OSError."""
    store.write(COPY_LIST_NAME, [checksum_list(digests)])


def sha256_of(pieces: Iterable[bytes]) -> str:
    """Return the digest that the list has of these bytes."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and str(path) == name


def _damaged(line: int) -> ArchiveError:
    return ArchiveError(
        tr(
            "Line {line} of {name} in the copy is damaged. Nothing was written. Restore that file, "
            "or make a new copy in another folder.",
            line=line,
            name=COPY_LIST_NAME,
        )
    )
