# SPDX-License-Identifier: AGPL-3.0-or-later
"""Going on with a payload where its transfer was interrupted (RFC 9110, 13.1.5, 14 and 15.3.7).

Only where two answers can be told to carry the same bytes: a strong entity tag, or, where there is
none at all and a declared digest proves the whole, a date of modification that is strong by the
rule of section 8.8.2.2. A server that names neither, and says that it sends parts, is asked for the
rest where a declared digest proves the whole: what was joined wrongly is found, and fetched anew.
Servers that do not know `If-Range` (Dataverse) may send a part of something else, so the answer
itself is compared too. A content coding is never resumed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from carrel.capture.exchange import Exchange
from carrel.model.http_date import moment_of

_STRONG_TAG = re.compile(r'"[\x21\x23-\x7e\x80-\xff]*"')
# So much younger than the answer, and the file may have changed again within the same second of a
# clock that is not quite the server's (RFC 7232, 2.2.2 named a minute).
_SETTLED_AFTER_S = 60


@dataclass(frozen=True, slots=True)
class Continuation:
    """An answer that brought a later part of a payload: the bytes from `start` up to `end`.

    `end` is not in it, and may be less than was promised. The exchange is without its body.
    """

    exchange: Exchange
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Resumable:
    """A payload of `total` bytes that could be gone on with, and how to know it again.

    `etag` is strong; `last_modified` is strong where it is the only one, else only compared. Where
    both are "", a digest alone will tell.
    """

    url: str
    total: int
    etag: str
    last_modified: str

    @classmethod
    def of(cls, exchange: Exchange, length: int | None, *, is_provable: bool) -> "Resumable | None":
        """Return how to resume this answer's payload, None if it cannot be.

        `length` is the one that is announced; `is_provable` says that a declared digest will prove
        the whole.
        """
        headers = exchange.headers
        is_refused = headers.get("accept-ranges", "").lower() == "none"
        if length is None or is_refused or not _is_plain(exchange):
            return None
        etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
        is_known = bool(_STRONG_TAG.fullmatch(etag))
        if not etag and is_provable:
            is_known = (
                _is_settled(modified, headers.get("date", ""))
                if modified
                else _sends_parts(headers)
            )
        return cls(exchange.url, length, etag, modified) if is_known else None

    def headers(self, received: int) -> Mapping[str, str]:
        """Return what asks for the bytes from `received` on, if it is still the same payload."""
        known_by = self.etag or self.last_modified
        condition = {"If-Range": known_by} if known_by else {}
        return {"Range": f"bytes={received}-", **condition}

    def is_continued_by(self, answer: Exchange, received: int, *, is_provable: bool) -> bool:
        """Say whether a 206 carries this payload's bytes from `received` on, and no others."""
        if not answer.content_range or not _is_plain(answer):
            return False
        start, last, total = answer.content_range
        is_range = start == received <= last < total == self.total
        is_length = answer.headers.get("content-length") == str(last - start + 1)
        return is_range and is_length and self._is_same(answer, is_provable)

    def _is_same(self, answer: Exchange, is_provable: bool) -> bool:
        if not is_provable and answer.url != self.url:
            return False
        if answer.headers.get("etag", "") != self.etag:
            return False
        # A 206 to an If-Range may leave the date out.
        return answer.headers.get("last-modified", self.last_modified) == self.last_modified


def _sends_parts(headers: Mapping[str, str]) -> bool:
    """Say whether a server offers parts by itself."""
    return "bytes" in headers.get("accept-ranges", "").lower()


def _is_plain(answer: Exchange) -> bool:
    """Say whether the bytes that are sent are those of the payload, uncoded."""
    return not answer.content_coding and "transfer-encoding" not in answer.headers


def _is_settled(modified: str, date: str) -> bool:
    """Say whether something had not changed for a while when it was sent."""
    changed, sent = moment_of(modified), moment_of(date)
    if changed is None or sent is None:
        return False
    return (sent - changed).total_seconds() >= _SETTLED_AFTER_S
