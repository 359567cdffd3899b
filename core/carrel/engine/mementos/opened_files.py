# SPDX-License-Identifier: AGPL-3.0-or-later
"""Collections out of files and folders from anywhere, which stay where they are."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from carrel.errors import UsageError
from carrel.mementos.config.collection import (
    Collection,
    FileSource,
    ResourceConfig,
    Step,
    WarcPrefix,
)
from carrel.model.endings import RECORD_ENDINGS
from carrel.translation import tr

_INDEXES = (".cdx", ".cdxj")


def of_files(paths: Sequence[Path], taken: Iterable[str]) -> Collection | None:
    """Return one collection of all these WARC, ARC, WACZ, CDX and CDXJ files; None for none.

    Its name and those of its sources are none of those that are `taken`. Of a folder its indexes
    are taken, else its WARCs; WARCs are looked for beside their index. Raises UsageError for a file
    that is no web archive.
    """
    if not paths:
        return None
    found = [each for path in paths for each in _files(path.resolve())]
    names: list[str] = []
    for name in _names(found):
        names.append(_free(name, {*taken, *names}))
    sources = tuple(FileSource(name, path) for name, path in zip(names, found, strict=True))
    places: list[ResourceConfig] = [WarcPrefix(place) for place in _places(found)]
    name = _free(_names(paths)[0] if len(paths) == 1 else "opened", set(taken))
    title = ", ".join(path.name for path in paths)
    return Collection(name, (Step(sources, tuple(places)),), title)


def of_pywb(folder: Path) -> tuple[Collection, ...]:
    """Return the collections in a folder that pywb keeps them in, none if it is no such folder."""
    return tuple(
        Collection(each.parent.name, (_step_of_pywb(each),))
        for each in sorted(folder.glob("collections/*/indexes"))
        if each.is_dir()
    )


def _step_of_pywb(indexes: Path) -> Step:
    collection = indexes.parent
    return Step((FileSource(collection.name, indexes),), (WarcPrefix(collection / "archive"),))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if not path.name.lower().endswith((*RECORD_ENDINGS, *_INDEXES)):
            kinds = ", ".join((*RECORD_ENDINGS, *_INDEXES))
            raise UsageError(
                tr(
                    "{path} is not a web archive file; its name would end in {kinds}.",
                    path=path,
                    kinds=kinds,
                )
            )
        yield path
        return
    inside = sorted(each for each in path.iterdir() if each.is_file())
    for endings in (_INDEXES, RECORD_ENDINGS):
        if files := [each for each in inside if each.name.lower().endswith(endings)]:
            yield from files
            return
    raise UsageError(tr("There is no WARC, ARC, WACZ, CDX or CDXJ in {path}.", path=path))


def _places(files: Sequence[Path]) -> Sequence[Path]:
    """Return where records are: a file that holds its own, and the folders of indexes."""
    places = [path if path.name.lower().endswith(RECORD_ENDINGS) else path.parent for path in files]
    return list(dict.fromkeys(places))


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"{name}-opened"
    return name


def _names(paths: Sequence[Path]) -> list[str]:
    """Return a name for each file that can stand in an address, no two alike."""
    names: list[str] = []
    for path in paths:
        bare = re.sub(r"[^A-Za-z0-9._-]+", "-", path.name.split(".")[0]).strip("-._") or "opened"
        count = sum(name == bare or name.startswith(f"{bare}-") for name in names)
        names.append(f"{bare}-{count + 1}" if bare in names else bare)
    return names
