# SPDX-License-Identifier: AGPL-3.0-or-later
"""Paths of datasets as names that every disk takes, no two alike where case means nothing."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from carrel.model.names import in_utf8

# What Windows refuses, and what a shell or a reader could be misled by. To readers of bags, %0A and
# %0D are ends of lines (bagit-python 1.9, `_decode_filename`).
_UNFIT = re.compile(
    r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]|%(?=0[AaDd])'
)
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])", re.IGNORECASE)
# File systems have 255 bytes; the rest is for what is set beside a name.
_MOST_BYTES = 180
_MOST_ENDING = 20
_MOST_FOLDERS = 30


def safe_name(name: str) -> str:
    """Return a name for a file or folder that any system takes, and that leads nowhere else."""
    text = unicodedata.normalize("NFC", in_utf8(_UNFIT.sub("_", name)))
    text = _UNFIT.sub("_", text)  # what was no character is escaped by now
    text = text.strip(" ").rstrip(". ")
    if text.strip(".") == "":
        text = "_" * max(1, len(text))
    if _RESERVED.fullmatch(text.partition(".")[0].strip()):
        text = f"_{text}"
    return _shortened(text)


class SafePaths:
    """Gives each path of a dataset one of its own below a folder; folders stay folders.

    Made for all paths of one dataset, as a name may be taken by what came before.
    """

    def __init__(self) -> None:
        self._folders: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}
        self._taken: dict[tuple[str, ...], dict[str, int]] = {}

    def add(self, path: str) -> PurePosixPath:
        """Return the path to use, relative, for a path as the platform has it."""
        *folders, name = [part for part in path.split("/") if part not in ("", ".")] or ["_"]
        if len(folders) > _MOST_FOLDERS:
            folders = [*folders[:_MOST_FOLDERS], "_".join(folders[_MOST_FOLDERS:])]
        place = self._folder(tuple(folders))
        return PurePosixPath(*place, self._free(place, safe_name(name)))

    def _folder(self, folders: tuple[str, ...]) -> tuple[str, ...]:
        for depth in range(1, len(folders) + 1):
            if folders[:depth] not in self._folders:
                above = self._folders[folders[: depth - 1]]
                own = self._free(above, safe_name(folders[depth - 1]))
                self._folders[folders[:depth]] = (*above, own)
        return self._folders[folders]

    def _free(self, place: tuple[str, ...], name: str) -> str:
        """Return a name that nothing in a folder has yet: "b (2).txt" after "b.txt"."""
        taken = self._taken.setdefault(place, {})
        key = _key(name)
        while key in taken:
            taken[key] += 1
            stem, dot, ending = _divided(name)
            numbered = f"{stem} ({taken[key]}){dot}{ending}"
            if _key(numbered) not in taken:
                name, key = numbered, _key(numbered)
        taken[key] = 1
        return name


def safe_paths(paths: Iterable[str]) -> list[PurePosixPath]:
    """Return the path to use for each of a dataset's paths, in their order."""
    safe = SafePaths()
    return [safe.add(path) for path in paths]


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def _divided(name: str) -> tuple[str, str, str]:
    """Return a name's stem, dot and ending; a name that only begins with a dot has none."""
    stem, dot, ending = name.rpartition(".")
    if not stem.strip(".") or len(ending) > _MOST_ENDING:
        return name, "", ""
    return stem, dot, ending


def _shortened(name: str) -> str:
    if len(name.encode()) <= _MOST_BYTES:
        return name
    stem, dot, ending = _divided(name)
    room = _MOST_BYTES - len(f"{dot}{ending}".encode())
    return stem.encode()[:room].decode(errors="ignore").rstrip(". ") + dot + ending
