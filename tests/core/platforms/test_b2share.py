# SPDX-License-Identifier: AGPL-3.0-or-later
"""B2SHARE in its older form; the newer one is an InvenioRDM's."""

import asyncio
import json
import os
from typing import Any

import pytest

from carrel.model import Landing, PlatformItem, Status
from carrel.platforms.b2share import B2Share
from carrel.platforms.registry import describe as describe_any
from support.answers import Answers, landing, lost_landing, sample

ID = "01c54597e7254028a25959e4c419a1df"
PAGE = f"https://b2share.eudat.eu/records/{ID}"
API = f"https://b2share.eudat.eu/api/records/{ID}"
MD5 = "0123456789abcdef0123456789abcdef"
FILE = {"key": "a b.csv", "size": 35, "checksum": f"md5:{MD5}", "bucket": "d500"}


def record(*files: Any, **changes: Any) -> dict[str, Any]:
    metadata = {
        "titles": [{"title": "Ice"}],
        "creators": [{"creator_name": "Lovelace, Ada"}],
        "DOI": "http://doi.org/10.23728/b2share.01c",
        "open_access": True,
        "publication_state": "published",
        **changes,
    }
    return {"id": ID, "created": "2018-01-18T12", "files": list(files), "metadata": metadata}


def describe(answer: Any, page: Landing | None = None) -> PlatformItem:
    return asyncio.run(describe_any(page or landing(PAGE), Answers({API: answer})))[0]


@pytest.mark.parametrize("url", [PAGE, API, f"https://trng-b2share.eudat.eu/records/{ID}"])
def test_an_address_names_the_record(url: str) -> None:
    found = B2Share().asked_for(lost_landing(url))

    assert found is not None
    assert (found.platform_name, found.platform_id) == ("b2share", ID)


def test_a_record_names_its_files() -> None:
    item = describe(record(FILE))

    (entry,) = item.manifest
    assert (entry.path, entry.size, entry.digest("md5")) == ("a b.csv", 35, MD5)
    assert entry.platform_url == "https://b2share.eudat.eu/api/files/d500/a%20b.csv"
    assert (item.title, item.doi, item.published) == ("Ice", "10.23728/b2share.01c", "2018-01-18")
    assert (item.platform_name, item.platform_domain) == ("b2share", "b2share.eudat.eu")


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"open_access": False, "embargo_date": "2999-01-01"}, Status.PLATFORM_RESTRICTED),
        ({"open_access": False}, Status.PLATFORM_RESTRICTED),
        ({"publication_state": "draft"}, Status.PLATFORM_RESTRICTED),
    ],
)
def test_what_is_not_open_says_why(changes: dict[str, Any], status: Status) -> None:
    assert describe(record(FILE, **changes)).platform_status is status


def test_a_record_without_files_is_empty() -> None:
    assert describe(record()).platform_status is Status.EMPTY_MANIFEST


def test_the_newer_form_is_left_to_inveniordm() -> None:
    newer = {"id": ID, "files": {"enabled": True, "entries": {}}, "metadata": {"title": "Ice"}}

    assert describe(newer).platform_name == "inveniordm"


@pytest.mark.samples
@pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set")
def test_a_real_record_is_read() -> None:
    body = json.loads(sample("b2share/record-01c54597.json"))

    (entry,) = describe(body).manifest

    assert (entry.path, entry.size) == ("porto_test_0.txt", 35)


def test_an_address_of_version_2_that_leads_to_a_newer_record_is_not_its_own() -> None:
    newer = "https://b2share.eudat.eu/records/26jnj-a4x24"

    assert B2Share().asked_for(Landing(PAGE, (PAGE, newer), 200)) is None
