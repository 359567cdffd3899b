# SPDX-License-Identifier: AGPL-3.0-or-later
"""The papers of an archive that are missing or no text any more: settings, sources, read-me.

They may change at any time, and nothing but the copy has them: they come back as they were copied.
"""

from collections.abc import Iterator
from pathlib import Path

from carrel.archive import COLLECTIONS_NAME, README_NAME
from carrel.capture.digests import sha256_of
from carrel.engine.replication.register import Register
from carrel.engine.replication.repaired import (
    DAMAGED_IN_COPY,
    Repaired,
    not_repaired,
    place_for_damaged,
)
from carrel.engine.replication.store import Store
from carrel.settings import SETTINGS_NAME
from carrel.translation import tr
from carrel.whole_file import replace_file

_LARGEST = 16 * 1024 * 1024


def repair_papers(path: Path, store: Store, register: Register) -> Iterator[Repaired]:
    """Yield what became of each paper that is in the copy and not here, or is no text here."""
    for name in (README_NAME, SETTINGS_NAME, COLLECTIONS_NAME):
        if register.digest(name) is not None and not _is_text(path / name):
            yield _repair(path, name, store, register)


def _repair(path: Path, name: str, store: Store, register: Register) -> Repaired:
    try:
        content = b"".join(_limited(store.read(name)))
        if sha256_of([content]) != register.digest(name):
            return Repaired(name, trouble=DAMAGED_IN_COPY)
        kept_as = _set_aside(path / name)
        replace_file(path / name, content)
    except OSError as error:
        return not_repaired(name, error)
    return Repaired(name, kept_as)


def _is_text(path: Path) -> bool:
    try:
        return b"\0" not in (content := path.read_bytes()) and bool(content.decode() or True)
    except (OSError, UnicodeDecodeError):
        return False


def _limited(pieces: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > _LARGEST:
            raise OSError(27, tr("it is too large"))
        yield piece


def _set_aside(path: Path) -> str:
    """Give a damaged file another name beside its own, and return that; "" if there is none."""
    if not path.exists():
        return ""
    kept = place_for_damaged(path)
    path.rename(kept)
    return kept.name
