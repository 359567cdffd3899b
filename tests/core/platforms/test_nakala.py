# SPDX-License-Identifier: AGPL-3.0-or-later
"""NAKALA: data with files, embargoes by the day, collections."""

import asyncio
from typing import Any

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, PlatformItem, Status
from carrel.platforms.nakala import Nakala
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing

DOI = "10.34847/nkl.eabbbf68"
PAGE = f"https://nakala.fr/{DOI}"
API = f"https://api.nakala.fr/datas/{DOI}"
SHA1 = "a9993e364706816aba3e25717850c26c9cd0d89d"


def file(name: str = "nuit.wav", **changes: Any) -> dict[str, Any]:
    known = {
        "name": name,
        "size": "2048",
        "mime_type": "audio/x-wav",
        "sha1": SHA1,
        "embargoed": "2020-10-08T00:00:00+02:00",
        "humanReadableEmbargoedDelay": [],
    }
    return {**known, **changes}


def meta(term: str, value: Any) -> dict[str, Any]:
    return {"value": value, "lang": "fr", "propertyUri": f"http://nakala.fr/terms#{term}"}


def data(*files: dict[str, Any], **changes: Any) -> dict[str, Any]:
    metas = [
        meta("title", "Nuit"),
        meta("license", "CC-BY-4.0"),
        meta("creator", {"surname": "Lovelace", "givenname": "Ada"}),
    ]
    known = {"identifier": DOI, "version": 2, "status": "published", "metas": metas}
    return {**known, "files": list(files), **changes}


def describe(answer: Any, url: str = PAGE) -> PlatformItem:
    return asyncio.run(describe_any(landing(url), Answers({API: answer})))[0]


@pytest.mark.parametrize(
    "url", [PAGE, f"https://doi.org/{DOI}", f"https://api.nakala.fr/data/{DOI}/{SHA1}", f"{API}"]
)
def test_an_address_names_the_data(url: str) -> None:
    assert Nakala().asked_for(lost_landing(url)) == AskedItem("nakala", "nakala.fr", DOI)


def test_data_have_files_with_sha1() -> None:
    item = describe(data(file()))

    (entry,) = item.manifest
    assert (entry.path, entry.size, entry.digest("sha1")) == ("nuit.wav", 2048, SHA1)
    assert entry.platform_url == f"https://api.nakala.fr/data/{DOI}/{SHA1}"
    assert (item.title, item.license, item.creators) == ("Nuit", "CC-BY-4.0", ("Lovelace, Ada",))
    assert (item.platform_id, item.platform_version, item.doi) == (DOI, "2", DOI)


def test_only_an_embargo_in_the_future_closes_a_file() -> None:
    item = describe(data(file(), file("b.wav", embargoed="2999-01-01T00:00:00+01:00")))

    assert [entry.status for entry in item.manifest] == [None, Status.PLATFORM_RESTRICTED]
    assert "until 2999-01-01" in (item.manifest[1].message or "")


def test_data_that_are_not_published_are_restricted() -> None:
    item = describe(data(file(), status="pending"))

    assert item.platform_status is Status.PLATFORM_RESTRICTED


def test_data_without_files_are_empty() -> None:
    assert describe(data()).platform_status is Status.EMPTY_MANIFEST


def test_the_address_of_a_file_describes_its_data() -> None:
    item = describe(data(file()), f"https://api.nakala.fr/data/{DOI}/{SHA1}")

    assert [finding.code for finding in item.findings] == ["file-of-dataset"]


def test_a_collection_is_no_data() -> None:
    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe_any(landing(f"https://nakala.fr/collection/{DOI}"), Answers({})))

    assert stop.value.status is Status.PLATFORM_SCOPE


@pytest.mark.parametrize("status", ["moderated", "old"])
def test_what_was_looked_through_or_has_a_newer_version_is_public(status: str) -> None:
    assert describe(data(file(), status=status)).platform_status is Status.SUCCESS


def test_what_was_deleted_is_gone() -> None:
    with pytest.raises(IngestStop) as stop:
        describe(data(status="deleted"))

    assert stop.value.status is Status.PLATFORM_404


def test_the_slash_of_a_doi_may_be_encoded() -> None:
    page = lost_landing("https://api.nakala.fr/datas/10.34847%2Fnkl.eabbbf68")

    assert Nakala().asked_for(page) == AskedItem("nakala", "nakala.fr", DOI)
