# SPDX-License-Identifier: AGPL-3.0-or-later
"""Revisits: captures whose payload was stored before, joined with the record that has it.

The head comes from the revisit, the payload from its original (ISO 28500:2017, 6.7). Which record
that is, is asked of the row, then of the index by address and moment, then by digest.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from carrel.capture.records import new_record_id, warc_date
from carrel.errors import NotLoaded, QueryError
from carrel.mementos.loading.fetched_record import HTTP_RESPONSE, field_url
from carrel.mementos.loading.match import agree, is_of_nothing
from carrel.mementos.loading.message import head_for_payload
from carrel.mementos.loading.ranges import Stretch, closing, stretch_of
from carrel.mementos.loading.record import Fields, Record, http_status
from carrel.model import Memento
from carrel.translation import tr

_REVISIT = "revisit"
_NO_FILE = ("", "-")
# Records that may be the original and are not, before it counts as one that is not there.
_MOST_TRIED = 20


class Find(Protocol):
    """How the loader asks the index of the step that a row is of."""

    async def captures_of(self, url: str, timestamp: str) -> Sequence[Memento]:
        """Return the captures of exactly this URL, the closest to a moment first."""
        ...

    async def with_digest(self, digest: str) -> Sequence[Memento]:
        """Return the records with this payload, whatever their URL; no revisits."""
        ...


# Opens the record at a stretch; with a row, only if it is that row's. Raises NotLoaded.
OpenAt = Callable[[Stretch, Memento | None], Awaitable[Record]]


def is_in_warc(memento: Memento) -> bool:
    """Say whether a row has a record of its own in a WARC."""
    return memento.fields.get("filename", "-") not in _NO_FILE


def has_original(memento: Memento) -> bool:
    """Say whether a row says where the record is that its payload stands in."""
    return memento.fields.get("orig.filename", "-") not in _NO_FILE


@dataclass(slots=True)
class Revisit:
    """A capture whose payload is to be found. `record` is None where only a row is left of it."""

    memento: Memento
    record: Record | None
    find: Find
    open_at: OpenAt

    @property
    def digest(self) -> str:
        """The digest of the payload, "" where no one says it."""
        return self._field("WARC-Payload-Digest") or self.memento.digest

    @property
    def needs_no_payload(self) -> bool:
        """Whether the head is all there is: an empty payload, or a redirect's few words."""
        if self.record is None or not self.record.http_head:
            return False
        status = http_status(self.record.http_head)
        return is_of_nothing(self.digest) or (status.startswith("3") and status != "304")

    async def whole(self) -> Record:
        """Return the record with its payload. Raises NotLoaded."""
        if self.needs_no_payload and self.record is not None:
            return _alone(self.record, self.digest)
        original = await self._original()
        if self.record is not None:
            self.record.close()
        return _joined(self, original)

    async def _original(self) -> Record:
        """Return the first record that has the payload, by way of other revisits if need be.

        Raises NotLoaded.
        """
        reasons: list[str] = []
        seen = {(self.memento.fields.get("filename", ""), self.memento.fields.get("offset", ""))}
        revisits = [self]  # it grows while it is gone through
        for revisit in revisits:
            async for stretch, row in revisit._candidates():
                place = (stretch.name, str(stretch.offset))
                if place in seen or len(seen) > _MOST_TRIED:
                    continue
                seen.add(place)
                try:
                    found = await self._proven(stretch, row)
                except NotLoaded as error:
                    reasons.append(str(error))
                    continue
                if found.field("WARC-Type") != _REVISIT:
                    return found
                found.close()
                revisits.append(Revisit(row or _row_of(found), found, self.find, self.open_at))
        raise NotLoaded(self._name, self._not_found(reasons))

    async def _proven(self, stretch: Stretch, row: Memento | None) -> Record:
        """Return the record at a stretch if it is of the same payload. Raises NotLoaded."""
        record = await self.open_at(stretch, row)
        if not agree(record.field("WARC-Payload-Digest"), self.digest):
            record.close()
            raise NotLoaded(
                stretch.name, tr("The record in “{name}” has other content.", name=stretch.name)
            )
        return record

    async def _candidates(self) -> AsyncIterator[tuple[Stretch, Memento | None]]:
        """Yield where the payload may stand, the likeliest first."""
        if has_original(self.memento):
            yield stretch_of(self.memento, "orig."), None
        for row in await self._referred_to():
            yield stretch_of(row), row
        if self.digest:
            for row in await self.find.with_digest(self.digest):
                if is_in_warc(row):
                    yield stretch_of(row), row

    async def _referred_to(self) -> Sequence[Memento]:
        """Return the captures that the revisit may mean: with its digest, or of its very moment."""
        url = self._field("WARC-Refers-To-Target-URI").strip("<>") or self.memento.url
        moment = _digits(self._field("WARC-Refers-To-Date"))
        if not url or not (moment or self.digest):
            return []
        try:
            rows = await self.find.captures_of(url, moment or self.memento.timestamp)
        except QueryError:
            return []
        return [row for row in rows if self._may_be_meant(row, moment)]

    def _may_be_meant(self, row: Memento, moment: str) -> bool:
        if row.is_revisit or not is_in_warc(row):
            return False
        is_known = bool(row.digest and self.digest)
        return agree(row.digest, self.digest) if is_known else row.timestamp[:14] == moment

    @property
    def _name(self) -> str:
        return self.memento.fields.get("filename", "") or self.memento.source

    def _field(self, name: str) -> str:
        return self.record.field(name) if self.record is not None else ""

    def _not_found(self, reasons: Sequence[str]) -> str:
        url = self._field("WARC-Refers-To-Target-URI") or self.memento.url
        date = self._field("WARC-Refers-To-Date")
        which = f"{url[:300]}{f' at {date}' if date else ''}"
        why = f" {reasons[0]}" if reasons else ""
        return tr(
            "The capture of {url} is a revisit, and its original ({which}) is "
            "not available here.{why}",
            url=self.memento.url[:300],
            which=which,
            why=why,
        )


def _alone(revisit: Record, digest: str) -> Record:
    """Return a revisit as a response of its own, which has nothing but a head."""
    own = _own_fields(revisit.fields, ("warc-payload-digest",))
    digests = (("WARC-Payload-Digest", digest),) if is_of_nothing(digest) else ()
    length = ("Content-Length", str(len(revisit.http_head)))
    fields = (*_begun(), *own, *digests, length)
    return Record(fields, revisit.http_head, iter(()), 0, revisit.close)


def _joined(revisit: Revisit, original: Record) -> Record:
    """Return the record of a revisit, with the payload of its original and what says so."""
    head = head_for_payload(revisit.record, original)
    own = _own_fields(
        revisit.record.fields if revisit.record else _of_row(revisit.memento),
        ("warc-refers-to", "warc-refers-to-target-uri", "warc-refers-to-date"),
    )
    refers = (
        ("WARC-Refers-To", original.field("WARC-Record-ID")),
        ("WARC-Refers-To-Target-URI", original.field("WARC-Target-URI")),
        ("WARC-Refers-To-Date", original.field("WARC-Date")),
        ("WARC-Truncated", original.field("WARC-Truncated")),
    )
    length = ("Content-Length", str(len(head) + original.payload_length))
    fields = (*_begun(), *own, *((name, text) for name, text in refers if text), length)
    record = Record(fields, head, original.payload, original.payload_length)
    return closing(record, original.close)


def _begun() -> Fields:
    return (("WARC-Type", "response"), ("WARC-Record-ID", new_record_id()))


def _own_fields(fields: Fields, without: Sequence[str]) -> Fields:
    """Return what a revisit says that stays true when it has become a response."""
    changed = {
        "warc-type",
        "warc-record-id",
        "warc-profile",
        "warc-block-digest",
        "warc-truncated",
        "content-length",
        *without,
    }
    return tuple(pair for pair in fields if pair[0].lower() not in changed)


def _of_row(memento: Memento) -> Fields:
    """Return the fields of a revisit that only its row is left of."""
    return (
        ("WARC-Target-URI", field_url(memento.url)),
        ("WARC-Date", warc_date(memento.captured_at)),
        ("Content-Type", HTTP_RESPONSE),
    )


def _row_of(revisit: Record) -> Memento:
    """Return a row for a revisit that none is known of."""
    url, moment = revisit.field("WARC-Target-URI"), _digits(revisit.field("WARC-Date"))
    return Memento("", moment, {"url": url})


def _digits(date: str) -> str:
    """Return a WARC-Date in 14 digits, "" for what is none."""
    digits = "".join(each for each in date.partition(".")[0] if each.isdigit() and each.isascii())
    return digits if len(digits) == 14 else ""
