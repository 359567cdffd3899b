# SPDX-License-Identifier: AGPL-3.0-or-later
"""What servers say about how often they may be asked, in each of the ways they say it.

- `RateLimit: "default";r=0;t=30` (draft-ietf-httpapi-ratelimit-headers from revision 08 on)
- `RateLimit: limit=100, remaining=0, reset=30` (revision 07)
- `RateLimit-Remaining: 0` and `RateLimit-Reset: 30` (up to revision 06)
- `X-RateLimit-Remaining: 0` and `X-RateLimit-Reset:` with seconds from now, or a moment in seconds
  since 1970 (Zenodo, GitHub)
"""

import re
from collections.abc import Mapping
from datetime import datetime

from carrel.hosts.retry import LONGEST_ASKED_S, TOO_MANY_REQUESTS, retry_after_s
from carrel.model.http_date import moment_of

_PAIRS = (
    ("ratelimit-remaining", "ratelimit-reset"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("x-rate-limit-remaining", "x-rate-limit-reset"),
)
_ASKING_FOR_A_PAUSE = (*TOO_MANY_REQUESTS, 503)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_REMAINING = re.compile(r"(?:^|[;,\s])(?:remaining|r)=(\d{1,18})(?![\d.])")
_RESET = re.compile(r"(?:^|[;,\s])(?:reset|t)=(\d{1,18})(?![\d.])")
# Ten digits of seconds are a moment: as a pause they would be thirty years.
_MOMENTS_FROM = 1_000_000_000
_MILLISECONDS_FROM = 100_000_000_000


def pause_s(status_code: int, headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how long the server is to be left alone, in seconds, None if it does not say.

    More than a week is not valid, and is as if nothing were said.

    `headers` are by lower-case name; `now` is aware, our own clock.
    """
    waits = [_until_reset(headers, now)]
    if status_code in _ASKING_FOR_A_PAUSE:
        waits.append(retry_after_s(headers.get("retry-after"), now))
    known = [wait for wait in waits if wait and wait <= LONGEST_ASKED_S]
    return max(known, default=None)


def _until_reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds until a used-up limit is filled again, None if none is used up."""
    said = headers.get("ratelimit")
    waits = [_structured_wait(said)] if said is not None else []
    for remaining, reset in _PAIRS:
        if remaining in headers and _number(headers[remaining]) == 0:
            waits.append(_wait(_number(headers.get(reset, "")), headers, now))
    known = [wait for wait in waits if wait]
    return max(known, default=None)


def _structured_wait(said: str) -> float | None:
    """Return the longest wait of the policies that have nothing left."""
    bare = _QUOTED.sub("", said)
    # Revision 07 is one dictionary, the later ones a list of policies.
    policies = [bare] if "remaining=" in bare else bare.split(",")
    waits: list[int] = []
    for policy in policies:
        remaining, reset = _REMAINING.search(policy), _RESET.search(policy)
        if remaining and reset and int(remaining[1]) == 0:
            waits.append(int(reset[1]))
    return float(max(waits)) if waits else None


def _wait(reset: int | None, headers: Mapping[str, str], now: datetime) -> float | None:
    """Return a reset in seconds from now; a moment is compared with the server's own clock."""
    if reset is None:
        return None
    if reset >= _MILLISECONDS_FROM:
        reset //= 1000
    if reset < _MOMENTS_FROM:
        return float(reset)
    return max(0.0, reset - (moment_of(headers.get("date", "")) or now).timestamp())


def _number(text: str) -> int | None:
    first = text.partition(",")[0].partition(";")[0].strip()
    is_number = first.isascii() and first.isdigit() and len(first) <= 18
    return int(first) if is_number else None
