# SPDX-License-Identifier: AGPL-3.0-or-later
"""Links of a page that no platform knows: shown with why, archived only where a person chose."""

import asyncio
import io
from datetime import date
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.errors import ApiStop, IngestStop
from carrel.model import IngestOptions, Landing, Status
from carrel.model.certificate import CertificateForm
from carrel.model.holdings import Facet, HoldingsQuery, State
from carrel.model.page_link import PageLink
from carrel.platforms.page_links import chosen_links, links_like_data
from carrel.platforms.platform import Answer
from support.answers import Answers, landing, lost_landing
from support.archives import ingest, new_archive
from support.wire import WireServer, html, reply

PAGE = "https://lab.example/ice/"
HTML = """<title>Ice of 2020</title><p><a href="#top">top</a> <a href="/about">About</a>
<a href="data/ice%202020.csv">All values</a> <a href="data/ice%202020.csv#again">again</a>
<a href="get?file=ice.nc">as NetCDF</a> <a href="/download/7">more</a> <a download href="x">x</a>
<a href="mailto:a@lab.example">write</a> <a href="javascript:go()">go</a> <a href="p.html">p</a>"""
CSV = f"{PAGE}data/ice%202020.csv"


def page() -> Landing:
    return landing(PAGE, html=HTML)


def headers(url: str, **fields: str) -> Answer:
    return Answer(url, "", {name.replace("_", "-"): value for name, value in fields.items()})


def like_data(**table: Answer | ApiStop) -> tuple[PageLink, ...]:
    return asyncio.run(links_like_data(page(), Answers({CSV: 404, **table})))


def test_the_links_that_look_like_data_are_shown_with_why() -> None:
    found = {link.url: link.why for link in like_data()}

    assert found == {
        CSV: "its name ends in “.csv”",
        f"{PAGE}get?file=ice.nc": "its name ends in “.nc”",
        "https://lab.example/download/7": "its address is one for downloads",
        f"{PAGE}x": "the page offers it for download",
    }


def test_type_and_size_are_those_of_the_headers() -> None:
    first, *others = like_data(
        **{CSV: headers(CSV, content_type="text/csv; charset=utf-8", content_length="1200")}
    )

    assert (first.mimetype, first.size, first.text) == ("text/csv", 1200, "All values")
    assert all(link.problem for link in others)


def test_what_is_compressed_on_the_way_has_no_size() -> None:
    table = {CSV: headers(CSV, content_encoding="gzip", content_length="12")}

    assert like_data(**table)[0].size is None


def test_what_was_chosen_is_a_dataset_of_unknown_completeness() -> None:
    table = {CSV: headers(CSV, content_type="text/csv", content_length="1200")}
    about = "https://lab.example/about"

    item = asyncio.run(chosen_links(page(), ["data/ice%202020.csv", about, CSV], Answers(table)))

    assert (item.platform_name, item.platform_domain) == ("page-links", "lab.example")
    assert item.platform_id == PAGE
    assert [entry.path for entry in item.manifest] == ["ice 2020.csv", "about"]
    assert [entry.platform_url for entry in item.manifest] == [CSV, about]
    assert [entry.declared.size for entry in item.manifest] == [1200, None]
    assert item.manifest[0].extra["link_text"] == "All values"
    (finding,) = item.findings
    assert finding.message.startswith("Completeness unknown")


def test_what_is_no_link_of_the_page_cannot_be_chosen() -> None:
    with pytest.raises(IngestStop) as stop:
        asyncio.run(chosen_links(page(), ["https://other.example/a.csv"], Answers({})))

    assert stop.value.status is Status.NO_PLATFORM_MATCH
    assert "https://other.example/a.csv" in str(stop.value)


def test_links_that_the_page_still_has_are_found_where_not_all_are_needed() -> None:
    gone = "https://other.example/a.csv"
    table = {CSV: headers(CSV, content_type="text/csv", content_length="1200")}

    item = asyncio.run(chosen_links(page(), [gone, CSV], Answers(table), needs_all=False))

    assert [entry.platform_url for entry in item.manifest] == [CSV]
    with pytest.raises(IngestStop):
        asyncio.run(chosen_links(page(), [gone], Answers({}), needs_all=False))


def test_a_page_that_cannot_be_read_shows_no_links() -> None:
    with pytest.raises(IngestStop) as stop:
        asyncio.run(links_like_data(lost_landing(PAGE), Answers({})))

    assert stop.value.status is Status.REMOTE_SERVER_ERROR


def test_the_choice_is_kept_with_the_options() -> None:
    options = IngestOptions(page_links=(CSV,))

    assert options.to_json() == {"page_links": [CSV]}
    assert IngestOptions.from_json(options.to_json()) == options


def test_only_what_was_chosen_is_archived(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive")
    with WireServer() as server:
        chosen = server.serve("/a.csv", reply(b"1,2\n", Content_Type="text/csv"))
        server.serve("/b.csv", reply(b"3,4\n", Content_Type="text/csv"))
        url = server.serve("/page", html('<a href="/a.csv">a</a> <a href="/b.csv">b</a>'))
        (by_rule,) = ingest(archive, url)
        (result,) = ingest(archive, url, options=IngestOptions(page_links=(chosen,)))
        times = server.times_asked("/b.csv")

    assert by_rule.status is Status.NO_PLATFORM_MATCH
    assert result.status is Status.SUCCESS_FILE
    assert result.to_json()["platform_name"] == "page-links"
    assert "page-links" in [finding.code for finding in result.findings]
    assert times == 0


def test_the_state_the_advice_and_the_certificate_say_that_completeness_is_unknown(
    tmp_path: Path,
) -> None:
    archive = new_archive(tmp_path / "archive")
    with WireServer() as server:
        for name in ("a", "b"):
            server.serve(f"/{name}.csv", reply(name.encode(), Content_Type="text/csv"))
        url = server.serve("/page", html('<a href="/a.csv">a</a> <a href="/b.csv">b</a>'))
        links = tuple(url.replace("page", f"{name}.csv") for name in ("a", "b"))
        (result,) = ingest(archive, url, options=IngestOptions(page_links=links))
    with Archive.open_for_reading(archive) as opened:
        chosen = {Facet.STATE: frozenset([State.COMPLETENESS_UNKNOWN])}
        found = opened.ledger.catalogue.find(HoldingsQuery(chosen=chosen), "2026-06-01T00:00:00Z")
        (row,) = opened.ledger.catalogue.rows(found)
        written = io.BytesIO()
        Holdings(opened).certify(
            result.ingest_id or "", written, CertificateForm.HTML, issued=date(2026, 3, 4)
        )
    certificate = written.getvalue().decode()

    assert row.state is State.COMPLETENESS_UNKNOWN
    assert result.advice.startswith("All chosen links were archived")
    assert "Archived as chosen; whether that is all of the dataset is not known" in certificate
    assert "Links of a page" in certificate
    assert "Complete" not in certificate.replace("Completeness unknown", "")
    assert "Published" not in certificate
