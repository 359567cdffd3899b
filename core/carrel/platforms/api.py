# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking a platform's interface, politely and with every exchange kept as evidence."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from carrel.capture.client import Client
from carrel.capture.exchange import CannotDecode, Exchange
from carrel.capture.hops import Hops
from carrel.capture.obstacles import is_challenge, is_login
from carrel.errors import ApiStop, IngestStop
from carrel.hosts.inside import leads_inside
from carrel.hosts.retry import RetryPolicy, may_pass, retry_after_s
from carrel.model import Finding, FindingLevel, Status
from carrel.model.prose import shortlist, shown, shown_address
from carrel.model.sizes import MEBIBYTE
from carrel.platforms.page import decoded
from carrel.platforms.platform import S
from carrel.platforms.shapes import last_of_each, misfit
from carrel.translation import tr

_JSON = "application/json"
# The manifest of a hundred thousand files has some fifty megabytes.
_ANSWER_MAX_BYTES = 128 * MEBIBYTE
_LONGEST_WORDS = 300
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

    def __init__(
        self,
        client: Client,
        keep: Callable[[Exchange], None],
        patience: RetryPolicy | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
        landing_url: str | None = None,
    ) -> None:
        self._client, self._keep, self._is_cancelled = client, keep, is_cancelled
        self._landing_url = landing_url
        self.findings: list[Finding] = []
        self._patience = patience or RetryPolicy(
            tries=3, first_pause_s=0.3, longest_pause_s=client.longest_pause_s
        )

    async def json(self, url: str) -> Any:
        exchange = await self._answer(url, _JSON)
        repeated: dict[str, None] = {}
        try:
            answer = json.loads(
                exchange.content(max_bytes=_ANSWER_MAX_BYTES),
                object_pairs_hook=lambda pairs: last_of_each(pairs, repeated),
            )
        except (ValueError, RecursionError) as error:  # CannotDecode is a ValueError too
            raise _unusable(exchange, tr("is not JSON")) from error
        if repeated and (finding := _repetition(url, repeated)) not in self.findings:
            self.findings.append(finding)
        return answer

    async def text(self, url: str, *, accept: str) -> str:
        exchange = await self._answer(url, accept)
        try:
            body = exchange.content(max_bytes=_ANSWER_MAX_BYTES)
        except CannotDecode as error:
            raise _unusable(exchange, tr("cannot be decoded")) from error
        if exchange.is_cut or not body.strip():
            raise _unusable(exchange, tr("is incomplete"))
        return decoded(exchange.headers.get("content-type", ""), body)

    async def read(self, url: str, shape: type[S]) -> S:
        body = await self.json(url)
        try:
            return shape.model_validate(body)
        except ValidationError as error:
            message = tr(
                "{url} answered with unexpected JSON: {misfit}.",
                url=shown_address(url),
                misfit=misfit(error),
            )
            raise ApiStop(Status.PLATFORM_ERROR, message, 200) from error

    async def _answer(self, url: str, accept: str) -> Exchange:
        exchange = await self._ask(url, accept)
        _refuse_unless_ok(exchange)
        return exchange

    async def _ask(self, url: str, accept: str) -> Exchange:
        for attempt in self._patience.attempts():
            try:
                exchange = await self._follow(url, accept)
                _refuse_if_busy(exchange)
                return exchange
            except IngestStop as stop:
                if stop.status is Status.CANCELLED:
                    raise
                if self._is_cancelled() or not attempt.may_repeat(stop):
                    raise _as_api_stop(stop) from stop
                await attempt.pause(stop, self._is_cancelled)
        raise AssertionError("the last attempt may not repeat")

    async def _follow(self, url: str, accept: str) -> Exchange:
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
                max_bytes=_ANSWER_MAX_BYTES,
                is_cancelled=self._is_cancelled,
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
    if code < 400 or is_challenge(exchange) or not may_pass(code):
        return
    status = Status.RATE_LIMITED if code == 429 else Status.PLATFORM_HTTP_ERROR
    wait_s = retry_after_s(exchange.headers.get("retry-after"))
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
        raise ApiStop(Status.PLATFORM_404, said, code)
    if code in (401, 403):
        is_api_speaking = "json" in exchange.mimetype
        status = Status.PLATFORM_RESTRICTED if is_api_speaking else Status.FORBIDDEN
        raise ApiStop(status, said, code)
    raise ApiStop(Status.PLATFORM_HTTP_ERROR, said, code, may_repeat=False)


def _words(exchange: Exchange) -> str:
    """Return what a JSON error says, led in by a colon, or a full stop."""
    try:
        body = json.loads(exchange.body)
    except (ValueError, RecursionError):
        return "."
    message = body.get("message") if isinstance(body, dict) else None
    words = " ".join(message.split()) if isinstance(message, str) else ""
    return f": “{shown(words, _LONGEST_WORDS)}”" if words else "."


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
