# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exchanges that the ledger tells of, back again."""

from dataclasses import replace
from typing import Any

import pytest

from carrel.dark_archive.export.exchanges import exchange_of, uri
from carrel.dark_archive.probes.heads import told
from support.records import exchange

HEADERS = ((b"Content-Type", b"text/plain; x=\xe9"), (b"set-cookie", b"a"), (b"Set-Cookie", b"b"))


def test_an_exchange_comes_back_as_it_was() -> None:
    sent = replace(exchange(headers=HEADERS, reason=b"Okay"), http_version=b"HTTP/1.0")

    assert exchange_of(told(sent)) == sent


@pytest.mark.parametrize(
    "change",
    [
        {"url": None},
        {"status": "teapot"},
        {"started": "yesterday"},
        {"request_headers": [["Host"]]},
        {"response_headers": [["Content-Type", "\u20ac"]]},
        {"target": 5},
    ],
)
def test_what_is_no_exchange_is_none(change: dict[str, Any]) -> None:
    assert exchange_of({**told(exchange()), **change}) is None
    assert exchange_of({}) is None
    assert exchange_of(None) is None


def test_nothing_breaks_out_of_its_line() -> None:
    fields = {
        **told(exchange()),
        "url": "http://example.org/a\r\nWARC-Type: warcinfo",
        "response_headers": [["Content-Type", "text/plain\r\n\r\nX"]],
    }

    found = exchange_of(fields)

    assert found is not None
    assert found.url == "http://example.org/a%0D%0AWARC-Type:%20warcinfo"
    assert found.response_head_bytes().count(b"\r\n\r\n") == 1


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://example.org/a%20b?c=d&e=[f]", "http://example.org/a%20b?c=d&e=[f]"),
        ("http://example.org/é ü", "http://example.org/%C3%A9%20%C3%BC"),
        ("http://example.org/\ud800", "http://example.org/?"),
    ],
)
def test_addresses_are_in_ascii(address: str, expected: str) -> None:
    assert uri(address) == expected
