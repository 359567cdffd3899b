# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a certificate of a holding is written as, and what was certified."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class CertificateForm(StrEnum):
    """The forms of a certificate, named as the endings of their files."""

    HTML = "html"
    PDF = "pdf"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Certified:
    """What a certificate states of the attempt `ingest_id`: `kept` of `files` files are archived,
    `failed` records were not intact when last read, all were last read at `verified` (UTC, ISO
    8601), None if never. `sha256` is that of the facts as JSON."""

    ingest_id: str
    sha256: str
    files: int
    kept: int
    failed: int = 0
    verified: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
