# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives that speak Memento, in all their ways of doing so and of failing to."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from carrel.errors import SourceTrouble
from carrel.mementos.config.collection import MementoSource
from carrel.mementos.query import MatchType, Order, Query, query_for
from carrel.mementos.sources.memento_archive import MementoArchive
from carrel.mementos.sources.source import Rows
from carrel.mementos.throttle import ArchiveThrottle
from carrel.mementos.web import Web
from carrel.model import Memento, SourceState, SourceType
from carrel.model.iso_time import full_minute
from carrel.settings import Network
from support.memento_archives import (
    Said,
    StandIn,
    dead_origin,
    http_date,
    page,
    redirect,
    silent,
    text,
    timemap,
    too_many,
)

URL = "http://a.example/x;y,z?q=1"
DATES = ("20140101000000", "20150101000000", "20160101000000")
ORIGINAL = f'<{URL}>; rel="original"'


@pytest.fixture
def archive() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


def source(archive: StandIn, **changed: str) -> MementoSource:
    config = MementoSource(
        "stand-in",
        f"{archive.origin}/timegate/{{url}}",
        f"{archive.origin}/timemap/link/{{url}}",
        f"{archive.origin}/web/{{timestamp}}id_/{{url}}",
    )
    return replace(config, **changed)


def ask(config: MementoSource, query: Query | None = None) -> Rows:
    async def asked() -> Rows:
        web = Web(Network(timeout_s=20), ArchiveThrottle())
        try:
            return await MementoArchive(config, web).rows(query or query_for(URL))
        finally:
            await web.close()

    return asyncio.run(asked())


def rows(config: MementoSource, query: Query | None = None) -> list[Memento]:
    return list(ask(config, query).rows)


def dates(config: MementoSource, query: Query | None = None) -> list[str]:
    return [row.timestamp for row in rows(config, query)]


def trouble(config: MementoSource, query: Query | None = None) -> SourceTrouble:
    with pytest.raises(SourceTrouble) as caught:
        ask(config, query)
    return caught.value


def link(date: str, uri: str = "http://m.example/1", rel: str = "memento") -> str:
    return f'<{uri}>; rel="{rel}"; datetime="{date}"'


def closest(moment: str, limit: int = 100) -> Query:
    return query_for(URL, closest=moment, limit=limit)


def test_a_timemap_answers_every_capture(archive: StandIn) -> None:
    archive.hold(URL, *reversed(DATES))

    found = rows(source(archive))

    assert [row.timestamp for row in found] == list(DATES)
    assert found[0].fields == {
        "url": URL,
        "memento_url": f"{archive.origin}/web/20140101000000/{URL}",
        "mem_rel": "memento",
        "live_url": f"{archive.origin}/web/20140101000000id_/{URL}",
    }
    assert (found[0].urlkey, found[0].source) == (query_for(URL).urlkey, "stand-in")
    assert found[0].source_type is SourceType.MEMENTO


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (replace(query_for(URL), order=Order.REVERSE), list(reversed(DATES))),
        (closest("20150601000000"), [DATES[1], DATES[2], DATES[0]]),
        (closest("20150702120000", 1), [DATES[1]]),
        (replace(query_for(URL), first=DATES[1]), [DATES[1], DATES[2]]),
        (replace(query_for(URL), last=DATES[1]), [DATES[0], DATES[1]]),
    ],
)
def test_order_and_interval_are_the_questions(
    archive: StandIn, query: Query, wanted: list[str]
) -> None:
    archive.hold(URL, *DATES)

    assert dates(source(archive), query) == wanted


def test_nothing_there_is_an_answer(archive: StandIn) -> None:
    assert ask(source(archive)) == Rows([])


def test_every_page_of_a_timemap_is_read() -> None:
    wanted = [f"2015010100{minute:02}00" for minute in range(23)]
    with StandIn(page_size=5) as archive:
        archive.hold(URL, *wanted)

        assert dates(source(archive)) == wanted
        assert len(archive.targets()) == 6


def test_pages_outside_the_interval_are_not_asked_for() -> None:
    with StandIn(page_size=1) as archive:
        archive.hold(URL, *DATES)

        found = dates(source(archive), replace(query_for(URL), first=DATES[1], last=DATES[1]))

        assert found == [DATES[1]]
        assert len(archive.targets()) == 2


def test_pages_that_name_each_other_are_read_once(archive: StandIn) -> None:
    here = f"{archive.origin}/timemap/link/{URL}"
    other = archive.origin + "/other"
    archive.on("/other", timemap(link(http_date(DATES[1])), f"<{here}>; rel=timemap"))
    archive.on(
        "/timemap",
        timemap(link(http_date(DATES[0])), f"<{here}>; rel=timemap, <{other}>; rel=timemap"),
    )

    assert dates(source(archive)) == [DATES[0], DATES[1]]
    assert len(archive.targets()) == 2


def test_pages_without_an_end_are_read_up_to_a_number(archive: StandIn) -> None:
    def another(asked: object) -> Said:
        number = len(archive._asked)
        return timemap(
            link(http_date(DATES[0])), f"<{archive.origin}/timemap/{number}>; rel=timemap"
        )

    archive.on("/timemap", another)

    found = ask(source(archive))

    assert "is longer" in found.missing
    assert len(archive.targets()) < 20


def test_the_same_timemap_in_other_forms_is_no_page(archive: StandIn) -> None:
    other = f'<{archive.origin}/timemap/json/{URL}>; rel="timemap"; type="application/json"'
    archive.on("/timemap", timemap(ORIGINAL, other, link(http_date(DATES[0]))))

    assert dates(source(archive)) == [DATES[0]]
    assert len(archive.targets()) == 1


def test_a_page_that_is_missing_is_told(archive: StandIn) -> None:
    bad = archive.on("/bad", text("", status=500))
    archive.on("/timemap", timemap(link(http_date(DATES[0])), f"<{bad}>; rel=timemap"))

    found = ask(source(archive))

    assert [row.timestamp for row in found.rows] == [DATES[0]]
    assert "500" in found.missing


def test_pages_of_other_hosts_are_not_asked(archive: StandIn) -> None:
    place = "http://169.254.169.254/latest/meta-data"
    archive.on("/timemap", timemap(link(http_date(DATES[0])), f"<{place}>; rel=timemap"))

    found = ask(source(archive))

    assert "169.254.169.254" in found.missing


def test_entries_that_make_no_sense_are_counted(archive: StandIn) -> None:
    archive.on(
        "/timemap",
        timemap(
            "junk",
            link("yesterday"),
            "<http://no.rel/>",
            link(http_date(DATES[0])),
            "<mailto:a>; rel=memento",
        ),
    )

    found = ask(source(archive))

    assert [row.timestamp for row in found.rows] == [DATES[0]]
    assert found.skipped == 4


def test_an_archive_that_does_not_say_what_it_is_about_is_believed(archive: StandIn) -> None:
    archive.on("/timemap", timemap(link(http_date(DATES[0]))))

    assert rows(source(archive))[0].url == URL


def test_the_address_is_the_one_that_was_captured(archive: StandIn) -> None:
    https = URL.replace("http:", "https:")
    archive.on("/timemap", timemap(f"<{https}>; rel=original", link(http_date(DATES[0]))))

    assert rows(source(archive))[0].url == https


def test_some_archives_name_only_the_place_of_a_memento(archive: StandIn) -> None:
    archive.on(
        "/timemap",
        timemap(
            ORIGINAL, link(http_date(DATES[0]), rel="first"), link(http_date(DATES[1]), rel="last")
        ),
    )

    assert dates(source(archive)) == [DATES[0], DATES[1]]


CDXJ = f'com,whatever)/ 20150101000000 {{"url": "{URL}", "status": 200, "filename": "../x"}}\n'
TABLE = [
    ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"],
    ["example,a)/x", "20150101000000", URL, "text/html", "200", "ABC", "5"],
]
MEMGATOR = {
    "original_uri": URL,
    "mementos": {"list": [{"datetime": "2015-01-01T00:00:00Z", "uri": "http://m.example/1"}, 7]},
}
ORS = (
    '!context ["http://tools.ietf.org/html/rfc7089"]\n'
    '20150101000000 {"uri": "http://m.example/1", "datetime": "Thu, 01 Jan 2015 00:00:00 GMT"}\n'
)


@pytest.mark.parametrize("body", [CDXJ, json.dumps(TABLE), json.dumps(MEMGATOR), ORS])
def test_timemaps_are_understood_in_other_forms(archive: StandIn, body: str) -> None:
    archive.on("/timemap", text(body))

    found = rows(source(archive))

    assert [row.timestamp for row in found] == ["20150101000000"]
    assert found[0].live_url == f"{archive.origin}/web/20150101000000id_/{URL}"
    assert "filename" not in found[0].fields


@pytest.mark.parametrize(
    "said",
    [
        page(200),
        Said(200, page(200).body, {"Content-Type": "application/link-format"}),
        text("Resource not in archive"),
        text('{"message": "no"}', "application/json"),
        text("", "text/html"),
        text(b"\xff\xfe\x00" * 100, "application/octet-stream"),
        text("[" * 100_000, "application/json"),
        text("", status=400),
        timemap(ORIGINAL, link("yesterday")),
        timemap("<http://other.example/>; rel=original", link(http_date(DATES[0]))),
    ],
)
def test_what_is_no_timemap_is_a_wrong_answer(archive: StandIn, said: Said) -> None:
    archive.on("/timemap", said)

    assert trouble(source(archive)).state is SourceState.WRONG_ANSWER


@pytest.mark.parametrize(
    ("said", "state"),
    [
        (text("", status=500), SourceState.FAILED),
        (text("", status=503), SourceState.FAILED),
        (text("", status=403), SourceState.REFUSED),
        (page(451), SourceState.REFUSED),
        (too_many("120"), SourceState.REFUSED),
        (too_many(), SourceState.REFUSED),
    ],
)
def test_each_fault_has_its_state(archive: StandIn, said: Said, state: SourceState) -> None:
    archive.on("/timemap", said)

    assert trouble(source(archive)).state is state


def test_who_asks_too_often_is_told_at_once_until_when(archive: StandIn) -> None:
    archive.on("/timemap", too_many("120"))

    found = trouble(source(archive), closest(DATES[0]))

    assert found.until is not None
    assert "429" in str(found)
    assert len(archive.targets()) == 1


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (too_many("120"), "asks for no requests until {until} UTC (HTTP 429)."),
        (too_many(), "does not say for how long (HTTP 429); Carrel sends none until {until} UTC."),
    ],
)
def test_who_did_not_say_how_long_is_not_said_to(archive: StandIn, said: Said, words: str) -> None:
    archive.on("/timemap", said)

    told = trouble(source(archive))

    assert told.until is not None
    minute = full_minute(told.until.timestamp())
    assert words.format(until=f"{minute:%Y-%m-%d %H:%M}") in str(told)


def test_nobody_there_is_told() -> None:
    gone = f"{dead_origin()}/{{url}}"

    found = trouble(MementoSource("gone", gone, gone, gone), closest(DATES[0]))

    assert found.state is SourceState.UNREACHABLE


def test_a_timemap_that_moved_is_found(archive: StandIn) -> None:
    archive.hold(URL, *DATES)
    archive.on("/old/", redirect(f"/timemap/link/{URL}", 301))

    assert dates(source(archive, timemap_url=f"{archive.origin}/old/{{url}}")) == list(DATES)


def test_redirects_without_an_end_are_told(archive: StandIn) -> None:
    archive.on("/timemap", redirect("/timemap/a"), redirect("/timemap/b"))
    archive.on("/never", page())

    assert trouble(source(archive)).state is SourceState.WRONG_ANSWER
    assert len(archive.targets()) <= 4


def test_other_addresses_are_not_looked_up(archive: StandIn) -> None:
    found = ask(source(archive), query_for("http://a.example/", match_type=MatchType.PREFIX))

    assert (list(found.rows), archive.targets()) == ([], [])
    assert found.missing


def test_without_a_timemap_the_timegate_is_asked(archive: StandIn) -> None:
    archive.hold(URL, *DATES)

    found = rows(source(archive, timemap_url=""), closest("20141201000000"))

    assert [row.timestamp for row in found] == [DATES[1]]
    assert found[0].live_url == f"{archive.origin}/web/{DATES[1]}id_/{URL}"
    assert archive.asked[0].headers["accept-datetime"] == "Mon, 01 Dec 2014 00:00:00 GMT"
    assert archive.asked[0].method == "GET"


def test_a_timegate_alone_says_that_it_does_not_know_all(archive: StandIn) -> None:
    archive.hold(URL, *DATES)

    found = ask(source(archive, timemap_url=""))

    assert [row.timestamp for row in found.rows] == [DATES[2]]
    assert found.missing


def test_a_timegate_that_only_leads_on_is_followed_once(archive: StandIn) -> None:
    archive.hold(URL, *DATES)
    archive.on("/timegate/", redirect(f"{archive.origin}/web/{DATES[1]}/{URL}", 307))

    assert dates(source(archive, timemap_url=""), closest(DATES[1])) == [DATES[1]]


def test_where_a_timegate_leads_to_is_what_it_chose(archive: StandIn) -> None:
    archive.hold(URL, *DATES)
    links = f"{ORIGINAL}, {link(http_date(DATES[0]), rel='first memento')}"
    archive.on("/timegate/", redirect(f"/web/{DATES[1]}/{URL}", Link=links))

    assert dates(source(archive, timemap_url=""), closest(DATES[1])) == [DATES[1], DATES[0]]


@pytest.mark.parametrize("status", [200, 404, 302])
def test_a_timegate_may_answer_in_place_with_any_capture(archive: StandIn, status: int) -> None:
    place = f"/web/{DATES[1]}/{URL}"
    headers = {
        "Memento-Datetime": http_date(DATES[1]),
        "Content-Location": place,
        "Location": "/web/elsewhere",
        "Link": ORIGINAL,
    }
    archive.on("/timegate/", Said(status, b"the capture", headers))

    found = rows(source(archive, timemap_url=""), closest(DATES[1]))

    assert [row.fields["memento_url"] for row in found] == [archive.origin + place]
    assert len(archive.targets()) == 1


@pytest.mark.parametrize("said", [page(200), redirect("/nowhere"), redirect("http://[bad")])
def test_what_is_no_timegate_is_told(archive: StandIn, said: Said) -> None:
    archive.on("/timegate/", said)

    assert trouble(source(archive, timemap_url=""), closest(DATES[1])).state is (
        SourceState.WRONG_ANSWER
    )


def test_where_the_timemap_is_in_trouble_the_timegate_may_help(archive: StandIn) -> None:
    archive.hold(URL, *DATES)
    archive.on("/timemap/", page(200))

    found = ask(source(archive), closest(DATES[1]))

    assert [row.timestamp for row in found.rows] == [DATES[1]]
    assert "TimeGate" in found.missing


def test_where_the_timemap_has_nothing_the_timegate_may_help(archive: StandIn) -> None:
    archive.hold(URL, *DATES)
    archive.on("/timemap/", page(404))

    assert dates(source(archive), closest(DATES[1])) == [DATES[1]]


def test_where_neither_helps_the_timemaps_trouble_is_told(archive: StandIn) -> None:
    archive.on("/timemap/", text("", status=500))
    archive.on("/timegate/", page(200))

    assert trouble(source(archive), closest(DATES[1])).state is SourceState.FAILED


def test_a_deadline_ends_the_question(archive: StandIn) -> None:
    archive.on("/timemap/", silent())

    async def ask_briefly() -> None:
        web = Web(Network(timeout_s=20), ArchiveThrottle())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await MementoArchive(source(archive), web).rows(query_for(URL))
        await web.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(ask_briefly())
