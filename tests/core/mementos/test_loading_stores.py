# SPDX-License-Identifier: AGPL-3.0-or-later
"""Records in WARCs on web servers are read by one range request, which is checked."""

from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import WarcPrefix
from carrel.mementos.loading import ranges, spooled_body
from carrel.mementos.loading.timeouts import Timeouts
from support.warc_stores import (
    URL,
    AnsweringServer,
    Asked,
    Told,
    load,
    row_in,
    stored,
    warc_store,
)
from support.warcs import arc_record, response, warcinfo, write_arc, write_warc
from support.wire import End, WireServer, cut_off, head, raw


@pytest.mark.parametrize("prefix", ["/warcs", "/warcs/"])
def test_a_record_is_read_by_one_range_request(prefix: str, tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    places = write_warc(path, warcinfo(), response(URL, b"wanted"), response(URL, b"other"))
    offset, length = places[1]

    with warc_store(tmp_path) as store:
        loaded = load(row_in(path, places[1]), WarcPrefix(store.origin + prefix))

    assert loaded.payload == b"wanted"
    assert [asked.path for asked in store.asked] == ["/warcs/a.warc.gz"]
    assert store.asked[0].headers["range"] == f"bytes={offset}-{offset + length - 1}"


@pytest.mark.parametrize("knows_ranges", [True, False])
@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_a_record_of_unknown_length_is_read_to_its_end(
    name: str, knows_ranges: bool, tmp_path: Path
) -> None:
    path = tmp_path / name
    body = bytes(range(256)) * 2000
    places = write_warc(path, warcinfo(), response(URL, body), response(URL, b"other"))

    with warc_store(tmp_path, knows_ranges=knows_ranges) as store:
        loaded = load(row_in(path, places[1], length=""), WarcPrefix(f"{store.origin}/warcs/"))

    assert loaded.payload == body


def test_a_plain_arc_record_of_unknown_length_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a.arc"
    places = write_arc(path, arc_record(URL, b"first"), arc_record(URL, b"second"))

    with warc_store(tmp_path) as store:
        loaded = load(row_in(path, places[0], length=""), WarcPrefix(f"{store.origin}/warcs/"))

    assert loaded.payload == b"first"


def test_a_store_that_knows_no_ranges_is_read_up_to_the_record(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    places = write_warc(path, response(URL, bytes(300_000)), response(URL, b"wanted"))

    with warc_store(tmp_path, knows_ranges=False) as store:
        loaded = load(row_in(path, places[1]), WarcPrefix(f"{store.origin}/warcs/"))

    assert loaded.payload == b"wanted"


def test_a_store_that_knows_no_ranges_is_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "_MOST_SKIPPED_BYTES", 1000)
    path = tmp_path / "a.warc"
    places = write_warc(path, response(URL, bytes(3000)), response(URL, b"wanted"))

    with (
        warc_store(tmp_path, knows_ranges=False) as store,
        pytest.raises(NotLoaded, match="not support ranges"),
    ):
        load(row_in(path, places[1]), WarcPrefix(f"{store.origin}/warcs/"))


def told_always(status: int, content_range: str, body: bytes) -> Callable[[Asked], Told]:
    named = [("Content-Range", content_range)] if content_range else []
    return lambda asked: Told(status, body, named)


@pytest.mark.parametrize(
    ("status", "content_range"),
    [
        (206, "bytes 1-400/1000"),
        (206, "bytes 0-x/1000"),
        (206, ""),
        (416, "bytes */5"),
        (500, ""),
        (404, ""),
        (204, ""),
    ],
)
def test_an_answer_that_is_not_the_range_is_refused(
    status: int, content_range: str, tmp_path: Path
) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    body = (tmp_path / "a.warc.gz").read_bytes()

    with (
        AnsweringServer(told_always(status, content_range, body)) as store,
        pytest.raises(NotLoaded) as raised,
    ):
        load(row, WarcPrefix(f"{store.origin}/"))

    assert raised.value.name == "a.warc.gz"


def test_more_than_the_range_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    places = write_warc(path, response(URL, b"wanted"), response(URL, b"other"))
    content = path.read_bytes()
    given = f"bytes 0-{len(content) - 1}/{len(content)}"

    with AnsweringServer(told_always(206, given, content)) as store:
        loaded = load(row_in(path, places[0]), WarcPrefix(f"{store.origin}/"))

    assert loaded.payload == b"wanted"


def test_a_store_that_redirects_is_followed(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))

    with warc_store(tmp_path) as store:
        elsewhere = [("Location", f"{store.origin}/warcs/a.warc.gz")]
        with AnsweringServer(lambda asked: Told(302, b"", elsewhere)) as front:
            loaded = load(row, WarcPrefix(f"{front.origin}/"))

    assert loaded.payload == b"<p>hello"
    assert "range" in store.asked[0].headers


def test_a_store_that_redirects_for_ever_ends(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))

    with (
        AnsweringServer(lambda asked: Told(302, b"", [("Location", asked.path + "x")])) as store,
        pytest.raises(NotLoaded, match="too many redirects"),
    ):
        load(row, WarcPrefix(f"{store.origin}/"))


def test_a_store_that_has_not_the_file_is_followed_by_the_next(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))

    with AnsweringServer(lambda asked: Told(404)) as store:
        loaded = load(row, WarcPrefix(f"{store.origin}/"), WarcPrefix(tmp_path))

    assert loaded.payload == b"<p>hello"


def test_a_store_that_has_not_the_file_is_asked_once(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    failed: dict[str, str] = {}

    with AnsweringServer(lambda asked: Told(404)) as store:
        with pytest.raises(NotLoaded, match="404"):
            load(row, WarcPrefix(f"{store.origin}/"), failed=failed)
        with pytest.raises(NotLoaded, match="404"):
            load(row, WarcPrefix(f"{store.origin}/"), failed=failed)

    assert len(store.asked) == 1


def test_a_store_that_breaks_off_is_no_record(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    with WireServer() as store:
        store.serve("/a.warc.gz", cut_off(b"\x1f\x8b", announced=300))

        with pytest.raises(NotLoaded) as raised:
            load(row, WarcPrefix(f"{store.origin}/"))

    assert raised.value.name == "a.warc.gz"


def test_a_store_that_drips_is_given_up(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    with WireServer() as store:
        announced = head("206 Partial", {"Content-Range": "bytes 0-299/300", "Content-Length": 300})
        store.serve("/a.warc.gz", raw(announced, b"\x1f", end=End.KEEP))

        with pytest.raises(NotLoaded, match="in time"):
            load(row, WarcPrefix(f"{store.origin}/"), timeouts=Timeouts(stall_s=0.2))


def test_a_disk_without_room_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled_body, "_IN_MEMORY_BYTES", 10)
    monkeypatch.setattr(spooled_body, "_free_bytes", lambda: 0)
    row = stored(tmp_path / "a.warc.gz", response(URL))

    with warc_store(tmp_path) as store, pytest.raises(NotLoaded, match="no room"):
        load(row, WarcPrefix(f"{store.origin}/warcs/"))
