# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a body is with its content coding undone, told while it passes.

Some servers send a file that is a gzip as if it were a coding, others code what they were asked not
to: the published digest may be that of either, so both are known. Others again say that they code,
and do not: there is no fault in that.
"""

from collections.abc import Iterable
from enum import Enum, auto

from carrel.capture.block_worker import Block
from carrel.capture.digests import Digester, algorithms_for
from carrel.capture.exchange import CannotDecode, ContentDecoder
from carrel.model import Fixity


class Fault(Enum):
    """What is wrong with the content coding of a body that is coded as it says."""

    CUT = auto()
    BROKEN = auto()


class Decoded:
    """The digests of a body with its content coding undone. `fixity` ends it, as `close` does."""

    def __init__(self, coding: str, algorithms: Iterable[str]) -> None:
        self._decoder = ContentDecoder(coding)
        self._digester = Digester(algorithms_for(algorithms))
        self._is_broken = False
        self._is_empty = True

    @classmethod
    def of(cls, coding: str, algorithms: Iterable[str]) -> "Decoded | NotDecoded":
        """Return what undoes a coding, "" for none, as far as it can be undone."""
        if not coding:
            return NotDecoded()
        try:
            return cls(coding, algorithms)
        except CannotDecode:
            return NotDecoded()

    def feed(self, block: Block) -> None:
        self._is_empty = False
        if self._is_broken:
            return
        try:
            for content in self._decoder.feed(block):
                self._digester.feed(content)
        except CannotDecode:
            self._is_broken = True

    @property
    def fault(self) -> Fault | None:
        if self._is_broken:
            return Fault.BROKEN if self._decoder.has_begun else None
        return None if self._decoder.is_complete or self._is_empty else Fault.CUT

    def fixity(self) -> Fixity | None:
        """Return what the decoded body is, None if the coding is broken or ends early."""
        fixity = self._digester.fixity()
        return fixity if self._decoder.is_complete and not self._is_broken else None

    def close(self) -> None:
        self._digester.close()


class NotDecoded:
    """Stands in for a body without a content coding, which needs no second look."""

    fault = None

    def feed(self, block: Block) -> None: ...

    def fixity(self) -> None: ...

    def close(self) -> None: ...
