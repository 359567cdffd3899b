# SPDX-License-Identifier: AGPL-3.0-or-later
"""Web addresses are taken apart as they are, however long they are."""

import pytest

from carrel.platforms.addresses import read_address, web_address


def test_an_address_with_many_fields_is_an_address() -> None:
    fields = "&".join(f"p{number}={number}" for number in range(300))

    address = read_address(f"https://Data.example:8443/files/a%20b?{fields}")

    assert address is not None
    assert (address.host, address.parts) == ("data.example", ("files", "a b"))
    assert (address.query["p199"], "p200" in address.query) == ("199", False)


def test_an_empty_query_is_part_of_an_address() -> None:
    assert web_address("https://a.example/x", "data?") == "https://a.example/data?"
    assert web_address("https://a.example/x", "https://a.example/y?a=1") == (
        "https://a.example/y?a=1"
    )


@pytest.mark.parametrize("text", ["ftp://a.example/", "http://", "http://[::1", "a.example/x", ""])
def test_what_is_no_web_address_is_none(text: str) -> None:
    assert read_address(text) is None
