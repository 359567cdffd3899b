# SPDX-License-Identifier: AGPL-3.0-or-later
"""Captures that other archives replay, as they were captured: only if they prove to be mementos.

What an archive says on its own behalf (not found, too many requests, a challenge) has no
Memento-Datetime; what it replays has one, whatever its status (RFC 7089, 2.1.1).
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import httpx

from carrel.capture.records import warc_date
from carrel.errors import NotLoaded, SourceTrouble
from carrel.hosts.inside import is_loopback
from carrel.hosts.retry import retry_after_s
from carrel.mementos import moments
from carrel.mementos.loading.addresses import (
    behind_timestamp,
    embedded,
    endpoint_of,
    host_of,
    is_same_address,
    joined,
    server_of,
    web_parts,
)
from carrel.mementos.loading.fetched_record import field_url, wrapped
from carrel.mementos.loading.heads import (
    RawHeaders,
    as_sent,
    raw_headers,
    without,
    without_transfer_coding,
)
from carrel.mementos.loading.match import is_same_key
from carrel.mementos.loading.places import NotThere
from carrel.mementos.loading.record import Fields, Record, ResourceRequest
from carrel.mementos.loading.timeouts import Timeouts, answer_of, told_as
from carrel.mementos.web import Web
from carrel.model import Memento, SourceState
from carrel.model.http_date import moment_of
from carrel.translation import tr

_REQUEST = ResourceRequest(headers=(("Accept-Encoding", "identity"),))
_MOST_HOPS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_ORIGINAL = b"x-archive-orig-"
# How the body is framed is what was delivered now, not what the archive once got.
_FRAMING = (b"content-encoding", b"content-length", b"transfer-encoding")
_OF_THE_ARCHIVE = ("link", "memento-datetime", "content-location")
# An archive that answers so is asked too often, or is down for a while (RFC 9110, 10.2.3).
_REFUSALS = (429, 503)
_DAY_S = 86_400.0


async def load_replay(
    web: Web, memento: Memento, timeouts: Timeouts, failed: dict[str, str]
) -> Record:
    """Return the record of a capture that an archive replays. Raises NotLoaded.

    `failed` has the archives that are not to be asked again, and why.
    """
    endpoint = endpoint_of(memento.live_url)
    if endpoint in failed:
        raise NotLoaded(memento.source, failed[endpoint])
    try:
        return await _load(web, memento, timeouts)
    except NotThere as error:
        failed[endpoint] = str(error)
        raise


async def _load(web: Web, memento: Memento, timeouts: Timeouts) -> Record:
    url, seen = memento.live_url, set[str]()
    while url not in seen and len(seen) <= _MOST_HOPS:
        seen.add(url)
        _check_address(url, memento)
        _check_rest(web, url, memento)
        with told_as(memento.source, url):
            async with answer_of(web, url, _REQUEST, "memento", timeouts) as answer:
                if _is_memento(answer):
                    return await _record(answer, url, memento, timeouts)
                _learn(web, answer, url)
                url = _next(answer, url, memento)
    raise NotLoaded(
        memento.source,
        tr("{live_url} has too many redirects, and none to a capture.", live_url=memento.live_url),
    )


async def _record(answer: httpx.Response, url: str, memento: Memento, timeouts: Timeouts) -> Record:
    fields: Fields = (
        ("WARC-Target-URI", field_url(memento.url)),
        ("WARC-Date", warc_date(_delivered(answer, url, memento))),
        ("WARC-Source-URI", field_url(url)),
        ("WARC-Creation-Date", warc_date(datetime.now(UTC))),
    )
    headers = _as_captured(raw_headers(answer), url)
    _refuse_self_redirect(answer.status_code, headers, memento)
    return await wrapped(answer, headers, fields, name=memento.source, timeouts=timeouts)


def _check_rest(web: Web, url: str, memento: Memento) -> None:
    """Raise NotLoaded while an archive wishes to be left alone."""
    try:
        web.throttle.check(endpoint_of(url))
    except SourceTrouble as trouble:
        raise NotLoaded(memento.source, str(trouble)) from trouble


def _learn(web: Web, answer: httpx.Response, url: str) -> None:
    """Note how long an archive wishes to be left alone, if it says so."""
    wait_s = retry_after_s(answer.headers.get("retry-after"))
    if wait_s and answer.status_code in _REFUSALS and not is_loopback(host_of(url)):
        until = datetime.now(UTC) + timedelta(seconds=min(wait_s, _DAY_S))
        trouble = SourceTrouble(SourceState.REFUSED, _said_by_archive(answer, url), until)
        web.throttle.failed(endpoint_of(url), trouble)


def _is_memento(answer: httpx.Response) -> bool:
    return any(name.lower() == b"memento-datetime" for name, _ in raw_headers(answer))


def _delivered(answer: httpx.Response, url: str, memento: Memento) -> datetime:
    """Return the time of the capture that was delivered, which may not be that of the row."""
    text = as_sent(answer, "memento-datetime")
    try:
        moment = moment_of(text) if text else moments.moment(memento.timestamp)
    except ValueError:  # the row's own is none
        moment = None
    if moment is None:
        message = tr(
            "{url} claims to be of “{text}”, which is not a valid time.", url=url, text=text[:60]
        )
        raise NotLoaded(memento.source, message)
    return moment


def _next(answer: httpx.Response, url: str, memento: Memento) -> str:
    """Return where an archive sends us for another moment of the same address.

    Raises NotLoaded for everything else that it may say on its own behalf.
    """
    location = as_sent(answer, "location")
    if answer.status_code == 429:
        raise NotThere(memento.source, _said_by_archive(answer, url))
    if answer.status_code not in _REDIRECTS or not location:
        raise NotLoaded(memento.source, _said_by_archive(answer, url))
    target = joined(url, location)
    of = embedded(target)
    if server_of(target) != server_of(url) or (of and not is_same_key(of, memento)):
        message = tr(
            "{url} redirects to {target}, which is not a capture of {asked}.",
            url=url,
            target=target[:300],
            asked=memento.url[:300],
        )
        raise NotLoaded(memento.source, message)
    return target


def _said_by_archive(answer: httpx.Response, url: str) -> str:
    """Return in words what an archive answered that is no capture."""
    status = answer.status_code
    if status == 429:
        wait = as_sent(answer, "retry-after")[:60]
        until = (
            tr(" It asks to wait: {wait}{words}.", wait=wait, words=" s" if wait.isdigit() else "")
            if wait
            else ""
        )
        return tr(
            "{host_of} refuses more requests for now (429).{until}",
            host_of=host_of(url),
            until=until,
        )
    return tr(
        "{host_of} answered {status} for {url}, and not with a capture:"
        " it has no Memento-Datetime.",
        host_of=host_of(url),
        status=status,
        url=url[:300],
    )


def _as_captured(headers: RawHeaders, url: str) -> RawHeaders:
    """Return headers as the captured server sent them, as far as the archive tells."""
    originals = _originals(headers)
    kept: list[tuple[bytes, bytes]] = []
    for name, value in without(without_transfer_coding(headers), *_OF_THE_ARCHIVE):
        if name.lower().startswith(b"x-archive-") or name.lower() in originals:
            continue
        kept.append((name, _unwritten(value, url) if name.lower() == b"location" else value))
    return [*kept, *(pair for pairs in originals.values() for pair in pairs)]


def _originals(headers: RawHeaders) -> Mapping[bytes, RawHeaders]:
    """Return the headers of the captured server that an archive repeats, by lower-case name."""
    found: dict[bytes, list[tuple[bytes, bytes]]] = {}
    for name, value in headers:
        original = name[len(_ORIGINAL) :]
        if name.lower().startswith(_ORIGINAL) and original and original.lower() not in _FRAMING:
            found.setdefault(original.lower(), []).append((original, value))
    return found


def _unwritten(location: bytes, url: str) -> bytes:
    """Return where the captured server redirected to, out of where the archive redirects to."""
    text = location.decode("utf-8", "replace").strip()
    is_within = server_of(joined(url, text)) == server_of(url)
    original = embedded(text) if is_within else behind_timestamp(text)
    return original.encode() if original else location


def _refuse_self_redirect(status: int, headers: RawHeaders, memento: Memento) -> None:
    locations = (value for name, value in headers if name.lower() == b"location")
    location = next(locations, b"").decode("utf-8", "replace").strip()
    if status in _REDIRECTS and location:
        target = joined(memento.url, location)
        if is_same_address(target, memento.url):
            message = tr(
                "The capture of {url} at {source} redirects to itself.",
                url=memento.url[:300],
                source=memento.source,
            )
            raise NotLoaded(memento.source, message)


def _check_address(url: str, memento: Memento) -> None:
    if web_parts(url) is None:
        message = tr(
            "{source} names “{url}”, which is not the address of a capture.",
            source=memento.source,
            url=url[:200],
        )
        raise NotLoaded(memento.source, message)
