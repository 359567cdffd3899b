# SPDX-License-Identifier: AGPL-3.0-or-later
"""Answers that several parts of the server give, and the headers they share."""

import json
from collections.abc import Mapping
from datetime import UTC
from email.utils import format_datetime
from urllib.parse import quote

from starlette.responses import Response

from carrel.mementos import moments

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
    """Return a moment of 14 digits as HTTP writes it (RFC 9110, 5.6.7)."""
    return format_datetime(moments.moment(timestamp).astimezone(UTC), usegmt=True)


def header_url(url: str) -> str:
    """Return a URL that can stand in a header between `<` and `>`."""
    return quote(url, safe="!#$%&'()*+,/:;=?@[]~")


def _short(errors: Mapping[str, str]) -> dict[str, str]:
    named = list(errors.items())[:_MOST_NAMED]
    return {name[:200]: message[:_LONGEST_MESSAGE] for name, message in named}
