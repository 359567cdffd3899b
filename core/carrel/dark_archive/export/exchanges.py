# SPDX-License-Identifier: AGPL-3.0-or-later
"""From what the ledger tells of a request and its answer back to the exchange, for true records."""

import re
import string
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from carrel.capture.exchange import Exchange
from carrel.capture.http1.headers import RawHeaders

# Nothing that would break out of its line, in a head that came from a file.
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_IN_URIS = string.punctuation


def exchange_of(told: Mapping[str, Any] | None) -> Exchange | None:
    """Return the exchange that `heads.told` told of; None if it was not kept, or not whole."""
    if told is None:
        return None
    try:
        return Exchange(
            url=uri(told["url"]),
            target=_bytes(told["target"]),
            request_headers=_headers(told["request_headers"]),
            status_code=int(told["status"]),
            reason=_bytes(told["reason"]),
            response_headers=_headers(told["response_headers"]),
            started=_moment(told["started"]),
            method=uri(told["method"]),
            http_version=_bytes(told["http_version"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def uri(text: str) -> str:
    """Return an address as it can stand in a head: in ASCII, without blanks; an address that was
    asked for is so already."""
    return quote(text, safe=_IN_URIS, errors="replace")


def _headers(pairs: list[list[str]]) -> RawHeaders:
    return tuple((_bytes(name), _bytes(value)) for name, value in pairs)


def _bytes(text: str) -> bytes:
    return _CONTROL.sub(b" ", text.encode("latin-1"))


def _moment(text: str) -> datetime:
    """Return an aware moment. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
