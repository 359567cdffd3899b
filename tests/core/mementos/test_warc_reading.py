# SPDX-License-Identifier: AGPL-3.0-or-later
"""Going through WARC and ARC files that are whole, and opening single records of them."""

import gzip
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import NotLoaded
from carrel.mementos.loading.record import http_status
from carrel.mementos.warc.heads import warc_head
from carrel.mementos.warc.problems import Problem, ProblemKind
from carrel.mementos.warc.reader import records
from carrel.mementos.warc.record_opener import open_record, pieces_of
from support.warcs import (
    TIMESTAMP,
    Made,
    arc_record,
    http_head,
    metadata,
    record,
    request,
    resource,
    response,
    revisit,
    warcinfo,
    write_arc,
    write_warc,
    write_whole_gzip,
)

URL = "http://example.org/a"


def passage(path: Path) -> tuple[list[tuple[str, str, int, int]], list[Problem]]:
    """Return kind, URL, offset and length of each record of a file, and what was told."""
    problems: list[Problem] = []
    found = [
        (each.kind, each.url, each.offset, each.length) for each in records(path, problems.append)
    ]
    return found, problems


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_every_record_is_found_at_its_place(tmp_path: Path, name: str) -> None:
    made = [warcinfo(), request(URL), response(URL), revisit(URL), metadata(URL)]
    places = write_warc(tmp_path / name, *made)
    breaks = 0 if name.endswith(".gz") else 4

    found, problems = passage(tmp_path / name)

    assert [each[0] for each in found] == ["warcinfo", "request", "response", "revisit", "metadata"]
    assert [each[2:] for each in found] == [(at, length - breaks) for at, length in places]
    assert problems == []


@pytest.mark.parametrize("name", ["a.arc.gz", "a.arc"])
def test_an_arc_is_read_as_a_warc_would_be(tmp_path: Path, name: str) -> None:
    places = write_arc(tmp_path / name, arc_record(URL), arc_record("dns:example.org", mime="x/y"))

    found = list(records(tmp_path / name))
    kinds = [(each.kind, each.offset) for each in records(tmp_path / name)]

    assert [kind for kind, _ in kinds] == ["warcinfo", "response", "resource"]
    assert [offset for _, offset in kinds[1:]] == [offset for offset, _ in places]
    assert found[1].timestamp == TIMESTAMP


def test_an_arc_record_opens_as_a_warc_record(tmp_path: Path) -> None:
    [(offset, length)] = write_arc(tmp_path / "a.arc.gz", arc_record(URL, b"content"))

    opened = open_record(pieces_of(tmp_path / "a.arc.gz", offset, length), "a.arc.gz")

    assert opened.field("WARC-Type") == "response"
    assert opened.field("WARC-Target-URI") == URL
    assert opened.field("WARC-Date") == "2020-01-02T03:04:05Z"
    assert opened.field("WARC-IP-Address") == "192.0.2.1"
    assert opened.field("WARC-Record-ID").startswith("<urn:uuid:")
    assert opened.field("Content-Type") == "application/http; msgtype=response"
    assert opened.field("Content-Length") == str(len(http_head()) + 7)
    assert b"".join(opened.payload) == b"content"


@pytest.mark.parametrize("piece", [1, 7, 10_000])
@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_a_record_opens_from_pieces_of_any_size(tmp_path: Path, name: str, piece: int) -> None:
    _, (offset, length) = write_warc(tmp_path / name, warcinfo(), response(URL, b"content" * 99))
    data = (tmp_path / name).read_bytes()[offset : offset + length]

    opened = open_record((data[at : at + piece] for at in range(0, length, piece)), name)

    assert http_status(opened.http_head) == "200"
    assert opened.payload_length == 693
    assert b"".join(opened.payload) == b"content" * 99


def test_a_block_that_is_no_http_message_is_all_payload(tmp_path: Path) -> None:
    [(offset, length)] = write_warc(
        tmp_path / "a.warc.gz", resource("urn:x", b"HTTP/1.1 no\r\n\r\n")
    )

    opened = open_record(pieces_of(tmp_path / "a.warc.gz", offset, length), "a.warc.gz")

    assert opened.http_head == b""
    assert b"".join(opened.payload) == b"HTTP/1.1 no\r\n\r\n"


def test_chunks_of_http_stay_as_they_are(tmp_path: Path) -> None:
    chunked = b"5\r\nhello\r\n0\r\n\r\n"
    made = response(URL, chunked, headers=(("Transfer-Encoding", "chunked"),))
    [(offset, length)] = write_warc(tmp_path / "a.warc.gz", made)

    opened = open_record(pieces_of(tmp_path / "a.warc.gz", offset, length), "a.warc.gz")

    assert b"".join(opened.payload) == chunked


def test_a_head_without_an_empty_line_gets_one(tmp_path: Path) -> None:
    [(offset, length)] = write_warc(
        tmp_path / "a.warc.gz", revisit(URL, block=b"HTTP/1.1 200 OK\r\nA: b\r\n")
    )

    opened = open_record(pieces_of(tmp_path / "a.warc.gz", offset, length), "a.warc.gz")

    assert opened.http_head == b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
    assert opened.field("Content-Length") == str(len(opened.http_head))
    assert list(opened.payload) == []


def test_closing_a_record_closes_what_it_is_read_from(tmp_path: Path) -> None:
    [(offset, length)] = write_warc(tmp_path / "a.warc.gz", response(URL))
    pieces = pieces_of(tmp_path / "a.warc.gz", offset, length)

    open_record(pieces, "a.warc.gz").close()

    assert list(pieces) == []


def test_records_that_share_a_member_are_read_but_can_not_be_reached(tmp_path: Path) -> None:
    write_whole_gzip(tmp_path / "a.warc.gz", warcinfo(), response(URL), response(URL))
    problems: list[Problem] = []

    found = [
        (each.kind, each.is_reachable) for each in records(tmp_path / "a.warc.gz", problems.append)
    ]

    assert found == [("warcinfo", False), ("response", False), ("response", False)]
    assert [each.kind for each in problems] == [ProblemKind.SHARED_MEMBER]
    assert "recompress" in str(problems[0])


def test_a_block_can_be_read_while_its_record_is_the_current_one(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", resource("urn:x", b"x" * 300_000), resource("urn:y", b"y"))

    found = [b"".join(each.block.pieces()) for each in records(tmp_path / "a.warc.gz")]

    assert found == [b"x" * 300_000, b"y"]


def test_a_stream_is_read_as_a_file_is() -> None:
    made = [response(URL), response(URL)]
    stream = BytesIO(b"".join(gzip.compress(each.content) for each in made))

    assert [each.kind for each in records(stream, name="s")] == ["response", "response"]


def test_line_breaks_and_folded_fields_of_careless_writers_are_understood(tmp_path: Path) -> None:
    content = (
        b"WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: <http://example.org/a b>\n"
        b"WARC-Date: 2020-01-02T03:04:05.678Z\nX-Long: one\n two\nContent-Length: 2\n\nhi\n\n"
    )
    write_warc(tmp_path / "a.warc", Made(content), Made(content))

    found = list(records(tmp_path / "a.warc"))

    assert [each.url for each in found] == ["http://example.org/a%20b"] * 2
    assert found[0].timestamp == TIMESTAMP
    assert ("X-Long", "one two") in found[0].fields


def test_a_field_in_another_encoding_does_not_spoil_the_others(tmp_path: Path) -> None:
    fields = "WARC-Target-URI: http://example.org/é\r\n".encode() + b"X-Place: Malm\xf6\r\n"
    content = (
        b"WARC/1.0\r\nWARC-Type: resource\r\n" + fields + b"Content-Length: 2\r\n\r\nhi\r\n\r\n"
    )
    write_warc(tmp_path / "a.warc", Made(content))

    (found,) = records(tmp_path / "a.warc")

    assert found.url == "http://example.org/é"
    assert ("X-Place", "Malmö") in found.fields


_LINES = st.binary(min_size=1, max_size=9).filter(
    lambda line: b"\n" not in line and line.strip(b"\r")
)


@given(
    lines=st.lists(
        st.sampled_from([b"A: b", b" c", b"\td", b" ", b":", b"\xe9: \xc3\xa9"]) | _LINES,
        max_size=8,
    ),
    ending=st.sampled_from([b"\r\n", b"\n", b"\r\r\n"]),
)
def test_what_is_looked_up_in_a_head_is_what_it_has(lines: list[bytes], ending: bytes) -> None:
    head = warc_head(ending.join([b"WARC/1.0", b"Content-Length: 0", *lines, b"", b""]))

    firsts: dict[str, str] = {}
    for name, value in head.fields:
        firsts.setdefault(name.lower(), value)

    assert head.named == firsts


@pytest.mark.parametrize("mimetype", ["text/html; charset=utf-8", "text/html 200 - - 1234 a.arc"])
def test_types_with_blanks_and_version_2_are_read_in_an_arc(tmp_path: Path, mimetype: str) -> None:
    write_arc(tmp_path / "a.arc", arc_record(URL, mime=mimetype))

    found = list(records(tmp_path / "a.arc"))

    assert [each.url for each in found][1:] == [URL]
    assert [each.timestamp for each in found][1:] == [TIMESTAMP]


@pytest.mark.parametrize(
    ("date", "timestamp"),
    [
        ("2016-05", "20160501000000"),
        ("2016", "20160101000000"),
        ("2020-01-02T03:04:05+02:00", "20200102010405"),
        ("2020-13-02T03:04:05Z", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_dates_are_moments_or_none(tmp_path: Path, date: str, timestamp: str) -> None:
    write_warc(tmp_path / "a.warc", record("resource", b"", [("WARC-Date", date)]))

    assert [each.timestamp for each in records(tmp_path / "a.warc")] == [timestamp]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    found, problems = passage(tmp_path / "gone.warc.gz")

    assert found == []
    assert [each.kind for each in problems] == [ProblemKind.UNREADABLE]


def test_pieces_of_a_file_that_is_too_short_are_no_record(tmp_path: Path) -> None:
    [(offset, length)] = write_warc(tmp_path / "a.warc.gz", response(URL))

    with pytest.raises(NotLoaded, match="ends 100 bytes before the end of this record"):
        list(pieces_of(tmp_path / "a.warc.gz", offset, length + 100))
