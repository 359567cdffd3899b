# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the person has second copies of their archives. It is remembered outside of the archives:
an archive that came from someone else cannot have itself sent anywhere.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from carrel.errors import SettingsError
from carrel.model.copies import LONGEST_DAYS, SecondCopy
from carrel.settings.person import alone, own_folder
from carrel.translation import tr
from carrel.whole_file import replace_file

_VERSION = 1
Known = dict[str, tuple[SecondCopy, ...]]


def own_copies() -> Path:
    """Return the file of the copies; it may not be there."""
    return own_folder() / "copies.json"


def copies_of(archive: Path) -> Sequence[SecondCopy]:
    """Return the copies of the archive in a folder, the latest one that was tried first.

    Raises SettingsError for a file that cannot be understood.
    """
    copies = _read().get(_place(archive), ())
    return sorted(copies, key=lambda each: each.tried, reverse=True)


def copy_at(archive: Path, destination: str) -> SecondCopy:
    """Return what is known of a copy, a new one if nothing is. Raises SettingsError."""
    named = _named(destination)
    found = (each for each in copies_of(archive) if each.destination == named)
    return next(found, SecondCopy(named))


def is_known(archive: Path, destination: str) -> bool:
    """Say whether anything is known of a copy. Raises SettingsError."""
    named = _named(destination)
    return any(each.destination == named for each in copies_of(archive))


def change_copy(archive: Path, destination: str, **fields: Any) -> SecondCopy:
    """Remember what changed of a copy, and return what is known of it. Raises SettingsError."""
    changed = replace(copy_at(archive, destination), **fields)

    def change(copies: tuple[SecondCopy, ...]) -> tuple[SecondCopy, ...]:
        kept = (each for each in copies if each.destination != changed.destination)
        return (*kept, changed)

    _change(archive, change)
    return changed


def forget_copy(archive: Path, destination: str) -> bool:
    """Know nothing more of a copy; say whether anything was known. Raises SettingsError."""
    named = _named(destination)
    was_known = is_known(archive, destination)
    _change(archive, lambda copies: tuple(each for each in copies if each.destination != named))
    return was_known


def _change(
    archive: Path, change: Callable[[tuple[SecondCopy, ...]], tuple[SecondCopy, ...]]
) -> None:
    path = own_copies()
    with alone(path):
        known = _read()
        known[_place(archive)] = change(known.get(_place(archive), ()))
        content = {
            "version": _VERSION,
            "archives": {
                place: [asdict(each) for each in copies]
                for place, copies in sorted(known.items())
                if copies
            },
        }
        written = json.dumps(content, indent=1, sort_keys=True).encode("ascii") + b"\n"
        replace_file(path, written, is_private=True)


def _read() -> Known:
    path = own_copies()
    try:
        content = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        words = tr("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error)
        raise SettingsError(words) from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error
    try:
        return _understood(content)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path) from error


def _understood(content: Any) -> Known:
    """Return the copies in a JSON value. Raises ValueError and the like for any other value."""
    if content["version"] != _VERSION:
        raise ValueError("it has another version")
    return {place: tuple(map(_copy, copies)) for place, copies in content["archives"].items()}


def _copy(fields: Mapping[str, Any]) -> SecondCopy:
    texts = {name: fields[name] for name in ("destination", "tried", "complete", "trouble")}
    texts["reached"] = fields.get("reached", "")  # earlier versions of Carrel did not keep it
    every_days, damaged = fields["every_days"], tuple(fields.get("damaged", ()))
    lacking = tuple(fields.get("lacking", ()))
    are_texts = all(isinstance(each, str) for each in (*texts.values(), *damaged, *lacking))
    if not are_texts or type(every_days) is not int:
        raise TypeError("a field is of another kind")
    return SecondCopy(
        every_days=min(max(0, every_days), LONGEST_DAYS), damaged=damaged, lacking=lacking, **texts
    )


def _damaged(path: Path) -> SettingsError:
    return SettingsError(
        tr(
            "{path}, which says where your second copies are, is damaged. Restore it, or remove it "
            "and schedule the copies again.",
            path=path,
        )
    )


def _named(destination: str) -> str:
    """Return a destination as it is remembered: of a folder, the whole path."""
    return destination if "://" in destination else os.path.realpath(destination)


def _place(archive: Path) -> str:
    return os.path.realpath(archive)
