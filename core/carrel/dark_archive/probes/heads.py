# SPDX-License-Identifier: AGPL-3.0-or-later
"""The head of a request and its answer as JSON, so that true WARC records can be written later."""

from collections.abc import Mapping

from carrel.capture.exchange import SECRET_HEADERS, Exchange
from carrel.capture.http1.headers import RawHeaders
from carrel.dark_archive.probes.look import Json


def told(exchange: Exchange) -> Mapping[str, Json]:
    """Return what went over the wire but for bodies and secrets.

    Keys: method, url, target, http_version, status, reason, request_headers, response_headers
    (pairs of name and value, in order), started (ISO 8601, UTC). Bytes are told as Latin-1, which
    gives them back as they were.
    """
    return {
        "method": exchange.method,
        "url": exchange.url,
        "target": exchange.target.decode("latin-1"),
        "http_version": exchange.http_version.decode("latin-1"),
        "status": exchange.status_code,
        "reason": exchange.reason.decode("latin-1"),
        "request_headers": _pairs(exchange.request_headers),
        "response_headers": _pairs(exchange.response_headers),
        "started": exchange.started.isoformat(),
    }


def _pairs(headers: RawHeaders) -> list[list[str]]:
    return [
        [name.decode("latin-1"), value.decode("latin-1")]
        for name, value in headers
        if name.lower() not in SECRET_HEADERS
    ]
