# SPDX-License-Identifier: AGPL-3.0-or-later
"""The live web has one row for any URL, and is not asked for it."""

import asyncio
from dataclasses import replace

import pytest

from carrel.mementos import moments
from carrel.mementos.query import MatchType, Query, query_for
from carrel.mementos.sources.live import LiveWeb
from carrel.model import Memento, SourceType


def rows(query: Query) -> list[Memento]:
    return list(asyncio.run(LiveWeb("live").rows(query)).rows)


@pytest.mark.parametrize("url", ["http://a.example/x#y", "https://a.example/?u=http://b/"])
def test_the_row_is_the_url_as_asked_for_as_of_now(url: str) -> None:
    before = moments.now()

    (row,) = rows(query_for(url, closest="20150101000000"))

    assert (row.url, row.live_url) == (url, url)
    assert before <= row.timestamp <= moments.now()
    assert (row.source, row.source_type) == ("live", SourceType.LIVE)
    assert row.urlkey == query_for(url).urlkey


def test_an_address_without_a_scheme_gets_one_to_be_fetched_by() -> None:
    (row,) = rows(query_for("a.example/x?u=http://b/"))

    assert row.live_url == "http://a.example/x?u=http://b/"


def test_of_many_addresses_and_of_the_past_there_is_nothing() -> None:
    assert rows(query_for("http://a.example/", match_type=MatchType.HOST)) == []
    assert rows(replace(query_for("http://a.example/"), last="20150101000000")) == []
