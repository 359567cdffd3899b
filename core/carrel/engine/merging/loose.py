# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs in the collection of a source that its ledger lists no capture of.

Large ingests have one with nothing but their result in it: that comes along. What else is there was
left by an ingest that did not end, or put there by hand.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from carrel.engine.merging.copies import same_bytes
from carrel.engine.merging.source import SourceArchive
from carrel.ledger.merging import Merging
from carrel.mementos.warc.problems import Problem
from carrel.model import Capture
from carrel.model.endings import WARC_ENDINGS
from carrel.translation import tr


def loose_warcs(source: SourceArchive, merging: Merging) -> Iterator[tuple[Path, bool]]:
    """Yield the WARCs without captures, and whether each belongs to attempts that the ledger
    knows. Raises OSError."""
    for path in source.warc_files():
        if not merging.knows_warc(path.name):
            yield path, _belongs(path, merging)


def not_merged(path: Path) -> str:
    """Return what is told of one that belongs to no attempt."""
    return tr(
        "{path} is not in the ledger of its archive, and was not merged. Open that archive with "
        "Carrel, which finishes what was interrupted; or import the file.",
        path=path,
    )


def doubles(source: SourceArchive, loose: Sequence[Path]) -> Mapping[Path, Path]:
    """Return which of some WARCs have the bytes of another of the source, and of which. Raises
    OSError."""
    sizes = {path: path.stat().st_size for path in loose}
    others = [
        each
        for each in (source.warc_files() if loose else ())
        if each not in sizes and each.stat().st_size in sizes.values()
    ]
    alike = ((path, each) for path in loose for each in others if same_bytes(path, each))
    return dict(alike)


def same_as(path: Path, other: Path) -> str:
    """Return what is told of one that has the bytes of another."""
    return tr("Left there: {path}, which has the same bytes as {name}.", path=path, name=other.name)


def is_repeated(source: SourceArchive, path: Path, merging: Merging) -> bool:
    """Say whether all captures in one are in other WARCs of the source, too, and none is known to
    be bad there: it came in an export of that archive, which was imported there. Raises OSError."""
    from carrel.engine.rebuilding.warc_contents import (
        Document,
        contents_of,
    )  # most archives have none

    problems: list[Problem] = []
    contents = [*contents_of(path, problems.append)]
    captures = [each for each in contents if isinstance(each, Capture)]
    if problems or not captures or any(isinstance(each, Document) for each in contents):
        return False
    names = merging.good_warcs_with(captures)
    return names is not None and all((source.warcs / name).is_file() for name in names)


def repeated(path: Path) -> str:
    """Return what is told of such a one."""
    return tr(
        "Left there: {path}, whose captures are all in other WARCs of that archive.", path=path
    )


def other_collections(source: SourceArchive) -> Iterator[str]:
    """Yield what is told of the collections that Carrel does not write to."""
    for folder in sorted((source.path / "collections").glob("*/archive")):
        has_warcs = any(each.name.lower().endswith(WARC_ENDINGS) for each in folder.iterdir())
        if folder != source.warcs and has_warcs:
            yield tr(
                "{folder} is a collection of its own, and was not merged. Its files can be "
                "imported.",
                folder=folder,
            )


def _belongs(path: Path, merging: Merging) -> bool:
    from carrel.engine.rebuilding.warc_contents import (  # most archives have none
        Document,
        PartOf,
        contents_of,
    )

    ingest_ids: set[str] = set()
    problems: list[Problem] = []
    for each in contents_of(path, problems.append):
        match each:
            case Document() | PartOf():
                ingest_ids.add(each.ingest_id)
            case Capture():
                return False
    return bool(ingest_ids) and not problems and merging.knows_attempts(ingest_ids)
