# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands before a body: status line and headers of an answer, and those of a question."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import httpcore

from carrel.capture.http1.headers import RawHeaders, joined
from carrel.errors import CarrelError
from carrel.translation import tr

# Much more than any server sends; beyond it something goes on forever.
LARGEST_HEAD_BYTES = 100 * 1024

_END = re.compile(rb"\n\r?\n")
_STATUS_LINE = re.compile(rb"HTTP/([0-9]\.[0-9]) ([0-9]{3})(?: ([^\x00\r\n]*))?\r?\n")
_HEADER = rb"([-!#$%&'*+.^_`|~0-9A-Za-z]+):([^\x00\r\n\f\v]*)\r?\n"
_HEADERS = re.compile(b"(?:%s)*\r?\n" % _HEADER.replace(b"(", b"(?:"))
_EACH_HEADER = re.compile(_HEADER)
# A line that begins with a blank continues the one before it (RFC 9112, 5.2).
_FOLD = re.compile(rb"\r?\n[ \t]+")
_BEGINS = b"HTTP/"
_BLANKS = b" \t"


class ProtocolViolation(CarrelError, httpcore.RemoteProtocolError):
    """The other side does not keep to HTTP; `str` says how, for people.

    None of its bytes are in it: they may repeat a key that was sent.
    """


@dataclass(slots=True)
class Head:
    """The head of an answer. Names and values of headers are as they came."""

    http_version: bytes
    status_code: int
    reason: bytes
    headers: RawHeaders
    fields: Mapping[str, str] = field(init=False)
    """The headers by lower-case name; repeated ones are joined with a comma (RFC 9110, 5.3)."""

    def __post_init__(self) -> None:
        self.fields = joined(self.headers)

    def members(self, name: str) -> list[str]:
        """Return the members of a header that is a list (RFC 9110, 5.6.1); `name` is lower-case."""
        value = self.fields.get(name)
        return [] if value is None else [member.strip(" \t") for member in value.split(",")]


def end_of_head(data: bytes | bytearray, seen: int = 0) -> int:
    """Return where the body begins, -1 if the head is not all there.

    So many bytes were `seen` before, and no end among them. A recipient may take a bare line feed
    for the end of a line (RFC 9112, 2.2). Raises httpcore.RemoteProtocolError for what cannot
    become a head, Breach for a head without an end.
    """
    if not _BEGINS.startswith(data[: len(_BEGINS)]):
        raise httpcore.RemoteProtocolError(tr("the answer does not begin like HTTP"))
    found = _END.search(data, max(0, seen - 3))
    if len(data) > LARGEST_HEAD_BYTES and (found is None or found.end() > LARGEST_HEAD_BYTES):
        size = tr("{largest_head_bytes} KiB", largest_head_bytes=LARGEST_HEAD_BYTES // 1024)
        raise ProtocolViolation(tr("its headers have more than {size}", size=size))
    return found.end() if found else -1


def head_of(data: bytes) -> Head:
    """Return the head that these bytes are. Raises httpcore.RemoteProtocolError, and Breach."""
    found = _STATUS_LINE.match(data)
    if found is None:
        raise httpcore.RemoteProtocolError(tr("the status line is not valid"))
    rest = data[found.end() :]
    if rest[:1] not in (b" ", b"\t") and (b"\n " in rest or b"\n\t" in rest):
        rest = _FOLD.sub(b" ", rest)
    if not _HEADERS.fullmatch(rest):
        raise ProtocolViolation(tr("a line among its headers is not a header"))
    headers = tuple((name, value.strip(_BLANKS)) for name, value in _EACH_HEADER.findall(rest))
    return Head(b"HTTP/" + found[1], int(found[2]), (found[3] or b"").rstrip(_BLANKS), headers)


def question(
    method: bytes, target: bytes, headers: Iterable[tuple[bytes, bytes]], body: bytes = b""
) -> bytes:
    """Return a request. Raises httpcore.LocalProtocolError for what would break out of its line.

    What cannot be sent is in no message: it may hold a key.
    """
    lines = [b"%s %s HTTP/1.1" % (method, target)]
    lines += [name + b": " + value for name, value in headers]
    head = b"\r\n".join(lines)
    ends = len(lines) - 1
    if head.count(b"\n") != ends or head.count(b"\r") != ends or b"\0" in head:
        raise httpcore.LocalProtocolError(tr("a header has characters that are not allowed"))
    return b"%s\r\n\r\n%s" % (head, body)
