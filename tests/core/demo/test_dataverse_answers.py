# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sample repository answers as a Dataverse does."""

import hashlib
from typing import Any

import httpx
import pytest

from carrel.demo import DemoRepository

DATASET_API = "/api/datasets/:persistentId"


def version_of(client: httpx.Client, repository: DemoRepository, key: str) -> Any:
    url = repository.dataset(key).api_url(repository)
    return client.get(url).json()["data"]["latestVersion"]


def test_version_probe_says_ok(repository: DemoRepository, client: httpx.Client) -> None:
    answer = client.get(f"{repository.origin}/api/info/version").json()

    assert answer["status"] == "OK"
    assert answer["data"]["version"]


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("pid", ["doi:10.5072/FK2/FENS60", "doi%3A10.5072%2FFK2%2FFENS60"])
def test_dataset_is_found_in_any_spelling(
    repository: DemoRepository, client: httpx.Client, slash: str, pid: str
) -> None:
    answer = client.get(f"{repository.origin}{DATASET_API}{slash}?persistentId={pid}")

    data = answer.json()["data"]
    assert (data["protocol"], data["authority"]) == ("doi", "10.5072")
    assert data["latestVersion"]["datasetPersistentId"] == "doi:10.5072/FK2/FENS60"
    assert len(data["latestVersion"]["files"]) == 60


@pytest.mark.parametrize("version", [":latest", ":latest-published", "2.1"])
def test_versions_answer_with_the_version_itself(
    repository: DemoRepository, client: httpx.Client, version: str
) -> None:
    url = f"{repository.origin}{DATASET_API}/versions/{version}"

    data = client.get(url, params={"persistentId": "doi:10.5072/FK2/FENS60"}).json()["data"]

    assert (data["versionNumber"], data["versionMinorNumber"]) == (2, 1)
    assert data["files"]


def test_major_version_means_its_point_zero(
    repository: DemoRepository, client: httpx.Client
) -> None:
    url = f"{repository.origin}{DATASET_API}/versions/3"

    answer = client.get(url, params={"persistentId": "doi:10.5072/FK2/TIDES5"})

    assert answer.json()["data"]["versionNumber"] == 3


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{DATASET_API}/?persistentId=doi:10.5072/FK2/NOBODY", 404),
        (f"{DATASET_API}/versions/9.9?persistentId=doi:10.5072/FK2/FENS60", 404),
        (f"{DATASET_API}/versions/:draft?persistentId=doi:10.5072/FK2/FENS60", 401),
        ("/api/access/dataset/:persistentId/?persistentId=doi:10.5072/FK2/NOBODY", 404),
        ("/api/access/datafile/999999", 404),
        ("/api/access/datafile/114004", 403),
    ],
)
def test_errors_have_the_error_envelope(
    repository: DemoRepository, client: httpx.Client, path: str, status: int
) -> None:
    answer = client.get(repository.origin + path)

    assert answer.status_code == status
    assert answer.json()["status"] == "ERROR"
    assert answer.json()["message"]


def test_folders_stand_apart_from_equal_names(
    repository: DemoRepository, client: httpx.Client
) -> None:
    files = version_of(client, repository, "FENS60")["files"]

    places = {(file["directoryLabel"], file["label"]) for file in files}
    assert len(places) == 60
    assert len({label for _, label in places}) == 5


def test_original_of_a_table_has_the_published_checksum(
    repository: DemoRepository, client: httpx.Client
) -> None:
    table = version_of(client, repository, "TIDES5")["files"][1]["dataFile"]

    original = client.get(f"{repository.origin}/api/access/datafile/{table['id']}?format=original")

    assert table["filename"].endswith(".tab")
    assert table["originalFileName"] == "northlock-1953.csv"
    assert table["originalFileSize"] == len(original.content)
    assert table["md5"] == table["checksum"]["value"] == hashlib.md5(original.content).hexdigest()


def test_converted_table_is_longer_than_published_by_its_header_line(
    repository: DemoRepository, client: httpx.Client
) -> None:
    table = version_of(client, repository, "TIDES5")["files"][1]["dataFile"]

    converted = client.get(f"{repository.origin}/api/access/datafile/{table['id']}").content

    header, _, rows = converted.partition(b"\n")
    assert header.split(b"\t")[0] == b"time"
    assert len(rows) == table["filesize"]
    assert hashlib.md5(converted).hexdigest() != table["md5"]


@pytest.mark.parametrize(
    ("key", "name", "algorithm"), [("HERB12", "SHA-512", "sha512"), ("GLASS4", "SHA-1", "sha1")]
)
def test_other_checksums_than_md5_are_true(
    repository: DemoRepository, client: httpx.Client, key: str, name: str, algorithm: str
) -> None:
    data_file = version_of(client, repository, key)["files"][0]["dataFile"]

    payload = client.get(
        f"{repository.origin}/api/access/datafile/{data_file['id']}", follow_redirects=True
    )

    digest = hashlib.new(algorithm, payload.content).hexdigest()
    assert data_file["checksum"] == {"type": name, "value": digest}
    assert "md5" not in data_file


def test_restricted_files_are_listed_as_such(
    repository: DemoRepository, client: httpx.Client
) -> None:
    version = version_of(client, repository, "PRISN5")

    assert [file["restricted"] for file in version["files"]] == [False, False, False, True, True]
    assert version["fileAccessRequest"] is True


def test_signed_address_is_good_for_get_only(
    repository: DemoRepository, client: httpx.Client
) -> None:
    dataset = repository.dataset("GLASS4")

    hop = client.get(dataset.file_url(repository, dataset.files[0]))
    signed = hop.headers["Location"]

    assert hop.status_code == 303
    assert "X-Amz-Signature=" in signed
    assert client.head(signed).status_code == 403
    assert client.get(signed.partition("?")[0]).status_code == 403
    assert client.get(signed).status_code == 200
