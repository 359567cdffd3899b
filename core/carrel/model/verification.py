# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a fixity run found."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Fate(StrEnum):
    """What became of a record since it was written."""

    INTACT = "intact"
    DAMAGED = "damaged"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class RecordCheck:
    """One record read again. `message` says what differs, empty if nothing does."""

    url: str
    filename: str
    offset: int
    size: int
    fate: Fate
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "filename": self.filename,
            "offset": self.offset,
            "size": self.size,
            "fate": self.fate,
            "message": self.message or None,
        }


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The sum of a fixity run: how much was read, and every record that is not intact."""

    records: int
    size_bytes: int
    failures: tuple[RecordCheck, ...] = ()

    @property
    def is_intact(self) -> bool:
        return not self.failures
