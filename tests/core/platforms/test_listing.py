# SPDX-License-Identifier: AGPL-3.0-or-later
"""Listings in pages: read to their end, refused by count, never cut."""

import asyncio

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import Status
from carrel.platforms.listing import Listing, Page, listed
from support.answers import Answers

FIRST = "https://r.example/files?page=1"


def rows_of(table: dict[str, object], *, most_files: int = 100, **options: bool) -> Listing[str]:
    api = Answers(table, most_files=most_files)

    async def read(url: str) -> Page[str]:
        body = await api.json(url)
        return Page(body["rows"], body.get("next"), body.get("total"))

    return asyncio.run(listed(FIRST, read, api, **options))


def second(number: int) -> str:
    return FIRST.replace("1", str(number))


def test_all_pages_are_read() -> None:
    table = {FIRST: {"rows": ["a", "b"], "next": second(2), "total": 3}, second(2): {"rows": ["c"]}}

    assert rows_of(table) == Listing(("a", "b", "c"))


def test_a_listing_that_counts_more_than_it_names_says_so() -> None:
    listing = rows_of({FIRST: {"rows": ["a", "b"], "total": 5}})

    assert listing.rows == ("a", "b")
    assert listing.shortfall == f"The listing at {FIRST} counts 5 entries but names 2."


def test_too_many_files_are_refused_before_more_pages_are_read() -> None:
    with pytest.raises(IngestStop) as stop:
        rows_of({FIRST: {"rows": ["a", "b"], "next": second(2), "total": 5000}})

    assert stop.value.status is Status.TOO_MANY_FILES
    assert str(stop.value).startswith("5,000 files or more are beyond the limit of 100")


def test_rows_that_are_no_files_are_not_limited() -> None:
    table = {FIRST: {"rows": ["a", "b"], "next": second(2)}, second(2): {"rows": ["c"]}}

    assert len(rows_of(table, most_files=1, counts_files=False).rows) == 3


def test_a_circle_is_no_end() -> None:
    with pytest.raises(ApiStop) as stop:
        rows_of({FIRST: {"rows": ["a"], "next": FIRST}})

    assert stop.value.status is Status.PLATFORM_ERROR
    assert "leads back to a page that was read before" in str(stop.value)


def test_a_failure_on_the_way_says_how_far_it_came() -> None:
    with pytest.raises(ApiStop) as stop:
        rows_of({FIRST: {"rows": ["a"], "next": second(2), "total": 9}, second(2): 429})

    assert stop.value.status is Status.RATE_LIMITED
    assert "The listing was not read to its end: 1 of 9 entries had been read." in str(stop.value)
