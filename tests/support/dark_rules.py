# SPDX-License-Identifier: AGPL-3.0-or-later
"""The rules of the incidence log, as plain as they can be put: dictionaries, no store, no ledger.

What runs really log is held against it. A file is a list of handles with their texts, in order.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from support.dark_archives import Incidence

File = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Look:
    """What a run finds. A file that is None is there and no ReDIF; `closed` ones can not be opened,
    `unread` are folders that can not be listed. `stopped_before` is how many files were read when
    it was stopped, None if it was not. `day` is when."""

    day: int
    files: Mapping[str, File | None]
    closed: frozenset[str] = frozenset()
    unread: Sequence[str] = ()
    stopped_before: int | None = None


@dataclass
class _Known:
    """A file as it was last read; one that became unreadable keeps what it held."""

    content: File | None
    held: File
    is_readable: bool


@dataclass
class Rules:
    confirm_after: int
    log: list[Incidence] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    stood: dict[str, list[str]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    missed: dict[str, tuple[int, int]] = field(default_factory=dict)
    files: dict[str, _Known] = field(default_factory=dict)
    runs: int = 0

    def states(self) -> dict[str, str]:
        return {
            name: "lost" if name in self.lost else "suspect" if name in self.missed else "present"
            for name in self.texts
        }

    def run(self, look: Look) -> None:
        self.runs += 1
        seen = [path for path in sorted({*look.files, *look.closed}) if not _is_in(path, look)]
        if not seen:
            return  # where nothing is, something is wrong
        for number, path in enumerate(seen):
            if number == look.stopped_before:
                return
            self._goes({each for each in self.files if each < path} - {*seen}, look)
            if path not in look.closed:
                self._read(path, look.files[path], look.day)
        self._goes({*self.files} - {*seen}, look)
        if look.stopped_before is None or look.stopped_before >= len(seen):
            self._conclude(look)

    def _read(self, path: str, content: File | None, day: int) -> None:
        known = self.files.get(path)
        if (
            known is not None
            and known.content == content
            and known.is_readable == (content is not None)
        ):
            return
        held = known.held if known else []
        if content is None:
            self.files[path] = _Known(None, held, is_readable=False)
            return
        self.files[path] = _Known(content, content, is_readable=True)
        for position, (name, text) in enumerate(content):
            if self._first_readable(name) == (path, position):
                self._speak(name, text, path)
        self._miss(held, content, day)

    def _goes(self, paths: set[str], look: Look) -> None:
        for path in paths:
            if not _is_in(path, look):
                self._miss(self.files.pop(path).held, [], look.day)

    def _miss(self, held: File, content: File, day: int) -> None:
        for name in {name for name, _ in held} - {name for name, _ in content} - self.lost:
            self.missed.setdefault(name, (self.runs, day))

    def _speak(self, name: str, text: str, path: str) -> None:
        self.missed.pop(name, None)
        before = self.texts.get(name)
        if before != text:
            self.texts[name] = text
            self.stood.setdefault(name, []).append(path)
        if before is None:
            self.log.append(Incidence(self.runs, "appearance", name))
        elif name in self.lost:
            how = "same text" if before == text else "new text"
            self.log.append(Incidence(self.runs, "reappearance", name, how))
        elif before != text:
            self.log.append(Incidence(self.runs, "change", name))
        self.lost.discard(name)

    def _conclude(self, look: Look) -> None:
        in_doubt = self._in_doubt(look)
        for name, (since, day) in sorted(self.missed.items()):
            places = sorted(self._places(name))
            archive = _archive(name)
            if places:
                path, _, text = places[0]
                if self.files[path].is_readable:
                    self._speak(name, text, path)
                self.missed.pop(name, None)
            elif archive in in_doubt or self._has_page_instead(name):
                continue
            elif self._is_readable(archive):
                self._lose(name, since, "not-in-data")
            elif look.day - day >= self.confirm_after:
                self._lose(name, since, "archive-not-in-data")

    def _lose(self, name: str, since: int, cause: str) -> None:
        self.log.append(Incidence(self.runs, "deletion", name, cause, since))
        self.lost.add(name)
        del self.missed[name]

    def _places(self, name: str) -> Iterator[tuple[str, int, str]]:
        for path, known in self.files.items():
            for position, (each, text) in enumerate(known.held):
                if each == name:
                    yield path, position, text

    def _first_readable(self, name: str) -> tuple[str, int] | None:
        places = [each for each in self._places(name) if self.files[each[0]].is_readable]
        return min(places)[:2] if places else None

    def _is_readable(self, archive: str) -> bool:
        return any(
            known.is_readable and archive in map(_archive, dict(known.held))
            for path, known in self.files.items()
            if "all" not in path.split("/")  # copies of what every archive says of itself
        )

    def _in_doubt(self, look: Look) -> set[str]:
        """Return the archives of which something was not looked at, where what is missed may be."""
        known = {*map(_archive, self.texts)}
        doubted: set[str] = set()
        for prefix in [*look.unread, *look.closed]:
            below = [each.held for path, each in self.files.items() if path.startswith(prefix)]
            concerned = {_archive(name) for held in below for name, _ in held}
            stood = {_archive(name) for name in self.missed if self._stood_below(name, prefix)}
            concerned |= stood | (known & {*prefix.split("/")})
            doubted |= concerned if prefix and concerned else known
        return doubted

    def _has_page_instead(self, name: str) -> bool:
        """Say whether a file of the name in which it stood last is somewhere, unread ever since."""
        file_name = self.stood[name][-1].rpartition("/")[2]
        return any(
            path.rpartition("/")[2] == file_name and not known.is_readable and not known.held
            for path, known in self.files.items()
        )

    def _stood_below(self, name: str, prefix: str) -> bool:
        return any(path.startswith(prefix) for path in self.stood[name])


def _is_in(path: str, look: Look) -> bool:
    return any(path.startswith(prefix) for prefix in look.unread)


def _archive(name: str) -> str:
    return name.split(":")[1]
