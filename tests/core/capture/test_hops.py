# SPDX-License-Identifier: AGPL-3.0-or-later
"""Redirects are followed by hand: where to, how often, and when not."""

import pytest

from carrel.capture.exchange import Exchange
from carrel.capture.hops import MAX_HOPS, Hops
from carrel.errors import IngestStop
from carrel.model import Status
from support.records import exchange

START = "http://example.org/a/b"


def sent_to(location: str | bytes, *, at: str = START, status: int = 302) -> Exchange:
    raw = location if isinstance(location, bytes) else location.encode()
    headers = ((b"Location", raw),)
    return exchange(at, status=status, headers=headers)


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("http://other.org/x", "http://other.org/x"),
        ("//other.org/x", "http://other.org/x"),
        ("/x", "http://example.org/x"),
        ("c?d=1", "http://example.org/a/c?d=1"),
        ("  /x  ", "http://example.org/x"),
        ("/größe", "http://example.org/größe"),
        (b"/gr\xf6\xdfe%20a?b#c", "http://example.org/gr%F6%DFe%20a?b#c"),
    ],
)
def test_a_location_is_read_as_an_address(location: str | bytes, target: str) -> None:
    assert Hops(START).next_after(sent_to(location)) == target


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_kind_of_redirect_is_followed(status: int) -> None:
    assert Hops(START).next_after(sent_to("/x", status=status)) is not None


@pytest.mark.parametrize("status", [200, 201, 300, 304, 404])
def test_a_location_without_a_redirect_is_not_followed(status: int) -> None:
    assert Hops(START).next_after(sent_to("/x", status=status)) is None


@pytest.mark.parametrize(
    "location",
    [
        "",
        "ftp://other.org/x",
        "javascript:alert(1)",
        "http://",
        "http://[::1",
        "file:///etc/passwd",
        "http://other.org:99999/",
        "http://other.org:port/",
        "http://other.org/\x7f",
        "/" + 9000 * "a",
    ],
)
def test_a_location_that_is_no_web_address_is_a_bad_redirect(location: str) -> None:
    with pytest.raises(IngestStop) as stop:
        Hops(START).next_after(sent_to(location))

    assert stop.value.status in (Status.BAD_REDIRECT, Status.REDIRECT_LOOP)


@pytest.mark.parametrize("location", ["http://127.0.0.1/a", "//10.0.0.7/", "http://localhost/"])
def test_a_public_address_does_not_lead_inside(location: str) -> None:
    hops = Hops(START)
    hops.next_after(sent_to("http://other.org/x"))

    with pytest.raises(IngestStop, match="inside a private network") as stop:
        hops.next_after(sent_to(location, at="http://other.org/x"))

    assert stop.value.status is Status.BAD_REDIRECT


def test_one_address_inside_may_lead_to_another() -> None:
    hops = Hops("http://127.0.0.1/a")

    assert hops.next_after(sent_to("/b", at="http://127.0.0.1/a")) == "http://127.0.0.1/b"


def test_of_several_locations_the_first_counts() -> None:
    answer = exchange(START, status=302, headers=((b"Location", b"/x"), (b"location", b"/y")))

    assert Hops(START).next_after(answer) == "http://example.org/x"


def test_a_circle_is_a_loop() -> None:
    hops = Hops(START)
    hops.next_after(sent_to("/x"))

    with pytest.raises(IngestStop) as stop:
        hops.next_after(sent_to(START, at="http://example.org/x"))

    assert stop.value.status is Status.REDIRECT_LOOP
    assert hops.urls == [START, "http://example.org/x", START]


def test_too_many_redirects_end_somewhere() -> None:
    hops = Hops(START)
    for number in range(MAX_HOPS):
        hops.next_after(sent_to(f"/{number}"))

    with pytest.raises(IngestStop) as stop:
        hops.next_after(sent_to("/one-more"))

    assert stop.value.status is Status.REDIRECTS_EXCEEDED


def test_every_exchange_is_kept() -> None:
    hops = Hops(START)
    exchanges = [sent_to("/x"), exchange("http://example.org/x")]

    hops.next_after(exchanges[0])
    end = hops.next_after(exchanges[1])

    assert (end, hops.exchanges) == (None, exchanges)
