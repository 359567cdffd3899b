# SPDX-License-Identifier: AGPL-3.0-or-later
"""The server itself: many at once, kept alive, counted, on loopback only, and gone when closed."""

import hashlib
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from carrel.demo import DemoRepository, sample_datasets


def test_many_files_at_once_are_all_true(repository: DemoRepository, client: httpx.Client) -> None:
    dataset = repository.dataset("FENS60")

    def digest(url: str) -> str:
        return hashlib.md5(client.get(url).content).hexdigest()

    urls = [dataset.file_url(repository, file) for file in dataset.files]
    with ThreadPoolExecutor(16) as pool:
        digests = list(pool.map(digest, urls))

    assert digests == [dataset.published_digest(file) for file in dataset.files]


def test_one_connection_serves_many_requests(repository: DemoRepository) -> None:
    address = (httpx.URL(repository.origin).host, httpx.URL(repository.origin).port)
    request = f"HEAD / HTTP/1.1\r\nHost: {repository.origin[7:]}\r\n\r\n".encode()

    with socket.create_connection(address) as connection, connection.makefile("rb") as reader:
        for _ in range(3):
            connection.sendall(request)
            assert reader.readline() == b"HTTP/1.1 200 OK\r\n"
            while reader.readline() != b"\r\n":
                pass

    assert repository.times_fetched("/", "HEAD") == 3


def test_requests_are_remembered_with_their_range(
    repository: DemoRepository, client: httpx.Client
) -> None:
    url = f"{repository.origin}/api/access/datafile/101001?format=original"

    client.get(url, headers={"Range": "bytes=1-2"})

    assert repository.times_fetched(url) == 1
    assert repository.requests[-1].byte_range == "bytes=1-2"


def test_other_host_names_are_refused(repository: DemoRepository, client: httpx.Client) -> None:
    answer = client.get(repository.origin, headers={"Host": "example.org"})

    assert answer.status_code == 421
    assert repository.requests == ()


def test_closing_frees_the_port_and_ends_every_thread() -> None:
    before = set(threading.enumerate())
    with httpx.Client(trust_env=False) as client:
        with DemoRepository(sample_datasets(1000)) as repository:
            client.get(repository.origin)

        with pytest.raises(httpx.TransportError):
            client.get(repository.origin)

    assert set(threading.enumerate()) == before


def test_closing_does_not_wait_for_the_slow() -> None:
    with httpx.Client(trust_env=False) as client:
        with DemoRepository(sample_datasets(1000), slow_s=3600) as repository:
            slow = repository.dataset("SLOWBT")
            url = slow.file_url(repository, slow.files[0])
            request = client.build_request("GET", url)
            response = client.send(request, stream=True)

        with pytest.raises(httpx.TransportError):
            response.read()


def test_a_client_that_hangs_up_does_no_harm(
    repository: DemoRepository, client: httpx.Client, capfd: pytest.CaptureFixture[str]
) -> None:
    dataset = repository.dataset("SURF87")
    url = dataset.file_url(repository, dataset.files[0])
    with client.stream("GET", url) as response:
        next(response.iter_raw(10))

    assert client.get(url).status_code == 200
    assert capfd.readouterr().err == ""


def test_two_repositories_stand_side_by_side() -> None:
    with DemoRepository() as one, DemoRepository() as other:
        assert one.origin != other.origin
