# SPDX-License-Identifier: AGPL-3.0-or-later
"""What another archive replays is a record only if it proves to be a memento."""

import gzip
import hashlib
import io
from collections.abc import Sequence

import pytest
from warcio.archiveiterator import ArchiveIterator

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import Live
from carrel.mementos.loading.timeouts import Timeouts
from carrel.model import Memento, SourceType
from support.warc_stores import URL, AnsweringServer, Asked, Loaded, Told, load, replayed
from support.warcs import sha1_of
from support.wire import End, Reply, WireServer, chunked, cut_off, head, raw

MOMENT = ("Memento-Datetime", "Thu, 02 Jan 2020 03:04:05 GMT")
HTML = ("Content-Type", "text/html")
PATH = f"/web/20200102030405id_/{URL}"


def answered(told: Told) -> Loaded:
    """Load a capture from an archive that answers this to everything."""
    with AnsweringServer(lambda asked: told) as archive:
        return load(replayed(archive.origin + PATH), Live())


def refused(told: Told) -> str:
    with pytest.raises(NotLoaded) as raised:
        answered(told)
    assert raised.value.name == "there"
    return str(raised.value)


def test_a_memento_becomes_a_response_record() -> None:
    with AnsweringServer(lambda asked: Told(200, b"<p>then", [MOMENT, HTML])) as archive:
        loaded = load(replayed(archive.origin + PATH), Live())

    assert loaded.payload == b"<p>then"
    assert loaded.http_head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert loaded.field("WARC-Type") == "response"
    assert loaded.field("WARC-Record-ID").startswith("<urn:uuid:")
    assert loaded.field("WARC-Target-URI") == URL
    assert loaded.field("WARC-Date") == "2020-01-02T03:04:05Z"
    assert loaded.field("WARC-Source-URI") == archive.origin + PATH
    assert loaded.field("WARC-Creation-Date") > "2025"
    assert loaded.field("WARC-IP-Address") == "127.0.0.1"
    assert loaded.field("WARC-Payload-Digest") == sha1_of(b"<p>then")
    assert loaded.field("WARC-Block-Digest") == sha1_of(loaded.http_head + loaded.payload)
    assert loaded.field("Content-Length") == str(len(loaded.http_head) + 7)


def test_the_archive_is_asked_once_for_the_plain_bytes() -> None:
    with AnsweringServer(lambda asked: Told(200, b"x", [MOMENT])) as archive:
        load(replayed(archive.origin + PATH), Live())

    [asked] = archive.asked
    assert (asked.method, asked.path) == ("GET", PATH)
    assert asked.headers["accept-encoding"] == "identity"


def test_other_readers_take_the_record() -> None:
    loaded = answered(Told(200, b"<p>then", [MOMENT, HTML]))

    found = next(iter(ArchiveIterator(io.BytesIO(loaded.warc), check_digests="raise")))

    assert found.content_stream().read() == b"<p>then"


@pytest.mark.parametrize("source_type", [SourceType.MEMENTO, SourceType.CDX])
@pytest.mark.parametrize("status", [200, 404, 429, 500, 503])
def test_what_has_no_memento_datetime_is_refused(status: int, source_type: SourceType) -> None:
    told = Told(status, b"<h1>Sorry</h1>", [HTML])
    with AnsweringServer(lambda asked: told) as archive, pytest.raises(NotLoaded) as raised:
        load(replayed(archive.origin + PATH, source_type=source_type), Live())

    assert str(status) in str(raised.value)
    assert raised.value.name == "there"
    assert len(archive.asked) == 1


def test_a_refusal_says_how_long_it_lasts() -> None:
    assert "3600 s" in refused(Told(429, b"", [("Retry-After", "3600")]))


@pytest.mark.parametrize("status", [404, 429, 500])
def test_a_captured_error_is_a_memento(status: int) -> None:
    loaded = answered(Told(status, b"gone then", [MOMENT]))

    assert loaded.http_head.startswith(b"HTTP/1.1 %d " % status)
    assert loaded.payload == b"gone then"


def test_original_headers_alone_prove_no_memento() -> None:
    assert refused(Told(200, b"x", [("X-Archive-Orig-Server", "Apache/1.3")]))


def test_the_headers_of_the_captured_server_are_restored() -> None:
    loaded = answered(Told(200, b"x", [MOMENT, ("X-Archive-Orig-Server", "Apache/1.3")]))

    assert loaded.http("Server") == ["Apache/1.3"]


def test_a_moment_that_makes_no_sense_proves_nothing() -> None:
    assert "not a valid time" in refused(Told(200, b"x", [("Memento-Datetime", "yesterday")]))


def test_the_moment_that_was_delivered_counts() -> None:
    loaded = answered(Told(200, b"x", [("Memento-Datetime", "Fri, 01 Jan 2016 00:00:00 GMT")]))

    assert loaded.field("WARC-Date") == "2016-01-01T00:00:00Z"


def test_headers_of_the_archive_are_left_out() -> None:
    own = [
        MOMENT,
        HTML,
        ("Link", f'<{URL}>; rel="original"'),
        ("Content-Location", "/web/1"),
        ("X-Archive-Src", "a.warc.gz"),
        ("Server", "the archive's"),
        ("X-Archive-Orig-Server", "Apache/1.3"),
        ("X-Archive-Orig-Set-Cookie", "a=1"),
        ("X-Archive-Orig-Set-Cookie", "b=2"),
        ("X-Archive-Orig-Content-Encoding", "gzip"),
        ("X-Archive-Orig-Content-Length", "5000"),
        ("X-Archive-Orig-Transfer-Encoding", "chunked"),
    ]

    loaded = answered(Told(200, b"plain", own))

    names = sorted(
        line.partition(":")[0] for line in loaded.http_head.decode().split("\r\n")[1:] if line
    )
    assert names == ["Content-Length", "Content-Type", "Server", "Set-Cookie", "Set-Cookie"]
    assert loaded.http("Server") == ["Apache/1.3"]
    assert loaded.http("Content-Length") == ["5"]


def test_a_content_coding_is_kept_as_it_was_sent() -> None:
    packed = gzip.compress(b"<p>then")

    loaded = answered(Told(200, packed, [MOMENT, ("Content-Encoding", "gzip")]))

    assert loaded.payload == packed
    assert loaded.http("Content-Encoding") == ["gzip"]


@pytest.mark.parametrize(
    ("location", "original"),
    [
        ("{origin}/web/20200102030405id_/http://example.org/new", "http://example.org/new"),
        ("/web/20200102030405id_/http://example.org/new", "http://example.org/new"),
        ("/web/2020/https:/example.org/new?u=http://a/", "https://example.org/new?u=http://a/"),
        ("https://other.example/web/2020mp_/http://example.org/", "http://example.org/"),
        ("http://example.org/login?next=/http://a/", "http://example.org/login?next=/http://a/"),
        ("/new", "/new"),
    ],
)
def test_a_captured_redirect_leads_where_it_led(location: str, original: str) -> None:
    def answer(asked: Asked) -> Told:
        sent = location.format(origin=archive.origin)
        return Told(302, b"", [MOMENT, ("Location", sent)])

    with AnsweringServer(answer) as archive:
        loaded = load(replayed(archive.origin + PATH), Live())

    assert loaded.http_head.startswith(b"HTTP/1.1 302 ")
    assert loaded.http("Location") == [original]


@pytest.mark.parametrize("location", [PATH, "/web/2019id_/" + URL, URL, URL + "#top", "/page"])
def test_a_capture_that_redirects_to_itself_is_refused(location: str) -> None:
    assert "to itself" in refused(Told(302, b"", [MOMENT, ("Location", location)]))


def test_a_redirect_to_https_is_no_redirect_to_itself() -> None:
    told = Told(301, b"", [MOMENT, ("Location", "/web/2020id_/https://example.org/page")])

    assert answered(told).http("Location") == ["https://example.org/page"]


def test_a_redirect_to_another_moment_is_followed() -> None:
    exact = f"/web/20191231235959id_/{URL}"

    def answer(asked: Asked) -> Told:
        if asked.path == exact:
            then = ("Memento-Datetime", "Tue, 31 Dec 2019 23:59:59 GMT")
            return Told(200, b"then", [then])
        return Told(302, b"", [("Location", exact)])

    with AnsweringServer(answer) as archive:
        loaded = load(replayed(archive.origin + PATH), Live())

    assert loaded.payload == b"then"
    assert loaded.field("WARC-Source-URI") == archive.origin + exact
    assert loaded.field("WARC-Date") == "2019-12-31T23:59:59Z"


@pytest.mark.parametrize(
    "location",
    [
        "http://localhost:1/web/20200102030405id_/" + URL,
        "/web/20200102030405id_/http://example.org/another",
        "ftp://127.0.0.1/",
        "http://[bad",
    ],
)
def test_a_redirect_to_somewhere_else_is_refused(location: str) -> None:
    refused(Told(302, b"", [("Location", location)]))


def test_redirects_that_go_round_or_on_for_ever_end() -> None:
    def onward(asked: Asked) -> Told:
        return Told(302, b"", [("Location", f"/web/{len(archive.asked):014}id_/{URL}")])

    with AnsweringServer(onward) as archive, pytest.raises(NotLoaded, match="too many redirects"):
        load(replayed(archive.origin + PATH), Live())
    assert len(archive.asked) <= 6
    assert "too many redirects" in refused(Told(302, b"", [("Location", PATH)]))


def from_wire(*replies: Reply, timeouts: Timeouts | None = None) -> Loaded:
    with WireServer() as archive:
        archive.serve(PATH, *replies)
        return load(replayed(archive.origin + PATH), Live(), timeouts=timeouts)


def test_chunks_are_undone_and_not_declared() -> None:
    pieces: Sequence[bytes] = (
        head("200 OK", {"Transfer-Encoding": "chunked", MOMENT[0]: MOMENT[1]}),
        b"5\r\n<p>th\r\n2\r\nen\r\n0\r\n\r\n",
    )

    loaded = from_wire(raw(*pieces))

    assert loaded.payload == b"<p>then"
    assert loaded.http("Transfer-Encoding") == []
    assert loaded.field("Content-Length") == str(len(loaded.http_head) + 7)


def test_a_body_that_is_cut_is_no_record() -> None:
    announced = head("200 OK", {"Content-Length": 100, MOMENT[0]: MOMENT[1]})

    with pytest.raises(NotLoaded):
        from_wire(raw(announced, b"only this"))
    with pytest.raises(NotLoaded):
        from_wire(cut_off(b"", announced=100))
    with pytest.raises(NotLoaded):
        from_wire(chunked(b"abc", is_ended=False))


def test_an_archive_that_drips_is_given_up() -> None:
    announced = head("200 OK", {"Content-Length": 100, MOMENT[0]: MOMENT[1]})

    with pytest.raises(NotLoaded, match="in time"):
        from_wire(raw(announced, b"only this", end=End.KEEP), timeouts=Timeouts(stall_s=0.2))
    with pytest.raises(NotLoaded, match="in time"):
        from_wire(raw(b"HTTP/1.1 200 OK\r\n", end=End.KEEP), timeouts=Timeouts(head_s=0.2))


def test_an_archive_that_refuses_is_not_asked_for_the_next_capture() -> None:
    failed: dict[str, str] = {}
    with AnsweringServer(lambda asked: Told(429)) as archive:
        for _ in range(3):
            with pytest.raises(NotLoaded, match="429"):
                load(replayed(archive.origin + PATH), Live(), failed=failed)

    assert len(archive.asked) == 1


def test_an_archive_that_lacks_one_capture_is_asked_for_the_next() -> None:
    failed: dict[str, str] = {}
    answers = [Told(404), Told(200, b"then", [MOMENT])]
    with AnsweringServer(lambda asked: answers.pop(0)) as archive:
        with pytest.raises(NotLoaded, match="404"):
            load(replayed(archive.origin + PATH), Live(), failed=failed)
        loaded = load(replayed(archive.origin + PATH), Live(), failed=failed)

    assert loaded.payload == b"then"


@pytest.mark.parametrize("text", ["Fri, 31 Dec 9999 23:59:59 -0900", "Thu, 02 Jan 0001 x"])
def test_a_moment_out_of_all_time_proves_nothing(text: str) -> None:
    assert "not a valid time" in refused(Told(200, b"x", [("Memento-Datetime", text)]))


def test_an_archive_that_speaks_no_http_is_no_record() -> None:
    with pytest.raises(NotLoaded):
        from_wire(raw(b"hello\r\n\r\n"))


def test_a_long_body_is_kept_whole() -> None:
    body = bytes(range(256)) * 50_000

    loaded = answered(Told(200, body, [MOMENT]))

    assert hashlib.sha1(loaded.payload).digest() == hashlib.sha1(body).digest()
    assert loaded.field("WARC-Payload-Digest") == sha1_of(body)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/x", "http://", "nonsense"])
def test_an_address_of_no_archive_is_refused(url: str) -> None:
    with pytest.raises(NotLoaded):
        load(replayed(url), Live())


def test_an_url_can_not_add_fields_to_the_record() -> None:
    row = Memento(
        "org,example)/",
        "20200102030405",
        {"url": "http://example.org/\r\nWARC-Type: warcinfo", "live_url": ""},
        "there",
        SourceType.MEMENTO,
    )

    with AnsweringServer(lambda asked: Told(200, b"x", [MOMENT])) as archive:
        row.fields["live_url"] = archive.origin + PATH
        loaded = load(row, Live())

    assert b"\r\nWARC-Type: warcinfo" not in loaded.warc


def test_rows_of_local_indexes_are_never_fetched() -> None:
    with AnsweringServer(lambda asked: Told(200, b"x", [MOMENT])) as archive:
        row = replayed(archive.origin + PATH, source_type=SourceType.FILE)
        with pytest.raises(NotLoaded):
            load(row, Live())

    assert archive.asked == []
