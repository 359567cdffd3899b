# SPDX-License-Identifier: AGPL-3.0-or-later
"""CDX servers: every dialect is read, no order or place of theirs is trusted, no row is lost."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import SourceTrouble
from carrel.mementos.config.collection import CdxSource
from carrel.mementos.query import MatchType, Order, Query, query_for
from carrel.mementos.sources.cdx_dialects import NoRows, rows_in
from carrel.mementos.sources.cdx_questions import question, windows
from carrel.mementos.sources.cdx_server import CdxServer
from carrel.mementos.sources.source import Rows
from carrel.mementos.throttle import ArchiveThrottle
from carrel.mementos.web import Web
from carrel.model import Memento, SourceState, SourceType
from carrel.settings import Network
from support.memento_archives import (
    Held,
    Said,
    StandIn,
    cdx_line,
    cdxj_line,
    dead_origin,
    endless,
    page,
    redirect,
    text,
    too_many,
)

URL = "http://a.example/x?q=1&r=2"
KEY = query_for(URL).urlkey
DATES = ("20140101000000", "20150101000000", "20160101000000")
HELD = [Held(URL, date) for date in DATES]


@pytest.fixture
def archive() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


def source(
    archive: StandIn, path: str = "/cdx", replay: str | None = "/web/{timestamp}id_/{url}"
) -> CdxSource:
    api = f"{archive.origin}{path}?url={{url}}&closest={{timestamp}}&sort=closest"
    return CdxSource("stand-in", api, archive.origin + replay if replay else None)


def ask(config: CdxSource, query: Query | None = None) -> Rows:
    async def asked() -> Rows:
        web = Web(Network(timeout_s=20), ArchiveThrottle())
        try:
            return await CdxServer(config, web).rows(query or query_for(URL))
        finally:
            await web.close()

    return asyncio.run(asked())


def rows(config: CdxSource, query: Query | None = None) -> list[Memento]:
    return list(ask(config, query).rows)


def trouble(config: CdxSource, query: Query | None = None) -> SourceTrouble:
    with pytest.raises(SourceTrouble) as caught:
        ask(config, query)
    return caught.value


def closest(moment: str, limit: int = 100) -> Query:
    return query_for(URL, closest=moment, limit=limit)


def parameters(url: str) -> dict[str, str]:
    found = parse_qs(urlsplit(url).query, keep_blank_values=True)
    return {name: values[0] for name, values in found.items()}


def test_rows_are_labelled_and_replayed_from_our_template(archive: StandIn) -> None:
    archive.hold(URL, DATES[0])

    row = rows(source(archive))[0]

    assert (row.urlkey, row.timestamp, row.source) == (KEY, DATES[0], "stand-in")
    assert row.source_type is SourceType.CDX
    assert row.fields == {
        "url": URL,
        "mime": "text/html",
        "status": "200",
        "live_url": f"{archive.origin}/web/{DATES[0]}id_/{URL}",
    }


LINES = b"".join(map(cdxj_line, HELD))
OBJECTS = "\n".join(
    json.dumps({"urlkey": KEY, "timestamp": each.timestamp, **each.fields}) for each in HELD
)
TABLE = [["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]]
TABLE += [[KEY, each.timestamp, URL, "text/html", "200", "-", "100"] for each in HELD]
ELEVEN = [f"{KEY} {date} {URL} text/html 200 ABC - - 100 7 a.warc.gz" for date in DATES]


@pytest.mark.parametrize(
    "body",
    [
        LINES,
        b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n") + b"\r\n",
        b"".join(map(cdx_line, HELD)),
        "\n".join([" CDX N b a m s k r M S V g", *ELEVEN]).encode(),
        "\n".join([" CDX N b a s", *(f"{KEY} {date} {URL} 200" for date in DATES)]).encode(),
        OBJECTS.encode(),
        json.dumps(TABLE).encode(),
        json.dumps(TABLE[1:]).encode(),
        json.dumps([*TABLE, [], ["com%2Cexample%29%2F+2015"]]).encode(),
        json.dumps([dict(zip(TABLE[0], row, strict=True)) for row in TABLE[1:]]).encode(),
    ],
)
def test_every_dialect_is_understood(archive: StandIn, body: bytes) -> None:
    archive.on("/cdx", text(body))

    found = ask(source(archive))

    assert [(row.timestamp, row.url, row.status) for row in found.rows] == [
        (date, URL, "200") for date in DATES
    ]
    assert found.skipped == 0


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (query_for(URL), list(DATES)),
        (replace(query_for(URL), order=Order.REVERSE), list(reversed(DATES))),
        (closest("20150601000000"), [DATES[1], DATES[2], DATES[0]]),
        (closest("20150702120000", 1), [DATES[1]]),
        (replace(query_for(URL), first=DATES[1]), [DATES[1], DATES[2]]),
        (replace(query_for(URL), last=DATES[1]), [DATES[0], DATES[1]]),
    ],
)
def test_no_order_of_theirs_is_trusted(archive: StandIn, query: Query, wanted: list[str]) -> None:
    archive.on("/cdx", text(b"".join(map(cdxj_line, [HELD[1], HELD[2], HELD[0], HELD[1]]))))

    assert [row.timestamp for row in rows(source(archive), query)] == wanted


def test_what_they_say_about_places_on_the_web_is_not_taken(archive: StandIn) -> None:
    fields = {
        "url": URL,
        "load_url": "http://10.0.0.1/secret",
        "live_url": "file:///etc/passwd",
        "source": "somebody else",
        "offset": 7,
        "length": "100",
        "filename": "a.warc.gz",
        "bad name": "x",
        "nested": {"a": 1},
    }
    archive.on("/cdx", text(f"{KEY} {DATES[0]} {json.dumps(fields)}"))

    found = rows(source(archive, replay=None))[0].fields

    assert {"load_url", "live_url", "source", "bad name"}.isdisjoint(found)
    assert (found["filename"], found["offset"], found["length"]) == ("a.warc.gz", "7", "100")


def test_rows_about_other_addresses_are_not_taken(archive: StandIn) -> None:
    other = f'{KEY} {DATES[0]} {{"url": "http://evil.example/"}}\n'.encode()
    archive.on("/cdx", text(other + LINES))

    found = ask(source(archive))

    assert [row.timestamp for row in found.rows] == list(DATES)
    assert found.skipped == 1


@pytest.mark.parametrize(
    "line",
    [
        f'{KEY} 20159901000000 {{"url": "{URL}"}}',
        f'{KEY} 2015 {{"url": "{URL}"}}',
        f'{KEY} {DATES[0]} {{"url": 7}}',
        f"{KEY} {DATES[0]} {{",
        f"{KEY} {DATES[0]} {'[' * 10_000}",
        f'{KEY} {DATES[0]} {{"status": "200"}}',
        '{"timestamp": "20150101000000"}',
        "junk",
        "x" * 2_000_000,
    ],
)
def test_lines_that_make_no_sense_are_counted(archive: StandIn, line: str) -> None:
    archive.on("/cdx", text(line.encode() + b"\n" + LINES))

    found = ask(source(archive))

    assert len(list(found.rows)) == 3
    assert found.skipped == 1


def test_captures_of_a_request_with_a_body_keep_their_key(archive: StandIn) -> None:
    key = f"{KEY}&__wb_method=post&a=b"
    query = replace(query_for(URL), start=f"{key} ".encode(), end=f"{key}!".encode(), urlkey=key)
    posted = f'{key} {DATES[1]} {{"url": "{URL}", "method": "POST"}}\n'.encode()
    archive.on("/cdx", text(LINES + posted))

    found = ask(source(archive), query)

    assert [(row.urlkey, row.timestamp) for row in found.rows] == [(key, DATES[1])]
    assert found.skipped == 0


def test_a_prefix_is_asked_for_as_such(archive: StandIn) -> None:
    query = query_for("http://a.example/", match_type=MatchType.PREFIX)
    archive.on("/cdx", text(LINES))

    assert len(rows(source(archive), query)) == 3
    assert archive.asked[0].query["matchType"] == "prefix"


@pytest.mark.parametrize(
    ("said", "state"),
    [
        (page(200), SourceState.WRONG_ANSWER),
        (page(404), SourceState.WRONG_ANSWER),
        (text("", "text/html"), SourceState.WRONG_ANSWER),
        (text("", status=400), SourceState.WRONG_ANSWER),
        (text('{"message": "no"}'), SourceState.WRONG_ANSWER),
        (text("The archive is down for maintenance"), SourceState.WRONG_ANSWER),
        (text('[["urlkey","timestamp"'), SourceState.WRONG_ANSWER),
        (text("[" * 100_000), SourceState.WRONG_ANSWER),
        (text('org,other)/ 20150101000000 {"url": "http://other.org/"}'), SourceState.WRONG_ANSWER),
        (endless(b"junk\n" * 10_000), SourceState.WRONG_ANSWER),
        (text("", status=500), SourceState.FAILED),
        (text("", status=403), SourceState.REFUSED),
        (text("", status=451), SourceState.REFUSED),
        (too_many("5"), SourceState.REFUSED),
        (Said(503, b"", {"Retry-After": "5"}), SourceState.REFUSED),
    ],
)
def test_each_fault_has_its_state(archive: StandIn, said: Said, state: SourceState) -> None:
    archive.on("/cdx", said)

    assert trouble(source(archive)).state is state


def test_nobody_there_is_told() -> None:
    config = CdxSource("gone", f"{dead_origin()}/cdx?url={{url}}", None)

    assert trouble(config).state is SourceState.UNREACHABLE


@pytest.mark.parametrize("said", [text(""), text("\n\n"), text("[]"), text("", status=404)])
def test_nothing_there_is_an_answer(archive: StandIn, said: Said) -> None:
    archive.on("/cdx", said)

    assert ask(source(archive)) == Rows([])


def test_an_index_that_moved_is_found(archive: StandIn) -> None:
    archive.on("/cdx", redirect("/new", 301))
    archive.on("/new", text(LINES))

    assert len(rows(source(archive))) == 3


def test_the_question_names_moment_and_interval_and_no_limit() -> None:
    query = replace(closest("20150101000000"), first="20140101000000", last="20150231235959")

    asked = parameters(question("http://h/cdx?url={url}&closest={timestamp}&sort=closest", query))

    assert asked == {
        "url": URL,
        "closest": "20150101000000",
        "sort": "closest",
        "from": "20140101000000",
        "to": "20150228235959",
    }


def test_without_a_moment_nothing_is_said_of_it() -> None:
    asked = question("http://h/cdx?url={url}&closest={timestamp}&sort=closest&x=1", query_for(URL))

    assert parameters(asked) == {"url": URL, "x": "1"}


def test_windows_are_next_to_the_moment_and_in_the_interval() -> None:
    query = replace(closest("20150101000000"), last="20141231235959")

    asked = list(windows("http://h/cdx?url={url}&closest={timestamp}&limit=9", query, 50))

    assert list(map(parameters, asked)) == [{"url": URL, "to": "20141231235959", "limit": "-50"}]


def test_a_server_that_ignores_the_moment_and_stops_early_is_asked_next_to_it(
    archive: StandIn,
) -> None:
    archive.hold(URL, *(f"2014010100{n // 60:02}{n % 60:02}" for n in range(1200)), *DATES[1:])
    config = source(archive, "/ia-cdx")
    config = replace(config, api_url=config.api_url + "&limit=1000")

    found = ask(config, closest("20150201000000", limit=2))

    assert [row.timestamp for row in found.rows] == [DATES[1], DATES[2]]
    assert len(archive.targets()) == 3
    assert found.missing == ""


def test_a_server_that_stops_early_is_not_taken_for_complete(archive: StandIn) -> None:
    archive.hold(URL, *(f"2014010100{n // 60:02}{n % 60:02}" for n in range(1200)))
    config = source(archive, "/ia-cdx")
    config = replace(config, api_url=config.api_url + "&limit=1000")

    found = ask(config)

    assert len(list(found.rows)) == 1000
    assert "1,000" in found.missing


def test_an_answer_beyond_all_measure_is_asked_for_next_to_the_moment(archive: StandIn) -> None:
    archive.on("/cdx", endless(cdxj_line(HELD[0])), text(LINES))

    found = rows(source(archive), closest(DATES[1], 1))

    assert [row.timestamp for row in found] == [DATES[1]]


@given(st.binary(max_size=300))
def test_no_answer_is_too_strange(body: bytes) -> None:
    with contextlib.suppress(NoRows):
        assert rows_in(body, query_for(URL)).rows == []


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["timestamp", "url"]), inner)
        ),
    )
)
def test_no_json_is_too_strange(value: object) -> None:
    try:
        found = rows_in(
            json.dumps([["timestamp", "url"], value, [value, value]]).encode(), query_for(URL)
        )
    except NoRows:
        return
    assert all(row.urlkey == KEY for row in found.rows)
