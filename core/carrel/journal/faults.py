# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is wrong with the journal, line by line, beyond the first fault too.

A line is known to be as it was written by the line behind it, which has its digest; a commit by its
own sum. So of two lines that do not fit it can mostly be told which one is to blame.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from carrel.errors import JournalTooNew
from carrel.journal import lines
from carrel.journal.codec import Codec
from carrel.journal.groups import (
    BEGINNING,
    Head,
    Lines,
    head_after,
    is_torn,
    read_lines,
)
from carrel.translation import tr


class FaultKind(StrEnum):
    """Lines are not as they were written, are missing, stand elsewhere; a file ends too early.

    Torn is no damage: an append was cut short, and what it left is set aside with the next opening.
    Nor is an entry that only a newer Carrel can read.
    """

    DAMAGED = "damaged"
    MISSING = "missing"
    OUT_OF_ORDER = "out of order"
    CUT = "cut"
    TORN = "torn"
    TOO_NEW = "too new"


@dataclass(frozen=True, slots=True)
class JournalFault:
    """Something that is not as it was written: `line` counts from 1, `offset` in bytes from 0."""

    file: str
    line: int
    offset: int
    kind: FaultKind
    what: str

    def __str__(self) -> str:
        return tr(
            "{file}, line {line} (byte {offset}): {what}.",
            file=self.file,
            line=self.line,
            offset=self.offset,
            what=self.what,
        )

    @property
    def is_damage(self) -> bool:
        return self.kind not in (FaultKind.TORN, FaultKind.TOO_NEW)


def find_faults(
    files: Sequence[Path], codec: Codec[Any], known: Head = BEGINNING
) -> Iterator[JournalFault]:
    """Yield what is wrong with the journal in these files, oldest first, in their order.

    `known` is a head that the journal is known to have had. Raises OSError.
    """
    before: Head | None = BEGINNING
    is_known_met = known.lines == 0
    at = JournalFault(known.file, 1, 0, FaultKind.MISSING, "")
    for path in files:
        if path.stat().st_size == 0:
            yield JournalFault(path.name, 1, 0, FaultKind.TORN, tr("the file is empty"))
        for found in read_lines(path):
            yield from faults_in(found, before, codec, is_newest=path == files[-1])
            before = _head_said(found, before)
            is_known_met = is_known_met or before == known
            at = replace(at, file=path.name, line=found.line + len(found.lines), offset=found.end)
    if not is_known_met:
        yield replace(at, what=_unmet(known, before))


def faults_in(
    found: Lines, before: Head | None, codec: Codec[Any], *, is_newest: bool
) -> Iterator[JournalFault]:
    """Yield what is wrong with some lines that stand behind a head; None if that is not known.

    Nothing is, if they are a group, whole and in its place.
    """
    start = before or _assumed(found)
    if start is not None and head_after(found, start) is not None:
        yield from _unreadable(found, codec)
    elif is_newest and is_torn(found, before or BEGINNING):
        what = tr("the journal ends with an incomplete write, which never took effect")
        yield _Places(found).fault(0, FaultKind.TORN, what)
    elif not found.is_closed and not is_newest:
        what = tr("the file ends here within a group; what closed it is missing")
        yield _Places(found).fault(len(found.lines) - 1, FaultKind.CUT, what)
    else:
        yield from _Damaged(found, before).faults()


class _Places:
    """Where lines of a file begin."""

    def __init__(self, found: Lines) -> None:
        self._found = found

    def fault(self, index: int, kind: FaultKind, what: str) -> JournalFault:
        found = self._found
        offset = found.offset + sum(map(len, found.lines[:index]))
        return JournalFault(found.file, found.line + index, offset, kind, what)


class _Damaged:
    """Lines that are not the group that was written, looked at one by one."""

    def __init__(self, found: Lines, before: Head | None) -> None:
        bare = [line.removesuffix(b"\n") for line in found.lines]
        self._places = _Places(found)
        self._file = found.file
        self._before = before
        self._digests = [lines.digest(line) for line in bare]
        self._prevs = [lines.named_before(line) for line in bare]
        self._commit = lines.read_commit(bare[-1]) if found.is_closed else None
        # Which line a digest belongs to; what stands before the first one counts as -1.
        self._known = {each: index for index, each in enumerate(self._digests)}
        if before is not None:
            self._known[before.sha256] = -1
        self._ranks = self._order()

    def faults(self) -> Iterator[JournalFault]:
        found = dict[int, JournalFault]()
        for index in range(len(self._digests)):
            for at, kind, what in self._at(index):
                found.setdefault(at, self._places.fault(at, kind, what))
        if not found and self._missing > 0:
            found[0] = self._places.fault(0, FaultKind.MISSING, self._missing_before())
        if not found:
            what = tr("these lines were changed")
            found[0] = self._places.fault(0, FaultKind.DAMAGED, what)
        yield from (found[at] for at in sorted(found))

    def _at(self, index: int) -> Iterator[tuple[int, FaultKind, str]]:
        is_last = index == len(self._digests) - 1
        if is_last and self._commit is None:
            yield index, FaultKind.DAMAGED, tr("the line that closes a group was changed")
        elif self._follows(index) or self._ranks.get(index) == index:
            return
        elif (at := self._known.get(self._prevs[index] or "")) is not None:
            where = (
                tr("at the beginning")
                if at < 0
                else tr("after line {number}", number=self._number(at))
            )
            yield (
                index,
                FaultKind.OUT_OF_ORDER,
                tr("the line does not belong here, but {where}", where=where),
            )
        elif not self._is_attested(index):
            yield index, FaultKind.DAMAGED, tr("the line was changed")
        elif index == 0:
            yield self._gap()
        elif self._missing > 0 and self._follows(index - 1):
            yield index, FaultKind.MISSING, self._missing_before()
        else:
            yield index - 1, FaultKind.DAMAGED, tr("the line was changed")

    def _gap(self) -> tuple[int, FaultKind, str]:
        """Say what is between the head before and these lines, which begin soundly."""
        before, commit = self._before, self._commit
        if before is None or commit is None:
            return 0, FaultKind.MISSING, tr("lines are missing before this line")
        missing = commit.all - len(self._digests) - before.lines
        if missing < 0:
            what = tr("these lines do not belong here, but further up")
            return 0, FaultKind.OUT_OF_ORDER, what
        since = tr(" after {file}", file=before.file) if before.file not in ("", self._file) else ""
        return (
            0,
            FaultKind.MISSING,
            tr("{lines} missing before this line{since}", lines=_lines(missing), since=since),
        )

    @property
    def _missing(self) -> int:
        """How many lines the group has too few, as its commit says."""
        return self._commit.lines + 1 - len(self._digests) if self._commit else 0

    def _missing_before(self) -> str:
        return tr("{lines} missing before this line", lines=_lines(self._missing))

    def _order(self) -> dict[int, int]:
        """Return the place of each line as they name each other; nothing if there are gaps."""
        behind = {prev: index for index, prev in enumerate(self._prevs)}
        ranks = dict[int, int]()
        at = behind.get(self._before.sha256) if self._before else None
        while at is not None and at not in ranks:
            ranks[at] = len(ranks)
            at = behind.get(self._digests[at])
        return ranks if len(ranks) == len(self._digests) else {}

    def _follows(self, index: int) -> bool:
        if index == 0:
            return self._before is None or self._prevs[0] == self._before.sha256
        return self._prevs[index] == self._digests[index - 1]

    def _is_attested(self, index: int) -> bool:
        """Whether something says that this line is as it was written."""
        if index == len(self._digests) - 1:
            return self._commit is not None
        return self._digests[index] in self._prevs

    def _number(self, index: int) -> int:
        return self._places.fault(index, FaultKind.DAMAGED, "").line


def _unreadable(group: Lines, codec: Codec[Any]) -> Iterator[JournalFault]:
    for index, line in enumerate(group.lines[:-1]):
        try:
            codec.decode(lines.read_entry(line[:-1]))
        except JournalTooNew as error:
            yield _Places(group).fault(index, FaultKind.TOO_NEW, str(error))
        except ValueError as error:
            what = tr("the line is not an entry: {error}", error=error)
            yield _Places(group).fault(index, FaultKind.DAMAGED, what)


def _head_said(found: Lines, before: Head | None) -> Head | None:
    """Return the head after some lines, as their last one says; None if it cannot be trusted."""
    if not found.is_closed:
        return before
    closing = found.lines[-1][:-1]
    commit = lines.read_commit(closing)
    return Head(commit.all, lines.digest(closing), found.file, found.end) if commit else None


def _assumed(found: Lines) -> Head | None:
    """Return the head that lines say they stand behind."""
    commit = lines.read_commit(found.lines[-1][:-1])
    prev = lines.named_before(found.lines[0][:-1])
    if commit is None or prev is None:
        return None
    return Head(commit.all - len(found.lines), prev, found.file, found.offset)


def _unmet(known: Head, last: Head | None) -> str:
    missing = known.lines - last.lines if last else 0
    if missing > 0:
        return tr("{lines} missing here that the ledger has read", lines=_lines(missing))
    return tr("what the ledger has read is not in the journal")


def _lines(number: int) -> str:
    return tr("one line is") if number == 1 else tr("{number:,} lines are", number=number)
