# SPDX-License-Identifier: AGPL-3.0-or-later
"""ICPSR: known by address, described by the page, closed for want of an account."""

import asyncio

import pytest

from carrel.errors import IngestStop
from carrel.model import AskedItem, Landing, Status
from carrel.platforms.icpsr import Icpsr
from carrel.platforms.registry import describe
from support.answers import Answers, lost_landing

PAGE = "https://www.openicpsr.org/openicpsr/project/120907/version/V2/view"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (PAGE, "openicpsr.org"),
        ("https://doi.org/10.3886/E120907V2", "openicpsr.org"),
        ("https://www.icpsr.umich.edu/web/ICPSR/studies/120907", "icpsr.umich.edu"),
    ],
)
def test_an_address_names_the_study(url: str, host: str) -> None:
    assert Icpsr().asked_for(lost_landing(url)) == AskedItem("icpsr", host, "120907")


def test_a_study_is_described_and_needs_an_account() -> None:
    biblio = {"title": "Ice", "contrib_names": ["Lovelace, Ada"], "doi": "10.3886/E120907V2"}
    page = Landing(PAGE, (PAGE,), 200, html_biblio=biblio)

    item, _ = asyncio.run(describe(page, Answers({})))

    assert item.platform_status is Status.CREDENTIALS_REQUIRED
    assert (item.title, item.platform_version, item.doi) == ("Ice", "2", "10.3886/E120907V2")
    assert "log in there" in (item.platform_message or "")


def test_the_version_of_a_doi_counts_where_the_page_names_none() -> None:
    study = "https://www.icpsr.umich.edu/web/NAHDAP/studies/36498"
    page = Landing("https://doi.org/10.3886/ICPSR36498.v8", (study,), 200)

    item, _ = asyncio.run(describe(page, Answers({})))

    assert (item.platform_id, item.platform_version) == ("36498", "8")


def test_a_study_without_a_page_is_gone() -> None:
    page = Landing(PAGE, (PAGE,), 404, outcome=Status.NOT_FOUND)

    with pytest.raises(IngestStop) as stop:
        asyncio.run(describe(page, Answers({})))

    assert stop.value.status is Status.PLATFORM_404
