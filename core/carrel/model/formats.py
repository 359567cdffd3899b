# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which format a file has by PRONOM, how that was found, and what in it needs attention.

PRONOM is the registry of the National Archives of the United Kingdom; its identifiers are PUIDs,
"fmt/11" (https://www.nationalarchives.gov.uk/PRONOM/). It says of no format whether it is obsolete.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

_REGISTRY = "https://www.nationalarchives.gov.uk/PRONOM/"
_MOST_EXTENSION_CHARS = 32
UNKNOWN = "UNKNOWN"  # siegfried's word for what PRONOM has no entry for


class FormatRisk(StrEnum):
    """Why a file's format needs attention, the worst first: what the tool itself says, and no more.

    PRONOM knows no such format; the file is encrypted or needs a password; its name has an
    extension that its format does not; or nothing but the extension was recognised.
    """

    UNKNOWN = "unknown"
    ENCRYPTED = "encrypted"
    MISMATCH = "mismatch"
    EXTENSION = "extension-only"


@dataclass(frozen=True, slots=True)
class Format:
    """What a tool found of some bytes under a name with some extension.

    `puid` is PRONOM's identifier, UNKNOWN for what it does not know, "" where the tool came to no
    answer: `warning` then says why. `basis` is how it was found, as the tool puts it ("byte match
    at 0, 16"). `tool` is its name with the version of its signatures, `identified` when that was
    (UTC, ISO 8601). `is_cut` says that only the two ends of a large file were looked at.
    """

    puid: str
    name: str = ""
    version: str = ""
    mimetype: str = ""
    basis: str = ""
    warning: str = ""
    tool: str = ""
    identified: str = ""
    is_cut: bool = False

    @property
    def is_known(self) -> bool:
        """Whether PRONOM has an entry for it."""
        return self.puid not in ("", UNKNOWN)

    @property
    def risk(self) -> FormatRisk | None:
        """The worst that the tool says of it, None for nothing, and for what it said nothing of."""
        if self.puid == UNKNOWN:
            return FormatRisk.UNKNOWN
        if not self.puid:
            return None
        name = self.name.lower()
        if "encrypted" in name or "password" in name:
            return FormatRisk.ENCRYPTED
        if "mismatch" in self.warning:
            return FormatRisk.MISMATCH
        if "match on extension only" in self.warning or "match on filename only" in self.warning:
            return FormatRisk.EXTENSION
        return None

    @property
    def title(self) -> str:
        """Its name and version, as in "Portable Network Graphics 1.0"."""
        return titled(self.name, self.version)

    @property
    def address(self) -> str:
        """Its page at PRONOM, "" for what is not there."""
        return f"{_REGISTRY}{self.puid}" if self.is_known else ""

    def to_json(self) -> dict[str, Any]:
        """Return what is known of it, with its `risk`."""
        fields = {**asdict(self), "risk": self.risk, "address": self.address}
        return {name: value for name, value in fields.items() if value}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Format":
        """Return the format that `to_json` wrote."""
        known = {name: fields[name] for name in cls.__slots__ if name in fields}
        return cls(**{"puid": "", **known})


@dataclass(frozen=True, slots=True)
class FormatAmount:
    """How much of one format is held: `puid` as in a Format, "" for what is not identified."""

    puid: str
    title: str
    risk: FormatRisk | None
    datasets: int
    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FormatKey:
    """What one answer holds for: bytes by their SHA-256, under a name with this extension."""

    sha256: str
    extension: str


def facet_value(puid: str, title: str) -> str:
    """Return a format as a value of its facet: its identifier, and what to call it."""
    return f"{puid} {title}".rstrip()


def puid_of(facet_value: str) -> str:
    """Return the identifier of a value of the facet."""
    return facet_value.partition(" ")[0]


def title_of(facet_value: str) -> str:
    """Return what to call a value of the facet."""
    return facet_value.partition(" ")[2]


def titled(name: str, version: str) -> str:
    """Return a format's name with its version, once."""
    return f"{name} {version}" if version and version not in name.split() else name


def extension_of(path: str) -> str:
    """Return what stands after the last full stop of a file's name, in lower case; "" for nothing
    that an extension could be.

    >>> extension_of("data/Table.CSV")
    'csv'
    """
    stem, stop, extension = path.rpartition("/")[2].rpartition(".")
    is_one = stem and stop and extension.isascii() and extension.isalnum()
    return extension.lower() if is_one and len(extension) <= _MOST_EXTENSION_CHARS else ""
