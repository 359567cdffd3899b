# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which member of a bundle is which file of the manifest, which are left over, which are lacking.

Pure reckoning over what `capture.bundles` read; nothing is fetched or opened here.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from carrel.capture.bundles.members import Member, Refusal
from carrel.capture.digests import is_known
from carrel.model import ManifestFile, Status
from carrel.model.prose import shown
from carrel.strategies.comparison import Difference, compare, is_provable

NOTES_PATH = "MANIFEST.TXT"
"""Where Dataverse says, inside the zip, what it left out and why (its API guide, Data Access)."""

# Longer than any name with a reason behind it.
_LONGEST_NOTE = 1000


@dataclass(frozen=True, slots=True)
class Match:
    """The member that holds the bytes of a file; `message` tells what is odd about it, if any."""

    member: Member
    message: str | None = None


@dataclass(frozen=True, slots=True)
class MissingMember:
    """Why a file is not in the bundle as it should; `member` is what is there in its place."""

    difference: Difference
    member: Member | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """What became of the files at these indexes of the manifest, and which members are no file."""

    matches: Mapping[int, Match]
    lacks: Mapping[int, MissingMember]
    extras: Sequence[Member]
    refused: Sequence[Member]


def published_sizes(manifest: Sequence[ManifestFile]) -> Mapping[str, int]:
    """Return the published size in bytes of the file at each path, the largest of several."""
    sizes: dict[str, int] = {}
    for entry in manifest:
        for path in _paths(entry):
            if entry.declared.size is not None:
                sizes[path] = max(entry.declared.size, sizes.get(path, 0))
    return sizes


def account(manifest: Sequence[ManifestFile], members: Sequence[Member]) -> Account:
    """Return which file stands where.

    First each file is looked for under its path, there or in the one folder that holds everything;
    then by its digest alone, since platforms rename (Dataverse names a table's original anew). What
    stands under a file's path without being it is a mismatch; what is nowhere is lacking.
    """
    reckoning = _Reckoning(manifest, _Names(members))
    reckoning.match_by_path()
    reckoning.match_by_digest()
    reckoning.note_lacks()
    return reckoning.account()


class _Names:
    """The members of a bundle, found by path."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members
        self._exact: dict[str, int] = {}
        self._inner: dict[str, int] = {}
        self.ambiguous = {member.path for member in members if member.refusal is Refusal.DUPLICATE}
        # A refused namesake must not hide the member that was read.
        for place in sorted(range(len(members)), key=lambda place: members[place].fixity is None):
            if (path := members[place].path) is not None:
                self._exact.setdefault(_plain(path), place)
        folder = _common_folder(list(self._exact))
        for path, place in self._exact.items():
            if folder and path.startswith(folder):
                for depth in _tails(path, folder.count("/")):
                    self._inner.setdefault(depth, place)

    def find(self, entry: ManifestFile) -> int | None:
        """Return the place of the member under one of a file's paths, None if there is none."""
        keys = [_plain(path) for path in _paths(entry)]
        for known in (self._exact, self._inner):
            for key in keys:
                if key in known:
                    return known[key]
        return None


@dataclass(slots=True)
class _Reckoning:
    manifest: Sequence[ManifestFile]
    names: _Names
    matches: dict[int, Match] = field(default_factory=dict)
    lacks: dict[int, MissingMember] = field(default_factory=dict)
    claimed: set[int] = field(default_factory=set)

    def match_by_path(self) -> None:
        for index, entry in enumerate(self.manifest):
            place = self.names.find(entry)
            if place is not None and place not in self.claimed and self._is_it(entry, place):
                self._claim(index, place)

    def match_by_digest(self) -> None:
        by_digest = self._by_digest()
        for index, entry in enumerate(self.manifest):
            if index in self.matches or not is_provable(entry.declared):
                continue
            algorithm, digest = next(
                (name, value) for name, value in entry.declared.digests.items() if is_known(name)
            )
            for place in by_digest[algorithm, digest.lower()]:
                if place not in self.claimed and self._is_it(entry, place):
                    name = shown(self.names.members[place].name)
                    message = f"It is in the bundle as {name}; verified by its {algorithm}."
                    self._claim(index, place, message)
                    break

    def note_lacks(self) -> None:
        for index, entry in enumerate(self.manifest):
            if index not in self.matches:
                self.lacks[index] = self._lack(entry)

    def account(self) -> Account:
        members = self.names.members
        extras = [
            member
            for place, member in enumerate(members)
            if member.fixity is not None and place not in self.claimed
        ]
        refused = [member for member in members if member.refusal is not None]
        return Account(self.matches, self.lacks, extras, refused)

    def _is_it(self, entry: ManifestFile, place: int) -> bool:
        member = self.names.members[place]
        if member.fixity is None or compare(entry.declared, member.fixity) is not None:
            return False
        return is_provable(entry.declared) or member.path not in self.names.ambiguous

    def _claim(self, index: int, place: int, message: str | None = None) -> None:
        self.claimed.add(place)
        self.matches[index] = Match(self.names.members[place], message)

    def _by_digest(self) -> Mapping[tuple[str, str], list[int]]:
        places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, member in enumerate(self.names.members):
            for algorithm, digest in (member.fixity.digests if member.fixity else {}).items():
                places[algorithm, digest].append(place)
        return places

    def _lack(self, entry: ManifestFile) -> MissingMember:
        place = self.names.find(entry)
        if place is None or place in self.claimed:
            return MissingMember(Difference(Status.BUNDLE_INCOMPLETE, self._absence(entry)))
        member = self.names.members[place]
        if member.refusal is Refusal.LARGER and member.size != entry.declared.size:
            why = f"{shown(member.name)} in the bundle was refused: {member.why}."
            return MissingMember(Difference(Status.MISMATCH_SIZE, why), member)
        if member.fixity is None:
            why = f"{shown(member.name)} in the bundle was refused: {member.why}."
            return MissingMember(Difference(Status.BUNDLE_INCOMPLETE, why), member)
        if found := compare(entry.declared, member.fixity):
            self.claimed.add(place)
            return MissingMember(
                Difference(found.status, f"In the bundle: {found.message}"), member
            )
        why = (
            f"The bundle has several members named {shown(member.name)}, and it is unclear which "
            "one is meant."
        )
        return MissingMember(Difference(Status.BUNDLE_INCOMPLETE, why), member)

    def _absence(self, entry: ManifestFile) -> str:
        """Return that a file is not there, and what is there of it, if anything."""
        table = entry.extra.get("stored_name")
        folder = entry.path.rpartition("/")[0]
        if isinstance(table, str):
            stand_in = ManifestFile(f"{folder}/{table}" if folder else table)
            if table != entry.path and self.names.find(stand_in) is not None:
                return f"The bundle has the converted table {shown(table)} in place of the upload."
        return f"The bundle does not have {shown(entry.path)}."


def omissions(notes: str, manifest: Sequence[ManifestFile]) -> Mapping[int, str]:
    """Return what the text inside a Dataverse zip says of each file, by index.

    A line begins with a file's name or path, followed by why it was left out or, of files that
    are there, with type and size. Of several names that fit a line the longest is meant.
    """
    owners: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(manifest):
        stored = entry.extra.get("stored_name")
        names = {entry.path, entry.path.rpartition("/")[2]}
        for name in names | ({stored} if isinstance(stored, str) else set()):
            owners[name].append(index)
    said: dict[int, list[str]] = defaultdict(list)
    for line in notes.splitlines():
        text = line.strip().lstrip("/")[:_LONGEST_NOTE]
        for name in _beginnings(text):
            if name in owners:
                for index in owners[name]:
                    said[index].append(text)
                break
    return {index: _quoted("; ".join(lines[:2])) for index, lines in said.items()}


def _quoted(text: str) -> str:
    """Return a text from outside for a sentence, whole: a reason that is cut tells nothing."""
    pieces = (text[start : start + 100] for start in range(0, len(text), 100))
    return "".join(map(shown, pieces))


def _beginnings(text: str) -> Iterator[str]:
    """Yield what may be the name at the beginning of a line, the longest first."""
    yield text
    end = len(text)
    while (end := text.rfind(" ", 0, end)) > 0:
        yield text[:end]


def _paths(entry: ManifestFile) -> list[str]:
    """Return the paths a file may have in a bundle: also the one that another file has, too."""
    original = entry.extra.get("original_path")
    return [entry.path, *([original] if isinstance(original, str) else [])]


def _plain(path: str) -> str:
    """Return a path as it is compared: some programs decompose letters or divide by backslashes."""
    return unicodedata.normalize("NFC", path).replace("\\", "/")


def _common_folder(paths: Sequence[str]) -> str:
    """Return the folders that every path begins with, a slash behind each; "" if there are none."""
    folders = [path.split("/")[:-1] for path in paths if path != NOTES_PATH]
    if not folders:
        return ""
    first, last = min(folders), max(folders)
    depth = next(
        (at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]),
        min(len(first), len(last)),
    )
    return "".join(f"{part}/" for part in first[:depth])


def _tails(path: str, depth: int) -> Iterator[str]:
    """Yield the path with up to `depth` leading folders taken off."""
    for _ in range(depth):
        path = path.partition("/")[2]
        yield path
