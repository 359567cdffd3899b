# SPDX-License-Identifier: AGPL-3.0-or-later
"""A capture: one HTTP response as it stands in a WARC."""

import base64
from dataclasses import dataclass
from typing import Any

from carrel.model.manifest import Fixity

# What CDX files write where a response declares no type.
UNKNOWN_TYPE = "unk"


@dataclass(frozen=True, slots=True)
class Capture:
    """Where one response (or revisit) record stands and what its payload is.

    `timestamp` is 14 digits, UTC. `offset` and `length` count compressed bytes of the record's gzip
    member in `filename`, a WARC's name inside the collection. Digests are lower-case hex over the
    payload as transferred. A revisit names the URL and time of the capture that holds the bytes in
    `refers_to_url` and `refers_to_timestamp`.
    """

    url: str
    surt: str
    timestamp: str
    mimetype: str
    status_code: int
    size: int
    md5: str
    sha1: str
    sha256: str
    filename: str
    offset: int
    length: int
    record_id: str
    is_revisit: bool = False
    refers_to_url: str | None = None
    refers_to_timestamp: str | None = None

    @property
    def fixity(self) -> Fixity:
        """Size and digests of the payload as transferred."""
        return Fixity(self.size, {"md5": self.md5, "sha1": self.sha1, "sha256": self.sha256})

    @property
    def sha1b32(self) -> str:
        """The SHA-1 in base 32, as CDX files and WARC headers write it."""
        return base64.b32encode(bytes.fromhex(self.sha1)).decode()

    def to_fields(self) -> dict[str, Any]:
        """Return every field by its name, as ledger and journal have them."""
        # asdict would copy each value deeply, for every file of a dataset.
        return {name: getattr(self, name) for name in self.__slots__}

    def to_cdx_json(self) -> dict[str, Any]:
        """Return sandcrawler's `cdx` object."""
        return {
            "surt": self.surt,
            "datetime": self.timestamp,
            "url": self.url,
            "mimetype": "warc/revisit" if self.is_revisit else self.mimetype,
            "status_code": self.status_code,
            "sha1b32": self.sha1b32,
            "sha1hex": self.sha1,
            "warc_csize": self.length,
            "warc_offset": self.offset,
            "warc_path": self.filename,
        }

    def to_terminal_json(self) -> dict[str, Any]:
        """Return sandcrawler's `terminal` object."""
        return {
            "terminal_url": self.url,
            "terminal_dt": self.timestamp,
            "terminal_status_code": self.status_code,
            "terminal_sha1hex": self.sha1,
        }

    def to_file_meta_json(self) -> dict[str, Any]:
        """Return sandcrawler's `file_meta` object."""
        return {
            "size_bytes": self.size,
            "md5hex": self.md5,
            "sha1hex": self.sha1,
            "sha256hex": self.sha256,
            "mimetype": self.mimetype,
        }
