# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands before a body: status line and headers of an answer, and those of a question."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import httpcore

RawHeaders = tuple[tuple[bytes, bytes], ...]

# Much more than any server sends; beyond it something goes on for ever.
LARGEST_HEAD_BYTES = 100 * 1024

_END = re.compile(rb"\n\r?\n")
_STATUS_LINE = re.compile(rb"HTTP/([0-9]\.[0-9]) ([0-9]{3})(?: ([^\x00\r]*))?")
_HEADER = re.compile(rb"([-!#$%&'*+.^_`|~0-9A-Za-z]+):([^\x00\r\f\v]*)")
_BEGINS = b"HTTP/"
_BLANKS = b" \t"


@dataclass(slots=True)
class Head:
    """The head of an answer. Names and values of headers are as they came."""

    http_version: bytes
    status_code: int
    reason: bytes
    headers: RawHeaders

    def values(self, name: bytes) -> list[bytes]:
        """Return the members of a header that is a list (RFC 9110, 5.6.1); `name` is lower-case."""
        return [
            member.strip(_BLANKS)
            for key, value in self.headers
            if key.lower() == name
            for member in value.split(b",")
        ]


def end_of_head(data: bytes) -> int:
    """Return where the body begins, -1 if the head is not all there.

    A recipient may take a bare line feed for the end of a line (RFC 9112, 2.2). Raises
    httpcore.RemoteProtocolError for what can not become a head.
    """
    if not (data.startswith(_BEGINS) or _BEGINS.startswith(data)):
        raise httpcore.RemoteProtocolError("the answer does not begin as HTTP does")
    found = _END.search(data)
    if len(data) > LARGEST_HEAD_BYTES and (found is None or found.end() > LARGEST_HEAD_BYTES):
        raise httpcore.RemoteProtocolError("the answer's head does not end")
    return found.end() if found else -1


def head_of(data: bytes) -> Head:
    """Return the head that these bytes are. Raises httpcore.RemoteProtocolError.

    The bytes are in no message: they may repeat a key that was sent.
    """
    lines = [line[:-1] if line.endswith(b"\r") else line for line in data.split(b"\n")]
    found = _STATUS_LINE.fullmatch(lines[0])
    if found is None:
        raise httpcore.RemoteProtocolError("the status line is none")
    headers = tuple(map(_header, _unfolded(line for line in lines[1:] if line)))
    return Head(b"HTTP/" + found[1], int(found[2]), (found[3] or b"").rstrip(_BLANKS), headers)


def question(
    method: bytes, target: bytes, headers: Iterable[tuple[bytes, bytes]], body: bytes = b""
) -> bytes:
    """Return a request. Raises httpcore.LocalProtocolError for what would break out of its line.

    What can not be sent is in no message: it may hold a key.
    """
    lines = [b"%s %s HTTP/1.1" % (method, target)]
    lines += [name + b": " + value for name, value in headers]
    head = b"\r\n".join(lines)
    ends = len(lines) - 1
    if head.count(b"\n") != ends or head.count(b"\r") != ends or b"\0" in head:
        raise httpcore.LocalProtocolError("a header holds what no header can")
    return b"%s\r\n\r\n%s" % (head, body)


def _unfolded(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Join what continues the line before it (RFC 9112, 5.2)."""
    last: list[bytes] = []
    for line in lines:
        if line[:1] in (b" ", b"\t"):
            if not last:
                raise httpcore.RemoteProtocolError("the first header continues nothing")
            last.append(line.lstrip(_BLANKS))
            continue
        if last:
            yield b" ".join(last)
        last = [line]
    if last:
        yield b" ".join(last)


def _header(line: bytes) -> tuple[bytes, bytes]:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise httpcore.RemoteProtocolError("a header is none")
    return found[1], found[2].strip(_BLANKS)
