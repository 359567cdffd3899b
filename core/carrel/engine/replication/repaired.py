# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a repair came to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Repaired:
    """What became of one file, named by its path in the archive.

    `kept_as` is what the damaged one is called now, "" if there was none; `trouble` says why it
    could not be repaired, "" if it was.
    """

    name: str
    kept_as: str = ""
    trouble: str = ""
