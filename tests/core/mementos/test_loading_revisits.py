# SPDX-License-Identifier: AGPL-3.0-or-later
"""A revisit is joined with the payload of its original, wherever that is, or said to lack it."""

import io
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import WarcPrefix
from carrel.model import Memento
from support.warc_stores import URL, Rows, load, row_in
from support.warcs import DATE, Made, http_head, record, response, revisit, sha1_of, write_warc

ORIGINAL_URL = "http://example.org/original"
LATER = "20210102030405"
EMPTY = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
REFERS = (ORIGINAL_URL, DATE)
BODY = b"<p>the payload"


def rows_of(folder: Path, original: Made, later: Made) -> tuple[Memento, Memento]:
    """Write an original and its revisit, and return their rows."""
    path = folder / "a.warc.gz"
    first, second = write_warc(path, original, later)
    return (
        row_in(path, first, ORIGINAL_URL, digest=sha1_of(BODY), status="200"),
        row_in(path, second, URL, LATER, mime="warc/revisit", digest=sha1_of(BODY)),
    )


def original(**more: str) -> Made:
    return response(ORIGINAL_URL, BODY, **more)  # type: ignore[arg-type]  # texts only


def test_the_payload_comes_from_the_capture_that_is_referred_to(tmp_path: Path) -> None:
    made = original()
    first, row = rows_of(
        tmp_path, made, revisit(URL, BODY, refers_to=REFERS, headers=[("X-Then", "later")])
    )
    find = Rows([first])

    loaded = load(row, WarcPrefix(tmp_path), find=find)

    assert loaded.payload == BODY
    assert loaded.http("X-Then") == ["later"]
    assert find.asked == [(ORIGINAL_URL, "20200102030405")]


def test_the_record_is_a_response_of_the_revisit(tmp_path: Path) -> None:
    made = original()
    later = revisit(URL, BODY, refers_to=REFERS)
    first, row = rows_of(tmp_path, made, later)

    loaded = load(row, WarcPrefix(tmp_path), find=Rows([first]))

    assert loaded.field("WARC-Type") == "response"
    assert loaded.field("WARC-Target-URI") == URL
    assert loaded.field("WARC-Date") == "2021-01-02T03:04:05Z"
    assert loaded.field("WARC-Refers-To") == made.record_id
    assert loaded.field("WARC-Refers-To-Target-URI") == ORIGINAL_URL
    assert loaded.field("WARC-Refers-To-Date") == DATE
    assert loaded.field("WARC-Payload-Digest") == sha1_of(BODY)
    assert loaded.field("WARC-Profile") == ""
    assert loaded.field("WARC-Record-ID") not in (made.record_id, later.record_id, "")
    assert loaded.field("Content-Length") == str(len(loaded.http_head + BODY))
    assert len({name for name, _ in loaded.fields}) == len(loaded.fields)


def test_other_readers_take_the_record(tmp_path: Path) -> None:
    first, row = rows_of(tmp_path, original(), revisit(URL, BODY, refers_to=REFERS))

    loaded = load(row, WarcPrefix(tmp_path), find=Rows([first]))

    found = next(iter(ArchiveIterator(io.BytesIO(loaded.warc), check_digests="raise")))
    assert found.rec_type == "response"
    assert found.raw_stream.read() == BODY


def test_a_row_may_say_where_the_original_is(tmp_path: Path) -> None:
    first, row = rows_of(tmp_path, original(), revisit(URL, BODY))
    for name in ("filename", "offset", "length"):
        row.fields[f"orig.{name}"] = first.fields[name]
    find = Rows()

    assert load(row, WarcPrefix(tmp_path), find=find).payload == BODY
    assert find.asked == []


def test_a_revisit_that_has_no_record_of_its_own_has_its_row(tmp_path: Path) -> None:
    first, row = rows_of(tmp_path, original(), revisit(URL, BODY))
    for name in ("filename", "offset", "length"):
        row.fields[f"orig.{name}"] = first.fields[name]
    row.fields["filename"] = "-"

    loaded = load(row, WarcPrefix(tmp_path))

    assert loaded.payload == BODY
    assert loaded.field("WARC-Target-URI") == URL
    assert loaded.field("WARC-Date") == "2021-01-02T03:04:05Z"


def test_a_record_that_is_a_revisit_is_resolved_whatever_its_row_says(tmp_path: Path) -> None:
    first, row = rows_of(tmp_path, original(), revisit(URL, BODY, refers_to=REFERS))
    row.fields["mime"] = "text/html"

    assert load(row, WarcPrefix(tmp_path), find=Rows([first])).payload == BODY


def test_a_row_called_revisit_whose_record_is_a_response_is_that(tmp_path: Path) -> None:
    first, _ = rows_of(tmp_path, original(), revisit(URL, BODY))
    first.fields["mime"] = "warc/revisit"

    assert load(first, WarcPrefix(tmp_path)).field("WARC-Type") == "response"


@pytest.mark.parametrize("refers_to", [None, ("http://example.org/missing", DATE)])
def test_the_digest_finds_the_payload_across_urls(
    refers_to: tuple[str, str] | None, tmp_path: Path
) -> None:
    first, row = rows_of(tmp_path, original(), revisit(URL, BODY, refers_to=refers_to))

    loaded = load(row, WarcPrefix(tmp_path), find=Rows([first]))

    assert loaded.payload == BODY
    assert loaded.field("WARC-Refers-To-Target-URI") == ORIGINAL_URL


def test_an_empty_payload_needs_no_original(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    [place] = write_warc(path, revisit(URL, b"", refers_to=REFERS))
    find = Rows()

    loaded = load(row_in(path, place, URL, LATER, digest=EMPTY), WarcPrefix(tmp_path), find=find)

    assert loaded.payload == b""
    assert loaded.field("WARC-Type") == "response"
    assert loaded.field("Content-Length") == str(len(loaded.http_head))
    assert loaded.field("WARC-Refers-To-Target-URI") == ORIGINAL_URL
    assert find.asked == []


def test_a_revisit_of_a_redirect_has_an_empty_payload(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    moved = revisit(URL, BODY, status="301 Moved", headers=[("Location", "/new")])
    [place] = write_warc(path, moved)
    find = Rows()

    loaded = load(row_in(path, place, URL, LATER), WarcPrefix(tmp_path), find=find)

    assert loaded.payload == b""
    assert loaded.http("Location") == ["/new"]
    assert loaded.field("WARC-Payload-Digest") == ""
    assert find.asked == []


@pytest.mark.parametrize("block", [b"", http_head("304 Not Modified", [])])
def test_a_revisit_that_says_nothing_has_the_head_of_its_original(
    block: bytes, tmp_path: Path
) -> None:
    later = revisit(URL, BODY, refers_to=REFERS, block=block)
    first, row = rows_of(tmp_path, original(), later)

    loaded = load(row, WarcPrefix(tmp_path), find=Rows([first]))

    assert loaded.http_head.startswith(b"HTTP/1.1 200 OK")
    assert loaded.payload == BODY


def test_how_the_payload_is_coded_is_said_by_its_original(tmp_path: Path) -> None:
    chunks = b"3\r\nabc\r\n0\r\n\r\n"
    made = response(ORIGINAL_URL, chunks, headers=[("Transfer-Encoding", "chunked")], digest=None)
    later = revisit(URL, BODY, refers_to=REFERS, headers=[("Content-Encoding", "gzip")])
    first, row = rows_of(tmp_path, made, later)

    loaded = load(row, WarcPrefix(tmp_path), find=Rows([first]))

    assert loaded.http("Transfer-Encoding") == ["chunked"]
    assert loaded.http("Content-Encoding") == []
    assert loaded.payload == chunks


def test_an_original_with_other_content_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    wrong, right = response(ORIGINAL_URL, b"other"), response(ORIGINAL_URL, BODY)
    places = write_warc(path, wrong, right, revisit(URL, BODY, refers_to=REFERS))
    rows = [row_in(path, place, ORIGINAL_URL, digest=sha1_of(BODY)) for place in places[:2]]
    row = row_in(path, places[2], URL, LATER)

    assert load(row, WarcPrefix(tmp_path), find=Rows(rows)).payload == BODY
    with pytest.raises(NotLoaded, match="other content"):
        load(row, WarcPrefix(tmp_path), find=Rows(rows[:1]))


def test_a_revisit_without_an_original_says_so(tmp_path: Path) -> None:
    _, row = rows_of(tmp_path, original(), revisit(URL, BODY, refers_to=REFERS))

    with pytest.raises(NotLoaded, match="is a revisit, and its original") as raised:
        load(row, WarcPrefix(tmp_path), find=Rows())

    assert raised.value.name == "a.warc.gz"


def test_another_moment_of_unknown_content_is_not_the_original(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    fields = [
        ("WARC-Target-URI", URL),
        ("WARC-Date", "2021-01-02T03:04:05Z"),
        ("WARC-Refers-To-Target-URI", ORIGINAL_URL),
        ("WARC-Refers-To-Date", "2019-01-01T00:00:00Z"),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    places = write_warc(path, original(), record("revisit", http_head(), fields))
    first = row_in(path, places[0], ORIGINAL_URL)

    with pytest.raises(NotLoaded):
        load(row_in(path, places[1], URL, LATER), WarcPrefix(tmp_path), find=Rows([first]))


def test_revisits_that_refer_to_each_other_end(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    one = revisit(URL, BODY, refers_to=(ORIGINAL_URL, DATE))
    other = revisit(ORIGINAL_URL, BODY, date=DATE, refers_to=(URL, "2021-01-02T03:04:05Z"))
    places = write_warc(path, one, other)
    rows = [
        row_in(path, places[0], URL, LATER, digest=sha1_of(BODY)),
        row_in(path, places[1], ORIGINAL_URL, digest=sha1_of(BODY)),
    ]

    with pytest.raises(NotLoaded, match="revisit"):
        load(rows[0], WarcPrefix(tmp_path), find=Rows(rows))


def test_a_revisit_of_a_revisit_has_the_payload_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    middle = revisit("http://example.org/middle", BODY, refers_to=REFERS)
    places = write_warc(path, original(), middle, revisit(URL, BODY))
    first = row_in(path, places[0], ORIGINAL_URL, digest="")
    row = row_in(path, places[2], URL, LATER, digest=sha1_of(BODY))
    row.fields |= {"orig.filename": path.name, "orig.offset": str(places[1][0])}

    loaded = load(row, WarcPrefix(tmp_path), find=Rows([first]))

    assert loaded.payload == BODY
    assert loaded.field("WARC-Refers-To-Target-URI") == ORIGINAL_URL


def test_many_wrong_originals_end(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    wrong = [response(ORIGINAL_URL, b"other %d" % number) for number in range(60)]
    *places, last = write_warc(path, *wrong, revisit(URL, BODY, refers_to=REFERS))
    rows = [row_in(path, place, ORIGINAL_URL, digest=sha1_of(BODY)) for place in places]

    with pytest.raises(NotLoaded):
        load(row_in(path, last, URL, LATER), WarcPrefix(tmp_path), find=Rows(rows))
