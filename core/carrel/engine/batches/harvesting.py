# SPDX-License-Identifier: AGPL-3.0-or-later
"""Harvesting an OAI-PMH 2.0 endpoint: page after page, politely, until its list is at its end."""

import asyncio
from collections.abc import AsyncIterator, Callable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from carrel.capture.client import Client
from carrel.engine.batches.batch import Batch, Entry, Kind, Problem, Seen, gather
from carrel.engine.batches.oai_pmh import LISTS, NO_TOKEN, Answers, NotReadable, Sums
from carrel.errors import IngestStop, UsageError
from carrel.hosts.retry import RetryPolicy
from carrel.model.counts import counted
from carrel.platforms.api import HttpApi
from carrel.settings import Settings
from carrel.translation import tr

# Zenodo answers 30 requests a minute (developers.zenodo.org).
PAUSE_S = 2.0
_PATIENCE = RetryPolicy(tries=5, first_pause_s=2.0)
_EMPTY_PAGES_MAX = 3
_RECORDS_MAX = 1_000_000


async def harvest(
    url: str,
    client: Client,
    *,
    name: str | None = None,
    seen: Seen | None = None,
    pause_s: float = PAUSE_S,
    patience: RetryPolicy = _PATIENCE,
    tell: Callable[[int], None] = lambda records: None,
) -> Batch:
    """Return the batch of all records that an endpoint lists.

    `url` is the endpoint's, with `verb`, `set`, `from` and so on if wanted; without a verb the
    records are listed in Dublin Core. Between two pages it waits `pause_s` seconds, and as long as
    the endpoint asks for (section 3.1.2.2). `tell` hears how many records have come. What came
    before a failure stays, and the failure is a problem of the batch. Raises UsageError if the
    address asks for no list.
    """
    api = HttpApi(client, _forget, patience)
    entries = [entry async for entry in _entries(url, api, pause_s, tell)]
    host = urlsplit(url).hostname or url
    return gather(entries, name=name or host, kind=Kind.OAI_PMH, source=host, seen=seen)


async def harvest_with(
    settings: Settings,
    url: str,
    *,
    name: str | None = None,
    seen: Seen | None = None,
    tell: Callable[[int], None] = lambda records: None,
) -> Batch:
    """Do as `harvest`, with a client of its own."""
    with Client(settings.network) as client:
        return await harvest(url, client, name=name, seen=seen, tell=tell)


def _forget(_: object) -> None:
    """Nothing of a harvest is kept: the datasets' own answers will be."""


async def _entries(
    url: str,
    api: HttpApi,
    pause_s: float,
    tell: Callable[[int], None],
) -> AsyncIterator[Entry]:
    sums = Sums()
    page: str | None = _first_page(url)
    tokens: set[str] = set()
    empty_pages = 0
    while page is not None:
        before = sums.records
        try:
            text = await api.text(page, accept="text/xml, application/xml;q=0.9")
            entries = await asyncio.to_thread(_read, text, sums)
        except (IngestStop, NotReadable) as error:
            yield _broken_off(sums, page, str(error))
            return
        for entry in entries:
            yield entry
        tell(sums.records)
        token = sums.token.value
        if not token:
            break
        empty_pages = 0 if sums.records > before else empty_pages + 1
        if fault := _fault(token, tokens, empty_pages, sums.records):
            yield _broken_off(sums, page, fault)
            return
        tokens.add(token)
        page = _next_page(url, token)
        await asyncio.sleep(pause_s)
    for entry in sums.end():
        yield entry


def _read(text: str, sums: Sums) -> list[Entry]:
    """Return the entries of a page, none of them if it is not whole. Raises NotReadable."""
    answers = Answers(encoding="utf-8")
    parts = [*answers.feed(text.encode("utf-8", "replace")), *answers.close()]
    sums.token = NO_TOKEN
    return [entry for part in parts if (entry := sums.entry(part))]


def _fault(token: str, tokens: set[str], empty_pages: int, records: int) -> str | None:
    """Return why the endpoint is not asked on, None if it is."""
    if token in tokens:
        return tr("The endpoint returned the same resumption token again")
    if empty_pages >= _EMPTY_PAGES_MAX:
        return tr(
            "The endpoint returned {empty_pages} pages without records in a row",
            empty_pages=empty_pages,
        )
    if records >= _RECORDS_MAX:
        return tr(
            "More than {records_max} records are too many for one list; select a set, or dates",
            records_max=_RECORDS_MAX,
        )
    return None


def _broken_off(sums: Sums, page: str, why: str) -> Problem:
    records = counted(sums.records, "record")
    message = tr(
        "the harvest was interrupted after {records}: {why}", records=records, why=why.rstrip(".")
    )
    return Problem(sums.records + 1, page, message)


def _first_page(url: str) -> str:
    split = urlsplit(url)
    query = dict(parse_qsl(split.query))
    verb = query.setdefault("verb", LISTS[0])
    if verb not in LISTS:
        raise UsageError(
            tr(
                "{url} asks for {verb}; a batch needs {lists}.",
                url=url,
                verb=verb,
                lists=" or ".join(LISTS[:2]),
            )
        )
    if "resumptionToken" not in query:
        query.setdefault("metadataPrefix", "oai_dc")
    return urlunsplit(split._replace(query=urlencode(query), fragment=""))


def _next_page(url: str, token: str) -> str:
    """Return the address of the page behind a token, which stands alone beside the verb."""
    split = urlsplit(url)
    verb = dict(parse_qsl(split.query)).get("verb", LISTS[0])
    query = urlencode({"verb": verb, "resumptionToken": token})
    return urlunsplit(split._replace(query=query, fragment=""))
