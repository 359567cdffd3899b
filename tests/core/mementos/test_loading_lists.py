# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists say where WARCs are: a sorted file, or a hash in Redis."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import WarcIndexFile, WarcIndexRedis, WarcPrefix
from carrel.mementos.loading import path_index
from carrel.mementos.loading.path_index import locations_in_file
from support.warc_stores import URL, load, stored, warc_store
from support.warcs import response

needs_redis = pytest.mark.skipif(
    shutil.which("redis-server") is None, reason="redis-server is not installed"
)


def listed(folder: Path, *lines: str) -> Path:
    path = folder / "path-index.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=["Cs"]), min_size=1),
        st.text("abc/.:", min_size=1),
        min_size=1,
    )
)
def test_each_name_is_found_in_a_sorted_file(
    tmp_path_factory: pytest.TempPathFactory, places: dict[str, str]
) -> None:
    path = tmp_path_factory.mktemp("list") / "path-index.txt"
    lines = sorted(f"{name}\t{place}\n".encode() for name, place in places.items())
    path.write_bytes(b"".join(lines))

    assert {name: locations_in_file(path, name) for name in places} == {
        name: [place] for name, place in places.items()
    }


def test_a_large_sorted_file_is_bisected_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "path-index.txt"
    lines = [f"w{number:07}.warc.gz\t/data/{number:040}\n" for number in range(400_000)]
    path.write_text("".join(lines))

    assert path.stat().st_size > path_index._READ_THROUGH_BYTES
    assert locations_in_file(path, "w0000000.warc.gz") == [f"/data/{0:040}"]
    assert locations_in_file(path, "w0399999.warc.gz") == [f"/data/{399_999:040}"]
    assert locations_in_file(path, "w0123456.warc.gz") == [f"/data/{123_456:040}"]
    assert locations_in_file(path, "w0123456.warc") == []


def test_a_small_file_that_is_not_sorted_is_read_through(tmp_path: Path) -> None:
    path = listed(tmp_path, "z.warc\t/z", "m.warc\t/m", "a.warc\t/a", "b.warc\t/b")

    assert [locations_in_file(path, f"{name}.warc") for name in "zmab"] == [
        ["/z"],
        ["/m"],
        ["/a"],
        ["/b"],
    ]


def test_all_locations_of_a_name_come_in_their_order(tmp_path: Path) -> None:
    path = listed(tmp_path, "a.warc\t/one\t\t/two ", "a.warc\t/three", "a.warc.gz\t/other")

    assert locations_in_file(path, "a.warc") == ["/one", "/two", "/three"]


def test_all_paths_of_a_file_are_tried(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    row = stored(tmp_path / "far" / "a.warc.gz", response(URL))
    path = listed(tmp_path, f"a.warc.gz\t{tmp_path}/gone.warc.gz\tfar/a.warc.gz")

    assert load(row, WarcIndexFile(path)).payload == b"<p>hello"


def test_a_file_url_and_a_web_address_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "with a blank").mkdir()
    row = stored(tmp_path / "with a blank" / "a.warc.gz", response(URL))
    url = (tmp_path / "with a blank" / "a.warc.gz").as_uri()
    by_file_url = WarcIndexFile(listed(tmp_path, f"a.warc.gz\t{url}"))

    assert load(row, by_file_url).payload == b"<p>hello"
    with warc_store(tmp_path / "with a blank") as store:
        by_address = WarcIndexFile(listed(tmp_path, f"a.warc.gz\t{store.origin}/warcs/a.warc.gz"))
        assert load(row, by_address).payload == b"<p>hello"


@pytest.mark.parametrize("place", ["s3://bucket/a.warc.gz", "ftp://host/a.warc.gz"])
def test_a_location_that_can_not_be_opened_is_passed_over(place: str, tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    path = listed(tmp_path, f"a.warc.gz\t{place}\ta.warc.gz")

    assert load(row, WarcIndexFile(path)).payload == b"<p>hello"


def test_a_name_that_is_not_listed_is_looked_for_in_the_next_place(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    path = listed(tmp_path, "b.warc.gz\tb.warc.gz")

    assert load(row, WarcIndexFile(path), WarcPrefix(tmp_path)).payload == b"<p>hello"
    with pytest.raises(NotLoaded, match="none of the lists"):
        load(row, WarcIndexFile(path))


def test_a_list_that_is_not_there_is_named(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))

    with pytest.raises(NotLoaded, match=r"gone\.txt cannot be read"):
        load(row, WarcIndexFile(tmp_path / "gone.txt"))


@pytest.fixture
def redis_port(tmp_path: Path) -> Iterator[int]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
    options = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path))
    server = subprocess.Popen(
        ["redis-server", *options], stdout=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]}
    )
    try:
        _await_redis(port)
        yield port
    finally:
        server.terminate()
        server.wait()


def _await_redis(port: int) -> None:
    until = time.monotonic() + 20
    with redis.Redis(port=port) as client:
        while time.monotonic() < until:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                time.sleep(0.02)
    raise TimeoutError("redis-server did not start")


@needs_redis
@pytest.mark.parametrize("path", ["warcs", "0/warcs", "3/warcs", "coll/warcs:paths", "3/2"])
def test_a_hash_in_redis_says_where_a_warc_is(path: str, tmp_path: Path, redis_port: int) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    number, _, rest = path.partition("/")
    database, key = (int(number), rest) if number.isdigit() else (0, path)
    with redis.Redis(port=redis_port, db=database) as client:
        client.hset(key, "a.warc.gz", f"{tmp_path}/gone.warc.gz\t{tmp_path}/a.warc.gz")

    loaded = load(row, WarcIndexRedis(f"redis://127.0.0.1:{redis_port}/{path}"))

    assert loaded.payload == b"<p>hello"


@needs_redis
def test_a_key_that_is_no_hash_is_named(tmp_path: Path, redis_port: int) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    with redis.Redis(port=redis_port) as client:
        client.set("warcs", "a text")

    with pytest.raises(NotLoaded, match="cannot be queried"):
        load(row, WarcIndexRedis(f"redis://127.0.0.1:{redis_port}/warcs"))


@needs_redis
def test_a_relative_path_in_redis_is_refused(tmp_path: Path, redis_port: int) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    with redis.Redis(port=redis_port) as client:
        client.hset("warcs", "a.warc.gz", "a.warc.gz")

    with pytest.raises(NotLoaded, match="cannot be opened"):
        load(row, WarcIndexRedis(f"redis://127.0.0.1:{redis_port}/warcs"))


def test_a_redis_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response(URL))
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]

    with pytest.raises(NotLoaded) as raised:
        load(row, WarcIndexRedis(f"redis://:secret@127.0.0.1:{port}/warcs"))

    assert "secret" not in str(raised.value)
