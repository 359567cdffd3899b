# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a collections file is read with."""

from dataclasses import dataclass
from pathlib import Path

from carrel.mementos.config.findings import Findings


@dataclass(frozen=True, slots=True)
class Reading:
    """`base` is the folder that relative paths start from, `archive` the one that is open."""

    base: Path
    archive: Path | None
    findings: Findings

    @property
    def archive_warcs(self) -> Path | None:
        """Where the open archive's WARCs are, None if none is open."""
        return self.archive / "collections" / "main" / "archive" if self.archive else None
