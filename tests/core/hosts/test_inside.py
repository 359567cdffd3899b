# SPDX-License-Identifier: AGPL-3.0-or-later
"""Addresses inside are told from public ones, however they are written."""

import pytest

from carrel.hosts.inside import is_inside, is_loopback, leads_inside

INSIDE = [
    "http://localhost/",
    "http://localhost./",
    "http://data.localhost/",
    "http://repository.localdomain/",
    "http://127.0.0.1:22/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://10.0.0.7/a",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
]


@pytest.mark.parametrize("url", INSIDE)
def test_an_address_inside_is_known_in_every_spelling(url: str) -> None:
    assert is_inside(url)


@pytest.mark.parametrize(
    "url", ["https://zenodo.org/", "https://8.8.8.8/", "http://[bad/", "http://a:port/"]
)
def test_other_addresses_are_public(url: str) -> None:
    assert not is_inside(url)


def test_only_a_public_page_may_not_lead_inside() -> None:
    assert leads_inside("https://zenodo.org/records/1", "http://127.0.0.1/")
    assert not leads_inside("http://127.0.0.1/records/1", "http://127.0.0.1/files/1")


@pytest.mark.parametrize(
    ("host", "is_this_machine"),
    [
        ("localhost", True),
        ("data.localhost", True),
        ("127.0.0.2", True),
        ("[::1]", True),
        ("10.0.0.7", False),
        ("localhost.example", False),
    ],
)
def test_this_machine_is_told_from_its_neighbours(host: str, is_this_machine: bool) -> None:
    assert is_loopback(host) is is_this_machine
