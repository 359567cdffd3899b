# SPDX-License-Identifier: AGPL-3.0-or-later
"""How files are sent: in ranges, in chunks, slowly, at the third try, or never whole."""

import time

import httpx
import pytest

from carrel.demo import DemoRepository, sample_datasets


def file_url(repository: DemoRepository, key: str, name: str) -> str:
    dataset = repository.dataset(key)
    file = next(file for file in dataset.files if file.path == name)
    return dataset.file_url(repository, file)


@pytest.fixture
def big(repository: DemoRepository) -> str:
    return file_url(repository, "SURF87", "mole-1987-11-09.wav")


@pytest.mark.parametrize(
    ("asked", "start", "stop"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=100-299999", 100, 300_000),
        ("bytes=262100-262200", 262_100, 262_201),
        ("bytes=299990-", 299_990, 300_000),
        ("bytes=-10", 299_990, 300_000),
        ("bytes=299990-999999", 299_990, 300_000),
    ],
)
def test_a_range_is_that_part_of_the_whole(
    client: httpx.Client, big: str, asked: str, start: int, stop: int
) -> None:
    whole = client.get(big).content

    part = client.get(big, headers={"Range": asked})

    assert part.status_code == 206
    assert part.headers["Content-Range"] == f"bytes {start}-{stop - 1}/300000"
    assert part.content == whole[start:stop]


def test_a_range_beyond_the_end_is_refused(client: httpx.Client, big: str) -> None:
    answer = client.get(big, headers={"Range": "bytes=300000-"})

    assert answer.status_code == 416
    assert answer.headers["Content-Range"] == "bytes */300000"


@pytest.mark.parametrize("asked", ["bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=9-3"])
def test_a_range_that_makes_no_sense_is_ignored(client: httpx.Client, big: str, asked: str) -> None:
    answer = client.get(big, headers={"Range": asked})

    assert (answer.status_code, len(answer.content)) == (200, 300_000)


def test_if_range_with_another_tag_gives_the_whole(client: httpx.Client, big: str) -> None:
    tag = client.head(big).headers["ETag"]

    same = client.get(big, headers={"Range": "bytes=5-9", "If-Range": tag})
    other = client.get(big, headers={"Range": "bytes=5-9", "If-Range": '"another"'})

    assert (same.status_code, len(same.content)) == (206, 5)
    assert (other.status_code, len(other.content)) == (200, 300_000)


def test_head_tells_the_size_and_sends_nothing(client: httpx.Client, big: str) -> None:
    answer = client.head(big)

    assert answer.headers["Content-Length"] == "300000"
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert answer.content == b""


def test_an_empty_file_is_sent_as_such(client: httpx.Client, repository: DemoRepository) -> None:
    answer = client.get(file_url(repository, "DIARY3", "corrections.txt"))

    assert (answer.status_code, answer.headers["Content-Length"]) == (200, "0")


def test_a_file_of_unknown_size_comes_in_chunks(
    client: httpx.Client, repository: DemoRepository
) -> None:
    answer = client.get(file_url(repository, "lantern-slides", "exposures.txt"))

    assert answer.headers["Transfer-Encoding"] == "chunked"
    assert "Content-Length" not in answer.headers
    assert len(answer.content) == 150_000


def test_it_fails_twice_and_then_works(client: httpx.Client, repository: DemoRepository) -> None:
    url = file_url(repository, "st0rm-w1res", "telegrams.txt")

    answers = [client.get(url) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [503, 503, 200, 200]
    assert answers[0].headers["Retry-After"] == "0"
    assert repository.times_fetched(url) == 4


def test_a_missing_file_stays_missing(client: httpx.Client, repository: DemoRepository) -> None:
    assert client.get(file_url(repository, "b1rds-ng842", "autumn.txt")).status_code == 404


@pytest.mark.parametrize("asked", [None, "bytes=45000-", "bytes=60000-"])
def test_a_file_that_breaks_off_does_so_at_every_try(
    client: httpx.Client, repository: DemoRepository, asked: str | None
) -> None:
    headers = {"Range": asked} if asked else {}

    with pytest.raises(httpx.RemoteProtocolError):
        client.get(file_url(repository, "BRIDGE", "loads.txt"), headers=headers)


def test_a_slow_file_takes_the_time_it_was_given(client: httpx.Client) -> None:
    with DemoRepository(sample_datasets(1000), slow_s=0.3) as repository:
        started = time.monotonic()
        answer = client.get(file_url(repository, "SLOWBT", "log.txt"))
        elapsed = time.monotonic() - started

    assert len(answer.content) == 400_000
    assert elapsed >= 0.3
