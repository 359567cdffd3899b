# SPDX-License-Identifier: AGPL-3.0-or-later
"""Answers that several parts of the server give, and the headers they share."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import quote

from starlette.responses import Response

from carrel.mementos import moments
from carrel.mementos.loading.record import Record
from carrel.model import Memento

# Headers have no place for long stories.
_LONGEST_MESSAGE = 500
_MOST_NAMED = 50


def told(errors: Mapping[str, str]) -> dict[str, str]:
    """Return what went wrong as one `ResErrors` header; none if nothing did."""
    return {"ResErrors": json.dumps(_short(errors))} if errors else {}


def trouble(status: int, message: str, errors: Mapping[str, str] | None = None) -> Response:
    """Return an answer in JSON that says what is wrong."""
    body: dict[str, object] = {"message": message}
    if errors:
        body["errors"] = _short(errors)
    return Response(
        json.dumps(body),
        status,
        headers=told(errors or {}),
        media_type="application/json; charset=utf-8",
    )


def memento_datetime(timestamp: str) -> str:
    """Return a moment of 14 digits as HTTP writes it (RFC 9110, 5.6.7).

    Digits that are not a valid time stand for the one that is nearest, as in the order of rows.
    """
    return format_datetime(moment_or_near(timestamp), usegmt=True)


def moment_or_near(timestamp: str) -> datetime:
    """Return a moment of 14 digits, aware; what is none is put where its digits say."""
    try:
        return moments.moment(timestamp)
    except ValueError:
        return datetime.fromtimestamp(max(moments.seconds(timestamp), 0), UTC)


def delivered(record: Record, row: Memento) -> str:
    """Return when a record says that it is of, in 14 digits; else what its row says."""
    return record.captured_at or row.timestamp[:14]


def header_url(url: str) -> str:
    """Return a URL that can stand in a header between `<` and `>`."""
    return quote(url, safe="!#$%&'()*+,/:;=?@[]~")


def _short(errors: Mapping[str, str]) -> dict[str, str]:
    named = list(errors.items())[:_MOST_NAMED]
    return {name[:200]: message[:_LONGEST_MESSAGE] for name, message in named}
