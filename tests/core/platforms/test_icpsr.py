# SPDX-License-Identifier: AGPL-3.0-or-later
"""ICPSR: known by address, described by the page, closed for want of an account."""

import asyncio

import pytest

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
