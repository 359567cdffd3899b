# SPDX-License-Identifier: AGPL-3.0-or-later
"""What fatcat's refusals mean, and what to do (ErrorResponse of its Swagger description)."""

import json
from datetime import datetime

from carrel.capture.exchange import CannotDecode, Exchange
from carrel.errors import ApiStop
from carrel.hosts.retry import TOO_MANY_REQUESTS, may_pass, retry_after_s
from carrel.model import Status
from carrel.model.prose import shown
from carrel.translation import tr

_LONGEST_WORDS = 300
_WORDS_MAX_BYTES = 64 * 1024
_STATUSES = {
    400: Status.INVALID_REQUEST,
    401: Status.CREDENTIALS_REQUIRED,
    403: Status.FORBIDDEN,
    404: Status.NOT_FOUND,
    409: Status.MISMATCH_EXISTING,
}


def stop_of(exchange: Exchange, now: datetime) -> ApiStop:
    """Return what a refusal ends with; `now` (aware) is when a pause that it names begins."""
    code = exchange.status_code
    is_busy = code in TOO_MANY_REQUESTS
    status = Status.RATE_LIMITED if is_busy else _STATUSES.get(code, Status.REMOTE_SERVER_ERROR)
    return ApiStop(
        status,
        _sentence(code, _words(exchange)),
        code,
        may_repeat=may_pass(code),
        retry_after_s=retry_after_s(exchange.headers.get("retry-after"), now),
    )


def unusable(where: str, what: str) -> ApiStop:
    """Return what an answer ends with that is not as the API describes it."""
    message = tr(
        "The answer of fatcat to {where} is not as its API describes it: {what}. Check the "
        "address (--api).",
        where=shown(where)[:200],
        what=shown(what)[:200],
    )
    return ApiStop(Status.PLATFORM_ERROR, message, may_repeat=False)


def _sentence(code: int, words: str) -> str:
    if code in TOO_MANY_REQUESTS:
        return tr("fatcat asks for fewer requests: {words}. Run it again later.", words=words)
    if code >= 500:
        return tr(
            "fatcat failed (HTTP {code}): {words}. Run it again later.", code=code, words=words
        )
    match code:
        case 400:
            return tr("fatcat refused it as invalid: {words}.", words=words)
        case 401:
            return tr(
                "fatcat does not accept the token: {words}. Copy a new one from the page of your "
                "fatcat account, and store it with “carrel credentials set fatcat”.",
                words=words,
            )
        case 403:
            return tr(
                "The editor whose token this is may not do that in fatcat: {words}. Only admins "
                "accept edits; without --accept they are submitted for review.",
                words=words,
            )
        case 404:
            return tr("fatcat has no such thing: {words}.", words=words)
        case 409:
            return tr("It is in conflict with what fatcat has: {words}.", words=words)
        case _:
            return tr("fatcat answered with HTTP {code}: {words}.", code=code, words=words)


def _words(exchange: Exchange) -> str:
    """Return what the server says, on one line and without its last stop."""
    try:
        text = exchange.beginning(_WORDS_MAX_BYTES).decode("utf-8", "replace")
        said = json.loads(text)
        words = said.get("message") if isinstance(said, dict) else None
    except (CannotDecode, ValueError, RecursionError):
        words = None
    if not isinstance(words, str) or not words.strip():
        words = tr("it gave no reason")
    return shown(" ".join(words.split()))[:_LONGEST_WORDS].rstrip(".")
