# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a member of a bundle is, and for what reasons one is refused."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from carrel.capture.digests import Digester
from carrel.errors import CarrelError
from carrel.hosts.pauses import Cancelled
from carrel.model import Fixity
from carrel.translation import tr

PIECE_BYTES = 1024 * 1024

_DRIVE = re.compile(r"[A-Za-z]:")


class Refusal(StrEnum):
    """Why a member is not accepted; `why` says it in words, as the end of a sentence."""

    NAMELESS = "nameless"
    ABSOLUTE = "absolute-path"
    DRIVE = "drive-letter"
    PARENT = "parent-folder"
    CONTROL = "control-characters"
    LINK = "link"
    SPECIAL = "special-file"
    SPARSE = "sparse"
    ENCRYPTED = "encrypted"
    METHOD = "unknown-compression"
    DUPLICATE = "duplicate-name"
    OTHER_NAME = "name-mismatch"
    OVERLAP = "overlapping"
    LARGER = "larger-than-declared"
    OVER_BUDGET = "over-budget"
    TRUNCATED = "truncated"
    BROKEN = "broken"

    @property
    def why(self) -> str:
        return _WHY[self]


_WHY = {
    Refusal.NAMELESS: tr("it has no name"),
    Refusal.ABSOLUTE: tr("its path is absolute"),
    Refusal.DRIVE: tr("its path names a drive"),
    Refusal.PARENT: tr("its path leads out of its folder"),
    Refusal.CONTROL: tr("its name has characters that are not text"),
    Refusal.LINK: tr("it is a link"),
    Refusal.SPECIAL: tr("it is not a regular file"),
    Refusal.SPARSE: tr("it is stored as a sparse file"),
    Refusal.ENCRYPTED: tr("it is encrypted"),
    Refusal.METHOD: tr("Carrel does not support its compression"),
    Refusal.DUPLICATE: tr("another member has the same name"),
    Refusal.OTHER_NAME: tr("its name in the table of contents differs from that in its header"),
    Refusal.OVERLAP: tr("it shares its bytes with another member"),
    Refusal.LARGER: tr("it is larger than declared"),
    Refusal.OVER_BUDGET: tr("the bundle unpacks to far more than was declared"),
    Refusal.TRUNCATED: tr("it ends too early"),
    Refusal.BROKEN: tr("its bytes are damaged"),
}


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a bundle.

    `name` is as stored. `path` is that path without what means nothing ("./", doubled slashes);
    None where the name is not one to be used. `size` is what the bundle declares. `fixity` is over
    the bytes, None if they were not wanted, or refused: then `refusal` and `why` tell the reason.
    `content` holds the bytes of a member that was asked to be kept (`Reading.keeps`), empty
    otherwise.
    """

    name: str
    path: str | None
    size: int | None = None
    fixity: Fixity | None = None
    refusal: Refusal | None = None
    why: str | None = None
    content: bytes = b""


class UnreadableBundle(CarrelError):
    """A bundle, or the rest of it, cannot be read; `str` says why, as the end of a sentence."""


class Refused(CarrelError):
    """Raised while one member is read; the others may still be good."""

    def __init__(self, refusal: Refusal, why: str | None = None) -> None:
        super().__init__(why or refusal.why)
        self.refusal = refusal


@dataclass(slots=True)
class Allowance:
    """The bytes that a bundle may still inflate to. Ends a reading that was cancelled, too."""

    left: int
    is_cancelled: Callable[[], bool] = lambda: False

    def take(self, count: int) -> None:
        """Take bytes before they are used. Raises Refused (over-budget), and Cancelled."""
        if self.is_cancelled():
            raise Cancelled
        self.left -= count
        if self.left < 0:
            raise Refused(Refusal.OVER_BUDGET)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a bundle is to be read.

    `algorithms` are the digests to compute. `size_of` tells the published size in bytes of the file
    at a path, None if it is not known: a member that says it is larger is not inflated at all.
    `keeps` says how many bytes of the member at a path are wanted as its `content`, 0 for none.
    What `wants` denies, by the name as stored, is listed and not read: it has no fixity. `takes`
    tells by the same name who gets the bytes of a member, piece by piece, None for no one; only the
    fixity says that they were all there. More than `most_members` are never listed. `notes_folder`
    is told of the folders, which are no members, by their paths.
    """

    allowance: Allowance
    algorithms: Iterable[str] = ("md5", "sha1", "sha256")
    size_of: Callable[[str], int | None] = lambda path: None
    keeps: Callable[[str], int] = lambda path: 0
    wants: Callable[[str], bool] = lambda name: True
    takes: Callable[[str], Callable[[bytes], object] | None] = lambda name: None
    most_members: int = 100_000
    notes_folder: Callable[[str], object] = lambda path: None

    def member(self, name: str, path: str, size: int, pieces: Iterable[bytes]) -> Member:
        """Return the member with what its bytes are, or with why they were refused.

        `pieces` must not yield more than `size` bytes, the one that the bundle declares.
        Raises Cancelled.
        """
        if not self.wants(name):
            return Member(name, path, size)
        published = self.size_of(path)
        if published is not None and size > published:
            why = tr(
                "it has {size} bytes according to the bundle, but {published} were published",
                size=size,
                published=published,
            )
            return Member(name, path, size, refusal=Refusal.LARGER, why=why)
        digester, content, wanted = Digester(self.algorithms), bytearray(), self.keeps(path)
        take = self.takes(name)
        try:
            for piece in pieces:
                digester.feed(piece)
                content += piece[: max(0, wanted - len(content))]
                if take is not None:
                    take(piece)
            return Member(name, path, size, digester.fixity(), content=bytes(content))
        except Refused as refused:
            return Member(name, path, size, refusal=refused.refusal, why=str(refused))
        finally:
            digester.close()


def refused(
    name: str, refusal: Refusal, path: str | None = None, size: int | None = None
) -> Member:
    """Return a member that is refused before anything of it is read."""
    return Member(name, path, size, refusal=refusal, why=refusal.why)


def relative_path(name: str) -> str:
    """Return a member's path without what means nothing in it. Raises Refused for a bad name.

    A backslash divides folders on some systems, so what it could hide is looked for, too.
    """
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        raise Refused(Refusal.CONTROL)
    if name.startswith(("/", "\\")):
        raise Refused(Refusal.ABSOLUTE)
    if _DRIVE.match(name):
        raise Refused(Refusal.DRIVE)
    if ".." in name.replace("\\", "/").split("/"):
        raise Refused(Refusal.PARENT)
    path = "/".join(part for part in name.split("/") if part not in ("", "."))
    if not path:
        raise Refused(Refusal.NAMELESS)
    if path.startswith("\\"):
        raise Refused(Refusal.ABSOLUTE)
    if _DRIVE.match(path):
        raise Refused(Refusal.DRIVE)
    return path


def counted(members: Iterable[Member], most: int) -> Iterator[Member]:
    """Yield the members. Raises UnreadableBundle when there are more than any dataset has."""
    for number, member in enumerate(members, 1):
        if number > most:
            raise UnreadableBundle(tr("it lists more than {most:,} members", most=most))
        yield member
