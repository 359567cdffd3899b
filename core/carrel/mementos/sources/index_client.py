# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking an archive's index over the network: redirects, refusals, and answers that were kept.

An answer is kept for an hour and shown with its age, so that a person who looks twice asks an
archive once. After that it is asked again. When it is in trouble then, that is what is told, for
rows of yesterday would not show that one of today is missing. So nothing older is kept. Answers of
this machine's own servers are never kept.
"""

import asyncio
import json
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urljoin, urlsplit

import httpx

from carrel.capture.network_faults import host_of
from carrel.errors import SourceTrouble
from carrel.hosts.inside import is_loopback, leads_inside
from carrel.hosts.retry import retry_after_s
from carrel.ledger.hosts import KeptAnswer
from carrel.mementos.web import Web
from carrel.model import SourceState
from carrel.model.iso_time import full_minute
from carrel.model.user_information import bare_address
from carrel.translation import tr

ANSWER_MAX_BYTES = 32 * 1024**2
FRESH_FOR = timedelta(hours=1)
# A server that asks for a pause and does not say how long gets this one.
_UNSAID_PAUSE_S = 60.0
_MOST_REDIRECTS = 3
REDIRECTS = (301, 302, 303, 307, 308)
ABSENT = (204, 404, 410)
_REFUSALS = (401, 402, 403, 407, 451)
_HTML_BEGINNINGS = (
    b"<!doctype",
    b"<html",
    b"<head",
    b"<body",
    b"<title",
    b"<script",
    b"<?xml",
    b"<!--",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an index said. `url` is where it said so, after redirects. `is_absent` stands for 404.

    `answered_at` (aware UTC) is None for a fresh answer.
    """

    asked: str
    url: str
    body: bytes
    media_type: str
    is_absent: bool = False
    answered_at: datetime | None = None

    @property
    def is_html(self) -> bool:
        """Whether this is a page for people, whatever it is called; an empty one by its name."""
        if not self.body.strip():
            return self.media_type == "text/html"
        return self.body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML_BEGINNINGS)


async def ask(web: Web, url: str, accept: str = "*/*") -> Answer:
    """Return what an index says at an address; "there is nothing" is an answer, too.

    Raises SourceTrouble (timed-out, refused, unreachable, resting, wrong-answer).
    """
    if kept := await asyncio.to_thread(_kept, web, url):
        return kept
    at = url
    for _ in range(_MOST_REDIRECTS + 1):
        found = await web.fetch(at, accept=accept, most=ANSWER_MAX_BYTES)
        if found.status_code not in REDIRECTS:
            check_status(at, found.status_code, found.headers, web.throttle.now())
            media_type = found.headers.get("content-type", "").partition(";")[0].strip().lower()
            return Answer(url, at, found.body, media_type, found.status_code in ABSENT)
        at = redirected(at, found.headers)
    raise wrong(url, tr("has too many redirects"))


async def keep(web: Web, answer: Answer) -> None:
    """Keep an answer that made sense."""
    if answer.answered_at is None and not is_loopback(host_of(answer.asked)):
        await asyncio.to_thread(_keep, web, answer)


def check_status(url: str, status_code: int, headers: httpx.Headers, now: datetime) -> None:
    """Raise SourceTrouble unless a status is that of an answer (200, or absent)."""
    host = host_of(url)
    wait_s = retry_after_s(headers.get("retry-after"), now)
    if status_code == 429 or (status_code == 503 and wait_s is not None):
        pause_s = min(_UNSAID_PAUSE_S if wait_s is None else wait_s, 86_400.0)
        until = now + timedelta(seconds=pause_s)
        said = tr(
            "{host} asks for no requests until {until:%Y-%m-%d %H:%M} UTC (HTTP {status_code})."
        )
        if wait_s is None:
            said = tr(
                "{host} accepts no more requests for now, and does not say for how long (HTTP "
                "{status_code}); Carrel sends none until {until:%Y-%m-%d %H:%M} UTC."
            )
        minute = full_minute(until.timestamp())
        words = said.format(host=host, until=minute, status_code=status_code)
        raise SourceTrouble(SourceState.REFUSED, words, until)
    if status_code >= 500:
        words = tr(
            "{host} reports an internal error (HTTP {status_code}).",
            host=host,
            status_code=status_code,
        )
        raise SourceTrouble(SourceState.FAILED, words)
    if status_code in _REFUSALS:
        words = tr("{host} denies access (HTTP {status_code}).", host=host, status_code=status_code)
        raise SourceTrouble(SourceState.REFUSED, words)
    if status_code not in ABSENT and status_code != 200:
        raise wrong(url, tr("rejected the query (HTTP {status_code})", status_code=status_code))


def redirected(url: str, headers: httpx.Headers) -> str:
    """Return where an answer leads. Raises SourceTrouble for what is no place to be led to."""
    try:
        target: str = urljoin(url, str(headers.get("location", "")))
        is_web = urlsplit(target).scheme in ("http", "https") and target != url
    except ValueError:
        is_web = False
    if not is_web:
        raise wrong(url, tr("redirects to no address"))
    if bare_address(target) != target:
        raise wrong(url, tr("leads to an address with a user name or password in it"))
    if leads_inside(url, target):
        raise wrong(
            url, tr("leads to {host_of}, which is inside this network", host_of=host_of(target))
        )
    return target


def wrong(url: str, deed: str) -> SourceTrouble:
    return SourceTrouble(SourceState.WRONG_ANSWER, f"{host_of(url)} {deed}.")


def _kept(web: Web, url: str) -> Answer | None:
    if is_loopback(host_of(url)):
        return None
    found = web.throttle.store.answer(url)
    if found is None:
        return None
    at = datetime.fromtimestamp(found.answered_at, UTC)
    age = web.throttle.now() - at
    if not timedelta(0) <= age < FRESH_FOR:
        return None
    try:
        place, media_type, is_absent = json.loads(found.headers)
        body = zlib.decompressobj().decompress(found.body, ANSWER_MAX_BYTES)
    except (ValueError, TypeError, zlib.error):
        return None
    return Answer(url, str(place), body, str(media_type), bool(is_absent), at)


def _keep(web: Web, answer: Answer) -> None:
    now = web.throttle.now()
    headers = json.dumps([answer.url, answer.media_type, answer.is_absent])
    kept = KeptAnswer(now.timestamp(), headers, zlib.compress(answer.body, 1))
    web.throttle.store.keep(answer.asked, kept)
