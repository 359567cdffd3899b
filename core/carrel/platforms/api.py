# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking a platform's interface, politely and with every exchange kept as evidence."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from carrel.capture.asker import Asker
from carrel.capture.exchange import CannotDecode, Exchange
from carrel.capture.hops import Hops
from carrel.capture.obstacles import is_challenge, is_login
from carrel.errors import ApiStop, IngestStop
from carrel.hosts.inside import leads_inside
from carrel.hosts.rate_limit_fields import pause_s
from carrel.hosts.retry import TOO_MANY_REQUESTS, RetryPolicy, may_pass
from carrel.model import Finding, FindingLevel, Status
from carrel.model.prose import shortlist, shown, shown_address
from carrel.model.sizes import MEBIBYTE
from carrel.platforms.addresses import host_in_address
from carrel.platforms.catalogue import is_asked_openly
from carrel.platforms.links import next_link
from carrel.platforms.page import decoded
from carrel.platforms.platform import Answer, S, shaped
from carrel.platforms.whole_texts import last_of_each, whole_texts
from carrel.translation import tr

_JSON = "application/json"
_FOR_LEGAL_REASONS = 451  # RFC 7725
# The manifest of a hundred thousand files has some fifty megabytes.
_ANSWER_MAX_BYTES = 128 * MEBIBYTE
_LONGEST_WORDS = 300
_ERROR_MAX_BYTES = 4096
# What the client says of a host without asking it.
_NOT_TO_BE_ASKED = frozenset(
    {
        Status.RATE_LIMITED,
        Status.BLOCKED_CHALLENGE,
        Status.FORBIDDEN,
        Status.CREDENTIALS_REQUIRED,
    }
)


class HttpApi:
    """The `Api` of platform.py over a real client. `keep` is given each exchange."""

    most_files = sys.maxsize

    def __init__(
        self,
        client: Asker,
        keep: Callable[[Exchange], None],
        patience: RetryPolicy | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
        landing_url: str | None = None,
        most_files: int = sys.maxsize,
    ) -> None:
        self._client, self._keep, self._is_cancelled = client, keep, is_cancelled
        self._landing_url = landing_url
        self.findings: list[Finding] = []
        self.most_files = most_files
        self._patience = patience or RetryPolicy(
            tries=3, first_pause_s=0.3, longest_pause_s=client.longest_pause_s
        )

    def has_token(self, url: str) -> bool:
        return self._client.has_token(url)

    async def json(self, url: str) -> Any:
        return self._parsed(url, await self._answer(url, _JSON))

    async def query(self, url: str, question: Mapping[str, Any]) -> Any:
        body = json.dumps(question).encode()
        return self._parsed(url, await self._answer(url, _JSON, body))

    def _parsed(self, url: str, exchange: Exchange) -> Any:
        repeated: dict[str, None] = {}
        try:
            answer = json.loads(
                exchange.content(max_bytes=_ANSWER_MAX_BYTES),
                object_pairs_hook=lambda pairs: last_of_each(pairs, repeated),
            )
        except (ValueError, RecursionError) as error:  # CannotDecode is a ValueError too
            raise _unusable(exchange, tr("is not JSON")) from error
        answer = whole_texts(answer)
        if repeated and (finding := _repetition(url, repeated)) not in self.findings:
            self.findings.append(finding)
        return answer

    async def text(self, url: str, *, accept: str) -> str:
        return (await self.answer(url, accept=accept)).text

    async def answer(self, url: str, *, accept: str = _JSON) -> Answer:
        exchange = await self._answer(url, accept)
        try:
            body = exchange.content(max_bytes=_ANSWER_MAX_BYTES)
        except CannotDecode as error:
            raise _unusable(exchange, tr("cannot be decoded")) from error
        if exchange.is_cut or not body.strip():
            raise _unusable(exchange, tr("is incomplete"))
        text = decoded(exchange.headers.get("content-type", ""), body)
        return Answer(exchange.url, text, exchange.headers)

    async def head(self, url: str) -> Answer:
        exchange = await self._answer(url, "*/*", max_bytes=0)
        return Answer(exchange.url, "", exchange.headers)

    async def read(self, url: str, shape: type[S]) -> S:
        return shaped(url, await self.json(url), shape)

    async def read_page(self, url: str, shape: type[S]) -> tuple[S, str | None]:
        exchange = await self._answer(url, _JSON)
        body = self._parsed(url, exchange)
        return shaped(url, body, shape), next_link(exchange.headers, exchange.url)

    async def _answer(
        self,
        url: str,
        accept: str,
        question: bytes | None = None,
        max_bytes: int = _ANSWER_MAX_BYTES,
    ) -> Exchange:
        exchange = await self._ask(url, accept, question, max_bytes)
        _refuse_unless_ok(exchange)
        return exchange

    async def _ask(self, url: str, accept: str, question: bytes | None, max_bytes: int) -> Exchange:
        for attempt in self._patience.attempts():
            try:
                exchange = await self._follow(url, accept, question, max_bytes)
                _refuse_if_busy(exchange)
                return exchange
            except IngestStop as stop:
                if stop.status is Status.CANCELLED:
                    raise
                if self._is_cancelled() or not attempt.may_repeat(stop):
                    raise _as_api_stop(stop) from stop
                await attempt.pause(stop, self._is_cancelled)
        raise AssertionError("the last attempt may not repeat")

    async def _follow(
        self, url: str, accept: str, question: bytes | None, max_bytes: int
    ) -> Exchange:
        if self._landing_url is not None and leads_inside(self._landing_url, url):
            message = tr(
                "{landing_url} names {url}, inside a private network.",
                landing_url=self._landing_url,
                url=shown_address(url),
            )
            raise ApiStop(Status.PLATFORM_ERROR, message, may_repeat=False)
        hops, target = Hops(url), url
        while True:
            exchange = await self._client.get(
                target,
                accept=accept,
                max_bytes=max_bytes,
                is_cancelled=self._is_cancelled,
                is_open=is_asked_openly(host_in_address(target)),
                question=question,
            )
            self._keep(exchange)
            following = hops.next_after(exchange)
            if following is None:
                return exchange
            if is_login(following):
                message = tr("{url} leads to a log-in page.", url=shown_address(url))
                raise ApiStop(Status.PLATFORM_RESTRICTED, message, exchange.status_code)
            target = following


def _repetition(url: str, names: Iterable[str]) -> Finding:
    message = tr(
        "{url} has {names} more than once in one object, with "
        "different values: only the last counts.",
        url=shown_address(url),
        names=shortlist(names),
    )
    return Finding("repeated-fields", message, FindingLevel.WARNING)


def _as_api_stop(stop: IngestStop) -> ApiStop:
    if isinstance(stop, ApiStop):
        return stop
    status = stop.status if stop.status in _NOT_TO_BE_ASKED else Status.PLATFORM_ERROR
    wait_s = stop.retry_after_s
    return ApiStop(status, str(stop), may_repeat=stop.may_repeat, retry_after_s=wait_s)


def _refuse_if_busy(exchange: Exchange) -> None:
    """Raise ApiStop for answers that a retry may better."""
    code = exchange.status_code
    if code < 400 or is_challenge(exchange):
        return
    wait_s = pause_s(code, exchange.headers, datetime.now(UTC))
    # GitHub refuses by 403 who has used up the limit, and says so by headers alone.
    is_used_up = code == 403 and wait_s is not None
    if not (is_used_up or may_pass(code)):
        return
    is_limited = is_used_up or code in TOO_MANY_REQUESTS
    status = Status.RATE_LIMITED if is_limited else Status.PLATFORM_HTTP_ERROR
    message = tr("{url} answered with HTTP {code}.", url=shown_address(exchange.url), code=code)
    raise ApiStop(status, message, code, may_repeat=True, retry_after_s=wait_s)


def _refuse_unless_ok(exchange: Exchange) -> None:
    code, url = exchange.status_code, shown_address(exchange.url)
    if is_challenge(exchange):
        message = tr("A bot check blocks {url}.", url=url)
        raise ApiStop(Status.BLOCKED_CHALLENGE, message, code)
    if exchange.is_part:
        message = tr("{url} sent a part of its answer, which was not requested.", url=url)
        raise ApiStop(Status.PLATFORM_ERROR, message, code)
    if 200 <= code < 300:
        return
    said = tr("{url} answered with HTTP {code}{words}", url=url, code=code, words=_words(exchange))
    if code in (404, 410):
        raise ApiStop(Status.PLATFORM_404, said, code, headers=exchange.headers)
    if code in (401, 403, _FOR_LEGAL_REASONS):
        is_page = exchange.mimetype in ("", "text/html", "application/xhtml+xml")
        status = Status.FORBIDDEN if is_page else Status.PLATFORM_RESTRICTED
        raise ApiStop(status, said, code, headers=exchange.headers)
    raise ApiStop(
        Status.PLATFORM_HTTP_ERROR, said, code, may_repeat=False, headers=exchange.headers
    )


def _words(exchange: Exchange) -> str:
    """Return what an error says in JSON or plain text, led in by a colon, or a full stop."""
    message: Any = None
    if exchange.mimetype == "text/plain":
        message = exchange.body[:_ERROR_MAX_BYTES].decode("utf-8", "replace")
    else:
        try:
            message = _said(json.loads(exchange.body))
        except (ValueError, RecursionError):
            return "."
    words = " ".join(message.split()) if isinstance(message, str) else ""
    return f": “{shown(words, _LONGEST_WORDS)}”" if words else "."


def _said(error: Any) -> Any:
    """Return the sentence in a JSON error: `message` or `error`, plain or nested (CKAN), or the
    first of `errors` (JSON:API, 1.1, "Error Objects")."""
    if isinstance(error, list):
        return _said(error[0]) if error else None
    if not isinstance(error, dict):
        return error
    for name in ("message", "detail", "error", "errors", "title"):
        if said := error.get(name):
            return _said(said)
    return None


def _unusable(exchange: Exchange, fault: str) -> ApiStop:
    """Return the failure for a body of which `fault` is said, or what is wrong with it before."""
    url = shown_address(exchange.url)
    if not exchange.body.strip():
        message = tr("{url} sent an empty answer.", url=url)
    elif exchange.is_cut:
        message = tr(
            "{url} answered with more than {answer_max_bytes} bytes.",
            url=url,
            answer_max_bytes=_ANSWER_MAX_BYTES,
        )
    else:
        kind = exchange.mimetype or "something"
        message = tr("{url} answered with {kind} that {fault}.", url=url, kind=kind, fault=fault)
    return ApiStop(Status.PLATFORM_ERROR, message, exchange.status_code, may_repeat=False)
