# SPDX-License-Identifier: AGPL-3.0-or-later
"""The heads of records, as WARC (ISO 28500) and ARC v1 write them, in one form: WARC's.

warcio takes the heads of WARC records apart. Where an index is built, which would take a tenth
longer, they are skimmed (`Head.named`). Lines of ARC it misreads (docs/decisions.md).
"""

import re
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property
from io import BytesIO
from itertools import takewhile
from typing import Any

from carrel.mementos.loading.record import Fields
from carrel.mementos.warc.problems import InvalidRecord, ProblemKind
from carrel.translation import tr

_MARK = b"WARC/"
_VERSION = re.compile(rb"WARC/\d+\.\d+[ \t]*\r*\n")
_TYPE = re.compile(rb"\nwarc-type[ \t]*:([^\n]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"\ncontent-length[ \t]*:([^\n]*)", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?Z?")
_FOLDED = re.compile(rb"\r?\n[ \t]+")
_SHORT_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}")
# Address, host, time; then come type and length. An address may have blanks in it; ARC v2 has five
# parts more before the length. One expression for the whole line would try forever on some lines.
_ARC_FRONT = re.compile(rb"(\S[^\r\n]*?) (\S++) (\d{8,17}) ")
_ARC_LENGTH = re.compile(rb"\d{1,18}\Z")
_ARC_START = re.compile(rb"[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\S*")
_MOST_DIGITS = 18


class Head:
    """A record's head. It is only taken apart when more than `kind` and `length` is requested.

    `kind` is its WARC-Type, `length` that of the block in bytes, as the head claims. `skim` returns
    the same fields as `take_apart`, in less time.
    """

    def __init__(
        self,
        kind: str,
        length: int,
        take_apart: Callable[[], Fields],
        skim: Callable[[], Sequence[tuple[str, str]]] | None = None,
    ) -> None:
        self.kind, self.length = kind, length
        self._take_apart, self._skim = take_apart, skim or take_apart

    @cached_property
    def fields(self) -> Fields:
        return self._take_apart()

    @cached_property
    def named(self) -> dict[str, str]:
        """The first value of each field by its name in lower case."""
        return {name.lower(): value for name, value in reversed(self._skim())}

    @property
    def url(self) -> str:
        """The target's address, "" for none."""
        return _bare(self.named.get("warc-target-uri", ""))

    @property
    def timestamp(self) -> str:
        """The moment of capture in 14 digits, "" for none that makes sense."""
        return timestamp_of(self.named.get("warc-date", ""))


def begins_record(content: bytes) -> bool:
    """Say whether content begins as a record does, of WARC or of ARC."""
    return content.startswith(_MARK) or _arc_parts(content) is not None


def is_warc(content: bytes) -> bool:
    return content.startswith(_MARK)


def is_arc(content: bytes) -> bool:
    """Say whether content may begin with the line of an ARC record."""
    return _ARC_START.match(content) is not None


def warc_head(raw: bytes) -> Head:
    """Return the head of a WARC record. Raises InvalidRecord."""
    if _VERSION.match(raw) is None:
        raise InvalidRecord(ProblemKind.NO_RECORD, tr("There is no WARC record at this offset."))
    kind = _TYPE.search(raw)
    return Head(
        _text(kind[1]).strip() if kind else "",
        _length(raw),
        lambda: _fields(raw),
        lambda: _skimmed(raw),
    )


def arc_head(line: bytes) -> Head:
    """Return the line of an ARC record as the head of a WARC record. Raises InvalidRecord."""
    parts = _arc_parts(line)
    if parts is None:
        raise InvalidRecord(ProblemKind.NO_RECORD, tr("There is no ARC record at this offset."))
    url, ip, moment, mimetype, length = map(_text, parts)
    kind, content_type = _arc_kind(url, mimetype)
    fields = (
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<urn:uuid:{uuid.uuid4()}>"),
        ("WARC-Date", _warc_date(moment)),
        ("WARC-Target-URI", url),
        ("WARC-IP-Address", ip),
        ("Content-Type", content_type),
        ("Content-Length", str(int(length))),
    )
    return Head(kind, int(length), lambda: fields)


def timestamp_of(date: str) -> str:
    """Return a WARC-Date in 14 digits, UTC, "" for what is not a valid time.

    A shorter date (ISO 28500:2017, 5.4) stands for the beginning of its span.
    """
    if match := _DATE.fullmatch(date):
        return _moment(match.groups())
    if _SHORT_DATE.fullmatch(date):
        return _moment([*[*date.split("-"), "01", "01"][:3], "00", "00", "00"])
    try:
        moment = datetime.fromisoformat(date)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).strftime("%Y%m%d%H%M%S").rjust(14, "0")
    except (ValueError, OverflowError):
        return ""


def _fields(raw: bytes) -> Fields:
    return tuple(_parser().parse(BytesIO(_unfolded(raw))).headers)


@cache
def _parser() -> Any:
    from warcio.statusandheaders import StatusAndHeadersParser  # only for who does not just skim

    # Versions are looked at before: there are more of them than warcio lists.
    return StatusAndHeadersParser([], verify=False)


def _skimmed(raw: bytes) -> Sequence[tuple[str, str]]:
    """Return what `_fields` does; that it does so is tested."""
    raw = _unfolded(raw)
    try:
        lines = raw.decode().split("\n")
    except UnicodeDecodeError:
        lines = [_text(line) for line in raw.split(b"\n")]
    pairs = []
    for line in takewhile(str.strip, lines[1:]):
        name, colon, value = line.partition(":")
        if colon:
            pairs.append((name.rstrip(" \t"), value.strip()))
    return pairs


def _unfolded(raw: bytes) -> bytes:
    """Return a head in which a line that begins with a blank goes on the one before.

    warcio joins lines, too, but twice as many take it more than twice as long.
    """
    return _FOLDED.sub(b" ", raw) if b"\n " in raw or b"\n\t" in raw else raw


def _bare(url: str) -> str:
    """Return a target without blanks, and the brackets that some versions of wget put around."""
    if url.startswith("<") and url.endswith(">"):
        url = url[1:-1]
    return url.replace(" ", "%20")


def _length(raw: bytes) -> int:
    found = _LENGTH.search(raw)
    if found is None:
        raise InvalidRecord(ProblemKind.WRONG_LENGTH, tr("A record does not say how long it is."))
    value = found[1].strip()
    if not value.isdigit() or len(value) > _MOST_DIGITS:
        shown = _text(value[:40])
        raise InvalidRecord(
            ProblemKind.WRONG_LENGTH,
            tr("A record says that it is “{shown}” bytes long.", shown=shown),
        )
    return int(value)


def _arc_parts(content: bytes) -> tuple[bytes, ...] | None:
    """Return address, host, time, type and length in the first line, None if it is of no ARC."""
    line, newline, _ = content.partition(b"\n")
    front = _ARC_FRONT.match(line)
    rest = line[front.end() :].removesuffix(b"\r").rstrip(b" ") if front else b""
    length = _ARC_LENGTH.search(rest)
    if not newline or front is None or length is None or b"\r" in rest:
        return None
    return (*front.groups(), rest[: length.start()].rstrip(b" "), length[0])


def _arc_kind(url: str, mimetype: str) -> tuple[str, str]:
    """Return type and content type that an ARC record would have in a WARC."""
    if url.startswith("filedesc:"):
        return "warcinfo", "text/plain"
    if url.lower().startswith(("http:", "https:")):
        return "response", "application/http; msgtype=response"
    return "resource", mimetype.partition(" ")[0] or "application/octet-stream"


def _warc_date(digits: str) -> str:
    digits = digits[:14] + "10000101000000"[len(digits) :]
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}T{digits[8:10]}:{digits[10:12]}:{digits[12:]}Z"


def _moment(parts: Sequence[str]) -> str:
    """Return year, month … second in 14 digits, "" for what is not a valid time."""
    try:
        datetime(*map(int, parts), tzinfo=UTC)  # type: ignore[misc,arg-type]  # six of them
    except ValueError:
        return ""
    return "".join(parts)


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
