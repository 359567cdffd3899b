# SPDX-License-Identifier: AGPL-3.0-or-later
"""OAI-PMH 2.0 answers: which dataset each record is of.

The source is openarchives.org/OAI/openarchivesprotocol.html (2015-01-08), sections 3.2, 3.5 and
3.6. A record's identifier comes from its Dublin Core or DataCite metadata, else from the record's
own identifier where it follows a platform's rule. XML is read as it comes, in flat memory; document
types, and with them entities, are refused.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.parsers import expat

from carrel.engine.batches.batch import Entry, Listed, Problem
from carrel.engine.requests import key_of, request_for
from carrel.errors import CarrelError
from carrel.model import Finding, FindingLevel, Identifier, Scheme
from carrel.model.counts import counted
from carrel.platforms.catalogue import oai_address
from carrel.platforms.identifiers import find
from carrel.translation import tr

_OAI = "http://www.openarchives.org/OAI/2.0/"
_METADATA = (
    "http://purl.org/dc/elements/1.1/",
    "http://purl.org/dc/terms/",
    "http://datacite.org/schema/",
)
_TEXT_MAX_CHARS = 8000
_IDENTIFIERS_MAX = 100
_DEPTH_MAX = 200
# A single tag of this size is an attack.
_TAG_MAX_BYTES = 4 * 1024 * 1024
LISTS = ("ListRecords", "ListIdentifiers", "GetRecord")
_JUNK_BEHIND = ("junk after document element", "XML or text declaration not at start of entity")


class NotReadable(CarrelError):
    """This is no XML, or not such as is read here; the message says why."""


@dataclass(frozen=True, slots=True)
class Record:
    """`header` is the record's own identifier; `identifiers` are those in its metadata."""

    header: str
    identifiers: tuple[str, ...] = ()
    is_deleted: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """An `error` element: a code of section 3.6 and the words beside it."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Token:
    """A `resumptionToken`, empty at the end of a list; `list_size` if it was announced."""

    value: str
    list_size: int | None = None


NO_TOKEN = Token("")
Part = Record | Refusal | Token


class Answers:
    """Reads one answer, or several that stand one behind the other, from chunks of bytes.

    `encoding` overrules the one that the XML declares.
    """

    def __init__(self, encoding: str | None = None) -> None:
        self._encoding = encoding
        self._parts: list[Part] = []
        self._begin()

    def feed(self, chunk: bytes) -> list[Part]:
        """Return what ends in this chunk. Raises NotReadable; what came before it is in `take`."""
        while chunk:
            try:
                self._parser.Parse(chunk, False)
                self._fed += len(chunk)
                if self._fed - self._parser.CurrentByteIndex > _TAG_MAX_BYTES:
                    raise NotReadable(tr("a tag in it is longer than 4 MiB"))
                break
            except expat.ExpatError as error:
                chunk = self._next_document(chunk, error)
        return self.take()

    def close(self) -> list[Part]:
        """Return what is left at the end. Raises NotReadable if the end is too early."""
        try:
            if self._fed:
                self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise NotReadable(tr("the XML ends too early: {error}", error=error)) from error
        return self.take()

    def take(self) -> list[Part]:
        """Return what was read and not yet returned."""
        parts, self._parts = self._parts, []
        return parts

    def _begin(self) -> None:
        self._parser = expat.ParserCreate(self._encoding, " ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = _refuse_doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._fed = self._depth = self._text_length = 0
        self._text: list[str] | None = None
        self._header, self._is_deleted = "", False
        self._identifiers: list[str] = []
        self._is_in_record = self._is_in_header = self._is_in_metadata = False
        self._attributes: dict[str, str] = {}

    def _next_document(self, chunk: bytes, error: expat.ExpatError) -> bytes:
        """Return the chunk from where another document begins; harvesters append their pages."""
        behind = self._parser.ErrorByteIndex - self._fed
        is_between = not self._depth and 0 <= behind < len(chunk)
        if expat.ErrorString(error.code) in _JUNK_BEHIND and is_between:
            rest = chunk[behind:].lstrip()
            if rest.startswith(b"<") and self._parser.ErrorByteIndex:
                self._begin()
                return rest
        raise NotReadable(tr("it is not well-formed XML: {error}", error=error)) from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            raise NotReadable(tr("its elements nest deeper than {depth_max}", depth_max=_DEPTH_MAX))
        namespace, _, local = name.rpartition(" ")
        if namespace in (_OAI, "") and not self._is_in_metadata:
            self._start_of_protocol(local, attributes)
        elif local == "identifier" and self._is_in_metadata and namespace.startswith(_METADATA):
            self._listen()

    def _start_of_protocol(self, local: str, attributes: dict[str, str]) -> None:
        match local:
            case "record":
                self._is_in_record = True
                self._header, self._is_deleted, self._identifiers = "", False, []
            case "header":
                self._is_in_header = True
                self._header, self._is_deleted = "", attributes.get("status") == "deleted"
            case "metadata" if self._is_in_record:
                self._is_in_metadata = True
            case "identifier" if self._is_in_header:
                self._listen()
            case "error" | "resumptionToken":
                self._attributes = attributes
                self._listen()

    def _end(self, name: str) -> None:
        self._depth -= 1
        namespace, _, local = name.rpartition(" ")
        if self._is_in_metadata and local == "metadata" and namespace in (_OAI, ""):
            self._is_in_metadata = False
        elif local == "identifier" and self._text is not None:
            self._keep_identifier(self._heard())
        elif namespace in (_OAI, "") and not self._is_in_metadata:
            self._end_of_protocol(local)

    def _end_of_protocol(self, local: str) -> None:
        match local:
            case "header":
                self._is_in_header = False
                if not self._is_in_record:
                    self._parts.append(Record(self._header, (), self._is_deleted))
            case "record":
                self._is_in_record = False
                found = tuple(self._identifiers)
                self._parts.append(Record(self._header, found, self._is_deleted))
            case "error":
                code = self._attributes.get("code", "")[:80]
                self._parts.append(Refusal(code, self._heard()))
            case "resumptionToken":
                size = self._attributes.get("completeListSize", "")
                is_number = size.isascii() and size.isdigit() and len(size) < 16
                self._parts.append(Token(self._heard(), int(size) if is_number else None))

    def _keep_identifier(self, text: str) -> None:
        if self._is_in_header:
            self._header = text
        elif len(self._identifiers) < _IDENTIFIERS_MAX:
            self._identifiers.append(text)

    def _listen(self) -> None:
        self._text, self._text_length = [], 0

    def _characters(self, text: str) -> None:
        if self._text is not None and self._text_length < _TEXT_MAX_CHARS:
            self._text.append(text)
            self._text_length += len(text)

    def _heard(self) -> str:
        text, self._text = "".join(self._text or ()), None
        return text.strip()[:_TEXT_MAX_CHARS]


def _refuse_doctype(*_: object) -> None:
    raise NotReadable(tr("it declares a document type, which OAI-PMH does not allow"))


class Sums:
    """Turns the parts of a harvest into entries, and sums up at the end."""

    def __init__(self) -> None:
        self.records = self._deleted = 0
        self.token = NO_TOKEN
        self._list_size: int | None = None
        self._refusals: list[Refusal] = []

    def entry(self, part: Part) -> Entry | None:
        """Return the entry for a part; None for what only counts."""
        match part:
            case Record():
                self.records += 1
                return self._of_record(part)
            case Token():
                self.token = part
                self._list_size = part.list_size or self._list_size
            case Refusal():
                self._refusals.append(part)
                if part.code != "noRecordsMatch":
                    return Problem(self.records + 1, part.code, _said(part))
        return None

    def end(self) -> Iterator[Entry]:
        """Yield what is to be said of the harvest as a whole."""
        if self._deleted:
            are, were = ("is", "was") if self._deleted == 1 else ("are", "were")
            records = counted(self._deleted, "record")
            message = tr(
                "{records} {are} marked as deleted and {were} skipped.",
                records=records,
                are=are,
                were=were,
            )
            yield Finding("deleted-records", message)
        if any(refusal.code == "noRecordsMatch" for refusal in self._refusals):
            yield Finding("no-records", tr("The repository has no records that match."))
        elif not self.records and not self._refusals:
            yield Problem(1, "", tr("contains no OAI-PMH records"))
        if self._list_size and self.records < self._list_size:
            message = tr(
                "{list_size:,} records were announced, {records:,} are here.",
                list_size=self._list_size,
                records=self.records,
            )
            yield Finding("records-missing", message, FindingLevel.WARNING)

    def _of_record(self, record: Record) -> Entry | None:
        if record.is_deleted:
            self._deleted += 1
            return None
        found = identifier_of(record)
        if found is None:
            message = tr("names no DOI, Handle, ARK or web address")
            return Problem(self.records, record.header, message)
        return Listed(self.records, request_for(found), key_of(found))


def read_harvest(chunks: Iterable[bytes]) -> Iterator[Entry]:
    """Yield the dataset of each record in a saved harvest; `line` is the record's number.

    Records marked as deleted are passed over and counted. Damage ends the list and is named.
    """
    answers, sums = Answers(), Sums()
    try:
        for chunk in chunks:
            yield from _entries(answers.feed(chunk), sums)
        yield from _entries(answers.close(), sums)
    except NotReadable as error:
        yield from _entries(answers.take(), sums)
        yield Problem(
            sums.records + 1,
            "",
            tr(
                "{error}; {records} were read before that",
                error=error,
                records=counted(sums.records, "record"),
            ),
        )
        return
    yield from sums.end()
    if sums.token.value:
        message = tr(
            "The saved harvest is not the last page: fetch the rest with its resumption token."
        )
        yield Finding("harvest-unfinished", message, FindingLevel.WARNING)


def _entries(parts: Iterable[Part], sums: Sums) -> Iterator[Entry]:
    for part in parts:
        if entry := sums.entry(part):
            yield entry


def _said(refusal: Refusal) -> str:
    return tr(
        "the repository says {code}: {message}",
        code=refusal.code or "no",
        message=refusal.message[:300],
    ).rstrip(": ")


_RANKS = (Scheme.DOI, Scheme.HANDLE, Scheme.ARK, Scheme.URL)


def identifier_of(record: Record) -> Identifier | None:
    """Return the identifier of a record's dataset: a DOI if there is one, else a Handle, an ARK,
    an address, or what the record's own identifier comes to; None if it is nothing of these."""
    found = [each for text in record.identifiers for each in find(text).identifiers]
    found += _in_header(record.header)
    return min(found, key=lambda each: _RANKS.index(each.scheme), default=None)


def _in_header(header: str) -> tuple[Identifier, ...]:
    """Return what an identifier like `oai:HOST:LOCAL` (section 2.4) names, by platforms' rules."""
    match = re.fullmatch(r"oai:([A-Za-z0-9.-]+):(.+)", header)
    if match is None:
        return find(header).identifiers
    host, local = match[1].lower(), match[2]
    return find(_address(host, local) or local).identifiers


# DSpace names its records after their Handles.
_HANDLE = re.compile(r"\d+(?:\.\d+)*/\d[\w.-]*")


def _address(host: str, local: str) -> str | None:
    if known := oai_address(host, local):
        return known
    return f"hdl:{local}" if _HANDLE.fullmatch(local) else None
