# SPDX-License-Identifier: AGPL-3.0-or-later
"""Heads of HTTP answers: as they were sent, and as they stand in a record."""

import re
from collections.abc import Iterable, Sequence
from http import HTTPStatus

import httpx

RawHeaders = Sequence[tuple[bytes, bytes]]

_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


def raw_headers(answer: httpx.Response) -> RawHeaders:
    """Return the headers of an answer as they went over the wire."""
    return answer.headers.raw


def as_sent(answer: httpx.Response, name: str) -> str:
    """Return a header of an answer, "" if it has none."""
    wanted = name.lower().encode()
    found = next((value for key, value in raw_headers(answer) if key.lower() == wanted), b"")
    # Some send raw UTF-8 in a Location.
    return found.decode("utf-8", "replace").strip()


def head_of(answer: httpx.Response, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a status line and these headers as they stand in a record, with the empty line.

    HTTP/2 has no form of its own in a WARC: it is written down as HTTP/1.1.
    """
    sent = answer.extensions.get("http_version", b"HTTP/1.1")
    version = sent if sent in (b"HTTP/1.0", b"HTTP/1.1") else b"HTTP/1.1"
    reason = answer.extensions.get("reason_phrase", b"") or _phrase(answer.status_code)
    lines = [b"%s %d %s" % (version, answer.status_code, _CONTROL.sub(b" ", reason))]
    lines += [_CONTROL.sub(b" ", name + b": " + value) for name, value in headers]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def without(headers: RawHeaders, *names: str) -> RawHeaders:
    """Return headers but for those of these names, given in lower case."""
    unwanted = {name.encode() for name in names}
    return [pair for pair in headers if pair[0].lower() not in unwanted]


def without_transfer_coding(headers: RawHeaders) -> RawHeaders:
    """Return the headers of a message whose transfer coding is undone.

    The length beside it says nothing (RFC 9112, 6.3).
    """
    names = {name.lower() for name, _ in headers}
    if b"transfer-encoding" not in names:
        return headers
    return without(headers, "transfer-encoding", "content-length", "trailer")


def _phrase(status: int) -> bytes:
    try:
        return HTTPStatus(status).phrase.encode()
    except ValueError:
        return b"Unknown"
