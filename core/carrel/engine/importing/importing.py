# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel import`: what is at each path, and how it becomes part of the archive."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.importing.describing import Given
from carrel.engine.importing.folders import has_packages, refuse_archives, refuse_own
from carrel.engine.importing.imported import Imported, Progress, Tell
from carrel.engine.importing.lacking import awaited_of
from carrel.engine.importing.packages import has_only_records, import_package
from carrel.engine.importing.warcs import import_warcs, link_warc
from carrel.engine.packages import Package, is_package, open_package
from carrel.engine.packages.opening import package_of
from carrel.engine.packages.tree import FolderTree
from carrel.errors import NotLoaded
from carrel.model.endings import RECORD_ENDINGS, WARC_ENDINGS
from carrel.translation import tr

_NOTHING = Given()


def import_files(
    archive: Archive, paths: Sequence[Path], tell: Tell, given: Given = _NOTHING
) -> Iterator[Imported]:
    """Import WARCs, WACZ files, bags, crates and folders one by one; what cannot be is told, and
    the rest goes on. Plain files become one holding, if they are `given` a title.

    At the end it is told which files of what came in are not here.

    The archive must be open for writing. Blocks. Raises ArchiveError.
    """
    progress = Progress(tell)
    yield from _to_the_end(archive, _each(archive, paths, given, progress))
    progress.finish(progress.total)


def _each(
    archive: Archive, paths: Sequence[Path], given: Given, progress: Progress
) -> Iterator[Imported]:
    plain = [path for path in paths if given.title and _is_plain(path)]
    for path in paths:
        if path not in plain:
            yield from _guarded(str(path), _imports(archive, path, given, progress), progress)
    if plain:
        names = ", ".join(path.name for path in plain)
        together = _imports_together(archive, plain, given, progress)
        yield from _guarded(names, together, progress)


def link_files(archive: Archive, paths: Sequence[Path], tell: Tell) -> Iterator[Imported]:
    """Import WARCs, also those in folders, by hard links; what cannot be linked is told.

    As `import_files` otherwise.
    """
    progress = Progress(tell)
    yield from _to_the_end(archive, _each_link(archive, paths, progress))
    progress.finish(progress.total)


def _each_link(archive: Archive, paths: Sequence[Path], progress: Progress) -> Iterator[Imported]:
    for path in paths:
        is_folder = path.is_dir() and has_only_records(path)
        for each in sorted(path.iterdir()) if is_folder else [path]:
            yield from _guarded(str(each), _links(archive, each, progress), progress)


def _to_the_end(archive: Archive, imports: Iterator[Imported]) -> Iterator[Imported]:
    """Yield what is imported, and at last what it awaits: a WARC may bring what an earlier one has
    the result of."""
    came: list[str] = []
    for each in imports:
        came += each.attempts
        yield each
    yield from awaited_of(archive, came)


def _links(archive: Archive, path: Path, progress: Progress) -> Iterator[Imported]:
    if path.name.lower().endswith(WARC_ENDINGS):
        progress.expect(2 * path.stat().st_size)  # compared with others, and read
        yield link_warc(archive, path, progress)
    else:
        words = tr("Only a .warc.gz file can be linked. Import it without --link: it is copied.")
        yield Imported(str(path), trouble=words)


def _imports(archive: Archive, path: Path, given: Given, progress: Progress) -> Iterator[Imported]:
    if path.is_dir() and (has_only_records(path) or (given == _NOTHING and has_packages(path))):
        for each in sorted(path.iterdir()):
            yield from _guarded(str(each), _imports(archive, each, given, progress), progress)
    elif path.is_dir():
        refuse_own(archive, path)
        package = open_package(path)
        refuse_archives(archive, path, package.tree.sizes)
        yield import_package(archive, package, given, progress)
    elif is_package(path):
        yield import_package(archive, open_package(path), given, progress)
    else:
        # Copied, and read again.
        progress.expect(2 * path.stat().st_size)
        yield from import_warcs(archive, path, progress)


def _imports_together(
    archive: Archive, paths: Sequence[Path], given: Given, progress: Progress
) -> Iterator[Imported]:
    names = ", ".join(path.name for path in paths)
    yield import_package(archive, _together(paths), given, progress, names)


def _together(paths: Sequence[Path]) -> Package:
    """Return files as one package. Raises NotLoaded where two have one name."""
    names = {str(path.absolute()): path.name for path in paths}
    if len({*names.values()}) < len(names):
        words = tr("Two of the files have the same name: put them into a folder.")
        raise NotLoaded(paths[0].name, words)
    return package_of(FolderTree(Path(), names))


def _guarded(source: str, imports: Iterator[Imported], progress: Progress) -> Iterator[Imported]:
    """Yield what is imported, and in place of what cannot be read why."""
    try:
        yield from imports
    except (OSError, NotLoaded) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        yield Imported(source, trouble=str(reason or error))
    progress.tell()


def _is_plain(path: Path) -> bool:
    name = path.name.lower()
    return not is_package(path) and not name.endswith(RECORD_ENDINGS)
