# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sample repository answers as an InvenioRDM does."""

import hashlib
from typing import Any

import httpx

from carrel.demo import DemoRepository


def get(client: httpx.Client, repository: DemoRepository, path: str) -> Any:
    return client.get(repository.origin + path).json()


def test_record_is_in_the_native_form(repository: DemoRepository, client: httpx.Client) -> None:
    record = get(client, repository, "/api/records/f1dna-mes7q")

    assert record["id"] == "f1dna-mes7q"
    assert record["access"]["files"] == "public"
    assert record["pids"]["doi"]["identifier"] == "10.5072/f1dna-mes7q"
    assert record["files"]["count"] == len(record["files"]["entries"]) == 7
    assert record["links"]["files"] == f"{repository.origin}/api/records/f1dna-mes7q/files"


def test_unusual_names_arrive_whole_and_true(
    repository: DemoRepository, client: httpx.Client
) -> None:
    listing = get(client, repository, "/api/records/f1dna-mes7q/files")

    payloads = {e["key"]: client.get(e["links"]["content"]).content for e in listing["entries"]}

    names = {file.path for file in repository.dataset("f1dna-mes7q").files}
    published = {e["key"]: (e["size"], e["checksum"]) for e in listing["entries"]}
    assert published.keys() == names
    assert published == {
        key: (len(payload), f"md5:{hashlib.md5(payload).hexdigest()}")
        for key, payload in payloads.items()
    }


def test_one_file_is_described_at_its_own_address(
    repository: DemoRepository, client: httpx.Client
) -> None:
    entry = get(client, repository, "/api/records/f1dna-mes7q/files")["entries"][0]

    assert client.get(entry["links"]["self"]).json() == entry


def test_concept_leads_to_the_newest_version(
    repository: DemoRepository, client: httpx.Client
) -> None:
    api = client.get(f"{repository.origin}/api/records/d1al3-all00")
    page = client.get(f"{repository.origin}/records/d1al3-all00")

    assert (api.status_code, page.status_code) == (301, 301)
    assert api.headers["Location"] == f"{repository.origin}/api/records/d1al3-cts02"
    assert page.headers["Location"] == f"{repository.origin}/records/d1al3-cts02"


def test_versions_share_a_parent_and_know_which_is_newest(
    repository: DemoRepository, client: httpx.Client
) -> None:
    first = get(client, repository, "/api/records/d1al3-cts01")
    second = get(client, repository, "/api/records/d1al3-cts02")
    listed = get(client, repository, "/api/records/d1al3-cts01/versions")["hits"]

    assert first["parent"]["id"] == second["parent"]["id"] == "d1al3-all00"
    assert first["versions"] == {"index": 1, "is_latest": False}
    assert second["versions"] == {"index": 2, "is_latest": True}
    assert [hit["id"] for hit in listed["hits"]] == ["d1al3-cts02", "d1al3-cts01"]


def test_restricted_record_keeps_its_files_to_itself(
    repository: DemoRepository, client: httpx.Client
) -> None:
    record = get(client, repository, "/api/records/cl0sd-le77s")
    listing = client.get(f"{repository.origin}/api/records/cl0sd-le77s/files")

    assert record["access"]["status"] == "restricted"
    assert record["files"]["entries"] == {}
    assert listing.status_code == 403
    assert listing.json() == {"status": 403, "message": "Permission denied."}


def test_unknown_record_is_not_found(repository: DemoRepository, client: httpx.Client) -> None:
    api = client.get(f"{repository.origin}/api/records/zzzzz-zzzzz")
    page = client.get(f"{repository.origin}/records/zzzzz-zzzzz")

    assert (api.status_code, api.json()["status"]) == (404, 404)
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_only_the_wrong_checksum_is_wrong(repository: DemoRepository, client: httpx.Client) -> None:
    listing = get(client, repository, "/api/records/c3nsu-s1841/files")

    mistaken = [
        entry["key"]
        for entry in listing["entries"]
        if entry["checksum"]
        != f"md5:{hashlib.md5(client.get(entry['links']['content']).content).hexdigest()}"
    ]

    assert mistaken == ["quay-street.txt"]
