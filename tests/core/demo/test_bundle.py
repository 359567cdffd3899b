# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sample repository's bundles: as complete, and as incomplete, as the platforms' own."""

import io
import zipfile

import httpx
import pytest

from carrel.demo import DemoRepository


def bundle(client: httpx.Client, url: str) -> zipfile.ZipFile:
    answer = client.get(url)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    return zipfile.ZipFile(io.BytesIO(answer.content))


def dataverse_url(repository: DemoRepository, key: str, version: str = "") -> str:
    place = f":persistentId{version or '/'}"
    query = f"persistentId=doi:{repository.dataset(key).doi}&format=original"
    return f"{repository.origin}/api/access/dataset/{place}?{query}"


@pytest.mark.parametrize("version", ["", "/versions/3.0", "/versions/:latest"])
def test_dataverse_gives_the_originals_of_tables(
    repository: DemoRepository, client: httpx.Client, version: str
) -> None:
    dataset = repository.dataset("TIDES5")

    archive = bundle(client, dataverse_url(repository, "TIDES5", version))

    assert archive.namelist() == [*(file.path for file in dataset.files), "MANIFEST.TXT"]
    for file in dataset.files:
        assert archive.read(file.path) == b"".join(dataset.content(file).blocks())


def test_dataverse_leaves_out_what_is_restricted_and_says_so_inside(
    repository: DemoRepository, client: httpx.Client
) -> None:
    archive = bundle(client, dataverse_url(repository, "PRISN5"))

    assert len(archive.namelist()) == 4
    assert "ledger-1925.txt IS RESTRICTED" in archive.read("MANIFEST.TXT").decode()


def test_another_version_has_no_bundle(repository: DemoRepository, client: httpx.Client) -> None:
    assert client.get(dataverse_url(repository, "TIDES5", "/versions/9.9")).status_code == 404


def test_inveniordm_leaves_out_what_it_lost_and_says_nothing(
    repository: DemoRepository, client: httpx.Client
) -> None:
    record = repository.dataset("b1rds-ng842")

    archive = bundle(client, f"{record.api_url(repository)}/files-archive")

    assert archive.namelist() == ["README.txt", "spring.txt"]


def test_a_closed_record_has_no_bundle(repository: DemoRepository, client: httpx.Client) -> None:
    record = repository.dataset("cl0sd-le77s")

    assert client.get(f"{record.api_url(repository)}/files-archive").status_code == 403
