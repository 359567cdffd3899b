# SPDX-License-Identifier: AGPL-3.0-or-later
"""Going through the records of a WARC or ARC file, whatever state it is in."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from carrel.mementos.loading.record import Fields
from carrel.mementos.warc.block import begin
from carrel.mementos.warc.feed import PIECE_BYTES, Feed, FileFeed
from carrel.mementos.warc.heads import Head, begins_record, is_arc, is_warc
from carrel.mementos.warc.members import GZIP_MARK, Content, Member, Plain, find_member
from carrel.mementos.warc.problems import InvalidRecord, Note, Problem, ProblemKind
from carrel.model.user_information import bare_address
from carrel.translation import tr

# What may stand behind a record in its gzip member before the rest is not looked at any more.
_SURPLUS_MAX_BYTES = 64 * 1024
_LOOK_BYTES = 8 * 1024
# Members can be made to lie within each other, each broken at its end: of what was read already, no
# more is read again than the file has bytes, times this.
_MOST_READ_AGAIN = 4
_NO_RECORD_AT_ALL = tr("There is no WARC or ARC record in it.")
_NEXT_WARC = re.compile(rb"\nWARC/\d\.\d+\r?\n")


class _Follows(Enum):
    """What comes behind a record: the end of its member or file, another record, or neither."""

    END = "end"
    RECORD = "record"
    JUNK = "junk"


class RawRecord:
    """A record that a file is at. Its block can be read until the next record is requested.

    `offset` is where it stands in the file: its own first byte, or that of its gzip member.
    """

    def __init__(
        self, content: Content, offset: int, packed: Feed | None, *, is_first: bool = True
    ) -> None:
        """`packed` is what its gzip member is read from, None for a file that is not packed.

        `is_first` says that it is where the member begins.
        """
        self.offset, self._content, self._packed = offset, content, packed
        self._is_first = is_first
        self.block = begin(content)
        self._end = 0
        self._follows: _Follows | None = None

    @property
    def head(self) -> Head:
        return self.block.head

    @property
    def fields(self) -> Fields:
        """The fields of its WARC header; an ARC record has those that it would have there."""
        return self.head.fields

    @property
    def kind(self) -> str:
        """Its WARC-Type: response, request, revisit, resource, metadata, warcinfo …"""
        return self.head.kind

    @property
    def url(self) -> str:
        """The address that it is of, without any user name or password: it goes into indexes."""
        return bare_address(self.head.url)

    @property
    def timestamp(self) -> str:
        """The moment of capture in 14 digits, "" for none that makes sense."""
        return self.head.timestamp

    @property
    def length(self) -> int:
        """How many bytes it takes in the file, as it is packed there, else without its last breaks.

        What was not read of the block is passed over. Raises InvalidRecord when there is less of it
        than it says.
        """
        self.follows()
        end = self._end if self._packed is None else self._packed.position
        return end - self.offset

    @property
    def is_reachable(self) -> bool:
        """Whether it can be read by its place: not if it shares a gzip member.

        Raises InvalidRecord.
        """
        if self._packed is None:
            return True
        return self._is_first and self.follows() is not _Follows.RECORD

    def follows(self) -> _Follows:
        """Pass over the rest of the block and say what comes behind it. Raises InvalidRecord."""
        if self._follows is None:
            self.block.skip()
            self._end = self._content.position
            self._follows = _what_follows(self._content)
        return self._follows


def records(
    source: Path | BinaryIO, note: Note = lambda problem: None, *, name: str = ""
) -> Iterator[RawRecord]:
    """Yield the records of a WARC 1.x or ARC 1 file, gzip or plain, in their order.

    Whatever is wrong is told to `note`, and nothing is raised: what is intact before it was
    yielded, and after it goes on where a gzip member begins that has a record in it. Who reads a
    record's block, or asks for its length, meets InvalidRecord where that one is broken, and leaves
    it; its problem is told anyway. A stream that cannot seek ends with the first fault.
    `name` is what the file is called, its own name if it has one.
    """
    name = name or Path(str(getattr(source, "name", "a stream"))).name
    with unreadable_is_told(name, note), _opened(source) as file:
        yield from Reading(FileFeed(file), name, note).records()


def records_between(file: BinaryIO, begin: int, end: int) -> Iterator[RawRecord]:
    """Yield the records in a stretch of an open file. Nothing is told of what is wrong there:
    whoever reads the file is. Raises OSError."""
    return Reading(FileFeed(file, begin, end), "", lambda problem: None).records()


def first_record(file: BinaryIO, begin: int, end: int) -> RawRecord | None:
    """Return the first record in such a stretch, None for none. Raises OSError."""
    return next(records_between(file, begin, end), None)


def member_length(path: Path, offset: int) -> int:
    """Return how many bytes there are from here to the next gzip member that has a record in it,
    or to the end of the file; 0 for a file that is shorter, or is not there.
    """
    with suppress(OSError), path.open("rb") as file:
        reading = Reading(FileFeed(file), path.name, lambda problem: None)
        reading.go_to_member(offset + 1)
        return max(0, reading.position - offset)
    return 0


class Reading:
    """One passage through the records of a feed, or through those that begin in a stretch of it.

    Reading may raise OSError.
    """

    def __init__(self, feed: Feed, name: str, note: Note) -> None:
        self._feed, self._name, self._note = feed, name, note
        self._is_sharing_told = False
        self._has_news = False  # a record was met, or something was told
        self._read_again = 0

    @property
    def position(self) -> int:
        """Where the next record would begin."""
        return self._feed.position

    def records(self) -> Iterator[RawRecord]:
        """Yield all records. A file that has something in it, but none, is told of."""
        start = self._feed.peek(_LOOK_BYTES)
        if not start.startswith(GZIP_MARK) and (is_warc(start) or is_arc(start)):
            yield from self._plain()
        else:
            yield from self.members(self._feed.size)
        if start and not self._has_news:
            self._tell(ProblemKind.NO_WARC, 0, _NO_RECORD_AT_ALL)

    def go_to_member(self, position: int) -> None:
        """Go to the first gzip member with a record in it that begins here or later."""
        self._feed.seek(position)
        if not find_member(self._feed, begins_record) and self._feed.size is not None:
            self._feed.seek(self._feed.size)

    def go_to(self, position: int) -> None:
        self._feed.seek(position)

    def members(self, end: int | None) -> Iterator[RawRecord]:
        """Yield the records of the gzip members that begin before a position, None for all."""
        feed = self._feed
        while (end is None or feed.position < end) and feed.peek(1):
            start = feed.position
            try:
                yield from self._member(start)
            except InvalidRecord as error:
                found = self._seek_next(start)
                if error.kind is ProblemKind.NO_RECORD and start == 0 and not found:
                    self._tell(ProblemKind.NO_WARC, start, _NO_RECORD_AT_ALL)
                else:
                    self._tell(error.kind, start, f"{error} {self._goes_on(found)}")
                if not found:
                    return

    def _plain(self) -> Iterator[RawRecord]:
        content = Content(Plain(self._feed))
        follows, start = _what_follows(content), 0
        try:
            while follows is _Follows.RECORD:
                start = content.position
                record = RawRecord(content, start, None)
                self._has_news = True
                yield record
                follows = record.follows()
                if follows is _Follows.JUNK:
                    follows = self._over_surplus(content, start)
        except InvalidRecord as error:
            self._tell(error.kind, start, f"{error} {self._goes_on(False)}")

    def _over_surplus(self, content: Content, start: int) -> _Follows:
        """Go to the record that begins shortly behind one that is longer than it says.

        No further than that: a payload may well have records in it, of anyone's making.
        """
        found = _NEXT_WARC.search(content.beginning(_LOOK_BYTES))
        if found is None:
            message = tr(
                "There is no record at this place. {goes_on}", goes_on=self._goes_on(False)
            )
            self._tell(ProblemKind.NO_RECORD, content.position, message)
            return _Follows.END
        self._tell(ProblemKind.WRONG_LENGTH, start, tr("A record is longer than it says."))
        content.skip(found.start() + 1)
        return _Follows.RECORD

    def _member(self, start: int) -> Iterator[RawRecord]:
        """Yield the records of a gzip member: one, as it should be, or all.

        Raises InvalidRecord.
        """
        if not self._feed.peek(3).startswith(GZIP_MARK):
            raise InvalidRecord(ProblemKind.NO_RECORD, tr("There is no gzip member at this place."))
        content = Content(Member(self._feed))
        is_plain = is_warc(content.beginning(5))
        follows = _Follows.RECORD if is_plain else _what_follows(content)
        if follows is _Follows.JUNK:
            raise InvalidRecord(
                ProblemKind.NO_RECORD, tr("A gzip member has no WARC or ARC record in it.")
            )
        is_first = True
        while follows is _Follows.RECORD:
            record = RawRecord(content, start, self._feed, is_first=is_first)
            self._has_news = True
            yield record
            follows, is_first = record.follows(), False
            if follows is _Follows.RECORD:
                self._tell_of_sharing(start)
        if follows is _Follows.JUNK:
            self._pass_surplus(content, start)

    def _tell_of_sharing(self, start: int) -> None:
        if not self._is_sharing_told:
            message = tr(
                "Several records share a gzip member, so that none can be read by its place."
            )
            self._tell(ProblemKind.SHARED_MEMBER, start, message)
        self._is_sharing_told = True

    def _pass_surplus(self, content: Content, start: int) -> None:
        """Go to the end of a member that has more in it than its record. Raises InvalidRecord."""
        message = tr("A record is longer than it says.")
        if content.skip(_SURPLUS_MAX_BYTES) == _SURPLUS_MAX_BYTES:
            raise InvalidRecord(ProblemKind.WRONG_LENGTH, message)
        self._tell(ProblemKind.WRONG_LENGTH, start, message)

    def _seek_next(self, damaged: int) -> bool:
        """Go to the next member with a record behind a damaged one, and say if there is one."""
        size = self._feed.size
        if not self._feed.can_seek or size is None:
            return False
        self._read_again += max(0, self._feed.position - damaged - PIECE_BYTES)
        if self._read_again > _MOST_READ_AGAIN * size:
            return False
        self._feed.seek(damaged + 1)
        return find_member(self._feed, begins_record)

    def _goes_on(self, found: bool) -> str:
        if found:
            return tr(
                "Later records can be read (from byte {position:,}).", position=self._feed.position
            )
        return tr("Nothing after it can be read.")

    def _tell(self, kind: ProblemKind, offset: int, message: str) -> None:
        self._has_news = True
        self._note(Problem(kind, self._name, offset, message))


def _opened(source: Path | BinaryIO) -> AbstractContextManager[BinaryIO]:
    return source.open("rb") if isinstance(source, Path) else nullcontext(source)


@contextmanager
def unreadable_is_told(name: str, note: Note) -> Iterator[None]:
    """Tell of a file that cannot be read instead of raising."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        message = tr("The file cannot be read ({reason}).", reason=reason)
        note(Problem(ProblemKind.UNREADABLE, name, 0, message))


def _what_follows(content: Content) -> _Follows:
    """Pass over line breaks and say what comes behind them. Raises InvalidRecord."""
    if not content.skip_newlines():
        return _Follows.END
    if is_warc(content.beginning(5)) or begins_record(content.beginning(_LOOK_BYTES)):
        return _Follows.RECORD
    return _Follows.JUNK
