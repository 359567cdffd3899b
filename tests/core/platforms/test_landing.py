# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a page on a real connection to what is told of it."""

import asyncio

import pytest

from carrel.capture.client import Client
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import Landing, Status
from carrel.platforms.landing import land
from carrel.platforms.registry import describe
from carrel.settings import Network
from support.answers import Answers
from support.wire import WireServer, redirect, reply

GOOD = '{"@type": "Dataset", "name": "Ice", "distribution": {"contentUrl": "/a.csv"}}'
BROKEN = '{"@type": "Dataset", "name": "The "Big" Ice"}'


def landed(*blocks: str) -> Landing:
    scripts = "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    body = f"<!doctype html><title>Ice</title>{scripts}".encode()
    with WireServer() as server, Client(Network()) as client:
        url = server.serve("/page", reply(body, Content_Type="text/html"))
        return asyncio.run(land(client, url, lambda exchange: None))


def test_a_broken_description_is_not_passed_over() -> None:
    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe(landed(BROKEN), Answers({})))

    assert stop.value.status is Status.NO_PLATFORM_MATCH
    assert "cannot be read completely" in str(stop.value)
    assert "Expecting ',' delimiter in line 1." in str(stop.value)


def test_a_broken_description_beside_a_good_one_is_a_finding() -> None:
    item, _ = asyncio.run(describe(landed(BROKEN, GOOD), Answers({})))

    assert [entry.path for entry in item.manifest] == ["a.csv"]
    assert [finding.code for finding in item.findings] == ["json-ld-unread"]


def test_a_page_that_is_read_whole_says_nothing_of_it() -> None:
    assert landed(GOOD).unread_json_ld == ()


@pytest.mark.parametrize("kind", ["text/csv", "application/pdf", "text/plain"])
def test_the_address_of_a_file_is_told_to_be_no_page(kind: str) -> None:
    with WireServer() as server, Client(Network()) as client:
        url = server.serve("/a.csv", reply(b"a,b\n1,2\n", Content_Type=kind))
        landing = asyncio.run(land(client, url, lambda exchange: None))

    assert landing.outcome is Status.WRONG_MIMETYPE
    assert landing.message == f"{url} leads to {kind}, not to a page."


def test_only_of_a_doi_is_it_said_that_it_may_be_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = reply(b"<h1>No</h1>", "404 Not Found", Content_Type="text/html")
    with WireServer() as server:
        # A proxy is the way to answer as doi.org does, without the network.
        monkeypatch.setenv("HTTP_PROXY", server.origin)
        with Client(Network()) as client:
            server.serve("http://doi.org/10.1234/x", missing)
            server.serve("http://data.example/x", missing)
            asked = ("http://doi.org/10.1234/x", "http://data.example/x")
            of_doi, of_page = (
                asyncio.run(land(client, url, lambda exchange: None)).message for url in asked
            )

    assert of_doi is not None
    assert of_doi.endswith("HTTP 404. A newly registered DOI can take days to work.")
    assert of_page is not None
    assert of_page.endswith("HTTP 404.")


@pytest.mark.parametrize("kind", ["text/xml", "application/xml", "application/xhtml+xml"])
def test_a_page_may_be_written_in_xml(kind: str) -> None:
    with WireServer() as server, Client(Network()) as client:
        url = server.serve("/page", reply(b"<html/>", Content_Type=kind))
        landing = asyncio.run(land(client, url, lambda exchange: None))

    assert (landing.outcome, landing.body) == (None, b"<html/>")


def test_where_the_way_began_is_said_once() -> None:
    with WireServer() as server, Client(Network()) as client:
        url = server.serve("/begin", redirect("/log-in"))
        server.serve("/log-in", redirect("/begin"))
        landing = asyncio.run(land(client, url, lambda exchange: None))

    assert landing.outcome is Status.REDIRECT_LOOP
    assert landing.message == f"{url} has a redirect loop: {url} was visited before."


def test_a_page_that_wants_a_long_pause_is_asked_for_once() -> None:
    with WireServer() as server, Client(Network()) as client:
        url = server.serve("/page", reply(b"", "503 Unavailable", Retry_After=100), reply(b"<p>"))
        patience = RetryPolicy(first_pause_s=0.0, longest_pause_s=50)
        landing = asyncio.run(land(client, url, lambda exchange: None, patience))
        asked = server.times_asked("/page")

    assert (landing.outcome, asked) == (Status.REMOTE_SERVER_ERROR, 1)


def test_a_page_whose_host_asks_for_a_long_pause_is_not_waited_for() -> None:
    with (
        WireServer() as server,
        Client(Network(longest_pause_s=0.1)) as client,
    ):
        url = server.serve("/page", reply(b"", "429 Too Many Requests", Retry_After=60))
        landing = asyncio.run(land(client, url, lambda exchange: None))

    assert landing.outcome is Status.RATE_LIMITED
