# SPDX-License-Identifier: AGPL-3.0-or-later
"""JSON from outside, made into what Postgres can store.

A `text` has no NUL, a text in UTF-8 no lone surrogate (RFC 3629, section 3), and `jsonb` no NaN
and no infinity (PostgreSQL documentation, section 8.14). The first two become U+FFFD, the others
null.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import Any

import pydantic_core

from carrel.errors import Unusable
from carrel.translation import tr

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_NOT_STORED = re.compile("[\x00\ud800-\udfff]")
# Only texts with escapes of these characters are looked at one by one; all others are as they are.
_SUSPECT = re.compile(rb"\\u(?:0000|d[89a-f])", re.IGNORECASE)
# Not JSON (RFC 8259, section 6), but Python and others write them.
_NO_NUMBERS = (b"NaN", b"Infinity")
LARGEST_BIGINT = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A JSON object that Postgres takes, and whether anything of it had to be replaced."""

    fields: dict[str, Any]
    was_changed: bool


def read_object(content: bytes) -> Cleaned:
    """Return the JSON object in a message.

    Raises Unusable for what is none, or is nested deeper than Python reads.
    """
    try:
        value = json.loads(content)
        is_suspect = _SUSPECT.search(content) or any(each in content for each in _NO_NUMBERS)
        cleaned = clean(value) if is_suspect else value
    except RecursionError as error:
        raise Unusable(tr("its JSON is nested too deeply")) from error
    except ValueError as error:  # also bytes that are not UTF-8, and numbers of too many digits
        raise Unusable(tr("it is not valid JSON: {error}", error=error)) from error
    if not isinstance(cleaned, dict):
        raise Unusable(tr("it is not a JSON object"))
    return Cleaned(cleaned, cleaned is not value and cleaned != value)


def as_json(value: Any) -> str | None:
    """Return a value as text for a column of JSON, None for None.

    Raises Unusable for what cannot be such a text.
    """
    if value is None:
        return None
    try:
        return pydantic_core.to_json(value, inf_nan_mode="null").decode()
    except ValueError as error:
        raise Unusable(tr("its JSON is nested too deeply")) from error


def clean(value: Any) -> Any:
    """Return a JSON value with nothing in it that Postgres refuses."""
    if isinstance(value, str):
        return _NOT_STORED.sub(_REPLACEMENT, value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {clean(key): clean(each) for key, each in value.items()}
    return value


def capped(number: int) -> int:
    """Return a number that fits into a BIGINT: what is larger was never a size of anything."""
    return max(-LARGEST_BIGINT, min(number, LARGEST_BIGINT))
