# SPDX-License-Identifier: AGPL-3.0-or-later
"""A user name and password are found in every form of address, and nothing else is touched."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import UsageError
from carrel.model import Finding, IngestRequest, ManifestFile
from carrel.model.dark import Reference
from carrel.model.landing import Landing, Link
from carrel.model.log_lines import Formatter
from carrel.model.user_information import bare_address, freed, shown, without_user_information

HIDDEN = "s3cr3t"
ADDRESSES = [
    ("http://user:s3cr3t@host/x", "http://host/x"),
    ("HTTPS://s3cr3t@host", "HTTPS://host"),
    ("https://user%3As3cr3t@host/x", "https://host/x"),
    ("http://user:s3cr3t%40host/x", "http://host/x"),
    ("http://user:s3cr3t＠höst/", "http://höst/"),
    ("//user:s3cr3t@host/x", "//host/x"),
    ("http://user:s3cr3t@host@evil/", "http://evil/"),
    ("http://user:s3cr3t\\@host/", "http://host/"),
    ("http:\\\\user:s3cr3t@host/", "http:\\\\host/"),
    ("http:/user:s3cr3t@host/", "http:/host/"),
    ("ftp://user:s3cr3t@host/f", "ftp://host/f"),
    ("redis://:s3cr3t@host:6379/0/key", "redis://host:6379/0/key"),
    ("http://user:s3cr3t@[::1]:80/", "http://[::1]:80/"),
    ("http://user:s3cr3t@host/a@b", "http://host/a@b"),
    ("http://user:pass/s3cr3t@host/x", "http://host/x"),
    ("http://user:pass#s3cr3t@host/x", "http://host/x"),
    ("http://user:pass?s3cr3t@host/x", "http://host/x"),
    ("http://user:pass&s3cr3t@host/x", "http://host/x"),
    ("https://a.org/web/2020id_/http:/u:s3cr3t@h/x", "https://a.org/web/2020id_/http:/h/x"),
    ("https://a.org/?url=http://u:s3cr3t@h/&m=a@b", "https://a.org/?url=http://h/&m=a@b"),
    ("https://a.org/?u=http%3A%2F%2Fu%3As3cr3t%40h%2F", "https://a.org/?u=http%3A%2F%2Fh%2F"),
]
IN_TEXTS = [
    "See http://u:s3cr3t@h/a, and https://v:s3cr3t@i/b.",
    '{"a": "http:\\/\\/u:s3cr3t\\u0040h/"}',
    '<a href="http://u:s3cr3t&#64;h/">',
    "title;(http://u:s3cr3t@h)",
]
OTHERS = [
    "https://medium.com/@user/x",
    "https://host/a?mail=a@b",
    "https://a.org/?u=http://host&mail=a@b",
    "https://a.org/?u=https%3A%2F%2Fx.org%2Fa%40b",
    "https://host/path//foo@bar",
    "https://host:8080/a@b",
    "https://[::1]:80/a@b",
    "mailto:a@b.org",
    "10.1234/a@b",
    "https://doi.org/10.1234/a@b",
    "// a remark by a@b.org",
]


@pytest.mark.parametrize(("address", "bare"), ADDRESSES)
def test_user_information_is_left_out_of_an_address(address: str, bare: str) -> None:
    assert without_user_information(address) == bare_address(address) == shown(address) == bare


@pytest.mark.parametrize("address", [address for address, _ in ADDRESSES])
def test_user_information_is_left_out_within_a_text(address: str) -> None:
    assert HIDDEN not in without_user_information(f"1. {address} (a copy)\n2. {address}")


@pytest.mark.parametrize("text", IN_TEXTS)
def test_user_information_is_left_out_as_it_is_written_in_json_and_html(text: str) -> None:
    assert HIDDEN not in without_user_information(text)


@pytest.mark.parametrize("text", OTHERS)
def test_an_at_sign_elsewhere_is_no_user_information(text: str) -> None:
    assert without_user_information(text) == shown(text) == bare_address(text) == text


@pytest.mark.parametrize(
    ("address", "bare"),
    [
        ("user:s3cr3t@host/x", "host/x"),
        ("s3cr3t@host/x", "host/x"),
        ("http:user:s3cr3t@host", "http:host"),
        ("http://us er:s3 s3cr3t@host/", "http://host/"),
        (" http://u:s3\ns3cr3t@host/", "http://host/"),
    ],
)
def test_one_address_is_read_as_lenient_readers_do(address: str, bare: str) -> None:
    assert bare_address(address) == bare


def test_what_may_be_a_password_without_a_scheme_is_not_shown() -> None:
    assert shown("“user:s3cr3t@host/x” is no host") == "“…@host/x” is no host"


def test_all_texts_of_a_json_value_are_freed() -> None:
    value = {"a": ["http://u:s3cr3t@h/", {"http://u:s3cr3t@h/": 1}], "b": 2, "c": None}

    assert freed(value) == {"a": ["http://h/", {"http://h/": 1}], "b": 2, "c": None}


def test_no_model_carries_user_information() -> None:
    address = "http://u:s3cr3t@h/"

    made = [
        IngestRequest(
            address, link_source_id=address, ext_ids={"x": address}, extra={"y": address}
        ),
        ManifestFile("a", address, extra={"x": address}, terminal_url=address, message=address),
        Finding("x", f"{address} is odd."),
        Link(address, "item"),
        Landing(address, (address, address)),
        Reference(address, None),
        UsageError(f"{address} is odd."),
    ]

    assert HIDDEN not in repr(made)


def test_a_log_has_no_user_information_in_messages_and_tracebacks() -> None:
    try:
        raise ValueError("http://u:s3cr3t@h/")
    except ValueError as error:
        fault = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", 10, "x", 1, "asked %s", ("http://u:s3cr3t@h/",), fault)

    line = Formatter("%(message)s").format(record)

    assert "asked http://h/" in line
    assert "ValueError" in line
    assert HIDDEN not in line


@given(st.text(st.sampled_from("http:/\\@%40&#;?.=ab[] "), max_size=60))
def test_leaving_out_twice_is_leaving_out_once(text: str) -> None:
    once = without_user_information(f"http://u:{HIDDEN}@h/ {text}")

    assert HIDDEN not in once


@pytest.mark.parametrize(
    "text",
    [
        "http://" * 50_000 + "@",
        "x://a:b/" * 50_000 + "@",
        "@" * 300_000,
        "http://" + "@" * 300_000,
        "a:" * 150_000 + "@",
        "%3A%2F%2F" * 30_000 + "@",
        "a:b@c " * 50_000,
    ],
    ids=range(7),
)
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    assert len(shown(text)) <= len(text)
