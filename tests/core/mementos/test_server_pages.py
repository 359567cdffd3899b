# SPDX-License-Identifier: AGPL-3.0-or-later
"""The server's own pages say what there is, what is missing, and run nothing."""

import base64
import hashlib
import re
from datetime import UTC, datetime

from carrel.mementos.server import pages
from carrel.mementos.server.capture_list import MOST_ROWS, listed
from carrel.mementos.server.page_frame import Page
from carrel.model import Memento, SourceReport, SourceType
from carrel.model.memento import SourceState

URL = "http://h.example/data"
EVIL = "\"><script>alert(1)</script><img src=x onerror='y'>"


def row(timestamp: str, source: str = "here", **fields: str) -> Memento:
    known = {"url": URL, "mime": "text/html", "status": "200", "digest": "sha1:ABCDEFGHIJ"}
    return Memento("example,h)/data", timestamp, {**known, **fields}, source)


def report(state: SourceState, message: str = "", source: str = "far") -> SourceReport:
    return SourceReport(source, SourceType.CDX, state, message=message)


def text_of(page: Page) -> str:
    return page.body.decode()


def test_collections_are_listed_with_a_form_each() -> None:
    listed = pages.Listed("a b", "Title", (("far", SourceType.CDX),))

    html = text_of(pages.collections_page([listed]))

    assert '<a href="/a%20b/">Title</a>' in html
    assert '<form action="/a%20b/" method="get"' in html
    assert "far (CDX server)" in html


def test_captures_stand_by_year_newest_first_with_links() -> None:
    rows = [row("20190102030406"), row("20190102030405", length="1234"), row("20150102030405")]

    html = text_of(pages.captures_page("c", URL, listed(rows, ()), []))

    assert html.index('id="y2019"') < html.index('id="y2015"')
    assert "3 captures from 2015 to 2019" in html
    assert f'<a href="/c/20150102030405/{URL}">2015-01-02 03:04:05</a>' in html
    assert f'<a href="/c/20150102030405id_/{URL}">raw' in html
    assert "1.2 kB" in html


def test_folded_copies_revisits_and_other_addresses_are_told() -> None:
    folded = row("20150102030405")
    folded.also = ("mirror",)
    rows = [folded, row("20150102030406", mime="warc/revisit"), row("2015", url=f"{URL}/")]

    html = text_of(pages.captures_page("c", URL, listed(rows, ()), []))

    assert "also in mirror" in html
    assert "unchanged since an earlier capture" in html
    assert f"<small>{URL}/</small>" in html


def test_sources_in_trouble_are_told_in_words() -> None:
    until = datetime(2026, 1, 2, 13, 5, tzinfo=UTC)
    resting = SourceReport("tired", SourceType.CDX, SourceState.RESTING, until=until)
    reports = [report(SourceState.TIMED_OUT, "Nothing in 5 s."), resting]

    html = text_of(pages.captures_page("c", URL, listed((), ()), reports))

    assert "There may be more captures: 2 sources had trouble." in html
    assert "did not answer in time. Nothing in 5 s." in html
    assert "It is queried again after 13:05 UTC." in html
    assert "No capture of this address is known" in html


def test_every_state_has_words() -> None:
    reports = [report(state) for state in SourceState]

    html = text_of(pages.captures_page("c", URL, listed((), ()), reports))

    assert html.count("<b>far</b>") == len(SourceState) + sum(s.is_trouble for s in SourceState)


def test_endless_tables_are_cut_and_say_so() -> None:
    rows = [row("20150102030405")] * (MOST_ROWS + 1)

    html = text_of(pages.captures_page("c", URL, listed(rows, ()), []))

    assert html.count('<th scope="row">') == MOST_ROWS
    assert "The newest 5,000 are shown." in html


def test_nothing_from_outside_becomes_markup() -> None:
    hostile = row(EVIL, EVIL, url=EVIL, mime=EVIL, status=EVIL, digest=EVIL, length=EVIL)
    hostile.also = (EVIL,)
    collection = pages.Listed(EVIL, EVIL, ((EVIL, SourceType.CDX),))
    all_pages = [
        pages.captures_page(
            EVIL, EVIL, listed([hostile], ()), [report(SourceState.REFUSED, EVIL, EVIL)]
        ),
        pages.collections_page([collection]),
        pages.collection_page(collection),
        pages.error_page(400, EVIL, EVIL, (pages.Advice(EVIL, f"/{EVIL}"),)),
    ]

    html = "".join(map(text_of, all_pages))

    assert "<script" not in html
    assert "<img" not in html
    assert "'y'" not in html


def test_error_keeps_its_status_and_says_what_can_be_done() -> None:
    page = pages.error_page(404, "Not here", "There is none.", (pages.Advice("Try this", "/c/"),))

    assert page.status == 404
    assert '<a href="/c/">Try this</a>' in text_of(page)
    assert '<a href="/">See all collections</a>' in text_of(page)


def test_policy_allows_the_one_style_sheet_and_nothing_else() -> None:
    page = pages.error_page(404, "a", "b")

    style = re.search(r"<style>(.*?)</style>", text_of(page), re.DOTALL)
    policy = dict(page.headers)["Content-Security-Policy"]

    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert " style=" not in text_of(page)
