# SPDX-License-Identifier: AGPL-3.0-or-later
"""Records of local files are loaded by their place, and only if they are what their row says."""

import io
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import Live, WarcPrefix
from carrel.model import Memento
from support.warc_stores import URL, load, replayed, row_in, stored
from support.warcs import (
    arc_record,
    member,
    record,
    request,
    response,
    warcinfo,
    write_arc,
    write_wacz,
    write_warc,
)


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_a_record_is_loaded_from_the_middle_of_a_warc(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    places = write_warc(path, warcinfo(), response(URL, b"wanted"), response(URL, b"other"))

    loaded = load(row_in(path, places[1]), WarcPrefix(tmp_path))

    assert loaded.payload == b"wanted"
    assert loaded.field("WARC-Target-URI") == URL


@pytest.mark.parametrize("name", ["a.arc.gz", "a.arc"])
def test_a_record_of_an_arc_comes_out_as_a_warc_record(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    places = write_arc(path, arc_record(URL, b"first"), arc_record(URL, b"second"))

    loaded = load(row_in(path, places[1]), WarcPrefix(tmp_path))

    assert loaded.payload == b"second"
    assert loaded.field("WARC-Type") == "response"


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
@pytest.mark.parametrize("length", ["", "-", "0", "99999999"])
def test_a_length_that_is_missing_or_too_long_does_no_harm(
    name: str, length: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    places = write_warc(path, response(URL, b"wanted"), response(URL, b"other"))

    loaded = load(row_in(path, places[0], length=length), WarcPrefix(tmp_path))

    assert loaded.payload == b"wanted"


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_a_length_that_is_too_short_is_named(name: str, tmp_path: Path) -> None:
    row = stored(tmp_path / name, response(URL, b"wanted" * 100))
    row.fields["length"] = str(int(row.fields["length"]) - 40)

    with pytest.raises(NotLoaded) as raised:
        load(row, WarcPrefix(tmp_path))

    assert raised.value.name == name


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_a_warc_that_was_cut_short_gives_nothing_of_the_record(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    row = stored(path, response(URL, bytes(range(256)) * 1000))
    path.write_bytes(path.read_bytes()[:-100])

    with pytest.raises(NotLoaded):
        load(row, WarcPrefix(tmp_path))


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_a_record_that_lies_about_its_length_is_refused(name: str, tmp_path: Path) -> None:
    fields = [("WARC-Target-URI", URL), ("Content-Type", "text/plain")]
    row = stored(tmp_path / name, record("resource", b"short", fields, length=10**10))

    with pytest.raises(NotLoaded):
        load(row, WarcPrefix(tmp_path))


@pytest.mark.parametrize("offset", ["", "-", "-5", "abc", "1e3", "9" * 30, "99999999"])
def test_an_absurd_offset_is_refused(offset: str, tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    row.fields["offset"] = offset

    with pytest.raises(NotLoaded) as raised:
        load(row, WarcPrefix(tmp_path))

    assert raised.value.name == "a.warc.gz"


def test_another_record_at_the_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    places = write_warc(path, response("http://example.org/other"), response(URL))

    with pytest.raises(NotLoaded, match="Another record"):
        load(row_in(path, places[0]), WarcPrefix(tmp_path))


def test_a_request_is_not_taken_for_its_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    places = write_warc(path, request(URL), response(URL))

    with pytest.raises(NotLoaded, match="not a response"):
        load(row_in(path, places[0], status="200"), WarcPrefix(tmp_path))


def test_another_form_of_the_url_is_the_same_record(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response("https://www.EXAMPLE.org/page/"))

    assert load(row, WarcPrefix(tmp_path)).payload == b"<p>hello"


def test_junk_at_the_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(member(b"hello, I am no record\n" * 10))

    with pytest.raises(NotLoaded):
        load(row_in(path, (0, 50)), WarcPrefix(tmp_path))


def test_places_are_tried_in_their_order(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    stored(second / "a.warc", response(URL, b"from the second"))
    row = stored(first / "a.warc", response(URL, b"from the first!"))

    assert load(row, WarcPrefix(first), WarcPrefix(second)).payload == b"from the first!"
    (first / "a.warc").unlink()
    assert load(row, WarcPrefix(first), WarcPrefix(second)).payload == b"from the second"


def test_a_file_that_is_damaged_in_one_place_is_loaded_from_the_next(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    row = stored(second / "a.warc.gz", response(URL, b"whole"))
    (first / "a.warc.gz").write_bytes(b"\x1f\x8b\x08 junk")

    assert load(row, WarcPrefix(first), WarcPrefix(second)).payload == b"whole"


def test_a_prefix_may_be_the_one_file_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    row = stored(path, response(URL))

    assert load(row, WarcPrefix(path)).payload == b"<p>hello"
    row.fields["filename"] = "b.warc.gz"
    with pytest.raises(NotLoaded):
        load(row, WarcPrefix(path))


def test_a_record_within_a_wacz_is_loaded(tmp_path: Path) -> None:
    warc = tmp_path / "data.warc.gz"
    places = write_warc(warc, response(URL, b"first"), response(URL, b"second"))
    write_wacz(tmp_path / "a.wacz", {"data.warc.gz": warc.read_bytes()})
    row = row_in(Path("data.warc.gz"), places[1], filename="archive/data.warc.gz")

    assert load(row, WarcPrefix(tmp_path / "a.wacz")).payload == b"second"
    row.fields["filename"] = "archive/../datapackage.json"
    with pytest.raises(NotLoaded):
        load(row, WarcPrefix(tmp_path / "a.wacz"))


def test_a_file_that_is_not_there_is_not_looked_for_twice(tmp_path: Path) -> None:
    row = row_in(Path("gone.warc.gz"), (0, 10))
    failed: dict[str, str] = {}

    with pytest.raises(NotLoaded, match="no file"):
        load(row, WarcPrefix(tmp_path), failed=failed)
    stored(tmp_path / "gone.warc.gz", response(URL))
    with pytest.raises(NotLoaded, match="no file"):
        load(row, WarcPrefix(tmp_path), failed=failed)


def test_a_file_that_is_not_in_one_place_is_looked_for_in_another(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    row = stored(second / "a.warc.gz", response(URL))
    failed: dict[str, str] = {}

    with pytest.raises(NotLoaded):
        load(row, WarcPrefix(first), failed=failed)

    assert load(row, WarcPrefix(second), failed=failed).payload == b"<p>hello"


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").mkdir()

    with pytest.raises(NotLoaded):
        load(row_in(tmp_path / "a.warc.gz", (0, 10)), WarcPrefix(tmp_path))


def test_a_row_with_a_file_is_never_silently_replayed(tmp_path: Path) -> None:
    row = replayed("http://127.0.0.1:9/2020/" + URL)
    row.fields.update({"filename": "gone.warc.gz", "offset": "0"})

    with pytest.raises(NotLoaded) as raised:
        load(row, Live(), WarcPrefix(tmp_path))

    assert raised.value.name == "gone.warc.gz"


def test_a_row_without_a_place_says_what_is_missing(tmp_path: Path) -> None:
    nowhere = Memento("org,example)/page", "20200101000000", {"url": URL}, "local")

    with pytest.raises(NotLoaded, match="neither in which file"):
        load(nowhere, WarcPrefix(tmp_path))
    with pytest.raises(NotLoaded, match="no location of WARCs is configured"):
        load(stored(tmp_path / "a.warc.gz", response(URL)), Live())
    with pytest.raises(NotLoaded, match="no \\$live"):
        load(replayed("http://127.0.0.1:9/"), WarcPrefix(tmp_path))


def test_a_large_record_is_read_whole(tmp_path: Path) -> None:
    body = bytes(range(256)) * 40_000
    row = stored(tmp_path / "a.warc.gz", response(URL, body))

    assert load(row, WarcPrefix(tmp_path)).payload == body


def test_a_large_record_that_is_cut_is_refused_before_it_is_served(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    row = stored(path, response(URL, bytes(10_000_000)))
    path.write_bytes(path.read_bytes()[:-10])

    with pytest.raises(NotLoaded):
        load(row, WarcPrefix(tmp_path))


def test_other_readers_take_the_record(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL, b"hello"))

    loaded = load(row, WarcPrefix(tmp_path))

    found = next(iter(ArchiveIterator(io.BytesIO(loaded.warc), check_digests="raise")))
    assert found.raw_stream.read() == b"hello"
