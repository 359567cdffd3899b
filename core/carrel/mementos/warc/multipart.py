# SPDX-License-Identifier: AGPL-3.0-or-later
"""The fields of a form that was sent in parts (RFC 7578), as pywb reads them."""

import re
from collections.abc import Iterator
from email.message import Message

from carrel.errors import ControlFlow

_BOUNDARY = re.compile(r"[ -~]{0,200}[!-~]")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


class NoBoundary(ControlFlow):
    """The content type does not say what stands between the parts."""


def form_fields(content_type: str, body: bytes) -> list[tuple[str, str | bytes]]:
    """Return name and value of each part; a file's value is bytes, a text's is decoded.

    A part without a name is called None, as pywb does. Raises NoBoundary.
    """
    boundary = _parameter("Content-Type", content_type, "boundary") or ""
    if not _BOUNDARY.fullmatch(boundary):
        raise NoBoundary
    return [_field(head, value) for head, value in _parts(boundary.encode(), body)]


def _parts(boundary: bytes, body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield head and value of each part."""
    between, last = b"--" + boundary, b"--" + boundary + b"--"
    part: list[bytes] | None = None
    for match in _LINE.finditer(body):
        line = match[0]
        mark = line.strip() if part is None else line.rstrip()
        if line.startswith(b"--") and mark in (between, last):
            if part is not None:
                yield _split(part)
            if mark == last:
                return
            part = []
        elif part is not None:
            part.append(line)
    if part:
        yield _split(part)


def _split(lines: list[bytes]) -> tuple[bytes, bytes]:
    """Return the head of a part, and its value without the line break that ends it."""
    end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    value = b"".join(lines[end + 1 :])
    return b"".join(lines[:end]), re.sub(rb"\r?\n\Z", b"", value)


def _field(head: bytes, value: bytes) -> tuple[str, str | bytes]:
    disposition = _header(head.decode("utf-8", "replace"), "content-disposition")
    name = _parameter("Content-Disposition", disposition, "name")
    is_file = _parameter("Content-Disposition", disposition, "filename") is not None
    return str(name), value if is_file else value.decode("utf-8", "replace")


def _header(head: str, wanted: str) -> str:
    for line in re.sub(r"\r?\n[ \t]+", " ", head).splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == wanted:
            return value.strip()
    return ""


def _parameter(header: str, value: str, name: str) -> str | None:
    """Return a parameter of a header's value, None if it has none."""
    message = Message()
    message[header] = re.sub(r"[\r\n]", " ", value)
    found = message.get_param(name, header=header)
    return found if isinstance(found, str) else None
