# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a package that is one file: a tar, a tar.gz, or a zip.

It is read from its beginning to its end each time. Where its files are needed one by one, they are
written under numbers, whatever they are called.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from carrel.capture.bundles.bundle import members_of
from carrel.capture.bundles.members import Allowance, Member, Reading, UnreadableBundle
from carrel.engine.packages.descriptions import READ
from carrel.engine.packages.lists import algorithm_of
from carrel.engine.packages.names import DECLARATION
from carrel.engine.packages.package import DATA, Fault
from carrel.engine.packages.tree import MOST_PAPER_BYTES, Attend, FolderTree
from carrel.errors import NotLoaded
from carrel.model import Fate, Fixity
from carrel.translation import tr

_MOST_MEMBERS = 1_000_000
_READ = frozenset(
    (DECLARATION, "bag-info.txt", "fetch.txt", "result.json", "not-kept.txt", *READ),
)
# Of a tar that is compressed no one can say beforehand what it unpacks to; deflate packs a thousand
# times at most.
_MOST_RATIO, _SLACK_BYTES = 1100, 64 * 1024 * 1024


class PackedTree:
    """A tar or zip; one folder that has all of it is left out of the paths. Raises NotLoaded."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sizes: dict[str, int] = {}
        self.faults: list[Fault] = []
        self.empty: Sequence[str] = ()
        self._papers: dict[str, bytes] = {}
        held, members, folders = 0, list[Member](), _Folders()

        def wanted(name: str) -> bool:
            return is_read(name) and held < MOST_PAPER_BYTES

        def kept(path: str) -> int:
            return MOST_PAPER_BYTES - held

        for member in self._members((), wanted, kept, notes_folder=folders.note):
            held += len(member.content)
            members.append(member)
        self._above = _common_folder(member.path or "" for member in members)
        for member in members:
            self._add(member)
        names = (member.path or member.name for member in members)
        self.empty = [each.removeprefix(self._above) for each in folders.empty(names)]
        self.sizes = dict(sorted(self.sizes.items()))

    def content(self, path: str) -> bytes:
        content = self._papers.get(path)
        if content is None or len(content) != self.sizes[path]:
            raise ValueError(tr("{path} is too long to be read.", path=path))
        return content

    def read(
        self, algorithms: Iterable[str], attend: Attend
    ) -> Iterator[tuple[str, Fixity | Fault]]:
        members = self._members(algorithms, lambda name: True, takes=_attended(attend))
        try:
            for member in members:
                path = self._own(member)
                if member.fixity is not None:
                    yield path, member.fixity
                elif path in self.sizes:
                    yield path, Fault(path, Fate.DAMAGED, _sentence(member.why))
        except NotLoaded as error:
            yield "", Fault("", Fate.DAMAGED, str(error))

    @contextmanager
    def unpacked(self, folder: Path, attend: Attend) -> Iterator[FolderTree]:
        """Give its files in a folder, which is removed. Raises OSError for want of room."""
        names: dict[str, str] = {}
        files: list[BinaryIO] = []

        def takes(name: str) -> Callable[[bytes], object]:
            place = str(len(names))
            names[place] = name
            files.append((folder / place).open("xb"))
            return files[-1].write

        folder.mkdir()
        try:
            for _ in self._members((), lambda name: True, takes=takes):
                for file in files:
                    file.close()
                files.clear()
                attend(0)
            stored = {place: self._within(name) for place, name in names.items()}
            yield FolderTree(folder, {at: name for at, name in stored.items() if name})
        finally:
            for file in files:
                file.close()
            shutil.rmtree(folder, ignore_errors=True)

    def _members(
        self,
        algorithms: Iterable[str],
        wants: Callable[[str], bool],
        keeps: Callable[[str], int] = lambda path: 0,
        takes: Callable[[str], Callable[[bytes], object] | None] = lambda name: None,
        notes_folder: Callable[[str], object] = lambda path: None,
    ) -> Iterator[Member]:
        try:
            with self.path.open("rb") as file:
                allowance = Allowance(self.path.stat().st_size * _MOST_RATIO + _SLACK_BYTES)
                reading = Reading(
                    allowance,
                    tuple(algorithms),
                    keeps=keeps,
                    wants=wants,
                    takes=takes,
                    most_members=_MOST_MEMBERS,
                    notes_folder=notes_folder,
                )
                yield from members_of(file, reading)
        except UnreadableBundle as error:
            words = tr("{name} cannot be read: {error}.", name=self.path.name, error=error)
            raise NotLoaded(self.path.name, words) from error

    def _add(self, member: Member) -> None:
        path = self._own(member)
        if member.refusal is None and path:
            self.sizes[path] = member.size or 0
            if member.fixity is not None:
                self._papers[path] = member.content
        else:
            self.faults.append(Fault(path or member.name, Fate.REFUSED, _sentence(member.why)))

    def _own(self, member: Member) -> str:
        return (member.path or "").removeprefix(self._above)

    def _within(self, name: str) -> str:
        path = "/".join(part for part in name.split("/") if part not in ("", "."))
        own = path.removeprefix(self._above)
        return own if own in self.sizes else ""


class _Folders:
    """The folders of a tar or zip, as far as it lists them."""

    def __init__(self) -> None:
        self._paths: set[str] = set()

    def note(self, path: str) -> None:
        """Take a folder. Raises UnreadableBundle when there are more than any package has."""
        self._paths.add(path)
        if len(self._paths) > _MOST_MEMBERS:
            words = tr("it lists more than {most:,} folders", most=_MOST_MEMBERS)
            raise UnreadableBundle(words)

    def empty(self, files: Iterable[str]) -> Iterator[str]:
        """Yield those with nothing in them, with their slashes; `files` are all that there are."""
        filled = {path.rpartition("/")[0] for path in chain(files, self._paths)}
        yield from (f"{path}/" for path in sorted(self._paths - filled))


def is_read(path: str) -> bool:
    """Say whether a file is one that says something of others, by its name."""
    name = path.rpartition("/")[2]
    return f"/{DATA}" not in f"/{path}" and bool(name in _READ or algorithm_of(name))


def _common_folder(paths: Iterable[str]) -> str:
    """Return the one folder, with its slash, that all of these are in, "" if there is none."""
    folders = {path.partition("/")[0] if "/" in path else "" for path in paths if path}
    only = folders.pop() if len(folders) == 1 else ""
    return f"{only}/" if only and only != DATA.rstrip("/") else ""


def _attended(attend: Attend) -> Callable[[str], Callable[[bytes], object]]:
    return lambda name: lambda piece: attend(len(piece))


def _sentence(why: str | None) -> str:
    words = why or tr("it cannot be read")
    return f"{words[:1].upper()}{words[1:]}."
