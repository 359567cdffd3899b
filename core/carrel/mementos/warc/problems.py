# SPDX-License-Identifier: AGPL-3.0-or-later
"""What can be wrong with a WARC, and how a person is told."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from carrel.errors import CarrelError
from carrel.translation import tr


class ProblemKind(StrEnum):
    """The faults that a file, or a record in it, can have."""

    UNREADABLE = "unreadable"
    NO_WARC = "no-warc"
    NO_RECORD = "no-record"
    CUT_SHORT = "cut-short"
    BROKEN_GZIP = "broken-gzip"
    ENDLESS_HEAD = "endless-head"
    WRONG_LENGTH = "wrong-length"
    SHARED_MEMBER = "shared-member"
    WRONG_DIGEST = "wrong-digest"
    NO_ADDRESS = "no-address"
    NO_DATE = "no-date"
    NO_PAYLOAD = "no-payload"


_ADVICE = {
    ProblemKind.UNREADABLE: tr("Check that the file exists and is readable."),
    ProblemKind.NO_WARC: tr("Check that it is the file you meant, and that its copy is complete."),
    ProblemKind.NO_RECORD: tr("The file may have been damaged or overwritten."),
    ProblemKind.CUT_SHORT: tr("The copy may be incomplete: compare it with where it came from."),
    ProblemKind.BROKEN_GZIP: tr("The file is damaged here: compare it with another copy."),
    ProblemKind.ENDLESS_HEAD: tr("The file may have been damaged or overwritten."),
    ProblemKind.WRONG_LENGTH: tr(
        "What wrote the file made a mistake, or it was changed afterwards."
    ),
    ProblemKind.SHARED_MEMBER: tr("Compress the file again, record by record (warcio recompress)."),
    ProblemKind.WRONG_DIGEST: tr(
        "The content is not what was captured: compare it with another copy."
    ),
    ProblemKind.NO_ADDRESS: tr("It stays in the file, but cannot be looked up."),
    ProblemKind.NO_DATE: tr("It stays in the file, but cannot be looked up."),
    ProblemKind.NO_PAYLOAD: tr("Add the file that has them, then this one once more."),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault that was met: in which file, at which byte, and what it is in a sentence."""

    kind: ProblemKind
    name: str
    offset: int
    message: str

    def __str__(self) -> str:
        return tr(
            "{name}, byte {offset}: {message} {advice}",
            name=self.name,
            offset=self.offset,
            message=self.message,
            advice=_ADVICE[self.kind],
        )


# Whoever wants to know of problems.
Note = Callable[[Problem], None]


class InvalidRecord(CarrelError):
    """A record cannot be read on; `str` is a sentence. Who reads a file is told where, too."""

    def __init__(self, kind: ProblemKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
