# SPDX-License-Identifier: AGPL-3.0-or-later
"""Header values as readers of WARCs can hand them on.

HTTP has bytes in them, of which servers make UTF-8; what replays a record (WSGI, PEP 3333) has
Latin-1 only, and fails on characters beyond it. Such values are written in the ASCII that HTTP has
for them; as they came they stand in the file's metadata record (`http-...`).
"""

from urllib.parse import quote

from carrel.capture.disposition import file_name

_ASCII = "".join(map(chr, range(32, 127)))


def replayable(name: bytes, value: bytes) -> bytes:
    """Return a value with characters beyond Latin-1 percent-encoded, a name as RFC 8187 has it."""
    text = beyond_latin1(value)
    if text is None:
        return value
    named = file_name(text) if name.lower() == b"content-disposition" else None
    if named is None:
        return quote(text, safe=_ASCII).encode("ascii")
    kind = quote(text.partition(";")[0], safe=_ASCII)
    return f"{kind}; filename*=UTF-8''{quote(named, safe='')}".encode("ascii")


def beyond_latin1(value: bytes) -> str | None:
    """Return a value as text if it is UTF-8 with characters beyond Latin-1, else None."""
    if value.isascii():
        return None
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return None  # read as Latin-1, as RFC 9110 (5.5) has it
    return text if max(text) > "\xff" else None
