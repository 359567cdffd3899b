# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files of checksums that stand among the others (SHA256SUMS, md5sum.txt …): what they declare."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import normpath

from carrel.errors import ApiStop
from carrel.model import Finding, FindingLevel
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.platforms.directory.tree import Place
from carrel.platforms.entries import digests
from carrel.platforms.platform import Api
from carrel.translation import tr

# Each is one more request.
_MOST_READ = 20
_LARGEST_BYTES = 16 * 1024 * 1024
_KIND = r"md5|sha-?1|sha-?224|sha-?256|sha-?384|sha-?512"
_NAME = re.compile(
    rf"(?:(?P<file>.+)\.)?(?:{_KIND})(?:sums?)?(?:\.(?:txt|asc))?"
    rf"|(?:.*[._-])?(?:{_KIND})[._-]?(?:sums?|checksums?)(?:\.txt)?|(?:tag)?manifest-(?:{_KIND})\.txt"
    r"|(?:.*[._-])?checksums?(?:\.txt)?",
    re.IGNORECASE,
)
_BY_LENGTH = {32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}
# As md5sum and its kin write them (GNU coreutils), and BSD's programs.
_LINE = re.compile(r"\\?([0-9a-f]{32,128})(?: [ *]|\t)\s*(\S.*)", re.IGNORECASE)
_BSD_LINE = re.compile(rf"({_KIND}) ?\((.+)\) ?= ?([0-9a-f]{{32,128}})", re.IGNORECASE)
_ALONE = re.compile(r"[0-9a-f]{32,128}", re.IGNORECASE)


@dataclass(slots=True)
class Sums:
    """What files of checksums declare, by the path of each file, and what is odd about them."""

    declared: dict[str, list[Mapping[str, str]]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def findings(self, paths: Sequence[str]) -> Iterator[Finding]:
        """Yield what was read, what could not be, and which named files the listing lacks."""
        if self.read:
            message = tr("Checksums were taken from {names}.", names=shortlist(self.read))
            yield Finding("checksum-files", message)
        if self.unread:
            message = tr(
                "These files of checksums could not be read: {names}.",
                names=shortlist(self.unread),
            )
            yield Finding("checksum-files-unread", message, FindingLevel.WARNING)
        if self.left:
            message = tr(
                "{files} of checksums were not read, since each is a request of its own.",
                files=count_of(self.left, "more file"),
            )
            yield Finding("checksum-files-left", message)
        if missing := sorted(set(self.declared) - set(paths)):
            message = tr(
                "The files of checksums name {files} that the listing does not: {names}.",
                files=count_of(missing, "file"),
                names=shortlist(missing),
            )
            yield Finding("checksums-of-unlisted", message, FindingLevel.WARNING)


async def sums_in(places: Sequence[Place], api: Api) -> Sums:
    """Return what the files of checksums among these declare: those of whole folders first."""
    sums = Sums()
    found = [place for place in places if _NAME.fullmatch(place.row.name)]
    found.sort(key=lambda place: _of_one_file(place, places) is not None)
    for place in found:
        if place.row.url is None or (place.row.size or 0) > _LARGEST_BYTES:
            continue
        if len(sums.read) + len(sums.unread) >= _MOST_READ:
            sums.left.append(place.path)
            continue
        await _read(place, places, sums, api)
    return sums


async def _read(place: Place, places: Sequence[Place], sums: Sums, api: Api) -> None:
    try:
        text = await api.text(place.row.url or "", accept="text/plain, */*;q=0.5")
    except ApiStop:
        sums.unread.append(place.path)
        return
    folder = place.path[: len(place.path) - len(place.row.name)]
    lines = [*_lines(text, _of_one_file(place, places))]
    for name, digest in lines:
        sums.declared.setdefault(_beside(folder, name), []).append(digest)
    (sums.read if lines else sums.unread).append(place.path)


def _of_one_file(place: Place, places: Sequence[Place]) -> str | None:
    """Return the one file whose checksum stands in a file named after it ("a.nc.md5")."""
    found = _NAME.fullmatch(place.row.name)
    name = found["file"] if found else None
    folder = place.path[: len(place.path) - len(place.row.name)]
    return name if name and any(one.path == folder + name for one in places) else None


def _lines(text: str, only: str | None) -> Iterator[tuple[str, Mapping[str, str]]]:
    for line in map(str.strip, text.splitlines()):
        if found := _LINE.fullmatch(line):
            name, digest = found[2], digests(_BY_LENGTH.get(len(found[1])), found[1])
        elif found := _BSD_LINE.fullmatch(line):
            name, digest = found[2], digests(found[1], found[3])
        elif only and _ALONE.fullmatch(line):
            name, digest = only, digests(_BY_LENGTH.get(len(line)), line)
        else:
            continue
        if digest:
            yield name, digest


def _beside(folder: str, name: str) -> str:
    """Return the path of a file that is named in a folder: also "./a" and "sub/a"."""
    path = normpath(folder + name)
    return path.removeprefix("./")
