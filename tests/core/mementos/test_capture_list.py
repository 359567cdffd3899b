# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of captures of a URL counts all of them, and never leaves out what is held here."""

import asyncio
from typing import cast

import pytest

from carrel.mementos.lookup import OpenCollection, OpenStep
from carrel.mementos.query import Order, Query
from carrel.mementos.server import capture_list, memento_api
from carrel.mementos.server.asked import Asked
from carrel.mementos.server.capture_list import listed
from carrel.mementos.server.memento_api import Visit
from carrel.mementos.server.replay_policy import Door
from carrel.mementos.sources.source import Rows
from carrel.mementos.throttle import ArchiveThrottle
from carrel.model import Memento, SourceType

URL = "http://example.com/big"


def row(timestamp: str, source: str, **fields: str) -> Memento:
    return Memento("com,example)/big", timestamp, {"url": URL, **fields}, source=source)


class Captures:
    """A source of captures, which has them in the order that it is asked for."""

    address = ""

    def __init__(self, name: str, kind: SourceType, *rows: Memento) -> None:
        self.name, self.kind, self._rows = name, kind, rows

    async def rows(self, query: Query) -> Rows:
        found = sorted(
            self._rows, key=lambda row: row.timestamp, reverse=query.order is Order.REVERSE
        )
        return Rows(found[: query.limit])


def page_of(*sources: Captures) -> str:
    """Return the page that a browser gets of all captures."""
    step = OpenStep(sources, 5.0, ArchiveThrottle(), lambda _: None)  # type: ignore[arg-type, return-value]  # loads nothing
    visit = Visit(OpenCollection("mine", [step]), cast(Asked, None), cast(Door, None))
    return bytes(asyncio.run(memento_api.captures_page(visit, URL)).body).decode()


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have lists that end after a few rows."""
    monkeypatch.setattr(capture_list, "MOST_ROWS", 3)


def test_all_captures_are_counted_and_the_newest_shown() -> None:
    far = [row(f"{year}0101000000", "far") for year in range(2010, 2020)]

    html = page_of(Captures("far", SourceType.MEMENTO, *far))

    assert "10 captures from 2010 to 2019, in “mine”. The newest 3 are shown." in html
    assert "<b>far</b> has 10 captures." in html
    assert "2019-01-01 00:00:00" in html
    assert "2010-01-01 00:00:00" not in html
    assert f'href="/mine/timemap/link/{URL}"' in html


def test_captures_of_this_machine_are_listed_however_old_they_are() -> None:
    far = [row(f"{year}0101000000", "far") for year in range(2010, 2020)]
    own = [row("20090101000000", "archive"), row("20260101000000", "archive")]

    html = page_of(
        Captures("far", SourceType.MEMENTO, *far), Captures("archive", SourceType.LEDGER, *own)
    )

    assert "12 captures from 2009 to 2026" in html
    assert "The newest 3 are shown, and 1 older one that is on this machine." in html
    assert "2009-01-01 00:00:00" in html
    assert "2026-01-01 00:00:00" in html


def test_a_capture_that_is_also_held_here_is_not_left_out() -> None:
    both = {"digest": "sha1:ABC"}
    far = [row(f"{year}0101000000", "far", **both) for year in range(2010, 2020)]
    own = row("20100101000000", "archive", **both)

    html = page_of(
        Captures("far", SourceType.MEMENTO, *far), Captures("archive", SourceType.LEDGER, own)
    )

    assert "10 captures from 2010 to 2019" in html
    assert "2010-01-01 00:00:00" in html


def test_each_year_has_all_its_captures_and_says_how_many_are_shown() -> None:
    far = [row(f"2019010100000{n}", "far") for n in range(5)] + [row("20180101000000", "far")]

    html = page_of(Captures("far", SourceType.MEMENTO, *far))

    assert '<a href="#y2019">2019<span>5</span></a>' in html
    assert '<span>2018<span>1</span><span class="unseen"> not shown</span></span>' in html
    assert "<small>3 of 5 captures</small>" in html


def test_of_many_that_are_held_the_newest_are_listed_which_is_said() -> None:
    rows = [row(f"{year}0101000000", "archive") for year in range(2019, 2009, -1)]

    captures = listed(rows, {"archive"})

    assert (captures.count, len(captures.shown), captures.held_left_out) == (10, 6, 4)
