# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who attends to a fixity run over files."""

from typing import Protocol

from carrel.model import Absence


class Attention(Protocol):
    """Who wants to know how far a run over files is, and may end it."""

    def expect(self, total: int) -> None:
        """Take how many more bytes there are to read."""
        ...

    def attend(self, count: int) -> None:
        """Take how many bytes were read since. May raise what ends the run."""
        ...

    def remark(self, words: str, only_read: int = 0) -> None:
        """Take what could not be compared; so many files could only be read."""
        ...

    def lack(self, absence: Absence) -> None:
        """Take what the copies that were read lack."""
        ...
