# SPDX-License-Identifier: AGPL-3.0-or-later
"""What works in a collections file, but perhaps not as someone thinks.

A path may be missing because its drive is mounted later, so nothing here is an error.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from carrel.mementos.config.addresses import is_warc
from carrel.mementos.config.collection import (
    CdxSource,
    FileSource,
    Live,
    MementoSource,
    SourceConfig,
    Step,
    WarcIndexFile,
    WarcPrefix,
)
from carrel.mementos.config.findings import shown
from carrel.translation import tr

_INDEX_ENDINGS = (".cdx", ".cdxj")
# Enough to notice an index that was never sorted, without reading one of 10 GB.
_SAMPLE_BYTES = 64 * 1024
_MOST_FILES = 20


def doubts_about(step: Step, archive_warcs: Path | None) -> Iterator[str]:
    """Yield a sentence for each thing that may be meant otherwise.

    The open archive's own folder of WARCs appears with the first of them: no word about it.
    """
    for source in step.sources:
        yield from _about_records(source, step)
        yield from doubts_about_source(source)
    paths = [
        each.location if isinstance(each, WarcPrefix) else each.path
        for each in step.resources
        if isinstance(each, WarcPrefix | WarcIndexFile)
    ]
    warcs = {source.path for source in step.sources if isinstance(source, FileSource)}
    for path in paths:
        if isinstance(path, Path) and path != archive_warcs and path not in warcs:
            yield from _missing(path)


def doubts_about_source(source: SourceConfig) -> Iterator[str]:
    """Yield a sentence for each thing that a source on this computer lacks now."""
    if isinstance(source, FileSource):
        yield from _about_file(source)


def _about_records(source: SourceConfig, step: Step) -> Iterator[str]:
    has_live = Live() in step.resources
    has_warcs = any(not isinstance(each, Live) for each in step.resources)
    is_replayed = isinstance(source, CdxSource) and source.replay_url is not None
    name = shown(source.name)
    if source.kind.is_local or (isinstance(source, CdxSource) and not is_replayed):
        if not has_warcs:
            yield tr(
                "the records of {name} cannot be loaded: its rows name WARCs, and “resource” is "
                "only “$live”. Name the folder or address of the WARCs there.",
                name=name,
            )
    elif not has_live and (not is_replayed or not has_warcs):
        kind = tr("a Memento archive") if isinstance(source, MementoSource) else tr("the web")
        yield tr(
            "the records of {name} cannot be loaded: they come from {kind}, and “resource” has "
            "no “$live” in it.",
            name=name,
            kind=kind,
        )


def _about_file(source: FileSource) -> Iterator[str]:
    missing = list(_missing(source.path))
    if missing or is_warc(source.path):
        yield from missing
        return
    try:
        indexes = _indexes(source.path)
        unsorted = [each for each in indexes if not _seems_sorted(each)]
    except OSError as error:
        yield tr(
            "{path} cannot be read now: {strerror}.",
            path=shown(source.path),
            strerror=error.strerror,
        )
        return
    if not indexes:
        yield tr("there is no index (.cdx or .cdxj) in {path} now.", path=shown(source.path))
    for path in unsorted:
        yield tr(
            "{path} is not sorted by bytes (LC_ALL=C sort); Carrel looks captures up in a"
            " sorted copy, other programs may miss some.",
            path=shown(path),
        )


def _missing(path: Path) -> Iterator[str]:
    try:
        if not path.exists():
            yield tr("there is nothing at {path} now.", path=shown(path))
    except OSError as error:
        yield tr(
            "{path} cannot be read now: {strerror}.", path=shown(path), strerror=error.strerror
        )


def _indexes(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    names = (each for each in path.iterdir() if each.name.lower().endswith(_INDEX_ENDINGS))
    return sorted(names)[:_MOST_FILES]


def _seems_sorted(path: Path) -> bool:
    """Look at the beginning, the middle and the end of an index. Raises OSError."""
    if not path.is_file() or path.suffix.lower() not in _INDEX_ENDINGS:
        return True
    with path.open("rb") as file:
        lines = [line for start, size in _stretches(path) for line in _lines(file, start, size)]
    rows = [line for line in lines if line.strip() and not line.startswith((b" CDX", b"!"))]
    return all(one <= other for one, other in pairwise(rows))


def _stretches(path: Path) -> list[tuple[int, int]]:
    size = path.stat().st_size
    if size <= 4 * _SAMPLE_BYTES:
        return [(0, size)]
    return [(start, _SAMPLE_BYTES) for start in (0, size // 2, size - _SAMPLE_BYTES)]


def _lines(file: BinaryIO, start: int, size: int) -> list[bytes]:
    """Return the lines of a stretch, without what is cut at its sides."""
    file.seek(start)
    return file.read(size).split(b"\n")[1 if start else 0 : -1]
