# SPDX-License-Identifier: AGPL-3.0-or-later
"""A certificate, ready to be written: its facts, and the files in a file of their own.

Its data is JSON in ASCII signs where a character would not be seen: one line a file, so that it can
be read and compared line by line. The same facts are the same bytes, whose digest the certificate
states.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, BinaryIO

from carrel.exports.certificate.facts import CertifiedFile, Facts

# Characters that are not seen or turn a line around, lone halves of others, and what is private.
_HIDDEN = re.compile(
    "[\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


class Certificate:
    """`facts`, and each file in turn as often as it is asked for."""

    def __init__(self, facts: Facts, spool: BinaryIO) -> None:
        self.facts, self._spool = facts, spool

    def files(self) -> Iterator[CertifiedFile]:
        """Yield the files in the order of the manifest."""
        for line in self._lines():
            yield CertifiedFile.from_json(json.loads(line))

    def data(self) -> Iterator[bytes]:
        """Yield the certificate's data as JSON, in pieces."""
        head = json.dumps(self.facts.to_json(), ensure_ascii=False, indent=1)
        yield _escaped(head.removesuffix("\n}")).encode()
        yield b',\n "files": ['
        separator = b"\n"
        for line in self._lines():
            yield separator + b"  " + line.removesuffix(b"\n")
            separator = b",\n"
        yield b"\n ]\n}\n"

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the data."""
        digest = hashlib.sha256()
        for piece in self.data():
            digest.update(piece)
        return digest.hexdigest()

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines of the files; one reading at a time."""
        self._spool.seek(0)
        for line in self._spool:  # noqa: UP028 - to delegate would close the file with the generator
            yield line


def as_line(fields: Mapping[str, Any]) -> bytes:
    """Return a JSON object in one line, without its end."""
    return _escaped(json.dumps(fields, ensure_ascii=False)).encode()


def _escaped(text: str) -> str:
    """Return JSON with what cannot be seen by its number; it is in strings, where that means it."""
    return _HIDDEN.sub(lambda match: json.dumps(match[0])[1:-1], text)
