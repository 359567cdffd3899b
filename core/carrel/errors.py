# SPDX-License-Identifier: AGPL-3.0-or-later
"""The tree of everything that Carrel raises on purpose; a class stands where it is raised.

CarrelError
├── IngestStop              an ingest cannot go on; carries the status it ends with
│   ├── ApiStop             … because the API of a platform did not respond as needed
│   ├── NotTheFile          … because what arrived is not what was declared
│   ├── ServiceStop         … because Save Page Now accepts nothing from this account at present
│   └── _Busy               … because Save Page Now requests a pause
├── NotThisPlatform         a platform looked closer: the page is not one of its own
├── ArchiveError            the archive folder cannot be used
│   ├── ArchiveAway         … its folder is gone, or is another one
│   ├── ArchivesDiffer      … another one says something else of the same
│   ├── NotAnArchive        … there is none at this place
│   ├── LedgerLost          … its ledger is missing; what it catalogued is there
│   │   └── LedgerDamaged   … or its ledger cannot be read
│   ├── LedgerTooNew        … its ledger was written by a newer Carrel; it can be read
│   ├── ArchiveLocked       … another program writes to it
│   │   └── ArchiveCopied   … or only “carrel replicate” does: it is a second copy
│   ├── ArchiveFull         … its disk has no room left
│   ├── CopyGone            … its second copy is not where it was
│   ├── OtherJournal        … its second copy has another journal
│   ├── Overtaken           … or what was asked of its ledger is not wanted any more
│   ├── JournalDamaged      … the dark archive's journal is not as it was written; says where
│   └── JournalTooNew       … its journal was written by a newer Carrel
├── SettingsError           the settings cannot be read or used
│   └── SettingsBroken      … a settings file is not valid; carries which
├── SourceTrouble           a source of mementos did not respond as needed; carries its state
│   ├── TooLong             … its answer is longer than the limit
│   ├── IndexChanged        … its file became shorter while it was read
│   └── OutOfOrder          … its file is not sorted
├── NotLoaded               a memento's record cannot be had from where its row says
│   └── NotThere            … another place may have it
├── NothingLoaded           no capture of an address can be had; says what failed, by name
├── ConfigError             the collections file has an entry that is not valid
├── Misread                 … in one part of it; becomes one of the findings in a ConfigError
├── NotFetchable            an address is not one that can be fetched
├── NoAccessCopy            no proven copy of an archived file can be given; carries its path
│   ├── HeldElsewhere       … its bytes are in another archive; carries the address
│   ├── NotProven           … its record is missing, or its bytes are not what they were
│   └── NotRead             … its WARC is there and cannot be read
├── NotShown                there is nothing to see of a file; becomes the reason in a preview
│   └── _Enough             … no more of it; what was read is shown
├── NotDrawn                a document cannot be set as PDF
├── FormatsUnavailable      there is nothing here to identify formats with
├── NotExported             a version in the dark archive cannot be exported; carries why
├── InvalidSignature        a signature is not one of this content
├── InvalidTimestamp        a time stamp is not one of this content
├── NotTrusted              a certificate leads to none that is trusted
├── NoKeyring               the system has no keyring, or it is locked
├── DisplayLost             the display that the window was on is gone; all was closed
├── NotReachable            a service that the machines of a fleet share does not answer
│   ├── NoBroker            … Kafka
│   └── NoDatabase          … Postgres
├── OtherDatabase           the tables of a database are not those that results go into
├── Stuck                   a worker of a fleet cannot go on; it is to be started again
├── UsageError              a request is not valid
│   ├── NameTaken           … another worker of the fleet goes by this name
│   ├── NoOffset            … Kafka does not know how far the group had come
│   ├── NoTopic             … Kafka has no topic of this name
│   ├── NoTimers            … the system has no systemd of this user's
│   ├── OlderData           … data are older than what was read of their source before
│   └── QueryError          … a query of an index is not valid
│       └── TooLarge        … the body of a query is larger than the limit
├── TooSlow                 a transfer is too slow
├── SilentServer            a server sent no response
├── ProtocolViolation       a response is not valid HTTP
├── CannotDecode            the content coding of a body is broken, or unknown
│   └── TooMuch             … or it unpacks to more than the limit
├── NotUnpacked             a payload cannot be unpacked to its end
│   └── _TooLarge           … because it is larger than can be rewritten
├── NoRows                  a response contains no index
├── NotXml                  a response of a platform is not XML that is read here
├── NotReadable             a response is not XML, or not OAI-PMH
├── Damaged                 a stored record is not what it should be
├── InvalidRecord           a record of a WARC or ARC file is not valid
├── UnreadableBundle        a zip or tar cannot be read further
├── Refused                 a member of a zip or tar may not be read; the others may
├── TableTooLong            the table of contents of a zip would fill the memory
├── InvalidEntry            a field of the window has a value that is not valid
└── Unreadable              a field of the window is not valid YAML

ControlFlow                 leaves several calls at once; caught where they began
├── Cancelled               the user cancelled
│   └── Dropped             what came until then cannot be resumed
├── OutputLost              the terminal or file that a command writes to takes no more
├── BadDescription          the description of the object store must be rewritten
├── Unusable                a message is no result; it goes to the rejects
├── UnusableIndex           the index of a WACZ must be rebuilt
├── HelperFailed            a helper process ended; its work is done in this one
├── NoBoundary              a form is taken as plain bytes
├── _Ended                  a process that identifies formats ended; another one tries the file
├── _NeverClosed            a table is read without regard to quotes
├── _Unknown                a newer Carrel wrote an entry of a journal
└── _Stopped                the verification, or the import, was cancelled
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.model.status import Status
from carrel.model.user_information import shown
from carrel.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from carrel.model.item import AskedItem
    from carrel.model.memento import SourceState


class CarrelError(Exception):
    """The base of the tree; `str(error)` is a sentence a person understands.

    It may quote what was given, but never a user name or password in it.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(shown(message))


class ControlFlow(Exception):
    """Leaves several calls at once, for whoever began them; no person is told of it.

    It is no CarrelError, so that no handler of errors takes it for one.
    """


class IngestStop(CarrelError):
    """An ingest, or one of its files, ends here with this status; never shown raw.

    `may_repeat` says whether trying again may help; as the status says, unless it is known better.
    `retry_after_s` is how long the server asked us to wait, None if it did not. `asked` is what
    which platform was queried, None if none was queried for a dataset.
    """

    def __init__(
        self,
        status: Status,
        message: str,
        *,
        may_repeat: bool | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.may_repeat = status.meaning.is_retryable if may_repeat is None else may_repeat
        self.retry_after_s = retry_after_s
        self.asked: AskedItem | None = None


class ApiStop(IngestStop):
    """A platform's interface refused, failed or sent what is not valid.

    `http_status` is None when there was no answer at all; `headers`, by lower-case name, are those
    of an answer that refused: some say there alone why.
    """

    def __init__(
        self,
        status: Status,
        message: str,
        http_status: int | None = None,
        *,
        may_repeat: bool | None = None,
        retry_after_s: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, message, may_repeat=may_repeat, retry_after_s=retry_after_s)
        self.http_status = http_status
        self.headers = headers or {}


class NotThisPlatform(CarrelError):
    """Raised by `describe` when a closer look shows another platform, or none.

    `remark` is what a person should know of that look if no other platform knows the page, else "".
    """

    def __init__(self, message: str, *, remark: str = "") -> None:
        super().__init__(message)
        self.remark = remark


class ArchiveError(CarrelError):
    """The archive folder cannot be used as asked. `status` is what an ingest ends with then."""

    status = Status.STORE_DAMAGED


class ArchivesDiffer(ArchiveError):
    """Two archives say different things of one ingest or record, and cannot be joined."""


class NotAnArchive(ArchiveError):
    """There is no archive at this place."""


class ArchiveAway(ArchiveError):
    """The folder that was opened is gone, or another one is in its place."""


class LedgerLost(ArchiveError):
    """An archive has no ledger any more; an empty one would hide what is there."""


class LedgerDamaged(LedgerLost):
    """An archive's ledger cannot be read; it can be made again, as one that is missing."""


class LedgerTooNew(ArchiveError):
    """A newer Carrel wrote the ledger; this one can read it, and not write to it."""


class ArchiveLocked(ArchiveError):
    """Another process is writing to this archive, or holds its ledger."""

    status = Status.ARCHIVE_LOCKED


class ArchiveCopied(ArchiveLocked):
    """The folder is a second copy of an archive, and is only read."""


class ArchiveFull(ArchiveError):
    """The archive's disk has no room left."""

    status = Status.DISK_FULL


class CopyGone(ArchiveError):
    """A second copy was there, and nothing is there now; no new one was begun in its place."""


class OtherJournal(ArchiveError):
    """A second copy has another journal than the archive, and was not written to."""


class Overtaken(ArchiveError):
    """A question to the ledger was given up, since its answer is not wanted any more."""


class JournalDamaged(ArchiveError):
    """A journal is not as it was written, first of all here.

    `journal` says whose it is, `advice` what to do. `line` counts from 1, `offset` in bytes from 0,
    both in `file`; `what` is wrong there.
    """

    def __init__(
        self, journal: str, file: str, line: int, offset: int, what: str, advice: str
    ) -> None:
        super().__init__(
            tr(
                "{journal} is damaged: {file}, line {line} (byte {offset}): {what}. Nothing is "
                "written to it in this state: {advice}",
                journal=journal,
                advice=advice,
                file=file,
                line=line,
                offset=offset,
                what=what,
            )
        )
        self.file = file
        self.line = line
        self.offset = offset
        self.what = what


class JournalTooNew(ArchiveError):
    """A journal holds what only a newer Carrel knows."""


class SettingsError(CarrelError):
    """The settings cannot be read, written or used."""


class SettingsBroken(SettingsError):
    """A settings file cannot be understood; it is left as it is. `path` is which."""

    def __init__(self, sentence: str, path: Path) -> None:
        super().__init__(sentence)
        self.path = path


class SourceTrouble(CarrelError):
    """A source of mementos did not answer as needed.

    `state` is what it is reported as; `until` (aware UTC) is how long it is to be left alone, None
    if no one said.
    """

    def __init__(self, state: "SourceState", message: str, until: "datetime | None" = None) -> None:
        super().__init__(message)
        self.state = state
        self.until = until


class NotLoaded(CarrelError):
    """A record cannot be had; another row may do. `name` is the file or source that failed."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class NothingLoaded(CarrelError):
    """There is no capture, or none that can be had; `errors` says by name what failed."""

    def __init__(self, errors: "Mapping[str, str]") -> None:
        super().__init__("No Resource Found")
        self.errors = errors


class ConfigError(CarrelError):
    """The collections file cannot be understood; `str` names file, collection and key."""


class NotFetchable(CarrelError):
    """An address leads to nothing that may be fetched; `str` says why. It is no loss."""


class NoAccessCopy(CarrelError):
    """No proven copy of a file can be given; `path` is its path in the dataset."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class HeldElsewhere(NoAccessCopy):
    """The archive only knows where a file's bytes are: at `address`."""

    def __init__(self, path: str, address: str, message: str) -> None:
        super().__init__(path, message)
        self.address = address


class NotProven(NoAccessCopy):
    """A file's record is missing or damaged, or its bytes are not those that arrived.

    `why` is what is wrong, without the commands that help."""

    def __init__(self, path: str, message: str, why: str = "") -> None:
        super().__init__(path, message)
        self.why = why or message


class NotRead(NoAccessCopy):
    """What has a file's bytes is there and cannot be read: whether they are intact is not known.

    `path` is that of the file in the dataset, or of what cannot be read where it has more than one.
    """


class NoKeyring(CarrelError):
    """There is no keyring, or it cannot be used."""


class DisplayLost(CarrelError):
    """The display server went while the window was open; the archive was closed in good order."""


class FormatsUnavailable(CarrelError):
    """There is nothing here to identify formats with; `str` says what to install."""


class NotReachable(CarrelError):
    """A service that the machines of a fleet share does not answer; a later try may reach it."""


class NoBroker(NotReachable):
    """No broker of Kafka answers."""


class NoDatabase(NotReachable):
    """The database that results go into does not answer, or lets no one in."""


class OtherDatabase(CarrelError):
    """The tables of a database are not those that results go into; `str` says what differs."""


class Stuck(CarrelError):
    """A worker of a fleet cannot go on by itself; started again, it may."""


class UsageError(CarrelError):
    """What was requested is not a valid request."""


class OlderData(UsageError):
    """Data are older than what was read before. `why` is that, without the command that helps."""

    def __init__(self, why: str, advice: str) -> None:
        super().__init__(f"{why} {advice}")
        self.why = why


class QueryError(UsageError):
    """A question to an index is not valid; `str` says which part of it."""


class NoTopic(UsageError):
    """Kafka has no topic of this name; none is made in silence."""


class NoOffset(UsageError):
    """Kafka does not know, or not any more, how far a group has come; a person has to say."""


class NameTaken(UsageError):
    """Two workers of a group go by one name; the one that came later has its partitions."""


class Unusable(ControlFlow):
    """A message is no result; `str` is the reason with which it goes to the rejects."""
