# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is noted beside a part, so that a later process can resume its transfer.

A part that can be gone on with has a journal of its own: how its payload began, each further answer
that brought on, and up to where it was proven. The payload itself is not believed when it is taken
up, but read again: it counts as far as its checksums are those that were noted.
"""

import base64
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from carrel.capture.exchange import Exchange
from carrel.capture.http1.headers import RawHeaders
from carrel.capture.journal import Journal, JournalEntry
from carrel.capture.resume import Continuation
from carrel.capture.server import Server

_NOTES_SUFFIX = ".journal"


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first answer that brought a payload, its body aside.

    `url` is what was requested, `hops` are the redirects from there; `total` is the announced
    length in bytes, None if there is none to trust.
    """

    url: str
    hops: tuple[Exchange, ...]
    exchange: Exchange
    total: int | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A place up to which a part is proven: `end` in its file, behind a whole block.

    `received` counts the bytes of the payload up to there, `crc` is their CRC-32.
    """

    end: int
    received: int = 0
    crc: int = 0


@dataclass(frozen=True, slots=True)
class Further:
    """An answer that was to bring the payload from `start` on; how far it came is not known."""

    start: int
    exchange: Exchange


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A part that an earlier attempt left. The first mark stands before the payload."""

    path: Path
    record_id: str
    offset: int
    beginning: Beginning
    further: tuple[Further, ...]
    marks: tuple[Mark, ...]

    @property
    def names(self) -> tuple[str, str]:
        """The names of its two files."""
        return self.path.name, _notes_path(self.path).name

    @property
    def is_of_parts(self) -> bool:
        """Whether the server gives parts of the payload: it says so, or it has given one."""
        units = self.beginning.exchange.headers.get("accept-ranges", "")
        return "bytes" in units.lower() or bool(self.further)

    def up_to(self, mark: Mark) -> "Unfinished":
        """Return it without what is noted of anything behind a mark."""
        further = tuple(each for each in self.further if each.start < mark.received)
        marks = tuple(each for each in self.marks if each.end <= mark.end)
        return Unfinished(self.path, self.record_id, self.offset, self.beginning, further, marks)

    def continuations(self, received: int) -> list[Continuation]:
        """Return the answers that brought a later part of the first so many bytes."""
        starts = [*(each.start for each in self.further), received]
        ends = [min(start, received) for start in starts[1:]]
        return [
            Continuation(each.exchange, each.start, end)
            for each, end in zip(self.further, ends, strict=True)
            if each.start < end
        ]

    def moved_to(self, folder: Path) -> "Unfinished":
        """Move its two files to a folder on the same disk; return it there. Raises OSError."""
        path = self.path.rename(folder / self.path.name)
        _notes_path(self.path).rename(_notes_path(path))
        return replace(self, path=path)

    def discard(self) -> None:
        """Remove it."""
        _notes_path(self.path).unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)


def unfinished_in(folder: Path) -> Iterator[Unfinished]:
    """Yield what can be gone on with in a folder; notes that say too little are passed over."""
    for notes in sorted(folder.glob("*" + _NOTES_SUFFIX)):
        part = notes.with_name(notes.name.removesuffix(_NOTES_SUFFIX))
        entries = Journal(notes).entries()
        if part.exists() and entries:
            try:
                yield _read(part, entries)
            except (KeyError, TypeError, ValueError):
                continue  # the notes of another version, or a damaged disk


class Notes:
    """The journal beside a part. Threads may share it."""

    def __init__(self, part: Path) -> None:
        self._name = part.name
        self._path = _notes_path(part)
        self._journal = Journal(self._path)
        self._lock = threading.Lock()

    def began(self, part: Unfinished) -> None:
        """Note how a part began. Raises OSError."""
        self._add(self._beginning(part))

    def replace(self, part: Unfinished) -> None:
        """Note nothing but this of a part. Raises OSError, and changes nothing then."""
        further = [_further(each) for each in part.further]
        proven = [self._proven(mark) for mark in part.marks[1:]]
        with self._lock:
            self._journal.rewrite([self._beginning(part), *further, *proven])

    def proven(self, mark: Mark) -> None:
        """Note that the part is proven up to here. Raises OSError."""
        self._add(self._proven(mark))

    def continued(self, further: Further) -> None:
        """Note that another answer continues the payload. Raises OSError."""
        self._add(_further(further))

    def close(self) -> None:
        self._journal.close()

    def remove(self) -> None:
        """Remove them: there is nothing more to resume."""
        self.close()
        self._path.unlink(missing_ok=True)

    def _add(self, entry: JournalEntry) -> None:
        with self._lock:
            self._journal.add(entry)

    def _beginning(self, part: Unfinished) -> JournalEntry:
        beginning = part.beginning
        note = {
            "url": beginning.url,
            "total": beginning.total,
            "hops": [_to_json(hop) for hop in beginning.hops],
            "exchange": _to_json(beginning.exchange),
            "record_id": part.record_id,
            "offset": part.offset,
        }
        return JournalEntry({self._name: part.marks[0].end}, {"began": note})

    def _proven(self, mark: Mark) -> JournalEntry:
        return JournalEntry({self._name: mark.end}, {"received": mark.received, "crc": mark.crc})


def _further(further: Further) -> JournalEntry:
    return JournalEntry({}, {"start": further.start, "exchange": _to_json(further.exchange)})


def _notes_path(part: Path) -> Path:
    return part.with_name(part.name + _NOTES_SUFFIX)


def _read(part: Path, entries: Sequence[JournalEntry]) -> Unfinished:
    """Return what notes say. Raises KeyError, TypeError and ValueError where they do not."""
    began = entries[0].note["began"]
    hops = tuple(_from_json(hop) for hop in began["hops"])
    beginning = Beginning(began["url"], hops, _from_json(began["exchange"]), began["total"])
    rest = [entry for entry in entries[1:] if "exchange" not in entry.note]
    marks = [
        Mark(entries[0].ends[part.name]),
        *(Mark(entry.ends[part.name], entry.note["received"], entry.note["crc"]) for entry in rest),
    ]
    further = tuple(
        Further(entry.note["start"], _from_json(entry.note["exchange"]))
        for entry in entries[1:]
        if "exchange" in entry.note
    )
    return Unfinished(
        part, began["record_id"], began["offset"], beginning, further, tuple(_rising(marks))
    )


def _rising(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Yield marks as long as each stands behind the one before."""
    end, received = 0, -1
    for mark in marks:
        if mark.end <= end or mark.received <= received:
            return
        end, received = mark.end, mark.received
        yield mark


def _to_json(exchange: Exchange) -> dict[str, Any]:
    return {
        "url": exchange.url,
        "method": exchange.method,
        "target": exchange.target.decode("latin-1"),
        "request_headers": _texts(exchange.request_headers),
        "http_version": exchange.http_version.decode("latin-1"),
        "status_code": exchange.status_code,
        "reason": exchange.reason.decode("latin-1"),
        "response_headers": _texts(exchange.response_headers),
        "body": base64.b64encode(exchange.body).decode(),
        "started": exchange.started.isoformat(),
        "elapsed_s": exchange.elapsed_s,
        "truncated": exchange.truncated,
        "server": [exchange.server.ip, exchange.server.tls, exchange.server.cipher],
    }


def _from_json(noted: Mapping[str, Any]) -> Exchange:
    return Exchange(
        url=noted["url"],
        method=noted["method"],
        target=noted["target"].encode("latin-1"),
        request_headers=_raw(noted["request_headers"]),
        http_version=noted["http_version"].encode("latin-1"),
        status_code=noted["status_code"],
        reason=noted["reason"].encode("latin-1"),
        response_headers=_raw(noted["response_headers"]),
        body=base64.b64decode(noted["body"]),
        started=datetime.fromisoformat(noted["started"]),
        elapsed_s=noted["elapsed_s"],
        truncated=noted["truncated"],
        server=Server(*noted.get("server", ())),
    )


def _texts(headers: RawHeaders) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


def _raw(headers: Iterable[tuple[str, str]]) -> RawHeaders:
    return tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in headers)
