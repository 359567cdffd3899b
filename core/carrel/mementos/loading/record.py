# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC record that was loaded, wherever it is from: heads in memory, the payload to come."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

# Some old archives write bare line feeds.
_LINE_BREAK = re.compile(r"\r?\n")
Fields = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Record:
    """One record, open until `close`. Reading its payload blocks: for worker threads.

    `fields` are the WARC header's, Content-Length being that of the block. `http_head` is the
    status line and headers with the empty line, b"" for a block that is no HTTP message. `payload`
    yields what follows as it is stored, `payload_length` bytes in all (see `decoding` for chunks
    and codings); it raises NotLoaded when they cannot be had.
    """

    fields: Fields
    http_head: bytes
    payload: Iterator[bytes]
    payload_length: int
    close: Callable[[], None] = field(default=lambda: None)

    def field(self, name: str) -> str:
        """Return the first value of a WARC field, "" if there is none."""
        wanted = name.lower()
        return next((value for key, value in self.fields if key.lower() == wanted), "")

    @property
    def captured_at(self) -> str:
        """When the record says that it is of, in 14 digits; "" where it does not say."""
        digits = re.sub(r"[^0-9]", "", self.field("WARC-Date"))[:14]
        return digits if len(digits) == 14 else ""

    def block(self) -> Iterator[bytes]:
        """Yield the whole block."""
        if self.http_head:
            yield self.http_head
        yield from self.payload

    def warc_head(self) -> bytes:
        """Return what WARC/1.0 writes before the block."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.fields)
        return f"WARC/1.0\r\n{lines}\r\n".encode()

    def to_warc(self) -> Iterator[bytes]:
        """Yield the whole record as WARC/1.0 writes it, with its two closing line breaks."""
        yield self.warc_head()
        yield from self.block()
        yield b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    """How a resource is requested: what a live archive is sent. Names of headers as they came."""

    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


def http_fields(http_head: bytes) -> Mapping[str, str]:
    """Return the headers of an HTTP head by lower-case name; of repeated ones the last."""
    lines = _LINE_BREAK.split(http_head.decode("latin-1"))[1:]
    pairs = (line.partition(":") for line in lines if ":" in line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def http_status(http_head: bytes) -> str:
    """Return the status in an HTTP head in digits, "" if there is none."""
    parts = http_head.split(b"\n", 1)[0].split()
    return parts[1].decode("latin-1") if len(parts) > 1 and parts[1].isdigit() else ""
