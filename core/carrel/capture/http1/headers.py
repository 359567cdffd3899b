# SPDX-License-Identifier: AGPL-3.0-or-later
"""The headers of a message as they came, and by name."""

from collections.abc import Mapping
from functools import lru_cache

RawHeaders = tuple[tuple[bytes, bytes], ...]
_USUALLY = 50


def joined(headers: RawHeaders) -> Mapping[str, str]:
    """Return headers by lower-case name; repeated ones are joined with a comma (RFC 9110, 5.3)."""
    return _joined_once(headers) if len(headers) <= _USUALLY else _joined(headers)


def _joined(headers: RawHeaders) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


# An answer's are requested each time that more is known of it. Few are kept, and no large ones.
_joined_once = lru_cache(maxsize=8)(_joined)
